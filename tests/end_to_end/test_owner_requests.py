"""What the owner requests while the bot runs, `python -m motley block` and `say`, and whom managers shut out."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from cogs.system_clock import SystemClock
from cogs.table.scheduling import owner_requests
from cogs.table.scheduling.owner_requests import ANNOUNCEMENT_PREFIX, CHECK_SECONDS, STANDS_SECONDS
from cogs.table.state.block_list import PERSON_TEXT, SERVER_TEXT, SHUT_OUT_TEXT
from engines.store.match_store import FORGOTTEN_NAME, Status
from engines.store.owner_storage import AnnouncementPost
from engines.store.partition import ALL_SERVERS
from motley.__main__ import BESIDE_THE_BOT, build_parser, main
from motley.owner_requests import run_command
from tests.end_to_end.test_admin import make_admin
from tests.end_to_end.test_notes import field, open_menu
from tests.end_to_end.test_privacy import fetch_data
from tests.end_to_end.world import SimulatedServer, reply_text
from tests.messages import Message, message_text

TEXT = "We restart at **22:00**."


async def run(w: SimulatedServer, *arguments: object) -> list[str]:
    """Run a command of `python -m motley` beside the bot, and wait until the bot has noticed. Returns what it says."""
    said: list[str] = []
    options = build_parser().parse_args([str(each) for each in arguments])
    assert await BESIDE_THE_BOT[options.command](options, w.path, SystemClock().now(), said.append)
    await w.env.advance_time(CHECK_SECONDS + 1)
    await w.env.settle()
    return said


def announcements(w: SimulatedServer, channel: Any) -> list[Message]:
    return [each for each in w.public_messages(channel) if each["content"].startswith(ANNOUNCEMENT_PREFIX)]


# Personal data


async def test_the_owner_gets_the_same_file_as_the_person(inn: SimulatedServer) -> None:
    over = await inn.seat_and_start(rounds=1)
    await inn.play_out(over)
    match = await inn.seat_and_start(rounds=2)
    await inn.make_move(match)
    await inn["Ada"].slash(inn.table, "motley note", text="mine", match=match)
    for name in ("Ada", "Bela"):
        path, said = inn.path.with_name(f"{name}.json"), list[str]()
        theirs = await fetch_data(inn, name)
        options = build_parser().parse_args(["my-data", str(inn[name].id), str(path)])
        assert await BESIDE_THE_BOT["my-data"](options, inn.path, SystemClock().now(), said.append)
        assert "with 2 matches" in said[0]
        handed_out = json.loads(path.read_text(encoding="utf-8"))
        assert theirs.pop("made")
        assert handed_out.pop("made")
        assert handed_out == theirs
        assert next(each for each in handed_out["matches"] if each["match"] == match)["what you see now"]
        assert path.stat().st_mode & 0o777 == 0o600


async def test_the_owner_has_a_person_forgotten_while_the_bot_runs(inn: SimulatedServer) -> None:
    over = await inn.seat_and_start(rounds=1)
    await inn.play_out(over)
    match = await inn.seat_and_start(rounds=2)
    said = await run(inn, "forget", inn["Bela"].id, "--yes")
    assert "2 matches, 1 of them not finished" in said[0]
    after = (await inn.load_snapshot(match)).info
    assert (after.status, after.seats[1].name, after.seats[1].level) == (Status.RUNNING, FORGOTTEN_NAME, "normal")
    assert [seat.name for seat in (await inn.load_snapshot(over)).info.seats] == ["Ada", FORGOTTEN_NAME, "Chidi"]
    assert await inn.bot.matches.forgetting.pending_forgetting() == []
    assert (await fetch_data(inn, "Bela"))["matches"] == []


async def test_a_request_made_while_the_bot_is_stopped_is_carried_out_at_its_start(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=2)
    arguments = ["--database", str(inn.path), "forget", str(inn["Bela"].id), "--yes"]
    with ThreadPoolExecutor(1) as thread:  # a loop of its own
        await inn.restart(lambda: thread.submit(main, arguments).result())
    assert (await inn.load_snapshot(match)).info.seats[1].name == FORGOTTEN_NAME


# Blocks


async def test_a_blocked_person_gets_one_sentence_for_every_command_and_click(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start()
    menu, table = await open_menu(inn, "Ada", match), await inn.find_table(match)
    hand, before = inn.find_hand("Ada", match), (await inn.load_snapshot(match)).info
    (said,) = await run(inn, "block", "person", inn["Ada"].id)
    assert "is blocked" in said
    for command, options in (
        ("motley help", {}),
        ("motley my-data", {}),
        ("wizard new", {}),
        ("wizard hand", {"match": match}),
        ("motley note", {"text": "a"}),
    ):
        answer = await inn["Ada"].slash(inn.table, command, **options)
        assert (reply_text(answer), answer.ephemeral) == (PERSON_TEXT, True), command
    assert reply_text(await inn["Ada"].user.slash("motley matches")) == PERSON_TEXT, "in direct messages"
    assert await inn["Ada"].autocomplete(inn.table, "wizard hand", "match", "") == []
    for message, control in ((table, f"t:{match}:hand"), (hand, f"t:{match}:back"), (table, "nonsense")):
        assert PERSON_TEXT in reply_text(await inn.forge_click("Ada", message, control))
    assert PERSON_TEXT in reply_text(await inn.press_answer("Ada", menu, "Note"))
    assert PERSON_TEXT in reply_text(await inn.forge_form("Ada", f"w:{match}", field("x")))
    assert len(await inn.bot.matches.lookup.find()) == 1
    after = (await inn.load_snapshot(match)).info
    assert [seat.user for seat in after.seats] == [seat.user for seat in before.seats]
    assert "As of" in message_text(await inn.show_hand("Bela", match)), "the others play on"


async def test_blocked_people_get_their_data_and_are_forgotten_in_direct_messages(inn: SimulatedServer) -> None:
    """People whom the owner blocked, people whom managers shut out, and people of a blocked server."""
    match = await inn.seat_and_start(rounds=2)
    make_admin(inn, "Dora")
    await run(inn, "block", "person", inn["Ada"].id)
    await inn["Dora"].slash(inn.table, "admin shut-out", player=inn["Bela"])
    await run(inn, "block", "server", inn.guild.id)
    for name, text in (("Ada", PERSON_TEXT), ("Bela", SERVER_TEXT), ("Chidi", SERVER_TEXT)):
        assert "`/motley forget-me`" in text
        for command in ("motley my-data", "motley forget-me", "motley privacy"):
            assert reply_text(await inn[name].slash(inn.table, command)) == text, command
        assert "What I store about you" in reply_text(await inn[name].user.slash("motley privacy"))
        assert "Everything I store about you, with 1 match" in reply_text(await inn[name].user.slash("motley my-data"))
        asked = await inn[name].user.slash("motley forget-me")
        again = await inn.press_answer(name, asked, "Continue")
        assert "I am forgetting you" in reply_text(await inn.press_answer(name, again, "Forget me"))
    await inn.env.settle()
    info = (await inn.load_snapshot(match)).info
    assert not {seat.user for seat in info.seats} & {inn[name].id for name in ("Ada", "Bela", "Chidi")}
    assert reply_text(await inn["Ada"].user.slash("motley help")) == PERSON_TEXT, "the block stays"


async def test_the_computer_plays_on_for_a_blocked_person_until_they_are_let_in(inn: SimulatedServer) -> None:
    match, lobby = await inn.seat_and_start(rounds=2), await inn.open_lobby("Bela")
    await inn.join_lobby(lobby, "Ada")
    await run(inn, "block", "person", inn["Ada"].id)
    info = (await inn.load_snapshot(match)).info
    assert (info.status, info.seats[0].is_away, info.seats[1].level) == (Status.RUNNING, True, "")
    assert [seat.name for seat in (await inn.load_snapshot(lobby)).info.seats] == ["Bela"]
    assert "The computer plays on for Ada." in str([message_text(m) for m in inn.public_messages(inn.thread)])
    await inn.restart()
    assert (await inn.load_snapshot(match)).info.seats[0].is_away
    (said,) = await run(inn, "unblock", "person", inn["Ada"].id)
    assert "no longer blocked" in said
    await inn["Ada"].slash(inn.table, "wizard hand", match=match)
    assert not (await inn.load_snapshot(match)).info.seats[0].is_away


async def test_a_blocked_server_rests_until_it_is_let_in(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=2)
    channel, people = inn.add_guild("The Other Inn", "Emil", "Ada")
    await run(inn, "block", "server", inn.guild.id)
    assert reply_text(await inn["Bela"].slash(inn.table, "wizard new")) == SERVER_TEXT
    hand = inn.find_hand("Ada", match)
    assert SERVER_TEXT in reply_text(await inn.forge_click("Ada", hand, f"t:{match}:back")), "in direct messages"
    assert reply_text(await inn["Ada"].user.slash("wizard hand", match=match)) == SERVER_TEXT
    await people["Ada"].slash(channel, "wizard new")
    (lobby,) = await inn.bot.matches.lookup.find(statuses=frozenset({Status.LOBBY}))
    assert lobby.place.channel == channel.id, "everything else goes on"
    info = (await inn.load_snapshot(match)).info
    assert info.status is Status.PAUSED
    await inn.env.advance_time(4 * 24 * 60 * 60)
    assert (await inn.load_snapshot(match)).info.moves == info.moves, "nobody's time runs"
    assert "The people who run me have stopped it" in await inn.table_text(match)
    await inn.restart()
    await run(inn, "unblock", "server", inn.guild.id)
    assert await inn.status(match) is Status.RUNNING
    await inn.play_out(match)


async def test_a_match_of_a_blocked_server_rests_whatever_becomes_of_its_seats(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=2)
    await run(inn, "block", "server", inn.guild.id)
    await run(inn, "block", "person", inn["Ada"].id)
    info = (await inn.load_snapshot(match)).info
    assert (info.status, info.seats[0].is_away) == (Status.PAUSED, True)
    await inn.bot.matches.seating.leave_match(match, inn["Bela"].id, "easy")  # as when somebody left the server
    assert await inn.status(match) is Status.PAUSED
    await run(inn, "unblock", "server", inn.guild.id)
    assert await inn.status(match) is Status.RUNNING


async def test_a_host_in_direct_messages_changes_no_lobby_of_a_blocked_server(inn: SimulatedServer) -> None:
    lobby = await inn.open_lobby("Ada")
    before = (await inn.load_snapshot(lobby)).info
    await run(inn, "block", "server", inn.guild.id)
    for given in ({"match": lobby}, {}):
        answer = await inn["Ada"].user.slash("motley options", **given, option="clock", value="none")
        assert reply_text(answer) == SERVER_TEXT
    assert (await inn.load_snapshot(lobby)).info == before


async def test_a_click_in_direct_messages_gives_nobody_back_who_is_shut_out(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=2)
    make_admin(inn, "Dora")
    await inn["Dora"].slash(inn.table, "admin shut-out", player=inn["Ada"])
    hand = inn.find_hand("Ada", match)
    inn.bot.matches.cache.evict_partition(ALL_SERVERS)  # as of a match that was not looked at for long
    assert SHUT_OUT_TEXT in reply_text(await inn.forge_click("Ada", hand, f"t:{match}:back"))
    assert (await inn.load_snapshot(match)).info.seats[0].is_away


async def test_blocks_that_were_lifted_while_the_bot_was_down_count_at_its_start(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start()
    await run(inn, "block", "server", inn.guild.id)
    unblock = build_parser().parse_args(["unblock", "server", str(inn.guild.id)])
    assert await run_command(unblock, inn.path, SystemClock().now(), lambda said: None)
    await inn.restart()
    assert await inn.status(match) is Status.RUNNING


async def test_a_click_is_enough_for_a_block_to_be_noticed(inn: SimulatedServer) -> None:
    options = build_parser().parse_args(["block", "person", str(inn["Ada"].id)])
    assert await run_command(options, inn.path, SystemClock().now(), lambda said: None)
    await inn.env.advance_time(owner_requests.SHORTEST_PAUSE + 1)
    await inn["Bela"].slash(inn.table, "motley help")
    assert reply_text(await inn["Ada"].slash(inn.table, "motley help")) == PERSON_TEXT


async def test_managers_shut_people_out_of_their_server_alone(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start()
    channel, people = inn.add_guild("The Other Inn", "Emil", "Ada")
    make_admin(inn, "Dora")
    inn.show_command("admin", "Bela")
    assert "Manage Server" in reply_text(await inn["Bela"].slash(inn.table, "admin shut-out", player=inn["Ada"]))
    assert "yourself or a bot" in reply_text(await inn["Dora"].slash(inn.table, "admin shut-out", player=inn["Dora"]))
    answer = await inn["Dora"].slash(inn.table, "admin shut-out", player=inn["Ada"])
    assert "You shut Ada out" in reply_text(answer)
    assert answer.ephemeral
    assert "already" in reply_text(await inn["Dora"].slash(inn.table, "admin shut-out", player=inn["Ada"]))
    assert f"<@{inn['Ada'].id}>" in reply_text(await inn["Dora"].slash(inn.table, "admin shut-out"))
    assert reply_text(await inn["Ada"].slash(inn.table, "wizard new")) == SHUT_OUT_TEXT
    hand = inn.find_hand("Ada", match)
    assert SHUT_OUT_TEXT in reply_text(await inn.forge_click("Ada", hand, f"t:{match}:back"))
    assert reply_text(await inn["Ada"].user.slash("wizard hand", match=match)) == SHUT_OUT_TEXT
    assert (await inn.load_snapshot(match)).info.seats[0].is_away
    await people["Ada"].slash(channel, "wizard new")
    found = [info for info in await inn.bot.matches.lookup.find() if info.place.channel == channel.id]
    assert len(found) == 1, "elsewhere they may play"
    await inn.restart()
    assert reply_text(await inn["Ada"].slash(inn.table, "wizard new")) == SHUT_OUT_TEXT
    assert "may play" in reply_text(await inn["Dora"].slash(inn.table, "admin let-in", player=inn["Ada"]))
    assert "is not shut out" in reply_text(await inn["Dora"].slash(inn.table, "admin let-in", player=inn["Ada"]))
    await inn["Ada"].slash(inn.table, "wizard hand", match=match)
    assert not (await inn.load_snapshot(match)).info.seats[0].is_away


# Announcements


async def test_an_announcement_is_posted_once_at_every_open_table_and_can_be_withdrawn(inn: SimulatedServer) -> None:
    await inn.seat_and_start()
    thread = inn.thread
    await inn.open_lobby("Dora")
    await inn.open_lobby("Greta")
    (said,) = await run(inn, "say", TEXT)
    assert "announced once" in said
    for channel in (thread, inn.table):
        assert [each["content"] for each in announcements(inn, channel)] == [f"{ANNOUNCEMENT_PREFIX}{TEXT}"]
    await inn.seat_and_start()
    later = inn.thread
    await inn.restart()
    await inn.env.advance_time(5 * CHECK_SECONDS)
    assert [len(announcements(inn, channel)) for channel in (thread, inn.table, later)] == [1, 1, 0]
    (said,) = await run(inn, "say", "--withdraw")
    assert "1 announcement is withdrawn" in said
    assert [announcements(inn, channel) for channel in (thread, inn.table)] == [[], []]
    assert await inn.bot.owner_requests._storage.announcements() == []
    await inn.env.advance_time(5 * CHECK_SECONDS)
    assert [announcements(inn, channel) for channel in (thread, inn.table)] == [[], []]


async def test_an_announcement_that_was_interrupted_is_posted_once(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot dies between the message and the note that it was sent: the nonce finds the message again."""
    await inn.seat_and_start()
    storage = inn.bot.owner_requests._storage
    with monkeypatch.context() as patched:

        async def lose(post: AnnouncementPost) -> None:
            return

        patched.setattr(storage, "note_announcement_message", lose)
        await run(inn, "say", TEXT)
        assert len(announcements(inn, inn.thread)) == 1
        await inn.restart(killed=True)
    await inn.env.advance_time(CHECK_SECONDS + 1)
    assert len(announcements(inn, inn.thread)) == 1
    await run(inn, "say", "--withdraw")
    assert not announcements(inn, inn.thread)


async def test_an_old_announcement_is_no_news_and_a_forbidden_channel_is_left_alone(inn: SimulatedServer) -> None:
    await inn.seat_and_start()
    number = inn.thread.id
    inn.env.inject_error("POST", rf"/channels/{number}/messages", status=403, code=50013, times=None)
    since = len(inn.sent_requests())
    await run(inn, "say", TEXT)
    await inn.env.advance_time(10 * CHECK_SECONDS)
    tried = [path for method, path in inn.sent_requests(since) if method == "POST" and f"/{number}/messages" in path]
    assert len(tried) == 1, "it is not tried again and again"
    inn.env.backend.faults.clear()
    await inn.env.advance_time(STANDS_SECONDS)
    await inn.restart()
    await inn.env.advance_time(CHECK_SECONDS + 1)
    assert not announcements(inn, inn.thread)


async def test_while_discord_is_unreachable_an_announcement_waits(inn: SimulatedServer) -> None:
    await inn.seat_and_start()
    inn.env.inject_error("POST", r"/channels/\d+/messages", status=500, code=0, times=2)
    await run(inn, "say", TEXT)
    await inn.env.advance_time(3 * CHECK_SECONDS)
    assert len(announcements(inn, inn.thread)) == 1


async def test_nobody_is_pinged_by_an_announcement(inn: SimulatedServer) -> None:
    await inn.seat_and_start()
    since = len(inn.env.http_requests)
    await run(inn, "say", f"@everyone <@{inn['Ada'].id}>")
    (sent,) = [r for r in inn.env.http_requests[since:] if r.json and ANNOUNCEMENT_PREFIX in str(r.json.get("content"))]
    assert sent.json is not None
    assert sent.json["allowed_mentions"] == {"parse": []}


@pytest.mark.parametrize("words", [("block", "server"), ("block", "list", "5"), ("block", "person", "0"), ("say", " ")])
async def test_a_command_that_makes_no_sense_changes_nothing(inn: SimulatedServer, words: tuple[str, ...]) -> None:
    said: list[str] = []
    with suppress(SystemExit):
        assert not await run_command(build_parser().parse_args(words), inn.path, SystemClock().now(), said.append)
        assert said
    assert await inn.bot.owner_requests._storage.blocks() == frozenset()
