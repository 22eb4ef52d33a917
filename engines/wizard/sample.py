"""Samples full states that could lie behind a view of Wizard. All deals that fit the view are equally likely."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from math import comb, prod
from typing import NamedTuple

from engines.kit.chance import Chance
from engines.kit.sampling import remaining_cards
from engines.wizard.deck import DECK, SUIT, suit_to_follow
from engines.wizard.model import State
from engines.wizard.view import View

Dealer = Callable[[Chance], list[list[int]]]
"""Deals unseen cards to places: everybody's hand, sorted, and the stock."""
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


def sample(view: View, chance: Chance) -> State:
    """Keep what the view shows, and deal the rest at random."""
    return sampler(view)(chance)


def sampler(view: View) -> Callable[[Chance], State]:
    """Return `sample` for one view."""
    deal, hidden = make_dealer(view), hidden_bids(view)

    def draw_state(chance: Chance) -> State:
        places = deal(chance)
        bids = list(view.bids)
        for seat in hidden:
            bids[seat] = chance.randbelow(view.trick_count + 1)
        return build_state(view, places, bids, chance.fork())

    return draw_state


def hidden_bids(view: View) -> list[int]:
    """Return the seats that have made a bid which the view does not show (W16, W17)."""
    return [seat for seat, bid in enumerate(view.bids) if bid is None and view.has_bid[seat]]


def make_dealer(view: View) -> Dealer:
    """Return a dealer for all cards that the seat of the view cannot see."""
    cards, shown, own = unseen_cards(view), known_voids(view), None if view.is_hand_hidden else view.seat
    rooms = [0 if seat == own else size for seat, size in enumerate(view.hand_sizes)]
    rooms.append(len(cards) - sum(rooms))  # the cards not dealt
    shown.append(set())
    lacked = set().union(*[void for room, void in zip(rooms, shown, strict=True) if room])
    suits = sorted(lacked.intersection([SUIT[card] for card in cards]))
    deal = _constrained_dealer(cards, rooms, shown, suits) if suits else _unconstrained_dealer(cards, rooms)
    if view.places > view.seats:
        deal = _shuffling_dealer(deal, view.seats)
    if own is None:
        return deal
    hand = view.hand

    def deal_with_own_hand(chance: Chance) -> list[list[int]]:
        places = deal(chance)
        places[own] = list(hand)
        return places

    return deal_with_own_hand


def _shuffling_dealer(deal: Dealer, dummy: int) -> Dealer:
    """Return a dealer that puts the dummy's cards in random order (W19)."""

    def deal_in_any_order(chance: Chance) -> list[list[int]]:
        places = deal(chance)
        places[dummy] = chance.shuffle(places[dummy])
        return places

    return deal_in_any_order


def build_state(view: View, places: list[list[int]], bids: Sequence[int | None], chance: Chance) -> State:
    """Return the state behind the view for this deal and these bids, which include those that the view hides."""
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
        bids=list(bids),
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
        trick_count=view.trick_count,
        hand_plan=view.hand_plan,
        hook=view.hook,
        bidding=view.bidding,
        blind=view.blind,
    )


def known_voids(view: View) -> list[set[int]]:
    """Return, by seat, the suits that it has shown this round not to have by not following them (W7)."""
    shown: list[set[int]] = [set() for _ in range(view.places)]
    for leader, cards in [(t.leader, t.cards) for t in view.tricks] + [(view.leader, view.trick)]:
        for i, card in enumerate(cards):
            asked = suit_to_follow(cards[:i])
            place = (leader + i) % view.places
            if asked is not None and SUIT[card] not in (asked, None) and place < view.seats:  # W19: a dummy shows none
                shown[place].add(asked)
    return shown


def unseen_cards(view: View) -> list[int]:
    """Return the cards whose place the seat cannot know, sorted."""
    turned = () if view.turned is None else (view.turned,)
    return remaining_cards(DECK, *[trick.cards for trick in view.tricks], view.trick, view.hand, turned)


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
    choices = _make_stage_choices(stages)
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
    held = {suit: [card for card in cards if SUIT[card] == suit] for suit in suits}
    order = sorted(suits, key=lambda suit: len(held[suit]))
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
            held[suit],
            classes[number],
            [at for at, places in enumerate(classes[number]) if suit not in voids[places[0]]],
            into[number + 1],
            len(classes[number + 1]),
        )
        for number, suit in enumerate(order)
    ]


WeightedWays = tuple[list[tuple[int, ...]], list[int]]


def _make_stage_choices(stages: list[SuitStage]) -> Callable[[int, tuple[int, ...]], WeightedWays]:
    """Return a function from each class's room to the ways to deal the suit and their cumulative weights."""

    @cache
    def count_deals(number: int, rooms: tuple[int, ...]) -> int:
        """Return the number of ways to deal this and later suits, ignoring which card of a suit is which."""
        if number == len(stages):
            return 1
        stage = stages[number]
        if number == len(stages) - 1:
            return comb(sum([rooms[each] for each in stage.allowed]), len(stage.cards))
        return sum(weight for _, weight in weigh_ways(number, rooms))

    def weigh_ways(number: int, rooms: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        stage = stages[number]
        allowed = [rooms[each] for each in stage.allowed]
        for way in _share_out(len(stage.cards), allowed):
            yield way, prod(map(comb, allowed, way)) * count_deals(number + 1, _room_left(stage, rooms, way))

    @cache
    def stage_choices(number: int, rooms: tuple[int, ...]) -> WeightedWays:
        found = [(way, weight) for way, weight in weigh_ways(number, rooms) if weight]
        if not found:
            raise ValueError("no deal fits what is known")
        total = sum(weight for _, weight in found)
        return [way for way, _ in found], [*accumulate(weight * WEIGHT_SCALE // total for _, weight in found)]

    return stage_choices


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
