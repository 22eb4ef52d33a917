"""OpenSpiel's hearts, the reference that games are timed against."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from time import thread_time
from typing import Any

import pyspiel  # type: ignore[import-not-found]

from bench.kit.measure import without_garbage_collection

YARDSTICK_RUNS = 10
HEARTS = pyspiel.load_game("hearts")


def time_hearts(rng: Random, game_count: int = 10) -> float:
    """Return the seconds per player decision in random games of 52 or 64 decisions; deals are not timed."""
    draw = rng.random
    games = [_deal_hearts(draw) for _ in range(game_count)]
    moves = 0
    start = thread_time()
    for state in games:
        while not state.is_terminal() and not state.is_chance_node():
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
            moves += 1
    return (thread_time() - start) / moves


def hearts_move_seconds() -> float:
    """Return the seconds that a move of hearts takes now."""
    with without_garbage_collection():
        return median(time_hearts(Random(number)) for number in range(YARDSTICK_RUNS))


def _deal_hearts(draw: Callable[[], float]) -> Any:
    """Return a game at its first decision."""
    state = HEARTS.new_initial_state()
    while state.is_chance_node():
        actions = state.legal_actions()
        state.apply_action(actions[int(draw() * len(actions))])
    return state
