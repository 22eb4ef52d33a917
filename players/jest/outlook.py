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
    own, others = jests[who], free.bit_count() - 1
    p, after = come / (others + 1), (come - 1) / others if others else 0.0
    chances = [chance(trophy, jests, who, free, p) for trophy in trophies]
    changed = list(jests)
    base = _total(outlook(own, trophies, come), chances)
    found = []
    for card in cards:
        one = ONE[card]
        chances_then = chances
        for i, trophy in enumerate(trophies):
            if one & DECIDING[trophy]:
                changed[who] = own | one
                chances_then = chances_then.copy()
                chances_then[i] = chance(trophy, changed, who, free & ~one, after)
        found.append(_total(outlook(own | one, trophies, come - 1), chances_then) - base)
    return found


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
