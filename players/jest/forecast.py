"""Evaluates a match of Jest for all seats at the end of a round, from all cards of a sampled world."""

from __future__ import annotations

from functools import lru_cache
from math import exp

from engines.jest import scoring
from engines.jest.model import State
from players.jest.chances import trophy_chance
from players.jest.evaluation import expected_values
from players.jest.known import free_cards
from players.jest.numbers import load_weights


def evaluate_standing(state: State, seat: int) -> float:
    """Return the points ahead of the others' mean, plus the chance to win, which counts as a fixed number of points."""
    if state.phase == "over":
        points: list[float] = list(scoring.settle_trophies(state.trophies, state.jests).points)
        best = max(points)
        won = (points[seat] == best) / points.count(best)
    else:
        points = expected_points(state)
        spread = load_weights().forecast.spread[_cards_to_come(state) - 2]
        weights = [exp(each / spread) for each in points]
        won = weights[seat] / sum(weights)
    own = points[seat]
    return own - (sum(points) - own) / (len(points) - 1) + load_weights().forecast.win * won


def expected_points(state: State) -> list[float]:
    """Return, by seat, the expected final value of the Jest."""
    come, trophies, jests = _cards_to_come(state), state.trophies, state.jests
    free = free_cards(trophies, jests)
    p = come / free.bit_count()
    found = []
    for seat, jest in enumerate(jests):
        worth, *changes = _forecast_values(jest, trophies, come)
        chances = [trophy_chance(trophy, jests, seat, free, p) for trophy in trophies]
        found.append(worth + sum([each * change for each, change in zip(chances, changes, strict=True)]))
    return found


def _cards_to_come(state: State) -> int:
    """Return how many cards every Jest is still to get, at the start of a round."""
    return len(state.deck) // len(state.jests) + 2


@lru_cache(maxsize=1 << 15)
def _forecast_values(jest: int, trophies: tuple[int, ...], to_come: int) -> tuple[float, ...]:
    count = load_weights().forecast
    worth, *changes = expected_values(jest, trophies, to_come, count.good, count.bad)
    return (worth, *[count.trophy * change for change in changes])
