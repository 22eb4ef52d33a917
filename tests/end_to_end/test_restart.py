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
from tests.end_to_end.world import NAMES, SimulatedServer, full_reply_text, make_hang, reply_text
from tests.games import GAMES
from tests.messages import Message, button_labels, control_ids, message_text, move_buttons


async def test_a_lobby_goes_on_after_a_restart_unless_it_has_grown_old_by_then(inn: SimulatedServer) -> None:
    old, match = await inn.open_lobby("Dora"), await inn.open_lobby(rounds=1)
    await inn.join_lobby(match, "Bela")
    message = await inn.find_lobby(match)
    await inn.restart()
    await inn.press_button("Chidi", message, "Join")
    await inn.press_button("Ada", message, "Start")
    assert await inn.status(match) is Status.RUNNING
    await inn.play_out(match)
    inn.env.backend.advance_clock(2 * 24 * 60 * 60)
    await inn.restart()
    assert await inn.status(old) is Status.EXPIRED
    assert "within a day" in await inn.lobby_text(old)


async def test_a_lobby_that_was_shown_and_not_noted_before_a_crash_is_found_again(inn: SimulatedServer) -> None:
    reached, stuck = make_hang()
    inn.patch(inn.bot.reconciler, "note_surface", stuck)
    await inn.crash_during(inn["Ada"].slash(inn.table, "wizard new"), reached)
    (info,) = await inn.bot.matches.lookup.find()
    assert [message["id"] for message in inn.public_messages(inn.table)] == [(await inn.find_lobby(info.id))["id"]]
    await inn.join_lobby(info.id, "Bela")
    assert "Bela" in await inn.lobby_text(info.id)


async def test_a_lobby_that_could_not_be_noted_is_not_posted_again(inn: SimulatedServer) -> None:
    put = SurfaceCache.put

    async def failing(shown: SurfaceCache, surface: Surface) -> None:
        if surface.kind == "lobby":
            raise StoreFailure("away")
        await put(shown, surface)

    with inn.patched(SurfaceCache, "put", failing):
        await inn["Ada"].slash(inn.table, "wizard new", rounds=1)
        (message,) = inn.public_messages(inn.table)
        for name in ("Bela", "Chidi"):
            await inn.press_button(name, message, "Join")
        await inn.press_button("Ada", message, "Start")
        await inn.env.advance_time(10)
    await inn.env.advance_time(60)
    (info,) = await inn.bot.matches.lookup.find()
    assert info.status is Status.RUNNING
    lobbies = [each["id"] for each in inn.public_messages(inn.table) if "the match is running" in message_text(each)]
    assert lobbies == [message["id"]] == [(await inn.find_lobby(info.id))["id"]]


async def test_whose_coming_in_was_cut_off_by_a_crash_gets_a_hand_when_it_begins(inn: SimulatedServer) -> None:
    match, (reached, stuck) = await inn.open_lobby(rounds=1), make_hang()
    await inn.join_lobby(match, "Bela")
    inn.patch(inn.bot.reconciler.surface_sync.direct_messages, "open_inbox", stuck)
    await inn.crash_during(inn.join_lobby(match, "Chidi"), reached)
    await inn.start_match(match)
    assert (await inn.find_surface(match, "hand", 2))["id"] == inn.newest_in_inbox("Chidi")["id"]
    await inn.play_out(match)


async def test_a_crash_while_closed_direct_messages_are_noted_leaves_no_hand_behind(inn: SimulatedServer) -> None:
    inn.close_dms("Bela")
    match, (reached, stuck), written = await inn.open_lobby(rounds=1), make_hang(), list[str]()

    def hang_at_the_second(name: str) -> None:
        original = getattr(inn.bot.surfaces, name)

        async def write(*args: Any) -> None:
            await (stuck() if written else original(*args))
            written.append(name)

        inn.patch(inn.bot.surfaces, name, write)

    hang_at_the_second("close_inbox")
    hang_at_the_second("drop_hand")
    await inn.crash_during(inn.join_lobby(match, "Bela"), reached)
    assert len(written) == 1
    await inn.join_lobby(match, "Chidi")
    await inn.start_match(match)
    assert [each.seat for each in await inn.bot.surfaces.surfaces_of(match) if each.kind == "hand"] == [0, 2]


@pytest.mark.parametrize("phase", ["bid", "play"])
async def test_a_running_match_goes_on_with_the_old_buttons(inn: SimulatedServer, phase: str) -> None:
    match = await inn.seat_and_start(rounds=2)
    await inn.play_on(match, phase, 2)
    await inn.make_move(match)
    (name, old), old_table = await inn.due_hand(match), await inn.find_table(match)
    ephemeral, before = await inn.show_hand(name, match), await inn.load_snapshot(match)
    await inn.restart()
    assert (await inn.load_snapshot(match)) == before
    await inn.press_button(name, ephemeral if phase == "play" else old, move_buttons(old)[0])
    assert await inn.move_count(match) == before.info.moves + 1
    assert "Your hand" in full_reply_text(await inn.press_button("Ada", old_table, "Show my hand"))
    await inn.play_out(match)
    assert await inn.status(match) is Status.OVER


async def test_a_start_touches_what_is_behind_and_its_people_s_other_matches(inn: SimulatedServer) -> None:
    settled = await inn.seat_and_start(NAMES[3:6], rounds=2)
    await inn.make_move(settled)
    beside = await inn.seat_and_start(rounds=2)
    changed = await inn.seat_and_start(rounds=2)  # by which the same people's other hands name their table
    await inn.env.advance_time(2 * SAVE_DELAY)
    await inn.make_move(changed)
    await inn.env.advance_time(SAVE_DELAY - 1)  # too soon for that to be kept
    touched, read = list[str](), MatchStore.load

    async def nothing(*_: object) -> None:
        pass

    async def noted(store: MatchStore, match: str) -> Any:
        touched.append(match)
        return await read(store, match)

    inn.patch(MatchStore, "load", noted)
    inn.patch(MotleyBot, "_check_live_matches", nothing)
    inn.patch(StaleTracker, "save_state", nothing)  # as where it is killed
    await inn.restart()
    assert set(touched) == {changed, beside}  # whose hands may have to name it, or no longer


@pytest.mark.mishap
async def test_a_damaged_match_is_set_aside_before_somebody_asks_for_it(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=2)
    await inn.env.advance_time(2 * SAVE_DELAY)
    inn.tamper_database("UPDATE states SET checkpoint = '{}' WHERE match = ?", match)
    await inn.restart()
    assert "set aside" in (await inn.table_text(match)).lower()


async def test_a_paused_and_a_finished_match_outlive_restarts(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start()
    await inn.leave_match(match, "Bela")
    old = await inn.find_table(match)
    await inn.restart()
    await inn.press_button("Dora", old, "Take the empty seat")
    assert await inn.status(match) is Status.RUNNING
    await inn.play_out(match)
    old = await inn.find_table(match)
    await inn.restart()
    await inn.press_button("Dora", old, "Play again")
    (info,) = await inn.bot.matches.lookup.find()
    assert info.status is Status.LOBBY


async def test_a_match_that_is_restarted_after_every_move_is_played_to_its_end(inn: SimulatedServer) -> None:
    match, choose = await inn.seat_and_start(rounds=2), random_chooser(3)
    while await inn.status(match) is Status.RUNNING:
        await inn.make_move(match, choose)
        await inn.restart()
    assert re.search("wins|share the win", await inn.table_text(match))
    for name in THREE:
        assert "Scoring" in button_labels(inn.find_hand(name, match))


def stop_after(inn: SimulatedServer, what: Any, name: str) -> asyncio.Event:
    """From now on, what comes after that step never comes; the event tells that it was reached."""
    reached, step = asyncio.Event(), getattr(what, name)

    async def stuck(*args: Any, **kwargs: Any) -> None:
        await step(*args, **kwargs)
        reached.set()
        await asyncio.Event().wait()

    inn.patch(what, name, stuck)
    return reached


async def test_what_was_committed_but_not_answered_is_there_after_a_crash(inn: SimulatedServer) -> None:
    reached = stop_after(inn, inn.bot.matches.editor.store, "insert")
    await inn.crash_during(inn["Ada"].slash(inn.table, "wizard new", rounds=2), reached)
    match = (await inn.bot.matches.lookup.find())[0].id
    assert "Ada (host)" in await inn.lobby_text(match)
    await inn.join_lobby(match, "Bela")
    reached = stop_after(inn, inn.bot.matches.editor.store, "commit")
    await inn.crash_during(inn.press_button("Chidi", await inn.find_lobby(match), "Join"), reached)
    assert "Chidi" in await inn.lobby_text(match)
    reached = stop_after(inn, inn.bot.matches.editor.store, "commit")
    await inn.crash_during(inn.press_button("Ada", await inn.find_lobby(match), "Start"), reached)
    assert await inn.status(match) is Status.RUNNING
    assert "the match is running" in await inn.lobby_text(match)
    assert len(inn.table.threads) == 1
    assert "Your hand" in full_reply_text(await inn.press_button("Chidi", await inn.find_table(match), "Show my hand"))
    name, message = await inn.due_hand(match)
    clicked, reached = move_buttons(message)[0], stop_after(inn, inn.bot.matches.editor.store, "commit")
    await inn.crash_during(inn.press_button(name, message, clicked), reached)
    assert await inn.move_count(match) == 1
    assert move_buttons(inn.find_hand(name, match)) == []
    following, hand = await inn.due_hand(match)
    assert following != name
    assert move_buttons(hand)
    # Discord shows "This interaction failed", so the person clicks again
    assert "no longer open" in reply_text(await inn.forge_click(name, inn.find_hand(name, match), clicked))
    assert await inn.move_count(match) == 1
    await inn.play_out(match)


async def test_a_move_that_was_answered_but_shown_to_nobody_else_is_shown_after_a_crash(inn: SimulatedServer) -> None:
    match, (reached, stuck) = await inn.seat_and_start(rounds=2), make_hang()
    name, message = await inn.due_hand(match)
    inn.patch(inn.bot.reconciler.redraw_pass, "redraw_urgent", stuck)
    await inn.crash_during(inn.press_button(name, message, move_buttons(message)[0]), reached)
    following, hand = await inn.due_hand(match)
    assert move_buttons(hand)
    assert f"Waiting for {following} to" in await inn.table_text(match)


async def test_a_table_that_was_posted_but_not_noted_is_not_there_twice(inn: SimulatedServer) -> None:
    match = await inn.fill_lobby("Bela", "Chidi", rounds=1)
    shown, put, (reached, stuck) = inn.bot.surfaces, inn.bot.surfaces.put, make_hang()

    async def stuck_put(surface: Any) -> None:
        await (stuck() if surface.kind == "table" and surface.message else put(surface))

    inn.patch(shown, "put", stuck_put)
    await inn.crash_during(inn.press_button("Ada", await inn.find_lobby(match), "Start"), reached)
    path = f"/channels/{inn.thread.id}/messages"
    nonces = [r.json["nonce"] for r in inn.env.http_requests if r.path == path and r.json]
    assert len(nonces) - len(set(nonces)) == 1  # Discord posts what comes with the same nonce once
    assert control_ids(await inn.find_table(match))
    assert len([message for message in inn.public_messages(inn.thread) if not message["content"]]) == 1


@pytest.mark.parametrize("game", STEP_HELPERS)
@pytest.mark.parametrize("how", ["in good order", "killed later", "killed at once"])
async def test_picks_stand_after_a_restart_or_are_said_to_be_lost(inn: SimulatedServer, game: str, how: str) -> None:
    match = await inn.seat_and_start(NAMES[: min(GAMES[game].seats)], game=game)
    before, seat, picked = await inn.find_first_tap(match)
    await inn.forge_click(NAMES[seat], before, *picked)
    tapped, lost = await inn.find_surface(match, "hand", seat), how == "killed at once"
    assert control_ids(tapped) != control_ids(before)
    await inn.env.advance_time(SAVE_DELAY + 1 if how == "killed later" else 0)
    await inn.restart(killed=how != "in good order")
    await inn.bot.reconciler.redraw_surface(match, "hand", seat)
    await inn.env.settle()
    shown = await inn.find_surface(match, "hand", seat)
    assert (LOST in message_text(shown)) == lost
    assert control_ids(shown) == control_ids(before if lost else tapped)
    copy = await inn.press_button(NAMES[seat], await inn.find_table(match), "Show my hand")
    assert (LOST in reply_text(copy)) == lost


async def shown_contents(inn: SimulatedServer, match: str) -> list[tuple[str, object]]:
    messages = [await inn.find_table(match), *(inn.find_hand(name, match) for name in THREE)]
    return [(message_text(message), control_ids(message)) for message in messages]


async def test_after_a_restore_every_message_shows_it(inn: SimulatedServer, tmp_path: Path) -> None:
    def run(*arguments: object) -> int:
        return main(["--database", str(inn.path), *map(str, arguments)])

    match, backup = await inn.seat_and_start(rounds=2), tmp_path / "kept" / "backup.db"
    await inn.make_move(match)
    then = await inn.load_snapshot(match)
    shown = await shown_contents(inn, match)
    assert await asyncio.to_thread(run, "backup", backup) == 0  # while the bot runs
    for _ in range(4):
        await inn.make_move(match)
    later = await inn.seat_and_start()
    assert all(one != other for one, other in zip(await shown_contents(inn, match), shown, strict=True))
    assert await asyncio.to_thread(run, "restore", backup) == 1  # not while it runs
    await inn.restart(lambda: run("restore", backup))
    assert await inn.load_snapshot(match) == then
    assert await shown_contents(inn, match) == shown
    assert await inn.bot.matches.lookup.find() == [then.info]  # the other match is not known any more
    assert later != match
    name = THREE[then.due_seats()[0]]
    hand = inn.find_hand(name, match)
    await inn.press_button(name, hand, move_buttons(hand)[0])
    assert await inn.move_count(match) == then.info.moves + 1
    await inn.play_out(match)
    assert await inn.status(match) is Status.OVER
    await inn.restart()
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
async def test_a_damaged_match_is_set_aside_and_the_others_go_on(inn: SimulatedServer, sql: str) -> None:
    sound, match = await inn.seat_and_start(OTHERS), await inn.seat_and_start(rounds=2)
    await inn.make_move(match)
    (name, old), old_table = await inn.due_hand(match), await inn.find_table(match)
    inn.tamper_database(sql, match)
    await inn.restart()
    assert await inn.status(match) is Status.ASIDE
    assert "damaged and was set aside" in await inn.table_text(match)
    assert "damaged" in inn.hand_text(name, match) or sql != DAMAGE["move"]
    assert "damaged" in reply_text(await inn.forge_click(name, old, move_buttons(old)[0])) or sql == DAMAGE["seats"]
    await press_everything(inn, old_table, match)
    shown = reply_text(await inn["Ada"].slash(inn.table, "admin show", match=match))
    assert "Reason: its" in shown or "Reason: the" in shown
    assert "its move 1" in shown or sql != DAMAGE["move"]
    assert match in reply_text(await inn["Ada"].slash(inn.table, "admin matches"))
    assert sound in reply_text(await inn["Dora"].slash(inn.table, "motley matches"))
    assert await inn.status(sound) is Status.RUNNING
    await inn.play_out(sound)
    asked = await inn["Ada"].slash(inn.table, "admin reset", match=match)
    await inn.press_answer("Ada", asked, "Reset the match")
    assert await inn.status(match) is Status.RESET


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
async def test_an_older_bot_refuses_what_is_newer_and_writes_nothing(inn: SimulatedServer, which: str) -> None:
    match, waiting = await inn.seat_and_start(game="jest", clock="none"), await inn.open_lobby("Dora")
    await inn.join_lobby(waiting, "Emil")
    (name, old), old_table = await inn.due_hand(match), await inn.find_table(match)
    forward, back = NEWER[which]
    await inn.bot.surfaces.save_edits()  # as it is some seconds later
    inn.tamper_database(f"{forward} WHERE match = ?", match)
    inn.tamper_database("UPDATE matches SET revision = revision + 1, rules = 99 WHERE match = ?", waiting)
    before = [[row for row in rows if "expiry" not in row] for rows in stored_rows(inn)]
    await inn.restart(away=2 * 24 * 60 * 60)
    await inn.env.advance_time(24 * 60 * 60)  # the lobby has grown old
    assert "being updated" in reply_text(await inn.forge_click(name, old, move_buttons(old)[0]))
    await press_everything(inn, old_table, match)
    await press_everything(inn, old_table, waiting)
    assert "being updated" in reply_text(await inn["Emil"].slash(inn.table, "motley matches"))
    listed = reply_text(await inn["Ada"].slash(inn.table, "admin matches"))
    assert match in listed
    assert waiting in listed
    asked = "admin show|admin reset|admin remove-player|jest status|jest hand|motley leave|motley stop"
    for command in asked.split("|"):
        options: dict[str, Any] = {"player": inn["Bela"]} if command == "admin remove-player" else {}
        said = reply_text(await inn["Ada"].slash(inn.table, command, match=match, **options))
        assert "being updated" in said, command
    for command in ("admin show", "jest hand"):
        offered = await inn["Ada"].autocomplete(inn.table, command, "match", "")
        assert which == "game" or match in [each["value"] for each in offered]
    sound = await inn.seat_and_start(OTHERS)
    assert await inn.status(sound) is Status.RUNNING
    await inn.play_out(sound)
    assert [[row for row in rows if sound not in row and "expiry" not in row] for rows in stored_rows(inn)] == before
    inn.tamper_database(f"{back}, revision = revision + 1 WHERE match = ?", match)
    young = "UPDATE matches SET revision = revision + 1, rules = 1, created = created + 259200 WHERE match = ?"
    inn.tamper_database(young, waiting)
    await inn.restart()
    await inn.play_out(match)
    await inn.join_lobby(waiting, "Fumi")
    await inn.start_match(waiting, "Dora")
    assert {await inn.status(match), await inn.status(waiting)} == {Status.OVER, Status.RUNNING}
