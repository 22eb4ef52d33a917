"""What a Jest is likely to be worth in the end: with the cards that may still come, and with trophies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engines.jest.deck import ONE
from engines.jest.scoring import value
from players.jest.chances import DECIDING, chance
from players.jest.numbers import numbers


def gains(
    jests: Sequence[int], who: int, cards: Sequence[int], trophies: tuple[int, ...], free: int, come: int
) -> list[float]:
    """By how much each of these cards makes a Jest worth more that gets so many, out of those that are free."""
    return [*map(_gains(tuple(jests), who, trophies, free, come).__getitem__, cards)]


class _Gains(dict[int, float]):
    """By card, each worked out when it is first asked for: in a search the same are asked for again and again."""

    __slots__ = ("after", "base", "chances", "come", "free", "jests", "trophies", "who")

    def __init__(self, jests: tuple[int, ...], who: int, trophies: tuple[int, ...], free: int, come: int) -> None:
        others = free.bit_count() - 1
        p, self.after = come / (others + 1), (come - 1) / others if others else 0.0
        self.jests, self.who, self.trophies, self.free, self.come = jests, who, trophies, free, come
        self.chances = [chance(trophy, jests, who, free, p) for trophy in trophies]
        self.base = _total(outlook(jests[who], trophies, come), self.chances)

    def __missing__(self, card: int) -> float:
        one, who, trophies, chances = ONE[card], self.who, self.trophies, self.chances
        own = self.jests[who] | one
        for i, trophy in enumerate(trophies):
            if one & DECIDING[trophy]:
                changed = (*self.jests[:who], own, *self.jests[who + 1 :])
                chances = chances.copy()
                chances[i] = chance(trophy, changed, who, self.free & ~one, self.after)
        self[card] = found = _total(outlook(own, trophies, self.come - 1), chances) - self.base
        return found


_gains = lru_cache(maxsize=1 << 14)(_Gains)


def _total(worth: tuple[float, ...], chances: Sequence[float]) -> float:
    total = worth[0]
    for i, p in enumerate(chances, 1):
        total += p * worth[i]
    return total


@lru_cache(maxsize=1 << 16)
def outlook(jest: int, trophies: tuple[int, ...], come: int) -> tuple[float, ...]:
    """As the policy sees it, kept."""
    return prospects(jest, trophies, come, numbers().good, numbers().bad)


def prospects(jest: int, trophies: tuple[int, ...], come: int, likes: float, dislikes: float) -> tuple[float, ...]:
    """A Jest's value with so many cards still to come, but without trophies; then what each of those would add.

    Of what a card might do, good things count by `likes` and bad ones by `dislikes`.
    """
    now, good, bad, number = value(jest), 0, 0, 0
    for card, one in enumerate(ONE):
        if not one & jest and card not in trophies:
            number += 1
            change = value(jest | one) - now
            good += max(0, change)
            bad += min(0, change)
    found = now + come * (likes * good + dislikes * bad) / number
    return (found, *[value(jest | ONE[trophy]) - now for trophy in trophies])
