"""Deals unseen cards at random, consistent with what is known about where they can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from math import comb
from typing import TypeVar

from engines.kit.chance import Chance

T = TypeVar("T")
TRIES = 16  # rejected deals before switching to counting


def deal_out(
    cards: Sequence[int], capacities: Sequence[int], fits: Callable[[int, int], bool], chance: Chance
) -> list[list[int]]:
    """Put every card in a place: at most `capacities[p]` cards into place p, each with `fits(p, card)`.

    Every deal that fits is equally likely, counting each spot of a place. If most deals fit, random deals are drawn
    until one does; otherwise the fitting deals are counted. Raises ValueError if no deal fits.
    """
    spots = [place for place, size in enumerate(capacities) for _ in range(size)]
    if len(cards) > len(spots):
        raise ValueError("no deal fits what is known")
    for _ in range(TRIES):
        places = chance.draw(spots, len(cards))[0]
        if all(map(fits, places, cards)):
            return _group_by_place(zip(places, cards, strict=True), len(capacities))
    return _deal_by_counting(cards, tuple(capacities), fits, chance)


def remaining_cards(pack: Iterable[int], *known_cards: Iterable[int]) -> list[int]:
    """Return the cards of a pack without the seen ones, sorted, with repetitions."""
    return sorted((Counter(pack) - Counter(chain(*known_cards))).elements())


def weighted_choice(items: Sequence[T], weights: Sequence[int], chance: Chance) -> T:
    """Return one of the items with a probability proportional to its weight. Weights are whole numbers, not all 0.

    If the weights add up to more than 64 bits, they are rounded.
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
    """Deal cards that fit the same places together, starting with those that fit the fewest places.

    The number of them in each place is drawn in proportion to the number of remaining deals.
    """
    alike: dict[tuple[int, ...], list[int]] = {}
    for card in cards:
        alike.setdefault(
            tuple(place for place, size in enumerate(capacities) if size and fits(place, card)), []
        ).append(card)
    groups = sorted(alike.items(), key=lambda group: len(group[0]))

    @cache
    def count_ways(number: int, left: tuple[int, ...]) -> tuple[list[tuple[int, ...]], list[int]]:
        """Return the rooms that a group can leave, with the number of ways to deal the cards from this group on."""
        if number == len(groups):
            return [left], [1]
        allowed, group_cards = groups[number]
        found: tuple[list[tuple[int, ...]], list[int]] = ([], [])
        for counts in _distributions(len(group_cards), [left[place] for place in allowed]):
            after, ways = [*left], 1
            for place, count in zip(allowed, counts, strict=True):
                after[place] -= count
                ways *= comb(left[place], count)
            if later := sum(count_ways(number + 1, tuple(after))[1]):
                found[0].append(tuple(after))
                found[1].append(ways * later)
        return found

    dealt: list[tuple[int, int]] = []
    left = capacities
    for number, (_, group_cards) in enumerate(groups):
        rooms, weights = count_ways(number, left)
        if not rooms:
            raise ValueError("no deal fits what is known")
        after = weighted_choice(rooms, weights, chance)
        places = [place for place, size in enumerate(left) for _ in range(size - after[place])]
        dealt += zip(chance.shuffle(places), group_cards, strict=True)
        left = after
    return _group_by_place(dealt, len(capacities))


def _distributions(number: int, capacities: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return the ways to distribute identical things, with a maximum for each place."""
    if not capacities:
        if number == 0:
            yield ()
        return
    for first in range(max(0, number - sum(capacities[1:])), min(number, capacities[0]) + 1):
        for others in _distributions(number - first, capacities[1:]):
            yield (first, *others)


def _group_by_place(placements: Iterable[tuple[int, int]], number: int) -> list[list[int]]:
    """Return the cards of each place."""
    places: list[list[int]] = [[] for _ in range(number)]
    for place, card in placements:
        places[place].append(card)
    return places
