"""Sealed deals in Discord: the seal and the cuts come before any hand, the secret at the end and never before."""

from __future__ import annotations

import re
from typing import Any

import discord
import pytest

from cogs.table.pages import custom_ids
from cogs.table.pages.custom_ids import feature_id
from engines.hosting.records import record
from engines.hosting.timing.due_times import LOBBY_SECONDS
from engines.store.match_store import Status
from tests.end_to_end.players import THREE
from tests.end_to_end.secrets import find_leaks
from tests.end_to_end.simulated_server import SimulatedServer, reply_text, response_of
from tests.end_to_end.test_privacy import ask_to_be_forgotten, fetch_data
from tests.games import GAMES
from tests.messages import Message, button_labels, client_text, message_text

pytestmark = pytest.mark.dealt(None)
FIELD = custom_ids.FORM_FIELD
OTHERS = ("Bela", "Chidi")
SEALED = "The deal of this table is sealed."  # how the message with the seal begins
HAND_RESULT_BUTTONS = ["Play again", "Watch again", "Share", "My costliest moves", "Scoring", "More"]


async def write_cut(w: SimulatedServer, name: str, match: str, digits: str) -> str:
    form = await w.press_in_menu(name, match, "Cut")
    assert form.modal is not None
    (label,) = form.modal["components"]
    assert (label["component"]["style"], label["component"]["max_length"]) == (1, 8)
    answer = await w[name].submit_modal(form, {FIELD: digits})
    await w.env.settle()
    return reply_text(answer)


async def secret_of(w: SimulatedServer, match: str) -> str:
    saved = await w.bot.matches.editor.store.load_deal(match)
    assert saved is not None
    return saved.secret


async def seal_of(w: SimulatedServer, match: str) -> str:
    return (await w.load_snapshot(match)).info.seal


def everything_shown(w: SimulatedServer) -> str:
    seen_messages = [each.message for each in (*w.seen_messages, *w.ephemeral_messages())]
    files = [each.decode(errors="replace") for message in seen_messages for each in w.file_bytes(message)]
    return "\n".join([*map(client_text, seen_messages), *files])


def deal_messages(w: SimulatedServer) -> list[Message]:
    channels = [w.table, *w.table.threads]
    return [each for channel in channels for each in w.public_messages(channel) if "Cuts by seat" in message_text(each)]


async def check(w: SimulatedServer, match: str, name: str = "Greta") -> Any:
    return await w[name].slash(w.table, "motley check-deal", match=match)


def seal_messages(w: SimulatedServer) -> list[Message]:
    return [each for each in w.public_messages(w.table) if SEALED in message_text(each)]


async def test_the_seal_is_public_beside_the_lobby_before_anyone_cuts(server: SimulatedServer) -> None:
    match = await server.open_lobby()
    seal = await seal_of(server, match)
    assert re.fullmatch("[0-9a-f]{64}", seal)
    (posted,) = seal_messages(server)
    assert f"||`{seal}`||" in message_text(posted)
    assert int(posted["id"]) < int(server.find_hand("Ada", match)["id"]), "other messages came first"
    await server.join_lobby(match, *OTHERS)
    for seat in (await server.load_snapshot(match)).info.seats[1:]:
        assert int(posted["id"]) < int(seat.cut), "somebody cut before the seal was there"
    await server.restart()
    await server.press_in_menu("Chidi", match, "Leave the match")
    assert seal_messages(server) == [posted], "it is never edited, and comes once"
    assert not posted.get("edited_timestamp")


async def test_lobby_headers_and_the_reply_to_join_show_at_most_eight_digits(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    seal = await seal_of(server, match)
    await server.join_lobby(match, *OTHERS)
    reply = message_text(server.newest_private("Bela"))
    assert f"-# The deal is sealed (`{seal[:8]}…`)" in reply
    shown_texts = [reply, await server.lobby_text(match), await server.menu_text("Bela", match)]
    await server.start_match(match)
    shown_texts += [await server.lobby_text(match), await server.table_text(match), server.hand_text("Bela", match)]
    for text in shown_texts:
        assert not re.search("[0-9a-f]{9}|[0-9]{9}", re.sub("<t:[0-9]+:R>|discord.com/[/0-9a-z]+", "", text)), text


async def test_a_check_compares_the_messages_and_links_to_them(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    await server.join_lobby(match, *OTHERS)
    await server.start_match(match)
    await server.play_out(match)
    (seal,), (start,) = seal_messages(server), deal_messages(server)
    reply = reply_text(await check(server, match))
    for name, posted in (("the seal beside the lobby", seal), ("the message at the start", start)):
        url = f"https://discord.com/channels/{server.table.guild}/{posted['channel_id']}/{posted['id']}"
        assert f"✓ It matches [{name}]({url}), which has not been edited." in reply
    server.delete_message(seal)
    reply = reply_text(await check(server, match))
    assert "⚠ It does not match [the seal beside the lobby]" in reply
    assert "✓ It matches [the message at the start]" in reply


async def test_a_seal_that_is_refused_is_tried_again_and_meanwhile_the_menu_has_it(server: SimulatedServer) -> None:
    server.env.inject_error("POST", f"/channels/{server.table.id}/messages", status=403, code=50013, times=None)
    match = await server.open_lobby(rounds=1)
    seal = await seal_of(server, match)
    assert seal_messages(server) == []
    assert f"Seal `{seal[:8]}…`: under **More**." in await server.lobby_text(match)
    assert f"||`{seal}`||" in await server.menu_text("Greta", match)
    server.env.refusals.clear()
    await server.join_lobby(match, *OTHERS)
    (posted,) = seal_messages(server)
    assert f"||`{seal}`||" in message_text(posted)
    assert "Seal `" not in await server.lobby_text(match)
    assert seal not in await server.menu_text("Greta", match)
    await server.start_match(match)
    assert "⚠ The seal was posted after the first cut." in message_text(deal_messages(server)[0])
    await server.play_out(match)
    reply = reply_text(await check(server, match))
    assert "⚠ The seal was posted after the first cut. It matches [the seal beside the lobby](" in reply
    assert "✓ It matches [the message at the start](" in reply


async def test_a_seal_that_is_never_posted_is_told_at_the_start_and_by_the_check(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.env.inject_error("POST", f"/channels/{server.table.id}/messages", status=403, code=50013, times=None)
    match = await server.open_lobby(rounds=1)
    await server.join_lobby(match, *OTHERS)
    await server.start_match(match)
    assert "⚠ The seal was not posted before the start." in message_text(deal_messages(server)[0])
    await server.play_out(match)
    reply = reply_text(await check(server, match))
    assert "⚠ The seal was not posted before the start." in reply
    assert "[the seal beside the lobby]" not in reply
    assert f"Match {match}: the seal beside the lobby could not be posted" in caplog.text
    assert "the message at the start could not be posted" not in caplog.text


async def test_the_start_waits_for_a_seal_that_is_on_its_way(
    server: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = discord.abc.Messageable.send

    async def send_slowly(where: Any, content: Any = None, **how: Any) -> Any:
        if SEALED in str(content):
            await server.bot.clock.sleep(1)
        return await send(where, content, **how)

    monkeypatch.setattr(discord.abc.Messageable, "send", send_slowly)
    match = await server.open_lobby(rounds=1)
    for name in OTHERS:
        await server.bot.matches.lobbies.join(match, server[name].id, name)
    assert seal_messages(server) == []
    await server.press_button("Ada", await server.find_lobby(match), "Start")
    await server.env.settle()
    (posted,) = seal_messages(server)
    (start,) = deal_messages(server)
    assert int(posted["id"]) < int(start["id"])
    assert "⚠ The seal was posted after the first cut." in message_text(start), "the click on Start was earlier"


async def test_a_lobby_of_the_first_version_gets_its_seal_when_the_bot_starts(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    await server.join_lobby(match, "Bela")

    def take_back() -> None:
        server.delete_message(seal_messages(server)[0])
        server.tamper_database("DELETE FROM notes WHERE key = ?", f"seal {match}")

    await server.restart(take_back)
    (posted,) = seal_messages(server)
    assert f"||`{await seal_of(server, match)}`||" in message_text(posted)
    assert "before anyone" not in message_text(posted), "Bela has cut"
    await server.join_lobby(match, "Chidi")
    await server.start_match(match)
    await server.play_out(match)
    assert "⚠ The seal was posted after the first cut." in reply_text(await check(server, match))


async def test_a_seal_whose_posting_was_not_noted_is_found_again(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    (posted,) = seal_messages(server)
    await server.restart(
        lambda: server.tamper_database("UPDATE notes SET value = 'of long ago' WHERE key = ?", f"seal {match}")
    )
    await server.join_lobby(match, *OTHERS)
    assert seal_messages(server) == [posted]
    await server.start_match(match)
    await server.play_out(match)
    assert "✓ It matches [the seal beside the lobby](" in reply_text(await check(server, match))


async def test_the_click_that_opened_the_table_does_not_make_the_seal_late(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    await server.join_lobby(match, *OTHERS)
    await server.press_in_menu("Chidi", match, "Cut last")
    await write_cut(server, "Chidi", match, "31")
    await server.start_match(match)
    await server.play_out(match)
    assert "✓ It matches [the seal beside the lobby](" in reply_text(await check(server, match)), (
        "the host cuts with the click that opened the table, which comes before every seal"
    )


async def test_the_first_message_of_a_thread_says_what_one_sees_there(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1)
    first = server.public_messages(server.thread)[0]
    assert message_text(first).startswith("Here you see the table of this match")
    assert "To watch, just stay" in message_text(first)
    assert int(first["id"]) < int((await server.find_table(match))["id"])


async def test_the_seal_and_the_cuts_come_before_the_table_and_any_hand_and_stay(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    await server.join_lobby(match, *OTHERS)
    assert "`0042`" in await write_cut(server, "Bela", match, "0042")
    assert "Bela · cut 0042" in await server.menu_text("Chidi", match)
    before = len(server.seen_messages)
    await server.start_match(match)
    (posted,) = deal_messages(server)
    info = (await server.load_snapshot(match)).info
    third = info.seats[2].cut
    assert f"-# Seal: ||`{info.seal}`||" in message_text(posted)
    assert re.search(rf"A `0[1-9]\d{{16,}}` · B `0042` · C `{third}`", message_text(posted))
    assert "long cut that begins with 0 comes from the click on Start" in message_text(posted)
    assert posted["channel_id"] == str(server.thread.id)
    table = await server.find_table(match)
    assert int(posted["id"]) < int(table["id"])
    later = [seen_message.message for seen_message in server.seen_messages[before:]]
    place = next(n for n, message in enumerate(later) if message["id"] == posted["id"])
    hands = [server.find_hand(name, match)["id"] for name in THREE]
    hand_places = [n for n, message in enumerate(later) if message["id"] in hands]
    assert min(hand_places) > place, "a hand came first"
    await server.restart()
    await server.play_out(match)
    (start_message,) = deal_messages(server)
    assert start_message["id"] == posted["id"]
    assert not start_message.get("edited_timestamp")


async def test_no_hand_comes_while_the_seal_cannot_be_posted(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    await server.join_lobby(match, *OTHERS)
    server.env.inject_error("POST", "/channels/*/messages", status=500, code=0, times=6)
    await server.press_button("Ada", await server.find_lobby(match), "Start")
    await server.env.settle()
    assert await server.status(match) is Status.RUNNING
    lobby = await server.find_lobby(match)
    answer = await server.press_button("Bela", lobby, "Show my hand")
    assert "only just started" in reply_text(answer)
    for name in THREE:
        assert "You are in" in server.hand_text(name, match), "still the hand of the lobby"
    await server.env.advance_time(65)
    (posted,) = deal_messages(server)
    assert int(posted["id"]) < int((await server.find_table(match))["id"])
    await server.play_out(match)


async def test_a_channel_that_takes_no_seal_stops_no_match(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    match = await server.open_lobby(rounds=1)
    await server.join_lobby(match, *OTHERS)
    server.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=1)
    await server.start_match(match)
    await server.env.settle()
    assert deal_messages(server) == []
    assert f"Match {match}: the message at the start could not be posted" in caplog.text
    assert "the seal beside the lobby could not be posted" not in caplog.text
    await server.play_out(match)
    assert "passes the check" in reply_text(await check(server, match))


@pytest.mark.parametrize("typed", ["abc", "٣٤", "123456789", "", "1 2"])
async def test_a_bad_cut_is_refused_in_a_sentence(server: SimulatedServer, typed: str) -> None:
    match = await server.open_lobby()
    forged = [{"type": 18, "component": {"type": 4, "custom_id": FIELD, "value": typed}}]
    answer = await server.forge_form("Ada", feature_id("deals", match, "write"), forged)
    assert "one to eight digits" in reply_text(answer)
    answer = await server.forge_command("Ada", server.table, "motley cut", digits=typed or "x")
    assert "one to eight digits" in reply_text(answer)
    assert not (await server.load_snapshot(match)).info.seats[0].cut.startswith(typed or "x")


async def test_only_seated_players_may_cut_before_the_start(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    answer = await server.forge_click("Dora", await server.find_lobby(match), feature_id("deals", match, "cut"))
    assert "Only players can cut" in reply_text(answer)
    await write_cut(server, "Ada", match, "7")
    assert "already cut, with 7" in await write_cut(server, "Ada", match, "8")
    await server.join_lobby(match, *OTHERS)
    lobby = await server.find_lobby(match)
    answer = await server["Bela"].slash(server.table, "motley cut", match=match)
    assert "Give either" in reply_text(answer)
    form = await server.press_in_menu("Bela", match, "Cut")
    await server.start_match(match)
    assert "already started" in reply_text(await server["Bela"].submit_modal(form, {FIELD: "5"}))
    assert "already started" in reply_text(await server.forge_click("Bela", lobby, feature_id("deals", match, "cut")))
    assert "out of date" in reply_text(await server.forge_click("Bela", lobby, feature_id("deals", match, "nothing")))


async def test_cutting_last_holds_up_the_start(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    await server.join_lobby(match, *OTHERS)
    menu = await server.press_button("Chidi", await server.find_lobby(match), "More")
    answer = await server.press_answer("Chidi", menu, "Cut last")
    assert "You cut last" in reply_text(answer)
    assert "Cancel “cut last”" in str(server.newest_private("Chidi"))
    assert "Chidi cuts last; then the match can start." in await server.lobby_text(match)
    assert "cuts last." not in await server.lobby_text(match), "it says that once"
    assert "Chidi · cuts last" in await server.menu_text("Bela", match)
    refused = await server.press_button("Ada", await server.find_lobby(match), "Start")
    assert "Chidi cuts last" in reply_text(refused)
    assert "**More** shows it." in await write_cut(server, "Chidi", match, "31")
    assert "-# Chidi cuts last. " in await server.lobby_text(match)
    assert "Chidi · cut last 31" in await server.menu_text("Bela", match)
    answer = await server["Ada"].slash(server.table, "motley cut", last=True, match=match)
    assert "Chidi has already asked to cut last" in reply_text(answer)
    await server["Ada"].slash(server.table, "motley cut", last=False, match=match)
    await server.start_match(match)


@pytest.mark.parametrize("how", ["over", "reset", "vote", "cancel", "expire"])
async def test_the_secret_is_shown_however_a_match_ends_and_never_before(
    server: SimulatedServer, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    match = await server.open_lobby(rounds=1)
    await server.join_lobby(match, *OTHERS)
    secret, seal = await secret_of(server, match), await seal_of(server, match)
    if how in ("over", "reset", "vote"):
        await server.start_match(match)
        await server.make_move(match)
    for command in ("admin show", "motley check-deal"):
        await server["Ada"].slash(server.table, command, match=match)
    await fetch_data(server, "Ada")
    assert secret not in everything_shown(server) + caplog.text
    if how == "over":
        await server.play_out(match)
    elif how == "reset":
        question = await server["Ada"].slash(server.table, "admin reset", match=match)
        await server.press_answer("Ada", question, "End the match")
    elif how == "vote":
        for name in THREE[:2]:
            await server[name].slash(server.thread, "motley stop")
    elif how == "cancel":
        menu = await server.press_button("Ada", await server.find_lobby(match), "More")
        question = await server.press_answer("Ada", menu, "Cancel the table")
        await server.press_answer("Ada", question, "Cancel the table")
    else:
        await server.env.advance_time(LOBBY_SECONDS + 60)
    await server.env.settle()
    last_message = await server.find_lobby(match) if how in ("cancel", "expire") else await server.find_table(match)
    last_text = "\n".join(
        [client_text(last_message), *(each.decode(errors="replace") for each in server.file_bytes(last_message))]
    )
    assert secret in last_text
    assert seal in last_text
    assert secret not in caplog.text


async def test_a_result_has_a_button_that_checks_the_deal_and_attaches_the_record(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1)
    running = reply_text(await check(server, match))
    assert f"will be revealed when the match is over. Its seal is `{await seal_of(server, match)}`" in running
    await server.play_out(match)
    menu = await server.press_button("Greta", await server.find_table(match), "More")
    await server.press_answer("Greta", menu, "Check the deal")
    answer = server.newest_private("Greta")
    assert f"✓ **The deal of match `{match}` passes the check**" in message_text(answer)
    assert "1 table opened, 1 played to the end, 0 abandoned" in message_text(answer)
    (file,) = server.file_bytes(answer)
    record.replay(record.parse_record(file.decode()), GAMES)
    saved = await server.bot.matches.editor.store.load(match)
    server.tamper_database("UPDATE deals SET cuts = '1 2 3' WHERE match = ?", match)
    assert "⚠ **The deal" in reply_text(await check(server, match))
    server.tamper_database("UPDATE deals SET secret = ? WHERE match = ?", "00" * 32, match)
    assert "does not fit the seal" in reply_text(await check(server, match))
    assert saved is not None


async def test_tables_that_were_given_up_are_counted_and_can_be_checked(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1)
    question = await server["Ada"].slash(server.table, "admin reset", match=match)
    await server.press_answer("Ada", question, "End the match")
    reply = reply_text(await check(server, match))
    assert "passes the check" in reply
    assert f"1 table opened, 0 played to the end, 1 abandoned. The secrets of all closed tables are public. Most recently abandoned: `{match}`." in reply  # fmt: skip  # noqa: E501
    (file,) = server.file_bytes(server.newest_private("Greta"))
    kept_record = record.parse_record(file.decode())
    assert kept_record.result is None
    lobby = await server.open_lobby()
    await server["Ada"].slash(server.table, "motley leave", match=lobby)
    reply = reply_text(await check(server, lobby))
    assert "was cancelled before the deal, and the secret fits the seal" in reply
    assert await secret_of(server, lobby) in reply
    assert "2 abandoned" in reply


async def test_a_match_without_a_seal_says_so(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1)
    await server.play_out(match)
    server.tamper_database("DELETE FROM deals WHERE match = ?", match)
    server.tamper_database("UPDATE matches SET seal = '', revision = revision + 1 WHERE match = ?", match)
    await server.restart()
    reply = reply_text(await check(server, match))
    assert "**No seal**" in reply
    assert "check it without me" not in reply


async def test_nobody_elsewhere_checks_a_deal(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1)
    channel, people = server.add_guild("elsewhere", "Fumi")
    answer = await people["Fumi"].slash(channel, "motley check-deal", match=match)
    assert "no such match here" in reply_text(answer)


async def test_hands_stay_hidden_at_a_sealed_table(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    await server.make_move(match)
    now = await server.load_snapshot(match)
    for seen_message in (*server.seen_messages, *server.ephemeral_messages()):
        reader = None if seen_message.viewer is None else now.info.seat_of(seen_message.viewer)
        assert find_leaks(now, client_text(seen_message.message), reader) == []


async def test_a_rematch_says_its_own_seal(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1)
    await server.play_out(match)
    menu = await server.press_button("Ada", await server.find_table(match), "More")
    assert "Check the deal" in str(response_of(menu).components)
    assert button_labels(server.newest_in_inbox("Bela")) == HAND_RESULT_BUTTONS
    await server.press_button("Bela", await server.find_table(match), "Play again")
    (new,) = await server.bot.matches.editor.store.find(follows=match)
    assert new.seal not in ("", await seal_of(server, match))
    assert f"`{new.seal[:8]}…`" in message_text(server.newest_private("Bela"))
    await server.press_button("Chidi", await server.find_table(match), "Play again")
    assert f"`{new.seal[:8]}…`" in message_text(server.newest_private("Chidi"))
    assert f"`{new.seal}`" in message_text(seal_messages(server)[-1])


async def test_somebody_who_is_forgotten_breaks_no_proof(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    await server.join_lobby(match, *OTHERS)
    await write_cut(server, "Bela", match, "0042")
    data = await fetch_data(server, "Bela")
    assert data["matches"][0]["seats"][0]["your cut"] == "0042"
    await server.start_match(match)
    await server.play_out(match)
    await ask_to_be_forgotten(server, "Bela")
    await server.env.settle()
    assert "passes the check" in reply_text(await check(server, match))


# Luck


async def test_luck_is_shown_once_there_are_enough_matches(server: SimulatedServer) -> None:
    answer = await server["Greta"].slash(server.table, "motley luck")
    assert "No match of any game has been finished on this server" in reply_text(answer)
    match = await server.seat_and_start(rounds=1)
    await server.play_out(match)
    answer = await server["Greta"].slash(server.table, "motley luck", game="jest")
    assert "No match of Jest" in reply_text(answer)
    answer = await server["Greta"].slash(server.table, "motley luck")
    assert "too few matches so far" in reply_text(answer)
    for seed in range(3):
        await server.play_out_unseen("wizard", THREE, seed)
    answer = await server["Greta"].slash(server.table, "motley luck", game="Wizard")
    text = message_text(server.newest_private("Greta"))
    assert "Luck in Wizard" in text
    assert "latest 4 finished matches" in text
    channel, people = server.add_guild("elsewhere", "Fumi")
    answer = await people["Fumi"].slash(channel, "motley luck")
    assert "No match of any game" in reply_text(answer), "the matches of another server"


async def test_controls_that_an_older_version_posted_answer(server: SimulatedServer) -> None:
    match = await server.open_lobby(rounds=1)
    await server.join_lobby(match, *OTHERS)
    lobby = await server.find_lobby(match)
    assert "You cut last" in reply_text(await server.forge_click("Ada", lobby, f"k:{match}:last", None))
    assert "“Cut last” is cancelled." in reply_text(await server.forge_click("Ada", lobby, f"k:{match}:free", None))
    forged = [{"type": 18, "component": {"type": 4, "custom_id": FIELD, "value": "42"}}]
    await server.forge_form("Ada", f"k:{match}", forged)
    assert (await server.load_snapshot(match)).info.seats[0].cut == "42"
    assert "is sealed" in reply_text(await server.forge_click("Dora", lobby, f"k:{match}:check", None))
