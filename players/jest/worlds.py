"""Worlds behind a view of Jest, drawn the more often the better they explain what was offered."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engines.jest.model import State, View
from players.jest.policy import beside

TRIES = 8  # of so many worlds that make little sense, the least odd one is taken


def likely(view: View, draw: Callable[[], State], rng: Random) -> Callable[[], State]:
    """Picks among the worlds that are drawn: of two cards, people tend to show a certain one."""
    if view.phase != "take":
        return draw
    habits = beside(view.seats, view.deck == 0)
    hidden = [seat for seat, card in enumerate(view.down) if card is None]

    def drawn() -> State:
        best, odds_of_best = None, -1.0
        for _ in range(TRIES):
            world = draw()
            odds = 1.0
            for seat in hidden:
                odds *= habits[world.up[seat]][world.down[seat]]
            if rng.random() < odds:
                return world
            if odds > odds_of_best:
                best, odds_of_best = world, odds
        assert best is not None
        return best

    return drawn
