"""Positions of Jesters to draw screens of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count
from random import Random

from cogs.jesters.game_ui import GAME_UI
from cogs.screens.screen import Screen
from engines.jesters import JESTERS
from engines.jesters.components.catalogue import favorite
from engines.jesters.model import Options, State
from engines.kit.chance import Chance
from tests.cogs import screen_bench
from tests.cogs.screen_bench import ScreenBench, walk_positions
from tests.engines.jesters.positions import choose_purposeful, dice_meeting, parse_position, play_moves

BENCH = ScreenBench(GAME_UI, ("Ana\\_\\*", "李雷, 8 dice", "Cleo", "Dora"))


def match_positions(seats: int, seed: int) -> Iterator[State]:
    rng, start = Random(seed), JESTERS.start(seats, Options(), Chance(f"{seed:032x}"))
    return walk_positions(JESTERS, start, lambda state: (state.turn, choose_purposeful(state, rng, 0.8)))


@cache
def whole_match(seats: int) -> tuple[State, ...]:
    """Return a random match of several rounds with every kind of decision. Callers must not change the states."""
    wanted = {"turn", "attempt", "mark", "keep", "over"}
    matches = (tuple(match_positions(seats, seed)) for seed in count(1))
    return next(match for match in matches if {state.phase for state in match} == wanted and match[-1].round > 1)


def keep_position() -> State:
    """Return a position in which seat 0 keeps one of two Gifts."""
    dice = dice_meeting(favorite(1).requirement)
    state = parse_position(f"perform: favorite {dice} | favorite: 1 | gift pile: 5 9 1 2 3")
    play_moves(state, "finish")
    return state


def screen_text(screen: Screen) -> str:
    """Return all words of a screen, without the alt text."""
    return screen_bench.screen_text(screen).replace("\N{NO-BREAK SPACE}", " ")
