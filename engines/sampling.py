"""Dealing unseen cards out again, so that they fit what is known of where they can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TypeVar

from engines.chance import Chance

T = TypeVar("T")


def deal_out(
    cards: Sequence[int], room: Sequence[int], fits: Callable[[int, int], bool], chance: Chance
) -> list[list[int]]:
    """Put every card in a place: `room[p]` cards into place p, each with `fits(p, card)`.

    Cards go in random order to random free places; one that finds none pushes others on (augmenting paths), so a deal
    is found whenever there is one. Not every possible deal is equally likely. Raises ValueError where there is none.
    """
    places: list[list[int]] = [[] for _ in room]
    for card in chance.shuffled(cards):
        if not _settle(card, places, room, fits, chance, set()):
            raise ValueError("no deal fits what is known")
    return places


def rest(pack: Iterable[int], *seen: Iterable[int]) -> list[int]:
    """The cards of a pack less those seen, sorted: each kind as often as it is left."""
    return sorted((Counter(pack) - Counter(chain(*seen))).elements())


def weighted(items: Sequence[T], weights: Sequence[int], chance: Chance) -> T:
    """One of the items, in proportion to its weight: whole numbers, not all of them 0."""
    draw = chance.below(sum(weights))
    for item, weight in zip(items, weights, strict=True):
        draw -= weight
        if draw < 0:
            return item
    raise AssertionError("weights ran out")


def _settle(
    card: int,
    places: list[list[int]],
    room: Sequence[int],
    fits: Callable[[int, int], bool],
    chance: Chance,
    tried: set[int],
) -> bool:
    """Find a place for the card, moving others where needed."""
    options = [p for p in chance.shuffled(range(len(room))) if room[p] and p not in tried and fits(p, card)]
    free = [p for p in options if len(places[p]) < room[p]]
    if free:
        places[weighted(free, [room[p] - len(places[p]) for p in free], chance)].append(card)
        return True
    for place in options:
        tried.add(place)
        for i, other in enumerate(places[place]):
            if _settle(other, places, room, fits, chance, tried):
                places[place][i] = card
                return True
    return False
