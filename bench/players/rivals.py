"""OpenSpiel's hearts, the yardstick."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import thread_time
from typing import Any

import pyspiel  # type: ignore[import-not-found]

HEARTS = pyspiel.load_game("hearts")


def hearts(rng: Random, number: int = 10) -> float:
    """Seconds a player decision, over random games of 52 or 64. Deals are chance nodes, which are not timed."""
    draw = rng.random
    games = [_dealt(draw) for _ in range(number)]
    moves = 0
    start = thread_time()
    for state in games:
        while not state.is_terminal() and not state.is_chance_node():
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
            moves += 1
    return (thread_time() - start) / moves


def _dealt(draw: Callable[[], float]) -> Any:
    """A game at its first decision."""
    state = HEARTS.new_initial_state()
    while state.is_chance_node():
        actions = state.legal_actions()
        state.apply_action(actions[int(draw() * len(actions))])
    return state
