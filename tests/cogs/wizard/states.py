"""Positions of Wizard to draw screens of."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from cogs.wizard.game_ui import GAME_UI
from engines.kit.chance import Chance
from engines.wizard import WIZARD
from engines.wizard.model import Options, State
from tests.cogs.screen_bench import ScreenBench, walk_positions

NAMES = ("Ana\\_\\*", "李雷", "bid 3, took 1", "🧙 Dan 🃏", "E: 5", "No trump")
BENCH = ScreenBench(GAME_UI, NAMES)


def match_positions(
    seats: int, seed: int, rounds: int | None = None, options: Options | None = None
) -> Iterator[State]:
    rng, start = Random(seed), WIZARD.start(seats, options or Options(rounds), Chance(f"{seed:032x}"))

    def choose(state: State) -> tuple[int, object]:
        seat = next(iter(WIZARD.decisions(state)))
        return seat, rng.choice(WIZARD.moves(state, seat))

    return walk_positions(WIZARD, start, choose)
