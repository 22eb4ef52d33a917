"""Positions of Jokers to draw screens of."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from cogs.jokers.game_ui import GAME_UI
from engines.jokers import JOKERS
from engines.jokers.model import Options, State
from engines.kit.chance import Chance
from tests.cogs.screen_bench import ScreenBench, walk_positions
from tests.engines.jokers.positions import choose_purposeful

NAMES = ("Ana\\_\\*", "李雷, 8 cards")
BENCH = ScreenBench(GAME_UI, NAMES)


def match_positions(seed: int, rounds: int = 2) -> Iterator[State]:
    rng, start = Random(seed), JOKERS.start(2, Options(rounds), Chance(f"{seed:032x}"))
    return walk_positions(JOKERS, start, lambda state: (state.turn, choose_purposeful(state, rng, 0.6)))
