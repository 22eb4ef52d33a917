"""How long a computer pauses before it moves: longer if the choice looks hard from outside, never quite the same."""

from __future__ import annotations

from math import log2
from random import Random
from statistics import fmean
from typing import Any

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame

SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 5.0  # seconds
OBVIOUS_PAUSE, PAUSE_PER_DOUBLING = 1.2, 0.3  # seconds: with one possible move, and for each time that they double
LEAST_VARIATION, MOST_VARIATION = 0.75, 1.25
WORLDS = 4  # sampled behind the spectators' view
STEP = 64  # pauses are whole multiples of 1 / 64 s, so that clocks add them up exactly


def pause_before(game: AnyGame, view: Any, seat: int, seed: str, pace: float = 1.0) -> float:
    """Return the seconds before a computer's decision; the same for equal arguments.

    The view is that of the spectators. The moves that the seat would have in worlds behind it say how hard the choice
    looks, so the pause tells nothing about the seat's hand, not even whether it has a choice. `pace` is the computer's
    own: below 1 it is hasty.
    """
    assert view.seat is None, "only what everybody sees may count"
    rng, draw = Random(seed), game.sampler(view)
    worlds = [draw(Chance(f"{rng.getrandbits(128):032x}")) for _ in range(WORLDS)]
    doublings = fmean(log2(len(game.moves(world, seat))) for world in worlds)
    pause = (OBVIOUS_PAUSE + PAUSE_PER_DOUBLING * doublings) * rng.uniform(LEAST_VARIATION, MOST_VARIATION) * pace
    return round(STEP * min(max(pause, SHORTEST_PAUSE), LONGEST_PAUSE)) / STEP
