"""Positions of Jest to draw screens of."""

from __future__ import annotations

from random import Random

from cogs.jest.game_ui import GAME_UI
from engines.jest import JEST
from engines.jest.model import Options, State
from engines.kit.chance import Chance
from tests.cogs.screen_bench import ScreenBench, walk_positions

NAMES = ("Ana\\_\\*", "李雷", "has chosen. Jest: 1 card", "🧙 Dan 🃏")
BENCH = ScreenBench(GAME_UI, NAMES, lambda state: len(state.jests))


def match_positions(seats: int, seed: int) -> list[State]:
    """Return all positions of a random match with changed offers. Only the last one is over."""
    rng = Random(seed)

    def choose(state: State) -> tuple[int, object]:
        seat = rng.choice(list(JEST.decisions(state)))
        return seat, rng.choice(JEST.moves(state, seat))

    return [*walk_positions(JEST, start_state(seats, seed), choose)]


def start_state(seats: int, seed: int) -> State:
    return JEST.start(seats, Options(), Chance(f"{seed:032x}"))
