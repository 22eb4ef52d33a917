"""Estimates the final value of a Jest, with the cards that may still come, and with trophies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engines.jest.deck import CARD_BIT
from engines.jest.scoring import jest_value
from players.jest.chances import DECIDING_CARDS, trophy_chance
from players.jest.numbers import load_weights


def card_gains(
    jests: Sequence[int], seat: int, cards: Sequence[int], trophies: tuple[int, ...], free: int, to_come: int
) -> list[float]:
    """Return how much each card adds to the value of a Jest that gets this many of the free cards."""
    return [*map(_cached_card_gains(tuple(jests), seat, trophies, free, to_come).__getitem__, cards)]


class _CardGains(dict[int, float]):
    """The gains by card, each computed on first use, because a search asks for the same ones repeatedly."""

    __slots__ = ("after", "base", "chances", "come", "free", "jests", "trophies", "who")

    def __init__(self, jests: tuple[int, ...], seat: int, trophies: tuple[int, ...], free: int, come: int) -> None:
        others = free.bit_count() - 1
        p, self.after = come / (others + 1), (come - 1) / others if others else 0.0
        self.jests, self.who, self.trophies, self.free, self.come = jests, seat, trophies, free, come
        self.chances = [trophy_chance(trophy, jests, seat, free, p) for trophy in trophies]
        self.base = _total_value(policy_values(jests[seat], trophies, come), self.chances)

    def __missing__(self, card: int) -> float:
        one, seat, trophies, chances = CARD_BIT[card], self.who, self.trophies, self.chances
        own = self.jests[seat] | one
        for i, trophy in enumerate(trophies):
            if one & DECIDING_CARDS[trophy]:
                changed = (*self.jests[:seat], own, *self.jests[seat + 1 :])
                chances = chances.copy()
                chances[i] = trophy_chance(trophy, changed, seat, self.free & ~one, self.after)
        self[card] = found = _total_value(policy_values(own, trophies, self.come - 1), chances) - self.base
        return found


_cached_card_gains = lru_cache(maxsize=1 << 14)(_CardGains)


def _total_value(values: tuple[float, ...], chances: Sequence[float]) -> float:
    total = values[0]
    for i, p in enumerate(chances, 1):
        total += p * values[i]
    return total


@lru_cache(maxsize=1 << 16)
def policy_values(jest: int, trophies: tuple[int, ...], to_come: int) -> tuple[float, ...]:
    """Return the values for the policy, cached."""
    return expected_values(jest, trophies, to_come, load_weights().good, load_weights().bad)


def expected_values(
    jest: int, trophies: tuple[int, ...], to_come: int, good_weight: float, bad_weight: float
) -> tuple[float, ...]:
    """Return a Jest's value with this many cards still to come but without trophies, and what each of those would add.

    The good effects of a card are weighted by `likes`, the bad ones by `dislikes`.
    """
    now, good, bad, number = jest_value(jest), 0, 0, 0
    for card, one in enumerate(CARD_BIT):
        if not one & jest and card not in trophies:
            number += 1
            change = jest_value(jest | one) - now
            good += max(0, change)
            bad += min(0, change)
    found = now + to_come * (good_weight * good + bad_weight * bad) / number
    return (found, *[jest_value(jest | CARD_BIT[trophy]) - now for trophy in trophies])
