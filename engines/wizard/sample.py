"""Full states that could lie behind a view of Wizard: each deal that fits what the view shows is equally likely."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from math import comb, prod
from typing import NamedTuple

from engines.kit.chance import Chance
from engines.kit.sampling import rest
from engines.wizard.deck import DECK, SUIT, suit_to_follow
from engines.wizard.model import State, View

Dealer = Callable[[Chance], list[list[int]]]
"""Deals unseen cards to places: everybody's hand, sorted, and the stock."""
FINE = 1 << 62
"""Numbers of deals can have dozens of digits: they are scaled to what one draw of chance takes."""


class Stage(NamedTuple):
    """A suit that somebody has shown not to hold, when its cards are dealt.

    Places that differ in no suit that is still to be dealt are one class. `allowed` are the classes that may hold this
    one; `into` is, by place, its class in the next stage, which has so many.
    """

    cards: list[int]
    classes: list[list[int]]
    allowed: list[int]
    into: dict[int, int]
    later: int


def sample(view: View, chance: Chance) -> State:
    """Keep what the view shows and deal the rest anew."""
    return sampler(view)(chance)


def sampler(view: View) -> Callable[[Chance], State]:
    """`sample` for one view."""
    deal = dealer(view)
    return lambda chance: behind(view, deal(chance), chance.fork())


def dealer(view: View) -> Dealer:
    """What deals all cards that the seat of the view cannot see."""
    cards, shown, own = unseen(view), voids(view), view.seat
    rooms = [0 if seat == own else size for seat, size in enumerate(view.hand_sizes)]
    rooms.append(len(cards) - sum(rooms))  # the cards not dealt
    shown.append(set())
    lacked = set().union(*[void for room, void in zip(rooms, shown, strict=True) if room])
    suits = sorted(lacked.intersection([SUIT[card] for card in cards]))
    deal = _bound(cards, rooms, shown, suits) if suits else _free(cards, rooms)
    if own is None:
        return deal
    hand = view.hand

    def dealt(chance: Chance) -> list[list[int]]:
        places = deal(chance)
        places[own] = list(hand)
        return places

    return dealt


def behind(view: View, places: list[list[int]], chance: Chance) -> State:
    """The state behind the view where the cards lie so."""
    *hands, stock = places
    return State(
        chance=chance,
        rounds=view.rounds,
        draws=list(view.draws),
        dealer=view.dealer,
        round=view.round,
        phase=view.phase,
        turn=view.turn,
        hands=hands,
        stock=stock,
        turned=view.turned,
        trump=view.trump,
        bids=list(view.bids),
        taken=list(view.taken),
        leader=view.leader,
        trick=list(view.trick),
        follow=suit_to_follow(view.trick),
        fallen=[card for trick in view.tricks for card in trick.cards],
        takers=[trick.winner for trick in view.tricks],
        last=view.last,
        scores=list(view.scores),
        sheet=list(view.sheet),
        numbers=list(view.numbers),
    )


def voids(view: View) -> list[set[int]]:
    """By seat, the suits it has shown this round not to hold: another suit fell where one had to be followed (W7)."""
    shown: list[set[int]] = [set() for _ in range(view.seats)]
    for leader, cards in [(t.leader, t.cards) for t in view.tricks] + [(view.leader, view.trick)]:
        for i, card in enumerate(cards):
            asked = suit_to_follow(cards[:i])
            if asked is not None and SUIT[card] not in (asked, None):
                shown[(leader + i) % view.seats].add(asked)
    return shown


def unseen(view: View) -> list[int]:
    """The cards whose place the seat cannot know, sorted."""
    turned = () if view.turned is None else (view.turned,)
    return rest(DECK, *[trick.cards for trick in view.tricks], view.trick, view.hand, turned)


def _free(cards: list[int], rooms: Sequence[int]) -> Dealer:
    """Any card may be anywhere."""
    *sizes, _ = rooms
    ends = [*accumulate(sizes)]
    starts = [end - size for end, size in zip(ends, sizes, strict=True)]

    def deal(chance: Chance) -> list[list[int]]:
        pile, stock = chance.drawn(cards, ends[-1])
        return [*[sorted(pile[start:end]) for start, end in zip(starts, ends, strict=True)], stock]

    return deal


def _bound(cards: list[int], rooms: Sequence[int], shown: Sequence[set[int]], suits: list[int]) -> Dealer:
    """Some places hold no cards of some suits.

    Those suits are dealt first, one by one. How many cards of one go to which class of places is drawn in proportion to
    the number of deals that there are then; where in a class they go is all the same. Raises ValueError where no deal
    fits.
    """
    stages = _stages(cards, rooms, shown, suits)
    others = [card for card in cards if SUIT[card] not in suits]
    start = [[place for place in places for _ in range(rooms[place])] for places in stages[0].classes]
    choices = _choices(stages)
    choices(0, tuple(map(len, start)))

    def deal(chance: Chance) -> list[list[int]]:
        places: list[list[int]] = [[] for _ in rooms]
        left = start
        for number, stage in enumerate(stages):
            ways, weights = choices(number, tuple(map(len, left)))
            way = ways[bisect_right(weights, chance.below(weights[-1]))] if len(ways) > 1 else ways[0]
            spots: list[int] = []
            later: list[list[int]] = [[] for _ in range(stage.later)]
            taken = dict(zip(stage.allowed, way, strict=True))
            for each, slots in enumerate(left):
                if count := taken.get(each, 0):
                    found, slots = chance.drawn(slots, count)
                    spots += found
                for place in slots:
                    later[stage.into[place]].append(place)
            for place, card in zip(spots, chance.shuffled(stage.cards), strict=True):
                places[place].append(card)
            left = later
        for place, card in zip(left[0], chance.shuffled(others), strict=True):
            places[place].append(card)
        return [*[sorted(hand) for hand in places[:-1]], places[-1]]

    return deal


def _stages(cards: list[int], rooms: Sequence[int], shown: Sequence[set[int]], suits: list[int]) -> list[Stage]:
    """The suits in the order in which they are dealt: the fewest cards first, so that there are fewer ways to count."""
    held = {suit: [card for card in cards if SUIT[card] == suit] for suit in suits}
    order = sorted(suits, key=lambda suit: len(held[suit]))
    open_places = [place for place, room in enumerate(rooms) if room]
    classes = []
    for number in range(len(order) + 1):
        alike: dict[tuple[int, ...], list[int]] = {}
        for place in open_places:
            alike.setdefault(tuple(suit for suit in order[number:] if suit in shown[place]), []).append(place)
        classes.append([*alike.values()])
    into = [{place: at for at, places in enumerate(alike) for place in places} for alike in classes]
    return [
        Stage(
            held[suit],
            classes[number],
            [at for at, places in enumerate(classes[number]) if suit not in shown[places[0]]],
            into[number + 1],
            len(classes[number + 1]),
        )
        for number, suit in enumerate(order)
    ]


Ways = tuple[list[tuple[int, ...]], list[int]]


def _choices(stages: list[Stage]) -> Callable[[int, tuple[int, ...]], Ways]:
    """Tells of a stage, by how much room its classes have: the ways to deal its suit, and their weights added up."""

    @cache
    def deals(number: int, rooms: tuple[int, ...]) -> int:
        """In how many ways its cards and those of later stages can lie, but for which of a suit is which."""
        if number == len(stages):
            return 1
        stage = stages[number]
        if number == len(stages) - 1:
            return comb(sum([rooms[each] for each in stage.allowed]), len(stage.cards))
        return sum(weight for _, weight in weighed(number, rooms))

    def weighed(number: int, rooms: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        stage = stages[number]
        allowed = [rooms[each] for each in stage.allowed]
        for way in _shared(len(stage.cards), allowed):
            yield way, prod(map(comb, allowed, way)) * deals(number + 1, _left(stage, rooms, way))

    @cache
    def choices(number: int, rooms: tuple[int, ...]) -> Ways:
        found = [(way, weight) for way, weight in weighed(number, rooms) if weight]
        if not found:
            raise ValueError("no deal fits what is known")
        total = sum(weight for _, weight in found)
        return [way for way, _ in found], [*accumulate(weight * FINE // total for _, weight in found)]

    return choices


def _left(stage: Stage, rooms: Sequence[int], way: Sequence[int]) -> tuple[int, ...]:
    """How much room the next stage's classes have after a suit is dealt."""
    left = [0] * stage.later
    for places, room in zip(stage.classes, rooms, strict=True):
        left[stage.into[places[0]]] += room
    for each, count in zip(stage.allowed, way, strict=True):
        left[stage.into[stage.classes[each][0]]] -= count
    return tuple(left)


def _shared(cards: int, rooms: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to share so many cards among classes with so much room."""
    if not rooms:
        if not cards:
            yield ()
        return
    first, later = rooms[0], rooms[1:]
    for count in range(max(0, cards - sum(later)), min(cards, first) + 1):
        for others in _shared(cards - count, later):
            yield count, *others
