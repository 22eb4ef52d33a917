"""OpenSpiel's hearts, the yardstick."""

from __future__ import annotations

from random import Random
from time import thread_time

import pyspiel  # type: ignore[import-not-found]

HEARTS = pyspiel.load_game("hearts")


def hearts(rng: Random) -> float:
    """Seconds a player decision, over one random game. The deal is chance nodes, which are not timed."""
    draw = rng.random
    state = HEARTS.new_initial_state()
    while state.is_chance_node():
        actions = state.legal_actions()
        state.apply_action(actions[int(draw() * len(actions))])
    moves = 0
    start = thread_time()
    while not state.is_terminal() and not state.is_chance_node():
        actions = state.legal_actions()
        state.apply_action(actions[int(draw() * len(actions))])
        moves += 1
    return (thread_time() - start) / moves
