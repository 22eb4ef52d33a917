"""Pages are drawn off the event loop, so that working out chances holds nobody up."""

from __future__ import annotations

import asyncio
import gc
import random
from collections.abc import Sequence
from typing import Any

import pytest

from cogs.table.pages import page_drawing
from engines.store.match_store import Status
from tests.contract.helpers import STEPS
from tests.end_to_end.players import join, look, name_of, open_lobby, start, surface, table
from tests.end_to_end.world import NAMES, World
from tests.fronts import SCREENS
from tests.games import GAMES
from tests.messages import Message
from tests.playing import first_tap

DRAWS = ("hand", "table", "result", "sheet")


class Watched:
    """A screen that notes what it draws, and whether the event loop waits for it."""

    def __init__(self, screen: Any) -> None:
        self._screen = screen
        self.drawn: set[str] = set()
        self.on_the_loop: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        if name in DRAWS:
            self.drawn.add(name)
            if _loop_runs_here():
                self.on_the_loop.add(name)
        return getattr(self._screen, name)


def _loop_runs_here() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize("game", GAMES)
async def test_nothing_of_a_game_is_drawn_on_the_event_loop(
    inn: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Watched(SCREENS[game])
    monkeypatch.setitem(inn.bot.keeper.showing.screens, game, screen)
    seats, rng = GAMES[game].seats[0], random.Random(5)
    match = await open_lobby(inn, game=game)
    await join(inn, match, *NAMES[1:seats])
    await start(inn, match)
    for button in ("Score sheet", "Show my hand"):
        await inn.press(NAMES[1], await table(inn, match), button)
    for number in range(60):
        now = await look(inn, match)
        if now.info.status is not Status.RUNNING:
            break
        seat = now.due()[0]
        name = name_of(inn, now.info.seats[seat].user)
        notation = now.game.write(rng.choice(now.moves(seat)))
        decision = now.decisions()[seat].number
        if number % 6:
            await inn.bot.matches.play(match, now.info.seats[seat].user, decision, notation)
        else:
            await inn.forge(name, await surface(inn, match, "hand", seat), f"m:{match}:{decision}:{notation}")
    await inn.env.settle()
    for command in ("hand", "status"):
        await inn[NAMES[0]].slash(inn.table, f"{game} {command}", match=match)
    await inn.restart()
    assert screen.drawn >= {"hand", "table", "sheet"}
    assert screen.on_the_loop == set()


@pytest.mark.parametrize("game", STEPS)
async def test_a_tap_on_the_way_to_a_move_needs_a_thread_only_where_the_hand_is_not_worked_out(
    inn: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Watched(SCREENS[game])
    monkeypatch.setitem(inn.bot.keeper.showing.screens, game, screen)
    match = await open_lobby(inn, game=game)
    await join(inn, match, *NAMES[1 : GAMES[game].seats[0]])
    await start(inn, match)
    drawings, threads = inn.bot.keeper.showing.drawings, list[str]()
    elsewhere = page_drawing._drawn

    def noted(key: str, *what: Any) -> asyncio.Future[Any]:
        threads.extend((key,) if key else ())  # a picture that a step brings is of no match
        return elsewhere(key, *what)

    for forgotten in (False, True):
        message, name, tap = await _first_tap(inn, match)
        await inn.env.settle()
        if forgotten:
            drawings.forget(match)
            gc.collect()  # what asyncio keeps of what is done
        screen.drawn.clear()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(page_drawing, "_drawn", noted)
            await inn.forge(name, message, *tap)
            await inn.env.settle()
        assert (screen.drawn, threads) == (({"hand"}, [match]) if forgotten else (set(), []))
    assert screen.on_the_loop == set()


async def _first_tap(inn: World, match: str) -> tuple[Message, str, tuple[str, Sequence[str] | None]]:
    """A hand, whose it is, and the first tap on the way to a move that takes several; others are made until then."""
    rng = random.Random(7)
    while True:
        now = await look(inn, match)
        seat = now.due()[0]
        message, name = await surface(inn, match, "hand", seat), name_of(inn, now.info.seats[seat].user)
        moves = [now.game.write(move) for move in now.moves(seat)]
        if tap := next(filter(None, (first_tap(now, seat, move) for move in moves)), None):
            return message, name, tap
        await inn.forge(name, message, f"m:{match}:{now.decisions()[seat].number}:{rng.choice(moves)}")
