"""The bot is restarted, or dies, in the middle of things; and goes on where it was."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from cogs.client import MotleyBot
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.surfaces.move_steps import LOST
from cogs.table.surfaces.stale_tracking import SAVE_DELAY, StaleTracker
from engines.store.match_store import Status, StoreFailure
from engines.store.surface_storage import Surface
from storage import MatchStore
from tests.contract.helpers import STEP_HELPERS
from tests.end_to_end.players import (
    THREE,
    due_name,
    find_hand,
    find_lobby,
    find_surface,
    find_table,
    join_lobby,
    leave_match,
    load_snapshot,
    make_move,
    open_lobby,
    play_on,
    play_out,
    random_chooser,
    seat_and_start,
    start_match,
)
from tests.end_to_end.world import (
    NAMES,
    SimulatedServer,
    button_labels,
    control_ids,
    full_reply_text,
    message_text,
    move_buttons,
    reply_text,
)
from tests.games import GAMES
from tests.playing import first_tap


async def test_a_lobby_goes_on_after_a_restart(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, rounds=1)
    await join_lobby(inn, match, "Bela")
    old = await find_lobby(inn, match)
    await inn.restart()
    await inn.press_button("Chidi", old, "Join")
    await inn.press_button("Ada", old, "Start")
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING
    await play_out(inn, match)


async def test_a_lobby_that_was_shown_and_not_noted_before_a_crash_is_found_again(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached = asyncio.Event()

    async def stuck(surface: object, *, new: bool) -> None:
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(inn.bot.reconciler, "note_surface", stuck)
    await inn.crash_during(inn["Ada"].slash(inn.table, "wizard new"), reached)
    (info,) = await inn.bot.matches.find()
    assert [message["id"] for message in inn.public_messages(inn.table)] == [(await find_lobby(inn, info.id))["id"]]
    await join_lobby(inn, info.id, "Bela")
    assert "Bela" in message_text(await find_lobby(inn, info.id))


async def test_a_lobby_that_could_not_be_noted_until_its_match_has_started_is_not_posted_again(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = SurfaceCache.put

    async def failing(shown: SurfaceCache, surface: Surface) -> None:
        if surface.kind == "lobby":
            raise StoreFailure("away")
        await put(shown, surface)

    with monkeypatch.context() as patched:
        patched.setattr(SurfaceCache, "put", failing)
        await inn["Ada"].slash(inn.table, "wizard new", rounds=1)
        (message,) = inn.public_messages(inn.table)
        for name in ("Bela", "Chidi"):
            await inn.press_button(name, message, "Join")
        await inn.press_button("Ada", message, "Start")
        await inn.env.advance_time(10)
    await inn.env.advance_time(60)
    (info,) = await inn.bot.matches.find()
    assert info.status is Status.RUNNING
    lobbies = [each["id"] for each in inn.public_messages(inn.table) if "the match is running" in message_text(each)]
    assert lobbies == [message["id"]] == [(await find_lobby(inn, info.id))["id"]]


async def test_whose_coming_in_was_cut_off_by_a_crash_gets_a_hand_when_it_begins(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, reached = await open_lobby(inn, rounds=1), asyncio.Event()
    await join_lobby(inn, match, "Bela")

    async def stuck(user: int, about: str) -> None:
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(inn.bot.reconciler.surface_sync._direct_messages, "open_inbox", stuck)
    await inn.crash_during(join_lobby(inn, match, "Chidi"), reached)
    await start_match(inn, match)
    assert (await find_surface(inn, match, "hand", 2))["id"] == inn.newest_in_inbox("Chidi")["id"]
    await play_out(inn, match)


async def test_a_lobby_that_grew_old_while_the_bot_was_away_is_closed(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    inn.env.backend.advance_clock(2 * 24 * 60 * 60)
    await inn.restart()
    assert (await load_snapshot(inn, match)).info.status is Status.EXPIRED
    assert "within a day" in message_text(await find_lobby(inn, match))


@pytest.mark.parametrize("phase", ["bid", "play"])
async def test_a_running_match_goes_on_with_the_old_buttons(inn: SimulatedServer, phase: str) -> None:
    match = await seat_and_start(inn, rounds=2)
    await play_on(inn, match, phase, 2)
    await make_move(inn, match)
    before = await load_snapshot(inn, match)
    name = await due_name(inn, match)
    assert name is not None
    old, old_table = find_hand(inn, name, match), await find_table(inn, match)
    await inn.restart()
    assert (await load_snapshot(inn, match)) == before
    await inn.press_button(name, old, move_buttons(old)[0])
    assert (await load_snapshot(inn, match)).info.moves == before.info.moves + 1
    assert "Your hand" in full_reply_text(await inn.press_button("Ada", old_table, "Show my hand"))
    await play_out(inn, match)
    assert (await load_snapshot(inn, match)).info.status is Status.OVER


async def test_a_restart_with_nothing_behind_changes_no_message(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    await make_move(inn, match)
    before = len(inn.sent_requests())
    await inn.restart()
    assert [request for request in inn.sent_requests(before) if request[0] in ("POST", "PATCH", "DELETE", "PUT")] == []


async def test_a_start_touches_what_is_behind_and_its_people_s_other_matches(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled = await seat_and_start(inn, NAMES[3:6], rounds=2)
    await make_move(inn, settled)
    beside = await seat_and_start(inn, rounds=2)
    changed = await seat_and_start(inn, rounds=2)  # by which the same people's other hands name their table
    await inn.env.advance_time(2 * SAVE_DELAY)
    await make_move(inn, changed)
    await inn.env.advance_time(SAVE_DELAY - 1)  # too soon for that to be kept
    touched: list[str] = []
    read = MatchStore.load

    async def nothing(*_: object) -> None:
        pass

    async def noted(store: MatchStore, match: str) -> Any:
        touched.append(match)
        return await read(store, match)

    monkeypatch.setattr(MatchStore, "load", noted)
    monkeypatch.setattr(MotleyBot, "_check_live_matches", nothing)
    monkeypatch.setattr(StaleTracker, "save_state", nothing)  # as where it is killed
    await inn.restart()
    assert set(touched) == {changed, beside}  # whose hands may have to name it, or no longer


@pytest.mark.mishap
async def test_a_damaged_match_is_set_aside_before_somebody_asks_for_it(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    await inn.env.advance_time(2 * SAVE_DELAY)
    inn.tamper_database("UPDATE states SET checkpoint = '{}' WHERE match = ?", match)
    await inn.restart()
    assert "set aside" in message_text(await find_table(inn, match)).lower()


async def test_a_restart_syncs_no_commands_that_are_there(inn: SimulatedServer) -> None:
    before = len(inn.sent_requests())
    await inn.restart()
    assert not [path for method, path in inn.sent_requests(before) if method == "PUT" and path.endswith("/commands")]


async def test_a_paused_match_waits_on_after_a_restart(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    await leave_match(inn, match, "Bela")
    old = await find_table(inn, match)
    await inn.restart()
    await inn.press_button("Dora", old, "Take the empty seat")
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING
    await play_out(inn, match)


async def test_a_finished_match_can_be_played_again_after_a_restart(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    await play_out(inn, match)
    old = await find_table(inn, match)
    await inn.restart()
    await inn.press_button("Bela", old, "Play again")
    (info,) = await inn.bot.matches.find()
    assert info.status is Status.LOBBY


async def test_ephemeral_hands_work_on_after_a_restart(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name(inn, match)
    assert name is not None
    shown = await inn.press_button(name, await find_table(inn, match), "Show my hand")
    assert shown.response is not None
    (old,) = [seen.message for seen in inn.ephemeral_messages()]
    await inn.restart()
    await inn.press_button(name, old, move_buttons(old)[0])
    assert (await load_snapshot(inn, match)).info.moves == 1


async def test_a_match_that_is_restarted_after_every_move_is_played_to_its_end(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    choose = random_chooser(3)
    while (await load_snapshot(inn, match)).info.status is Status.RUNNING:
        await make_move(inn, match, choose)
        await inn.restart()
    assert "wins" in message_text(await find_table(inn, match)) or "share the win" in message_text(
        await find_table(inn, match)
    )
    for name in THREE:
        assert "Scoring" in button_labels(find_hand(inn, name, match))


# Dying in the middle of a handler


def stop_after(w: SimulatedServer, monkeypatch: pytest.MonkeyPatch, what: Any, name: str) -> asyncio.Event:
    """From now on, what comes after that step never comes; the event tells that it was reached."""
    reached, step = asyncio.Event(), getattr(what, name)

    async def stuck(*args: Any, **kwargs: Any) -> None:
        await step(*args, **kwargs)
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(what, name, stuck)
    return reached


async def test_a_move_that_was_committed_but_not_answered_is_there_after_a_crash(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name(inn, match)
    assert name is not None
    message = find_hand(inn, name, match)
    clicked = move_buttons(message)[0]
    reached = stop_after(inn, monkeypatch, inn.bot.matches._store, "commit")
    await inn.crash_during(inn.press_button(name, message, clicked), reached)
    now = await load_snapshot(inn, match)
    assert now.info.moves == 1
    assert move_buttons(find_hand(inn, name, match)) == []
    following = await due_name(inn, match)
    assert following is not None
    assert following != name
    assert move_buttons(find_hand(inn, following, match))
    # Discord shows "This interaction failed", so the person clicks again
    answer = await inn.forge_click(name, find_hand(inn, name, match), clicked)
    assert "no longer open" in reply_text(answer)
    assert (await load_snapshot(inn, match)).info.moves == 1
    await play_out(inn, match)


async def test_a_move_that_was_answered_but_shown_to_nobody_else_is_shown_after_a_crash(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name(inn, match)
    assert name is not None
    message = find_hand(inn, name, match)
    reached = asyncio.Event()

    async def stuck(*args: Any) -> None:
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(inn.bot.reconciler.redraw_pass, "redraw_urgent", stuck)
    await inn.crash_during(inn.press_button(name, message, move_buttons(message)[0]), reached)
    following = await due_name(inn, match)
    assert following is not None
    assert move_buttons(find_hand(inn, following, match))
    assert f"Waiting for {following} to" in message_text(await find_table(inn, match))


async def test_a_start_that_was_committed_but_not_shown_is_shown_after_a_crash(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await open_lobby(inn, rounds=1)
    await join_lobby(inn, match, "Bela", "Chidi")
    reached = stop_after(inn, monkeypatch, inn.bot.matches._store, "commit")
    await inn.crash_during(inn.press_button("Ada", await find_lobby(inn, match), "Start"), reached)
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING
    assert "the match is running" in message_text(await find_lobby(inn, match))
    assert len(inn.table.threads) == 1
    await play_out(inn, match)


async def test_a_join_that_was_committed_but_not_greeted_can_be_played(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await open_lobby(inn, rounds=1)
    await join_lobby(inn, match, "Bela")
    reached = stop_after(inn, monkeypatch, inn.bot.matches._store, "commit")
    await inn.crash_during(inn.press_button("Chidi", await find_lobby(inn, match), "Join"), reached)
    assert "Chidi" in message_text(await find_lobby(inn, match))
    await start_match(inn, match)
    assert "Your hand" in full_reply_text(await inn.press_button("Chidi", await find_table(inn, match), "Show my hand"))


async def test_a_lobby_whose_message_was_never_noted_is_posted_after_a_crash(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached = stop_after(inn, monkeypatch, inn.bot.matches._store, "insert")
    await inn.crash_during(inn["Ada"].slash(inn.table, "wizard new"), reached)
    (info,) = await inn.bot.matches.find()
    assert "Ada (host)" in message_text(await find_lobby(inn, info.id))
    await join_lobby(inn, info.id, "Bela", "Chidi")
    await start_match(inn, info.id)


async def test_a_table_that_was_posted_but_not_noted_is_not_there_twice(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await open_lobby(inn, rounds=1)
    await join_lobby(inn, match, "Bela", "Chidi")
    shown, reached = inn.bot.surfaces, asyncio.Event()
    put = shown.put

    async def stuck(surface: Any) -> None:
        if surface.kind == "table" and surface.message:
            reached.set()
            await asyncio.Event().wait()
        await put(surface)

    monkeypatch.setattr(shown, "put", stuck)
    await inn.crash_during(inn.press_button("Ada", await find_lobby(inn, match), "Start"), reached)
    nonces = [
        r.json["nonce"] for r in inn.env.http_requests if r.path == f"/channels/{inn.thread.id}/messages" and r.json
    ]
    assert len(nonces) - len(set(nonces)) == 1  # Discord posts what comes with the same nonce once
    assert control_ids(await find_table(inn, match))
    assert len([message for message in inn.public_messages(inn.thread) if not message["content"]]) == 1


async def test_a_second_connection_does_not_begin_anew(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    before = len(inn.sent_requests())
    await inn.bot.on_ready()
    await inn.env.settle()
    assert inn.sent_requests(before) == []
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING


# What cannot be carried on


@pytest.mark.mishap
@pytest.mark.mishap
async def test_a_damaged_match_is_set_aside_and_the_others_go_on(inn: SimulatedServer) -> None:
    sound = await seat_and_start(inn, ("Dora", "Emil", "Fumi"), rounds=1)
    match = await seat_and_start(inn, rounds=2)
    await make_move(inn, match)
    name = await due_name(inn, match)
    assert name is not None
    old, old_table = find_hand(inn, name, match), await find_table(inn, match)
    inn.tamper_database("UPDATE moves SET notation = 'bid 9' WHERE match = ?", match)
    await inn.restart()
    assert (await load_snapshot(inn, match)).info.status is Status.ASIDE
    assert "damaged" in reply_text(await inn.forge_click(name, old, move_buttons(old)[0]))
    assert "damaged" in message_text(await find_table(inn, match))
    assert "damaged" in message_text(find_hand(inn, name, match))
    for label in (f"t:{match}:hand", f"t:{match}:sheet", f"t:{match}:more", f"t:{match}:status", f"t:{match}:again"):
        answer = reply_text(await inn.forge_click(name, old_table, label))
        assert len(answer) > 10
        assert "went wrong" not in answer, label
    assert f"`{match}`" in reply_text(await inn["Ada"].slash(inn.table, "admin show", match=match))
    assert "its move 1" in reply_text(await inn["Ada"].slash(inn.table, "admin show", match=match))
    await play_out(inn, sound)
    asked = await inn["Ada"].slash(inn.table, "admin reset", match=match)
    assert asked.response is not None
    await inn["Ada"].click(asked.response, label="Reset the match")
    assert (await load_snapshot(inn, match)).info.status is Status.RESET


@pytest.mark.parametrize("game", STEP_HELPERS)
@pytest.mark.parametrize("how", ["in good order", "killed later", "killed at once"])
async def test_what_was_picked_stands_after_a_restart_or_is_said_to_be_lost(
    inn: SimulatedServer, game: str, how: str
) -> None:
    seats = min(GAMES[game].seats)
    match = await seat_and_start(inn, NAMES[:seats], game=game)
    picked, seat = await first_pick(inn, match)
    before = await find_surface(inn, match, "hand", seat)
    await inn.forge_click(NAMES[seat], before, *picked)
    tapped = await find_surface(inn, match, "hand", seat)
    assert control_ids(tapped) != control_ids(before)
    if how == "killed later":
        await inn.env.advance_time(SAVE_DELAY + 1)
    lost = how == "killed at once"
    await inn.restart(killed=how != "in good order")
    await inn.bot.reconciler.redraw_surface(match, "hand", seat)
    await inn.env.settle()
    shown = await find_surface(inn, match, "hand", seat)
    assert (LOST in message_text(shown)) == lost
    assert control_ids(shown) == control_ids(before if lost else tapped)
    copy = await inn.press_button(NAMES[seat], await find_table(inn, match), "Show my hand")
    assert (LOST in reply_text(copy)) == lost


async def first_pick(w: SimulatedServer, match: str) -> tuple[tuple[str, Sequence[str] | None], int]:
    """Play until a move takes several taps; the first of them, and the seat that makes it."""
    for _ in range(20):
        now = await load_snapshot(w, match)
        for seat in now.due_seats():
            for each in now.moves(seat):
                if tap := first_tap(now, seat, now.game.format_move(each)):
                    return tap, seat
        await make_move(w, match)
    raise AssertionError("no move of this match takes several taps")
