"""Pages are drawn off the event loop, so that working out chances holds nobody up."""

from __future__ import annotations

import asyncio
import gc
import random
import threading
from contextlib import suppress
from typing import Any

import pytest

from cogs.table.state import page_drawing
from engines.features.takebacks import taking_back
from engines.features.takebacks.rules import is_surely_refused
from engines.features.takebacks.taking_back import TakingBack
from engines.store.match_store import Status
from tests.contract.helpers import STEP_HELPERS
from tests.end_to_end.simulated_server import NAMES, SimulatedServer
from tests.end_to_end.test_lessons import shown_message
from tests.game_uis import SCREENS
from tests.games import GAMES
from tests.messages import button_labels

DRAWS = ("hand", "table", "result", "sheet")


class WatchedScreen:
    """A screen that notes what it draws, and whether the event loop waits for it."""

    def __init__(self, screen: Any) -> None:
        self._screen = screen
        self.drawn: set[str] = set()
        self.on_the_loop: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        if name in DRAWS:
            self.drawn.add(name)
            with suppress(RuntimeError):
                asyncio.get_running_loop()
                self.on_the_loop.add(name)
        return getattr(self._screen, name)


async def start_watched(w: SimulatedServer, game: str) -> tuple[str, WatchedScreen]:
    """A match with as few as can be that has begun, and its screen."""
    screen = WatchedScreen(SCREENS[game])
    w.patches.setitem(w.bot.reconciler.surface_sync.screens, game, screen)
    match = await w.open_lobby(game=game)
    await w.join_lobby(match, *NAMES[1 : GAMES[game].seats[0]])
    await w.start_match(match)
    return match, screen


@pytest.mark.parametrize("game", GAMES)
async def test_nothing_of_a_game_is_drawn_on_the_event_loop(server: SimulatedServer, game: str) -> None:
    (match, screen), rng = await start_watched(server, game), random.Random(5)
    for button in ("Score sheet", "Show my hand"):
        await server.press_button(NAMES[1], await server.find_table(match), button)
    for number in range(60):
        now = await server.load_snapshot(match)
        if now.info.status is not Status.RUNNING:
            break
        seat = now.due_seats()[0]
        user, decision = now.info.seats[seat].user, now.decisions()[seat].number
        notation = now.game.format_move(rng.choice(now.moves(seat)))
        if number % 6:
            await server.bot.matches.moves.play_move(match, user, decision, notation)
        else:
            hand = await server.find_surface(match, "hand", seat)
            await server.forge_click(server.name_of(user), hand, f"m:{match}:{decision}:{notation}")
    await server.env.settle()
    for command in ("hand", "status"):
        await server[NAMES[0]].slash(server.table, f"{game} {command}", match=match)
    await server.restart()
    assert screen.drawn >= {"hand", "table", "sheet"}
    assert screen.on_the_loop == set()


async def make_a_move(w: SimulatedServer, match: str) -> str:
    """Somebody makes a move; their name."""
    now = await w.load_snapshot(match)
    seat = now.due_seats()[0]
    notation = now.game.format_move(now.moves(seat)[0])
    await w.bot.matches.moves.play_move(match, now.info.seats[seat].user, now.decisions()[seat].number, notation)
    await w.env.settle()
    return w.name_of(now.info.seats[seat].user)


@pytest.mark.parametrize("game", GAMES)
async def test_a_menu_replays_its_match_off_the_event_loop_and_once(server: SimulatedServer, game: str) -> None:
    (match, screen), threads = await start_watched(server, game), list[threading.Thread]()
    name = await make_a_move(server, match)

    def watched(*args: Any) -> bool:
        threads.append(threading.current_thread())
        return is_surely_refused(*args)

    with server.patched(taking_back, "is_surely_refused", watched):
        shown_labels = [await menu_labels(server, name, match) for _ in range(2)]
    assert shown_labels[0] == shown_labels[1]
    (thread,) = threads
    assert thread is not threading.main_thread()
    assert screen.on_the_loop == set()


async def menu_labels(w: SimulatedServer, name: str, match: str) -> list[str]:
    """The buttons of somebody's menu."""
    return button_labels(shown_message(w, await w.press_button(name, await w.find_table(match), "More")))


@pytest.mark.mishap
async def test_a_check_of_the_menu_that_fails_leaves_out_its_own_entry_only(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    match, _ = await start_watched(server, "jest")
    name, shown_labels = await make_a_move(server, match), list[list[str]]()

    async def broken(*about: Any) -> bool:
        raise ValueError

    async def unchecked_offer(*about: Any) -> bool:
        return False

    for check in (unchecked_offer, broken):
        with server.patched(TakingBack, "is_surely_refused", check):
            shown_labels.append(await menu_labels(server, name, match))
    offered, unchecked = shown_labels
    assert "Take back" in offered
    assert unchecked == [label for label in offered if label != "Take back"]
    assert "ValueError" in caplog.text


@pytest.mark.parametrize("game", STEP_HELPERS)
async def test_a_tap_needs_a_thread_only_if_the_hand_is_not_worked_out(server: SimulatedServer, game: str) -> None:
    match, screen = await start_watched(server, game)
    drawings, threads = server.bot.reconciler.surface_sync.page_cache, list[str]()
    elsewhere = page_drawing._submit_drawing

    def noted(key: str, *what: Any) -> asyncio.Future[Any]:
        threads.extend((key,) if key else ())  # a picture that a step brings is of no match
        return elsewhere(key, *what)

    for forgotten in (False, True):
        message, seat, tap = await server.find_first_tap(match)
        await server.env.settle()
        if forgotten:
            drawings.forget(match)
            for thread in page_drawing.THREADS:
                thread.submit(int).result()  # by then it has let go of what it drew before
            gc.collect()  # what asyncio keeps of what is done
        screen.drawn.clear()
        with server.patched(page_drawing, "_submit_drawing", noted):
            await server.forge_click(NAMES[seat], message, *tap)
            await server.env.settle()
        assert (screen.drawn, threads) == (({"hand"}, [match]) if forgotten else (set(), []))
    assert screen.on_the_loop == set()
