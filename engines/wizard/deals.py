"""What a view tells about other hands, and random deals that fit it. All deals that fit are equally likely."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from math import comb, factorial, prod
from typing import NamedTuple

from engines.kit.chance import Chance
from engines.kit.sampling import remaining_cards
from engines.wizard.deck import CAROUSEL, SUIT, pack, suit_to_follow
from engines.wizard.view import View

Dealer = Callable[[Chance], list[list[int]]]
"""Deals cards to places, each sorted except the last, which is the stock."""
WEIGHT_SCALE = 1 << 62
"""Numbers of deals can have dozens of digits, so they are scaled to the range of one random draw."""


class SuitStage(NamedTuple):
    """The deal of one suit that somebody is known not to have.

    Places with the same restrictions for the suits still to be dealt form a class. `allowed` are the classes that may
    have this suit; `into` is, by place, its class in the next stage, which has this many classes.
    """

    cards: list[int]
    classes: list[list[int]]
    allowed: list[int]
    next_class: dict[int, int]
    next_class_count: int


def make_place_dealer(cards: list[int], rooms: Sequence[int], voids: Sequence[set[int]]) -> Dealer:
    """Return a dealer for places of these sizes; `voids` are the suits that they cannot have. The last is the stock."""
    suits = _constrained_suits(cards, rooms, voids)
    return _constrained_dealer(cards, rooms, voids, suits) if suits else _unconstrained_dealer(cards, rooms)


def count_deals(cards: list[int], rooms: Sequence[int], voids: Sequence[set[int]]) -> int:
    """Return how many deals fit, if every card and every spot of a place counts."""
    suits = _constrained_suits(cards, rooms, voids)
    if not suits:
        return factorial(len(cards))
    stages = _suit_stages(cards, rooms, voids, suits)
    start = tuple([sum([rooms[place] for place in places]) for places in stages[0].classes])
    others = sum([SUIT[card] not in suits for card in cards])
    return (
        _StageChoices(stages).count(0, start)
        * prod([factorial(len(stage.cards)) for stage in stages])
        * factorial(others)
    )


def _constrained_suits(cards: list[int], rooms: Sequence[int], voids: Sequence[set[int]]) -> list[int]:
    """Return the suits among the cards that some place cannot have."""
    lacked = set().union(*[void for room, void in zip(rooms, voids, strict=True) if room])
    return sorted(lacked.intersection([SUIT[card] for card in cards]))


def _unconstrained_dealer(cards: list[int], rooms: Sequence[int]) -> Dealer:
    """Return a dealer for cards that may be anywhere."""
    *sizes, _ = rooms
    ends = [*accumulate(sizes)]
    starts = [end - size for end, size in zip(ends, sizes, strict=True)]

    def deal(chance: Chance) -> list[list[int]]:
        pile, stock = chance.draw(cards, ends[-1])
        return [*[sorted(pile[start:end]) for start, end in zip(starts, ends, strict=True)], stock]

    return deal


def _constrained_dealer(cards: list[int], rooms: Sequence[int], voids: Sequence[set[int]], suits: list[int]) -> Dealer:
    """Return a dealer for places that cannot have cards of some suits.

    It deals those suits first, one by one. The numbers of a suit's cards in each class of places are drawn in
    proportion to the number of remaining deals; within a class all places are equal. Raises ValueError if no deal fits.
    """
    stages = _suit_stages(cards, rooms, voids, suits)
    others = [card for card in cards if SUIT[card] not in suits]
    start = [[place for place in places for _ in range(rooms[place])] for places in stages[0].classes]
    choices = _StageChoices(stages).choices
    choices(0, tuple(map(len, start)))

    def deal(chance: Chance) -> list[list[int]]:
        places: list[list[int]] = [[] for _ in rooms]
        left = start
        for number, stage in enumerate(stages):
            ways, weights = choices(number, tuple(map(len, left)))
            way = ways[bisect_right(weights, chance.randbelow(weights[-1]))] if len(ways) > 1 else ways[0]
            spots: list[int] = []
            later: list[list[int]] = [[] for _ in range(stage.next_class_count)]
            taken = dict(zip(stage.allowed, way, strict=True))
            for each, slots in enumerate(left):
                if count := taken.get(each, 0):
                    found, slots = chance.draw(slots, count)
                    spots += found
                for place in slots:
                    later[stage.next_class[place]].append(place)
            for place, card in zip(spots, chance.shuffle(stage.cards), strict=True):
                places[place].append(card)
            left = later
        for place, card in zip(left[0], chance.shuffle(others), strict=True):
            places[place].append(card)
        return [*[sorted(hand) for hand in places[:-1]], places[-1]]

    return deal


def _suit_stages(
    cards: list[int], rooms: Sequence[int], voids: Sequence[set[int]], suits: list[int]
) -> list[SuitStage]:
    """Return the suits in dealing order: the fewest cards first, so that there are fewer ways to count."""
    cards_by_suit = {suit: [card for card in cards if SUIT[card] == suit] for suit in suits}
    order = sorted(suits, key=lambda suit: len(cards_by_suit[suit]))
    open_places = [place for place, room in enumerate(rooms) if room]
    classes = []
    for number in range(len(order) + 1):
        alike: dict[tuple[int, ...], list[int]] = {}
        for place in open_places:
            alike.setdefault(tuple(suit for suit in order[number:] if suit in voids[place]), []).append(place)
        classes.append([*alike.values()])
    into = [{place: at for at, places in enumerate(alike) for place in places} for alike in classes]
    return [
        SuitStage(
            cards_by_suit[suit],
            classes[number],
            [at for at, places in enumerate(classes[number]) if suit not in voids[places[0]]],
            into[number + 1],
            len(classes[number + 1]),
        )
        for number, suit in enumerate(order)
    ]


WeightedWays = tuple[list[tuple[int, ...]], list[int]]


class _StageChoices:
    """The ways to deal the suits one by one, from the room of each class of places. Computed once each."""

    def __init__(self, stages: list[SuitStage]) -> None:
        self._stages = stages
        self.count = cache(self._count)
        self.choices = cache(self._choices)

    def _count(self, number: int, rooms: tuple[int, ...]) -> int:
        """Return the number of ways to deal this and later suits, ignoring which card of a suit is which."""
        if number == len(self._stages):
            return 1
        stage = self._stages[number]
        if number == len(self._stages) - 1:
            return comb(sum([rooms[each] for each in stage.allowed]), len(stage.cards))
        return sum(weight for _, weight in self._weigh_ways(number, rooms))

    def _weigh_ways(self, number: int, rooms: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        stage = self._stages[number]
        allowed = [rooms[each] for each in stage.allowed]
        for way in _share_out(len(stage.cards), allowed):
            yield way, prod(map(comb, allowed, way)) * self.count(number + 1, _room_left(stage, rooms, way))

    def _choices(self, number: int, rooms: tuple[int, ...]) -> WeightedWays:
        """Return the ways to deal a suit, and their cumulative weights. Raises ValueError if there are none."""
        found = [(way, weight) for way, weight in self._weigh_ways(number, rooms) if weight]
        if not found:
            raise ValueError("no deal fits what is known")
        total = sum(weight for _, weight in found)
        return [way for way, _ in found], [*accumulate(weight * WEIGHT_SCALE // total for _, weight in found)]


def _room_left(stage: SuitStage, rooms: Sequence[int], way: Sequence[int]) -> tuple[int, ...]:
    """Return the room of the next stage's classes after a suit is dealt."""
    left = [0] * stage.next_class_count
    for places, room in zip(stage.classes, rooms, strict=True):
        left[stage.next_class[places[0]]] += room
    for each, count in zip(stage.allowed, way, strict=True):
        left[stage.next_class[stage.classes[each][0]]] -= count
    return tuple(left)


def _share_out(cards: int, rooms: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return every way to distribute this many cards among classes with limited room."""
    if not rooms:
        if not cards:
            yield ()
        return
    first, later = rooms[0], rooms[1:]
    for count in range(max(0, cards - sum(later)), min(cards, first) + 1):
        for others in _share_out(cards - count, later):
            yield count, *others


LaidTrick = tuple[int, Sequence[int]]
"""Who led, and the cards in the order played."""


class Past(NamedTuple):
    """What was played in a part of a round: by place, its cards, and the suits that it did not follow (W7)."""

    played: list[list[int]]
    voids: list[set[int]]


def known_voids(view: View) -> list[set[int]]:
    """Return, by place, the suits that it has shown this round not to have by not following them (W7)."""
    return read_past(view.seats, view.places, laid_tricks(view)).voids


def laid_tricks(view: View) -> Sequence[LaidTrick]:
    """Return this round's tricks, with the one on the table."""
    return [(trick.leader, trick.cards) for trick in view.tricks] + [(view.leader, view.trick)]


def tricks_before_pass(view: View) -> int:
    """Return how many tricks were complete when the Carousel's cards went to the left (W24), or all."""
    for number, trick in enumerate(view.tricks, 1):
        if view.has_passed and view.phase != "pass" and CAROUSEL in trick.cards:
            return number
    return len(view.tricks) + 1


def read_past(seats: int, places: int, tricks: Iterable[LaidTrick]) -> Past:
    """Return what these tricks show of each place. A dummy shows nothing by its cards (W19)."""
    played: list[list[int]] = [[] for _ in range(places)]
    voids: list[set[int]] = [set() for _ in range(places)]
    for leader, cards in tricks:
        for i, card in enumerate(cards):
            place = (leader + i) % places
            played[place].append(card)
            suit = suit_to_follow(cards[:i])
            if suit is not None and SUIT[card] not in (suit, None) and place < seats:
                voids[place].add(suit)
    return Past(played, voids)


def unseen_cards(view: View) -> list[int]:
    """Return the cards whose place the seat cannot know, sorted."""
    turned_cards = () if view.turned is None else (view.turned,)
    return remaining_cards(
        pack(view.specials), *[trick.cards for trick in view.tricks], view.trick, view.hand, turned_cards
    )
