"""Dealing unseen cards out again, so that they fit what is known of where they can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from math import comb
from typing import TypeVar

from engines.kit.chance import Chance

T = TypeVar("T")
TRIES = 16  # deals that may not fit before those that do are counted


def deal_out(
    cards: Sequence[int], capacities: Sequence[int], fits: Callable[[int, int], bool], chance: Chance
) -> list[list[int]]:
    """Put every card in a place: at most `room[p]` cards into place p, each with `fits(p, card)`.

    Every way to put them there is equally likely, each place being so many spots. Where most ways fit, one is drawn
    until it does; where few do, they are counted. Raises ValueError where there is none.
    """
    spots = [place for place, size in enumerate(capacities) for _ in range(size)]
    if len(cards) > len(spots):
        raise ValueError("no deal fits what is known")
    for _ in range(TRIES):
        where = chance.draw(spots, len(cards))[0]
        if all(map(fits, where, cards)):
            return _group_by_place(zip(where, cards, strict=True), len(capacities))
    return _deal_by_counting(cards, tuple(capacities), fits, chance)


def remaining_cards(pack: Iterable[int], *seen: Iterable[int]) -> list[int]:
    """The cards of a pack less those seen, sorted: each kind as often as it is left."""
    return sorted((Counter(pack) - Counter(chain(*seen))).elements())


def weighted_choice(items: Sequence[T], weights: Sequence[int], chance: Chance) -> T:
    """One of the items, in proportion to its weight: whole numbers, not all of them 0.

    Weights of more than 64 bits in all are rounded to what one draw can tell apart.
    """
    if excess := max(0, sum(weights).bit_length() - 62):
        weights = [weight >> excess for weight in weights]
    draw = chance.randbelow(sum(weights))
    for item, weight in zip(items, weights, strict=True):
        draw -= weight
        if draw < 0:
            return item
    raise AssertionError("weights ran out")


def _deal_by_counting(
    cards: Sequence[int], capacities: tuple[int, ...], fits: Callable[[int, int], bool], chance: Chance
) -> list[list[int]]:
    """Cards that fit in the same places are dealt together, those of the fewest places first.

    How many of them go where is drawn by the number of deals that there are then.
    """
    alike: dict[tuple[int, ...], list[int]] = {}
    for card in cards:
        alike.setdefault(
            tuple(place for place, size in enumerate(capacities) if size and fits(place, card)), []
        ).append(card)
    groups = sorted(alike.items(), key=lambda group: len(group[0]))

    @cache
    def count_ways(number: int, left: tuple[int, ...]) -> tuple[list[tuple[int, ...]], list[int]]:
        """What rooms a group can leave, and in how many ways the cards from it on can lie then."""
        if number == len(groups):
            return [left], [1]
        allowed, held = groups[number]
        found: tuple[list[tuple[int, ...]], list[int]] = ([], [])
        for counts in _distributions(len(held), [left[place] for place in allowed]):
            after, here = [*left], 1
            for place, count in zip(allowed, counts, strict=True):
                after[place] -= count
                here *= comb(left[place], count)
            if later := sum(count_ways(number + 1, tuple(after))[1]):
                found[0].append(tuple(after))
                found[1].append(here * later)
        return found

    dealt: list[tuple[int, int]] = []
    left = capacities
    for number, (_, held) in enumerate(groups):
        rooms, weights = count_ways(number, left)
        if not rooms:
            raise ValueError("no deal fits what is known")
        after = weighted_choice(rooms, weights, chance)
        where = [place for place, size in enumerate(left) for _ in range(size - after[place])]
        dealt += zip(chance.shuffle(where), held, strict=True)
        left = after
    return _group_by_place(dealt, len(capacities))


def _distributions(number: int, capacities: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The ways to share out so many things alike, with so many at most for each."""
    if not capacities:
        if number == 0:
            yield ()
        return
    for first in range(max(0, number - sum(capacities[1:])), min(number, capacities[0]) + 1):
        for others in _distributions(number - first, capacities[1:]):
            yield (first, *others)


def _group_by_place(placements: Iterable[tuple[int, int]], number: int) -> list[list[int]]:
    """By place, the cards in it."""
    places: list[list[int]] = [[] for _ in range(number)]
    for place, card in placements:
        places[place].append(card)
    return places
