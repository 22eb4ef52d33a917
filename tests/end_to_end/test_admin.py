"""`/admin`: who may, over which matches, and that it shows nothing hidden."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import Any

from engines.store.match_store import Status
from tests.cogs.jest.table import make_offer, seat_jest
from tests.end_to_end.players import THREE
from tests.end_to_end.secrets import find_leaks
from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.messages import button_labels, client_text, message_text, move_buttons


async def run_admin(w: SimulatedServer, name: str, command: str, match: str) -> str:
    return reply_text(await w[name].slash(w.table, f"admin {command}", match=match))


async def reset_match(w: SimulatedServer, name: str, match: str) -> Any:
    question = await w[name].slash(w.table, "admin reset", match=match)
    return await w.press_answer(name, question, "End the match")


def commands_about(match: str, player: Any) -> tuple[tuple[str, dict[str, Any]], ...]:
    removed = {"match": match, "player": player}
    return ("admin show", {"match": match}), ("admin reset", {"match": match}), ("admin remove-player", removed)


async def test_without_the_right_every_admin_command_is_refused(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    server.show_command("admin", "Bela")  # a server may show a command to anybody
    before = (await server.load_snapshot(match)).info
    for command, options in (("admin matches", {}), *commands_about(match, server["Ada"])):
        answer = await server["Bela"].slash(server.table, command, **options)
        assert "Manage Server" in reply_text(answer), command
        assert answer.ephemeral
    answer = await server.forge_click("Bela", await server.find_table(match), f"a:{match}:reset:{server['Bela'].id}")
    assert "Manage Server" in reply_text(answer)
    assert await server["Bela"].autocomplete(server.table, "admin show", "match", "") == []
    assert (await server.load_snapshot(match)).info == before


async def test_the_right_in_one_server_is_none_in_another(server: SimulatedServer) -> None:
    match, waiting = await server.seat_and_start(), await server.open_lobby("Dora")
    channel, people = server.add_guild("The Other Inn", "Emil", "Ada", "Bela")
    await people["Emil"].slash(channel, "wizard new")
    (elsewhere,) = [info.id for info in await server.bot.matches.lookup.find() if info.id not in (match, waiting)]
    reply = reply_text(await server["Ada"].slash(server.table, "admin matches"))
    assert all(text in reply for text in (f"`{match}`", f"`{waiting}`", "Ada, Bela and Chidi"))
    assert elsewhere not in reply
    for command, options in commands_about(match, people["Ada"]):
        assert "no such match on this server" in reply_text(await people["Emil"].slash(channel, command, **options))
    assert await server.status(match) is Status.RUNNING
    offered = await people["Emil"].autocomplete(channel, "admin show", "match", "")
    assert match not in [each["value"] for each in offered]
    offered = await server["Ada"].autocomplete(server.table, "admin show", "match", "bela")
    assert [each["value"] for each in offered] == [match]
    assert await server["Ada"].autocomplete(server.table, "admin show", "match", "zzz") == []


async def test_a_reset_is_announced_and_its_history_is_kept(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    await server.make_move(match)
    server.make_manager("Dora")
    assert "You have ended match" in reply_text(await reset_match(server, "Dora", match))
    assert await server.status(match) is Status.RESET
    for channel in (server.thread, server.table):
        posted_texts = [message_text(m) for m in server.public_messages(channel)]
        assert any("Dora has ended the match of Wizard with Ada, Bela and Chidi" in text for text in posted_texts)
    hands = [server.find_hand(name, match) for name in THREE]
    for message in (await server.find_table(match), await server.find_lobby(match), *hands):
        assert "ended by an admin" in message_text(message)
    for message in hands:
        assert move_buttons(message) == []
        assert "Your hand" not in client_text(message)
    with closing(sqlite3.connect(server.path)) as database:
        rows_before = "\n".join(row for row in database.iterdump() if row.startswith("INSERT"))
    for text in (str(server["Dora"].id), "'reset'", "bid"):
        assert text in rows_before


async def test_a_reset_is_asked_about_checked_again_and_done_once(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    server.make_manager("Bela")
    confirmation = await server["Bela"].slash(server.table, "admin reset", match=match)
    assert "End this match for good" in reply_text(confirmation)
    assert await server.status(match) is Status.RUNNING
    server.take_roles("Bela")
    assert "Manage Server" in reply_text(await server.press_answer("Bela", confirmation, "End the match"))
    assert await server.status(match) is Status.RUNNING
    before = await server.find_table(match)
    confirmation = await server["Ada"].slash(server.table, "admin reset", match=match)
    question = server.private_messages("Ada")[-1]
    assert button_labels(question) == ["End the match", "Keep the match"]
    await server.press_answer("Ada", confirmation, "Keep the match")
    answer = server.private_messages("Ada")[-1]
    assert (answer["id"], button_labels(answer)) == (question["id"], [])
    assert "goes on unchanged" in message_text(answer)
    assert await server.status(match) is Status.RUNNING
    await server.forge_click("Ada", before, f"a:{match}:cancel:0")
    assert await server.find_table(match) == before
    await reset_match(server, "Ada", match)
    assert f"You have ended match `{match}`. It has no result." in map(message_text, server.private_messages("Ada"))
    second_answer = await server.forge_click("Ada", question, f"a:{match}:reset:0")
    assert "ended by an admin" in reply_text(second_answer)
    assert len([m for m in server.public_messages(server.table) if "has ended the match" in message_text(m)]) == 1
    lobby = await server.open_lobby()
    await reset_match(server, "Ada", lobby)
    assert await server.status(lobby) is Status.RESET
    assert "ended by an admin" in await server.lobby_text(lobby)
    assert "ended by an admin" in await run_admin(server, "Ada", "reset", lobby)


async def test_somebody_is_removed_and_cannot_come_back(server: SimulatedServer) -> None:
    async def remove(name: str) -> str:
        return reply_text(
            await server["Ada"].slash(server.table, "admin remove-player", match=match, player=server[name])
        )

    match = await server.seat_and_start(rounds=1)
    assert "is not sitting at this table" in await remove("Greta")
    assert "You removed Bela from match" in await remove("Bela")
    assert await server.status(match) is Status.PAUSED
    assert "Bela was removed by an admin" in await server.table_text(match)
    assert any("An admin has removed Bela" in message_text(m) for m in server.public_messages(server.thread))
    assert "no longer at this table" in message_text(server.newest_in_inbox("Bela"))
    refused = await server.press_button("Bela", await server.find_table(match), "Take the empty seat")
    assert "An admin removed you" in reply_text(refused)
    await server.press_button("Dora", await server.find_table(match), "Take the empty seat")
    assert await server.status(match) is Status.RUNNING
    assert "Your hand" in client_text(server.find_hand("Dora", match))
    match = await server.open_lobby("Bela")
    await server.join_lobby(match, "Chidi")
    await remove("Bela")
    now = (await server.load_snapshot(match)).info
    assert [seat.name for seat in now.seats] == ["Chidi"]
    assert now.host == server["Chidi"].id
    assert "Chidi (host" in await server.lobby_text(match)


async def test_admins_are_shown_nothing_hidden(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=3)
    server.make_manager("Dora")
    for _ in range(16):
        await server.make_move(match)
        await server["Dora"].slash(server.table, "admin matches")
        for command in ("show", "reset"):
            await run_admin(server, "Dora", command, match)
        now = await server.load_snapshot(match)
        for message in server.private_messages("Dora"):
            assert not find_leaks(now, client_text(message), None)
    shown_facts = await run_admin(server, "Dora", "show", match)
    assert "Waiting for" in shown_facts
    assert "- Ada\n- Bela\n- Chidi\n" in shown_facts


def action_lines(text: str) -> list[str]:
    """What was done, without the times."""
    _, _, done = text.partition("**History**\n")
    return [re.sub(r"^- <t:\d+:f> ", "", line) for line in done.splitlines()]


async def test_show_tells_what_was_done(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela", "Chidi", "Dora", rounds=1)
    await server["Ada"].slash(server.table, "motley options", match=match, option="rounds", value="3")
    await server["Dora"].slash(server.table, "motley leave", match=match)
    await server.env.advance_time(60)
    await server.start_match(match)
    for _ in range(4):
        await server.make_move(match)
    await server.leave_match(match, "Bela")
    await server.press_button("Emil", await server.find_table(match), "Take the empty seat")
    await server.make_move(match)
    await server["Ada"].slash(server.table, "motley stop", match=match)
    await reset_match(server, "Ada", match)
    shown_facts = await run_admin(server, "Ada", "show", match)
    bela, dora = (f"<@{server[name].id}>" for name in ("Bela", "Dora"))
    assert action_lines(shown_facts) == [
        *("Ada opened the table", f"{bela} joined", "Chidi joined", f"{dora} joined", "Ada changed the options"),
        *(f"{dora} left", "Ada started the match", "I opened the match's thread"),
        *(f"4 moves: Chidi 2, Ada 1 and {bela} 1", f"{bela} left", "Emil took an empty seat", "1 move: Ada 1"),
        *("Ada voted to end the match", "Ada ended the match for good"),
    ]


async def test_however_long_the_history_it_is_shown_within_what_discord_takes(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    statement = """
        INSERT INTO history (match, revision, action, by, reason, at)
        WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        SELECT ?, i, iif(i % 2, 'join', 'leave'), 1000000 + i, '', 1800000000 + i FROM n"""
    server.tamper_database(statement, match)
    done = action_lines(await run_admin(server, "Ada", "show", match))
    assert done[0] == "Ada opened the table"
    assert re.fullmatch(r"-# … \d+ more …", done[1])
    assert done[-1] == "<@1002000> left"
    assert len(done) > 50


async def test_show_does_not_tell_that_a_secret_choice_was_changed(server: SimulatedServer) -> None:
    match = await seat_jest(server)
    await make_offer(server, match, "Bela")
    before = await run_admin(server, "Ada", "show", match)
    assert action_lines(before)[-1] == "1 move: Bela 1"
    for which in (1, 0, 1):
        await server.env.advance_time(600)
        await make_offer(server, match, "Bela", which)
    assert await run_admin(server, "Ada", "show", match) == before
    await make_offer(server, match, "Chidi")
    assert action_lines(await run_admin(server, "Ada", "show", match))[-1] == "2 moves: Bela 1 and Chidi 1"


async def test_unknown_matches_and_garbage_get_a_sentence(server: SimulatedServer) -> None:
    await server.seat_and_start()
    for text in ("nonsense", "x" * 100, "' OR 1=1 --", "🃏", "ÄÖÜ", "../../etc", "0"):
        for command in ("admin show", "admin reset"):
            answer = await server["Ada"].slash(server.table, command, match=text)
            assert len(reply_text(answer)) > 10
            assert answer.ephemeral
