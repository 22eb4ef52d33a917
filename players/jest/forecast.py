"""How a match of Jest stands for everybody when a round is over, by all cards of a sampled world."""

from __future__ import annotations

from functools import lru_cache
from math import exp

from engines.jest import scoring
from engines.jest.model import State
from players.jest.chances import chance
from players.jest.evaluation import prospects
from players.jest.known import free_of
from players.jest.numbers import numbers


def standing(state: State, seat: int) -> float:
    """Points ahead of the others' mean, and the chance to win, which counts as so many points."""
    if state.phase == "over":
        points: list[float] = list(scoring.settle(state.trophies, state.jests).points)
        best = max(points)
        won = (points[seat] == best) / points.count(best)
    else:
        points = expected(state)
        spread = numbers().forecast.spread[_come(state) - 2]
        weights = [exp(each / spread) for each in points]
        won = weights[seat] / sum(weights)
    own = points[seat]
    return own - (sum(points) - own) / (len(points) - 1) + numbers().forecast.win * won


def expected(state: State) -> list[float]:
    """By seat, what the Jest is likely to be worth in the end."""
    come, trophies, jests = _come(state), state.trophies, state.jests
    free = free_of(trophies, jests)
    p = come / free.bit_count()
    found = []
    for who, jest in enumerate(jests):
        worth, *changes = _forecast(jest, trophies, come)
        chances = [chance(trophy, jests, who, free, p) for trophy in trophies]
        found.append(worth + sum([each * change for each, change in zip(chances, changes, strict=True)]))
    return found


def _come(state: State) -> int:
    """How many cards every Jest is still to get, where a round begins."""
    return len(state.deck) // len(state.jests) + 2


@lru_cache(maxsize=1 << 15)
def _forecast(jest: int, trophies: tuple[int, ...], come: int) -> tuple[float, ...]:
    count = numbers().forecast
    worth, *changes = prospects(jest, trophies, come, count.good, count.bad)
    return (worth, *[count.trophy * change for change in changes])
