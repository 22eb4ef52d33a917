"""`/admin`: who may, over which matches, and that it shows nothing hidden."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import discord

from engines.store.match_store import Status
from tests.cogs.jest.table import make_offer, seat_jest
from tests.end_to_end.players import (
    THREE,
    find_hand,
    find_lobby,
    find_table,
    join_lobby,
    leave_match,
    load_snapshot,
    make_move,
    open_lobby,
    seat_and_start,
    start_match,
)
from tests.end_to_end.secrets import find_leaks
from tests.end_to_end.world import SimulatedServer, button_labels, client_text, message_text, move_buttons, reply_text


def make_admin(w: SimulatedServer, name: str) -> None:
    """Give somebody the right to manage the server."""
    role = w.guild.create_role("Innkeeper", permissions=discord.Permissions(manage_guild=True))
    w.env.backend.add_member_role(w.guild.id, w[name].id, role.id)


async def reset_match(w: SimulatedServer, name: str, match: str) -> Any:
    """`/admin reset` and its confirmation."""
    asked = await w[name].slash(w.table, "admin reset", match=match)
    assert asked.response is not None
    return await w[name].click(asked.response, label="Reset the match")


async def test_without_the_right_every_admin_command_is_refused(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    inn.show_command("admin", "Bela")  # a server may show a command to anybody
    before = (await load_snapshot(inn, match)).info
    for command, options in (
        ("admin matches", {}),
        ("admin show", {"match": match}),
        ("admin reset", {"match": match}),
        ("admin remove-player", {"match": match, "player": inn["Ada"]}),
    ):
        answer = await inn["Bela"].slash(inn.table, command, **options)
        assert "Manage Server" in reply_text(answer), command
        assert answer.ephemeral
    answer = await inn.forge_click("Bela", await find_table(inn, match), f"a:{match}:reset:{inn['Bela'].id}")
    assert "Manage Server" in reply_text(answer)
    assert await inn["Bela"].autocomplete(inn.table, "admin show", "match", "") == []
    assert (await load_snapshot(inn, match)).info == before


async def test_matches_lists_those_of_this_server(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    waiting = await open_lobby(inn, "Dora")
    channel, people = inn.add_guild("The Other Inn", "Emil", "Ada")
    await people["Emil"].slash(channel, "wizard new")
    (elsewhere,) = [info.id for info in await inn.bot.matches.find() if info.id not in (match, waiting)]
    said = reply_text(await inn["Ada"].slash(inn.table, "admin matches"))
    assert f"`{match}`" in said
    assert f"`{waiting}`" in said
    assert elsewhere not in said
    assert "Ada, Bela and Chidi" in said


async def test_the_right_in_one_server_is_none_in_another(inn: SimulatedServer) -> None:
    channel, people = inn.add_guild("The Other Inn", "Emil", "Ada", "Bela")
    match = await open_lobby(inn)
    for command, options in (
        ("admin show", {"match": match}),
        ("admin reset", {"match": match}),
        ("admin remove-player", {"match": match, "player": people["Ada"]}),
    ):
        assert "no such match on this server" in reply_text(await people["Emil"].slash(channel, command, **options))
    offered = await people["Emil"].autocomplete(channel, "admin show", "match", "")
    assert match not in [each["value"] for each in offered]
    assert (await load_snapshot(inn, match)).info.status is Status.LOBBY


async def test_a_confirmation_is_checked_again_when_it_is_clicked(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    make_admin(inn, "Bela")
    asked = await inn["Bela"].slash(inn.table, "admin reset", match=match)
    assert "End this match for good" in reply_text(asked)
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING
    inn.env.backend.edit_member(inn.guild.id, inn["Bela"].id, {"role_ids": []})
    assert asked.response is not None
    refused = await inn["Bela"].click(asked.response, label="Reset the match")
    assert "Manage Server" in reply_text(refused)
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING


async def test_a_reset_is_announced_and_its_history_is_kept(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    await make_move(inn, match)
    make_admin(inn, "Dora")
    assert "You have reset match" in reply_text(await reset_match(inn, "Dora", match))
    assert (await load_snapshot(inn, match)).info.status is Status.RESET
    for channel in (inn.thread, inn.table):
        said = [message_text(m) for m in inn.public_messages(channel)]
        assert any("Dora has reset the match of Wizard with Ada, Bela and Chidi" in text for text in said)
    assert "reset by an admin" in message_text(await find_table(inn, match))
    assert "reset by an admin" in message_text(await find_lobby(inn, match))
    for name in THREE:
        assert "reset by an admin" in message_text(find_hand(inn, name, match))
        assert move_buttons(find_hand(inn, name, match)) == []
        assert "Your hand" not in client_text(find_hand(inn, name, match))
    with sqlite3.connect(inn.path) as database:
        kept = "\n".join(map(str, _all_rows(database)))
    assert str(inn["Dora"].id) in kept
    assert "'reset'" in kept
    assert "bid" in kept
    database.close()


def _all_rows(database: sqlite3.Connection) -> list[Any]:
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return [row for name in tables for row in database.execute(f'SELECT * FROM "{name}"')]


async def test_a_lobby_can_be_reset_and_a_closed_match_cannot(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await reset_match(inn, "Ada", match)
    assert (await load_snapshot(inn, match)).info.status is Status.RESET
    assert "reset by an admin" in message_text(await find_lobby(inn, match))
    assert "reset by an admin" in reply_text(await inn["Ada"].slash(inn.table, "admin reset", match=match))


async def test_a_reset_can_be_cancelled_and_its_question_goes_away(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    before = await find_table(inn, match)
    asked = await inn["Ada"].slash(inn.table, "admin reset", match=match)
    assert asked.response is not None
    question = inn.ephemeral_messages()[-1].message
    assert button_labels(question) == ["Reset the match", "Keep the match"]
    await inn["Ada"].click(asked.response, label="Keep the match")
    answer = inn.ephemeral_messages()[-1].message
    assert (answer["id"], button_labels(answer)) == (question["id"], [])
    assert "goes on unchanged" in message_text(answer)
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING
    await inn.forge_click("Ada", before, f"a:{match}:cancel:0")
    assert await find_table(inn, match) == before


async def test_a_confirmation_that_is_clicked_twice_resets_once(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    asked = await inn["Ada"].slash(inn.table, "admin reset", match=match)
    assert asked.response is not None
    question = inn.ephemeral_messages()[-1].message
    await inn["Ada"].click(asked.response, label="Reset the match")
    assert message_text(inn.ephemeral_messages()[-1].message) == f"You have reset match `{match}`."
    again = await inn.forge_click("Ada", question, f"a:{match}:reset:0")
    assert "reset by an admin" in reply_text(again)
    assert len([m for m in inn.public_messages(inn.table) if "has reset the match" in message_text(m)]) == 1


async def test_somebody_is_removed_and_cannot_come_back(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=1)
    answer = await inn["Ada"].slash(inn.table, "admin remove-player", match=match, player=inn["Bela"])
    assert "You removed Bela from match" in reply_text(answer)
    now = (await load_snapshot(inn, match)).info
    assert now.status is Status.PAUSED
    assert "Bela was removed by an admin" in message_text(await find_table(inn, match))
    assert any("An admin has removed Bela" in message_text(m) for m in inn.public_messages(inn.thread))
    assert "no longer at this table" in message_text(inn.newest_in_inbox("Bela"))
    refused = await inn.press_button("Bela", await find_table(inn, match), "Take the empty seat")
    assert "An admin removed you" in reply_text(refused)
    await inn.press_button("Dora", await find_table(inn, match), "Take the empty seat")
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING
    assert "Your hand" in client_text(find_hand(inn, "Dora", match))


async def test_somebody_is_removed_from_a_lobby(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, "Bela")
    await inn.press_button("Chidi", await find_lobby(inn, match), "Join")
    await inn["Ada"].slash(inn.table, "admin remove-player", match=match, player=inn["Bela"])
    now = (await load_snapshot(inn, match)).info
    assert [seat.name for seat in now.seats] == ["Chidi"]
    assert now.host == inn["Chidi"].id
    assert "Chidi (host)" in message_text(await find_lobby(inn, match))


async def test_who_does_not_sit_there_cannot_be_removed(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    answer = await inn["Ada"].slash(inn.table, "admin remove-player", match=match, player=inn["Greta"])
    assert "does not sit at this table" in reply_text(answer)


async def test_admins_are_shown_nothing_hidden(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=3)
    make_admin(inn, "Dora")
    for _ in range(16):
        await make_move(inn, match)
        for command, options in (
            ("admin matches", {}),
            ("admin show", {"match": match}),
            ("admin reset", {"match": match}),
        ):
            await inn["Dora"].slash(inn.table, command, **options)
        now = await load_snapshot(inn, match)
        for seen in inn.ephemeral_messages():
            if seen.viewer == inn["Dora"].id:
                assert not find_leaks(now, client_text(seen.message), None)
    shown = reply_text(await inn["Dora"].slash(inn.table, "admin show", match=match))
    assert "Waiting for" in shown
    assert "- Ada\n- Bela\n- Chidi\n" in shown


def action_lines(said: str) -> list[str]:
    """What was done, without the times."""
    _, _, done = said.partition("**What was done**\n")
    return [re.sub(r"^- <t:\d+:f> ", "", line) for line in done.splitlines()]


async def test_show_tells_what_was_done(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, rounds=1)
    await join_lobby(inn, match, "Bela", "Chidi", "Dora")
    await inn["Ada"].slash(inn.table, "motley options", match=match, option="rounds", value="3")
    await inn["Dora"].slash(inn.table, "motley leave", match=match)
    await inn.env.advance_time(60)
    await start_match(inn, match)
    for _ in range(4):
        await make_move(inn, match)
    await leave_match(inn, match, "Bela")
    await inn.press_button("Emil", await find_table(inn, match), "Take the empty seat")
    await make_move(inn, match)
    await inn["Ada"].slash(inn.table, "motley stop", match=match)
    await reset_match(inn, "Ada", match)
    said = reply_text(await inn["Ada"].slash(inn.table, "admin show", match=match))
    bela, dora = (f"<@{inn[name].id}>" for name in ("Bela", "Dora"))
    assert action_lines(said) == [
        "Ada opened the table",
        f"{bela} joined",
        "Chidi joined",
        f"{dora} joined",
        "Ada changed the options",
        f"{dora} left",
        "Ada started the match",
        "I opened the match's thread",
        f"4 moves: Chidi 2, Ada 1 and {bela} 1",
        f"{bela} left",
        "Emil took an empty seat",
        "1 move: Ada 1",
        "Ada voted to end the match",
        "Ada reset the match",
    ]


async def test_however_long_the_history_it_is_shown_within_what_discord_takes(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    inn.tamper_database(
        """
        INSERT INTO history (match, revision, action, by, reason, at)
        WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        SELECT ?, i, iif(i % 2, 'join', 'leave'), 1000000 + i, '', 1800000000 + i FROM n
        """,
        match,
    )
    done = action_lines(reply_text(await inn["Ada"].slash(inn.table, "admin show", match=match)))
    assert done[0] == "Ada opened the table"
    assert re.fullmatch(r"-# … \d+ more …", done[1])
    assert done[-1] == "<@1002000> left"
    assert len(done) > 50


async def test_show_does_not_tell_that_a_secret_choice_was_changed(inn: SimulatedServer) -> None:
    match = await seat_jest(inn)
    await make_offer(inn, match, "Bela")
    before = reply_text(await inn["Ada"].slash(inn.table, "admin show", match=match))
    assert action_lines(before)[-1] == "1 move: Bela 1"
    for which in (1, 0, 1):
        await inn.env.advance_time(600)
        await make_offer(inn, match, "Bela", which)
    assert reply_text(await inn["Ada"].slash(inn.table, "admin show", match=match)) == before
    await make_offer(inn, match, "Chidi")
    shown = reply_text(await inn["Ada"].slash(inn.table, "admin show", match=match))
    assert action_lines(shown)[-1] == "2 moves: Bela 1 and Chidi 1"


async def test_unknown_matches_and_garbage_get_a_sentence(inn: SimulatedServer) -> None:
    await seat_and_start(inn)
    for text in ("nonsense", "x" * 100, "' OR 1=1 --", "🃏", "ÄÖÜ", "../../etc", "0"):
        for command in ("admin show", "admin reset"):
            answer = await inn["Ada"].slash(inn.table, command, match=text)
            assert len(reply_text(answer)) > 10
            assert answer.ephemeral


async def test_autocomplete_offers_this_servers_matches(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    offered = await inn["Ada"].autocomplete(inn.table, "admin show", "match", "bela")
    assert [each["value"] for each in offered] == [match]
    assert await inn["Ada"].autocomplete(inn.table, "admin show", "match", "zzz") == []
