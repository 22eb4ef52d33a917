"""The bot is restarted, dies, or is restored from a backup, in the middle of things; and goes on where it was."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cogs.client import MotleyBot
from cogs.table.commands.component_router import ComponentRouter
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.surfaces.move_steps import LOST
from cogs.table.surfaces.stale_tracking import SAVE_DELAY, StaleTracker
from engines.store.match_store import Status, StoreFailure
from engines.store.surface_storage import Surface
from motley.__main__ import main
from storage import MatchStore
from tests.contract.helpers import STEP_HELPERS
from tests.end_to_end.players import THREE, random_chooser
from tests.end_to_end.simulated_server import NAMES, SimulatedServer, full_reply_text, make_hang, reply_text
from tests.games import GAMES
from tests.messages import Message, button_labels, control_ids, message_text, move_buttons


async def test_a_lobby_goes_on_after_a_restart_unless_it_has_grown_old_by_then(server: SimulatedServer) -> None:
    old, match = await server.open_lobby("Dora"), await server.open_lobby(rounds=1)
    await server.join_lobby(match, "Bela")
    message = await server.find_lobby(match)
    await server.restart()
    await server.press_button("Chidi", message, "Join")
    await server.press_button("Ada", message, "Start")
    assert await server.status(match) is Status.RUNNING
    await server.play_out(match)
    server.env.time.skip(2 * 24 * 60 * 60)
    await server.restart()
    assert await server.status(old) is Status.EXPIRED
    assert "within a day" in await server.lobby_text(old)


async def test_a_lobby_that_was_shown_and_not_noted_before_a_crash_is_found_again(server: SimulatedServer) -> None:
    reached, stuck = make_hang()
    server.patch(server.bot.reconciler, "note_surface", stuck)
    await server.crash_during(server["Ada"].slash(server.table, "wizard new"), reached)
    (info,) = await server.bot.matches.lookup.find()
    assert [message["id"] for message in server.public_messages(server.table)] == [
        (await server.find_lobby(info.id))["id"]
    ]
    await server.join_lobby(info.id, "Bela")
    assert "Bela" in await server.lobby_text(info.id)


async def test_a_lobby_that_could_not_be_noted_is_not_posted_again(server: SimulatedServer) -> None:
    put = SurfaceCache.put

    async def failing(surface_cache: SurfaceCache, surface: Surface) -> None:
        if surface.kind == "lobby":
            raise StoreFailure("away")
        await put(surface_cache, surface)

    with server.patched(SurfaceCache, "put", failing):
        await server["Ada"].slash(server.table, "wizard new", rounds=1)
        (message,) = server.public_messages(server.table)
        for name in ("Bela", "Chidi"):
            await server.press_button(name, message, "Join")
        await server.press_button("Ada", message, "Start")
        await server.env.advance_time(10)
    await server.env.advance_time(60)
    (info,) = await server.bot.matches.lookup.find()
    assert info.status is Status.RUNNING
    lobbies = [
        each["id"] for each in server.public_messages(server.table) if "the match is running" in message_text(each)
    ]
    assert lobbies == [message["id"]] == [(await server.find_lobby(info.id))["id"]]


async def test_whose_coming_in_was_cut_off_by_a_crash_gets_a_hand_when_it_begins(server: SimulatedServer) -> None:
    match, (reached, stuck) = await server.open_lobby(rounds=1), make_hang()
    await server.join_lobby(match, "Bela")
    server.patch(server.bot.reconciler.surface_sync.direct_messages, "open_inbox", stuck)
    await server.crash_during(server.join_lobby(match, "Chidi"), reached)
    await server.start_match(match)
    assert (await server.find_surface(match, "hand", 2))["id"] == server.newest_in_inbox("Chidi")["id"]
    await server.play_out(match)


async def test_a_crash_while_closed_direct_messages_are_noted_leaves_no_hand_behind(server: SimulatedServer) -> None:
    server.close_dms("Bela")
    match, (reached, stuck), written = await server.open_lobby(rounds=1), make_hang(), list[str]()

    def hang_at_the_second(name: str) -> None:
        original = getattr(server.bot.surfaces, name)

        async def write(*args: Any) -> None:
            await (stuck() if written else original(*args))
            written.append(name)

        server.patch(server.bot.surfaces, name, write)

    hang_at_the_second("close_inbox")
    hang_at_the_second("drop_hand")
    await server.crash_during(server.join_lobby(match, "Bela"), reached)
    assert len(written) == 1
    await server.join_lobby(match, "Chidi")
    await server.start_match(match)
    assert [each.seat for each in await server.bot.surfaces.surfaces_of(match) if each.kind == "hand"] == [0, 2]


@pytest.mark.parametrize("phase", ["bid", "play"])
async def test_a_running_match_goes_on_with_the_old_buttons(server: SimulatedServer, phase: str) -> None:
    match = await server.seat_and_start(rounds=2)
    await server.play_on(match, phase, 2)
    await server.make_move(match)
    (name, old), old_table = await server.due_hand(match), await server.find_table(match)
    ephemeral, before = await server.show_hand(name, match), await server.load_snapshot(match)
    await server.restart()
    assert (await server.load_snapshot(match)) == before
    await server.press_button(name, ephemeral if phase == "play" else old, move_buttons(old)[0])
    assert await server.move_count(match) == before.info.moves + 1
    assert "Your hand" in full_reply_text(await server.press_button("Ada", old_table, "Show my hand"))
    await server.play_out(match)
    assert await server.status(match) is Status.OVER


async def test_a_start_touches_what_is_behind_and_its_people_s_other_matches(server: SimulatedServer) -> None:
    settled = await server.seat_and_start(NAMES[3:6], rounds=2)
    await server.make_move(settled)
    beside = await server.seat_and_start(rounds=2)
    changed = await server.seat_and_start(rounds=2)  # by which the same people's other hands name their table
    await server.env.advance_time(2 * SAVE_DELAY)
    await server.make_move(changed)
    await server.env.advance_time(SAVE_DELAY - 1)  # too soon for that to be kept
    touched, read = list[str](), MatchStore.load

    async def nothing(*_: object) -> None:
        pass

    async def noted(store: MatchStore, match: str) -> Any:
        touched.append(match)
        return await read(store, match)

    server.patch(MatchStore, "load", noted)
    server.patch(MotleyBot, "_check_live_matches", nothing)
    server.patch(StaleTracker, "save_state", nothing)  # as where it is killed
    await server.restart()
    assert set(touched) == {changed, beside}  # whose hands may have to name it, or no longer


@pytest.mark.mishap
async def test_a_damaged_match_is_set_aside_before_somebody_asks_for_it(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    await server.env.advance_time(2 * SAVE_DELAY)
    server.tamper_database("UPDATE states SET checkpoint = '{}' WHERE match = ?", match)
    await server.restart()
    assert "set aside" in (await server.table_text(match)).lower()


async def test_a_paused_and_a_finished_match_outlive_restarts(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    await server.leave_match(match, "Bela")
    old = await server.find_table(match)
    await server.restart()
    await server.press_button("Dora", old, "Take the empty seat")
    assert await server.status(match) is Status.RUNNING
    await server.play_out(match)
    old = await server.find_table(match)
    await server.restart()
    await server.press_button("Dora", old, "Play again")
    (info,) = await server.bot.matches.lookup.find()
    assert info.status is Status.LOBBY


async def test_a_match_that_is_restarted_after_every_move_is_played_to_its_end(server: SimulatedServer) -> None:
    match, choose = await server.seat_and_start(rounds=2), random_chooser(3)
    while await server.status(match) is Status.RUNNING:
        await server.make_move(match, choose)
        await server.restart()
    assert re.search("wins|share the win", await server.table_text(match))
    for name in THREE:
        assert "Scoring" in button_labels(server.find_hand(name, match))


def stop_after(server: SimulatedServer, what: Any, name: str) -> asyncio.Event:
    """From now on, what comes after that step never comes; the event tells that it was reached."""
    reached, step = asyncio.Event(), getattr(what, name)

    async def stuck(*args: Any, **kwargs: Any) -> None:
        await step(*args, **kwargs)
        reached.set()
        await asyncio.Event().wait()

    server.patch(what, name, stuck)
    return reached


async def test_a_move_that_was_committed_but_not_answered_is_there_after_a_crash(server: SimulatedServer) -> None:
    reached = stop_after(server, server.bot.matches.editor.store, "insert")
    await server.crash_during(server["Ada"].slash(server.table, "wizard new", rounds=2), reached)
    match = (await server.bot.matches.lookup.find())[0].id
    assert "Ada (host" in await server.lobby_text(match)
    await server.join_lobby(match, "Bela")
    reached = stop_after(server, server.bot.matches.editor.store, "commit")
    await server.crash_during(server.press_button("Chidi", await server.find_lobby(match), "Join"), reached)
    assert "Chidi" in await server.lobby_text(match)
    reached = stop_after(server, server.bot.matches.editor.store, "commit")
    await server.crash_during(server.press_button("Ada", await server.find_lobby(match), "Start"), reached)
    assert await server.status(match) is Status.RUNNING
    assert "the match is running" in await server.lobby_text(match)
    assert len(server.table.threads) == 1
    assert "Your hand" in full_reply_text(
        await server.press_button("Chidi", await server.find_table(match), "Show my hand")
    )
    name, message = await server.due_hand(match)
    clicked, reached = move_buttons(message)[0], stop_after(server, server.bot.matches.editor.store, "commit")
    await server.crash_during(server.press_button(name, message, clicked), reached)
    assert await server.move_count(match) == 1
    assert move_buttons(server.find_hand(name, match)) == []
    following, hand = await server.due_hand(match)
    assert following != name
    assert move_buttons(hand)
    # Discord shows "This interaction failed", so the person clicks again
    assert "no longer open" in reply_text(await server.forge_click(name, server.find_hand(name, match), clicked))
    assert await server.move_count(match) == 1
    await server.play_out(match)


async def test_a_move_that_was_answered_but_shown_to_nobody_else_is_shown_after_a_crash(
    server: SimulatedServer,
) -> None:
    match, (reached, stuck) = await server.seat_and_start(rounds=2), make_hang()
    name, message = await server.due_hand(match)
    server.patch(server.bot.reconciler.redraw_pass, "redraw_urgent", stuck)
    await server.crash_during(server.press_button(name, message, move_buttons(message)[0]), reached)
    following, hand = await server.due_hand(match)
    assert move_buttons(hand)
    assert f"Waiting for {following} to" in await server.table_text(match)


async def test_a_table_that_was_posted_but_not_noted_is_not_there_twice(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela", "Chidi", rounds=1)
    surface_cache, put, (reached, stuck) = server.bot.surfaces, server.bot.surfaces.put, make_hang()

    async def stuck_put(surface: Any) -> None:
        await (stuck() if surface.kind == "table" and surface.message else put(surface))

    server.patch(surface_cache, "put", stuck_put)
    await server.crash_during(server.press_button("Ada", await server.find_lobby(match), "Start"), reached)
    path = f"/channels/{server.thread.id}/messages"
    nonces = [r.json["nonce"] for r in server.env.http_requests if r.path == path and r.json]
    assert len(nonces) - len(set(nonces)) == 1  # Discord posts what comes with the same nonce once
    assert control_ids(await server.find_table(match))
    assert len([message for message in server.public_messages(server.thread) if not message["content"]]) == 1


@pytest.mark.parametrize("game", STEP_HELPERS)
@pytest.mark.parametrize("how", ["in good order", "killed later", "killed at once"])
async def test_picks_stand_after_a_restart_or_are_said_to_be_lost(server: SimulatedServer, game: str, how: str) -> None:
    match = await server.seat_and_start(NAMES[: min(GAMES[game].seats)], game=game)
    before, seat, picked = await server.find_first_tap(match)
    await server.forge_click(NAMES[seat], before, *picked)
    tapped, lost = await server.find_surface(match, "hand", seat), how == "killed at once"
    assert control_ids(tapped) != control_ids(before)
    await server.env.advance_time(SAVE_DELAY + 1 if how == "killed later" else 0)
    await server.restart(killed=how != "in good order")
    await server.bot.reconciler.redraw_surface(match, "hand", seat)
    await server.env.settle()
    shown_surface = await server.find_surface(match, "hand", seat)
    assert (LOST in message_text(shown_surface)) == lost
    assert control_ids(shown_surface) == control_ids(before if lost else tapped)
    copy = await server.press_button(NAMES[seat], await server.find_table(match), "Show my hand")
    assert (LOST in reply_text(copy)) == lost


async def shown_contents(server: SimulatedServer, match: str) -> list[tuple[str, object]]:
    messages = [await server.find_table(match), *(server.find_hand(name, match) for name in THREE)]
    return [(message_text(message), control_ids(message)) for message in messages]


async def test_after_a_restore_every_message_shows_it(server: SimulatedServer, tmp_path: Path) -> None:
    def run(*arguments: object) -> int:
        return main(["--database", str(server.path), *map(str, arguments)])

    match, backup = await server.seat_and_start(rounds=2), tmp_path / "kept" / "backup.db"
    await server.make_move(match)
    then = await server.load_snapshot(match)
    shown_contents_before = await shown_contents(server, match)
    assert await asyncio.to_thread(run, "backup", backup) == 0  # while the bot runs
    for _ in range(4):
        await server.make_move(match)
    later = await server.seat_and_start()
    assert all(
        one != other for one, other in zip(await shown_contents(server, match), shown_contents_before, strict=True)
    )
    assert await asyncio.to_thread(run, "restore", backup) == 1  # not while it runs
    await server.restart(lambda: run("restore", backup))
    assert await server.load_snapshot(match) == then
    assert await shown_contents(server, match) == shown_contents_before
    assert await server.bot.matches.lookup.find() == [then.info]  # the other match is not known any more
    assert later != match
    name = THREE[then.due_seats()[0]]
    hand = server.find_hand(name, match)
    await server.press_button(name, hand, move_buttons(hand)[0])
    assert await server.move_count(match) == then.info.moves + 1
    await server.play_out(match)
    assert await server.status(match) is Status.OVER
    await server.restart()
    assert run("check") == 0


# Matches that are damaged, or begun by a newer version of the bot

OTHERS = ("Dora", "Emil", "Fumi")
DAMAGE = {
    "move": "UPDATE moves SET notation = 'bid 9' WHERE match = ?",
    "votes": "UPDATE matches SET revision = revision + 1, votes = '{' WHERE match = ?",
    "options": "UPDATE matches SET revision = revision + 1, options = '[' WHERE match = ?",
    "status": "UPDATE matches SET revision = revision + 1, status = 'runs' WHERE match = ?",
    "seats": "DELETE FROM seats WHERE match = ?",
    "state": "DELETE FROM states WHERE match = ?",
    "base": "DELETE FROM bases WHERE match = ?",
}


@pytest.mark.mishap
@pytest.mark.parametrize("sql", DAMAGE.values(), ids=DAMAGE)
async def test_a_damaged_match_is_set_aside_and_the_others_go_on(server: SimulatedServer, sql: str) -> None:
    sound, match = await server.seat_and_start(OTHERS), await server.seat_and_start(rounds=2)
    await server.make_move(match)
    (name, old), old_table = await server.due_hand(match), await server.find_table(match)
    server.tamper_database(sql, match)
    await server.restart()
    assert await server.status(match) is Status.ASIDE
    assert "damaged and was set aside" in await server.table_text(match)
    assert "damaged" in server.hand_text(name, match) or sql != DAMAGE["move"]
    assert "damaged" in reply_text(await server.forge_click(name, old, move_buttons(old)[0])) or sql == DAMAGE["seats"]
    await press_everything(server, old_table, match)
    shown_text = reply_text(await server["Ada"].slash(server.table, "admin show", match=match))
    assert "Reason: its" in shown_text or "Reason: the" in shown_text
    assert "its move 1" in shown_text or sql != DAMAGE["move"]
    assert match in reply_text(await server["Ada"].slash(server.table, "admin matches"))
    assert sound in reply_text(await server["Dora"].slash(server.table, "motley matches"))
    assert await server.status(sound) is Status.RUNNING
    await server.play_out(sound)
    question = await server["Ada"].slash(server.table, "admin reset", match=match)
    await server.press_answer("Ada", question, "End the match")
    assert await server.status(match) is Status.RESET


async def press_everything(w: SimulatedServer, message: Message, match: str) -> None:
    """Whatever is clicked, there is a sentence or a form, and nothing goes wrong."""
    controls = w.bot.get_cog("ComponentRouter")
    assert isinstance(controls, ComponentRouter)
    for which in (name.removeprefix("t:") for name in controls.core if name.startswith("t:")):
        result = await w.forge_click("Bela", message, f"t:{match}:{which}")
        answer = reply_text(result)
        assert len(answer) > 10 or result.modal is not None, which
        assert "went wrong" not in answer, which


def stored_rows(w: SimulatedServer) -> list[list[tuple[object, ...]]]:
    names = ("matches", "seats", "states", "bases", "moves", "events", "history", "surfaces", "mentions", "due")
    with closing(sqlite3.connect(w.path)) as raw:
        return [raw.execute(f"SELECT * FROM {name} ORDER BY 1, 2, 3").fetchall() for name in names]


NEWER = {
    "rules": ("UPDATE matches SET revision = revision + 1, rules = 99", "UPDATE matches SET rules = 1"),
    "game": ("UPDATE matches SET revision = revision + 1, game = 'go'", "UPDATE matches SET game = 'jest'"),
}


@pytest.mark.parametrize("which", NEWER)
async def test_an_older_bot_refuses_what_is_newer_and_writes_nothing(server: SimulatedServer, which: str) -> None:
    match, waiting = await server.seat_and_start(game="jest", clock="none"), await server.open_lobby("Dora")
    await server.join_lobby(waiting, "Emil")
    (name, old), old_table = await server.due_hand(match), await server.find_table(match)
    forward, back = NEWER[which]
    await server.bot.surfaces.save_edits()  # as it is some seconds later
    server.tamper_database(f"{forward} WHERE match = ?", match)
    server.tamper_database("UPDATE matches SET revision = revision + 1, rules = 99 WHERE match = ?", waiting)
    before = [[row for row in rows if "expiry" not in row] for rows in stored_rows(server)]
    await server.restart(away=2 * 24 * 60 * 60)
    await server.env.advance_time(24 * 60 * 60)  # the lobby has grown old
    assert "being updated" in reply_text(await server.forge_click(name, old, move_buttons(old)[0]))
    await press_everything(server, old_table, match)
    await press_everything(server, old_table, waiting)
    assert "being updated" in reply_text(await server["Emil"].slash(server.table, "motley matches"))
    listed = reply_text(await server["Ada"].slash(server.table, "admin matches"))
    assert match in listed
    assert waiting in listed
    commands = "admin show|admin reset|admin remove-player|jest status|jest hand|motley leave|motley stop"
    for command in commands.split("|"):
        options: dict[str, Any] = {"player": server["Bela"]} if command == "admin remove-player" else {}
        reply = reply_text(await server["Ada"].slash(server.table, command, match=match, **options))
        assert "being updated" in reply, command
    for command in ("admin show", "jest hand"):
        offered = await server["Ada"].autocomplete(server.table, command, "match", "")
        assert which == "game" or match in [each["value"] for each in offered]
    sound = await server.seat_and_start(OTHERS)
    assert await server.status(sound) is Status.RUNNING
    await server.play_out(sound)
    assert [[row for row in rows if sound not in row and "expiry" not in row] for rows in stored_rows(server)] == before
    server.tamper_database(f"{back}, revision = revision + 1 WHERE match = ?", match)
    young = "UPDATE matches SET revision = revision + 1, rules = 1, created = created + 259200 WHERE match = ?"
    server.tamper_database(young, waiting)
    await server.restart()
    await server.play_out(match)
    await server.join_lobby(waiting, "Fumi")
    await server.start_match(waiting, "Dora")
    assert {await server.status(match), await server.status(waiting)} == {Status.OVER, Status.RUNNING}
