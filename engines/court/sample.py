"""Samples full states that could lie behind a view of the Court."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import comb, factorial, perm
from typing import NamedTuple

from engines.court import deck
from engines.court.deck import NUMBER_CARDS
from engines.court.model import State
from engines.court.view import View
from engines.kit.chance import Chance
from engines.kit.sampling import remaining_cards, weighted_choice

Deal = tuple[list[list[int]], list[int]]
"""Everybody's hand, and the draw pile."""


class DealConstraints(NamedTuple):
    """What is known about the unseen cards and their places.

    `free` cards were in the pile from which the draw pile was shuffled, so they may be anywhere; `hand_only` cards are
    in hands. Both list number cards first. By seat, `bare` is the number of cards publicly known not to be number
    cards, and `rooms` the number of other unseen cards in the hand.
    """

    free: tuple[list[int], list[int]]
    hand_only: tuple[list[int], list[int]]
    bare: list[int]
    rooms: list[int]
    draw: int


def sample(view: View, chance: Chance) -> State:
    """Keep what the view shows, and deal the unseen cards at random."""
    return sampler(view)(chance)


def sampler(view: View) -> Callable[[Chance], State]:
    """Return `sample` for one view. Every deal that fits the known facts is equally likely."""
    deal = _make_dealer(view)

    def sample_state(chance: Chance) -> State:
        hands, draw = deal(chance)
        return State(
            chance=chance.fork(),
            goal=view.goal,
            cap=view.cap,
            rolls=list(view.rolls),
            order=list(view.order),
            phase=view.phase,
            turn=view.turn,
            turns=view.turns,
            owed=list(view.owed),
            mages=list(view.mages),
            menhirs=list(view.menhirs),
            health=list(view.health),
            banners=list(view.banners),
            hands=hands,
            bare=list(view.bare),
            draw=draw,
            pool=view.pool,
            discard=list(view.discard),
            attacked=view.attacked,
            moved=view.moved,
            knocked=list(view.knocked),
            ending=view.ending,
            numbers=list(view.numbers),
        )

    return sample_state


def unseen_cards(view: View) -> list[int]:
    """Return the cards of the other hands and of the draw pile, sorted."""
    return remaining_cards(deck.full_pack(len(view.mages)), view.discard, view.hand)


def _make_dealer(view: View) -> Callable[[Chance], Deal]:
    """Return a function that deals the unseen cards to hands and draw pile, with every possible deal equally likely."""
    known = _deal_constraints(view)
    deal = _constrained_dealer(known) if any(known.hand_only) or any(known.bare) else _unconstrained_dealer(known)
    seat, own = view.seat, view.hand
    if seat is None:
        return deal

    def deal_with_own_hand(chance: Chance) -> Deal:
        hands, draw = deal(chance)
        hands[seat] = list(own)
        return hands, draw

    return deal_with_own_hand


def _deal_constraints(view: View) -> DealConstraints:
    """Return what the view says about unseen cards. Cards that cannot be in the draw pile must be in hands."""
    cards = Counter(unseen_cards(view))
    hand_only = cards - Counter(view.pool)
    bare = [0 if seat == view.seat else number for seat, number in enumerate(view.bare)]
    sizes = [0 if seat == view.seat else size for seat, size in enumerate(view.hand_sizes)]
    rooms = [size - number for size, number in zip(sizes, bare, strict=True)]
    return DealConstraints(
        _split_number_cards(cards - hand_only), _split_number_cards(hand_only), bare, rooms, view.draw
    )


def _split_number_cards(cards: Counter[int]) -> tuple[list[int], list[int]]:
    """Return the number cards and the others."""
    each = [*cards.elements()]
    return [card for card in each if card in NUMBER_CARDS], [card for card in each if card not in NUMBER_CARDS]


def _unconstrained_dealer(constraints: DealConstraints) -> Callable[[Chance], Deal]:
    """Return a dealer for cards that may be anywhere."""
    cards, room, rooms = [*constraints.free[0], *constraints.free[1]], sum(constraints.rooms), constraints.rooms

    def deal(chance: Chance) -> Deal:
        pile = chance.shuffle(cards)
        return _cut_hands(pile[:room], rooms), pile[room:]

    return deal


def _constrained_dealer(constraints: DealConstraints) -> Callable[[Chance], Deal]:
    """Return a dealer that puts no number cards in bare places and no `hand_only` cards in the draw pile.

    It first draws how many `hand_only` cards are in bare places, in proportion to the number of deals for each count.
    """
    (numbers, others), (hand_numbers, hand_others) = constraints.free, constraints.hand_only
    bare, room = sum(constraints.bare), sum(constraints.rooms)
    counts, weights = _bare_card_counts(constraints)

    def deal(chance: Chance) -> Deal:
        count = weighted_choice(counts, weights, chance) if len(counts) > 1 else counts[0]
        visible, in_hands = chance.draw(hand_others, count)
        more, free = chance.draw(others, bare - count)
        in_hands += hand_numbers
        pile = chance.shuffle(numbers + free)
        rest_of_hands = room - len(in_hands)
        hands = _cut_hands(chance.shuffle(visible + more), constraints.bare)
        for hand, cards in zip(
            hands, _cut_hands(chance.shuffle(in_hands + pile[:rest_of_hands]), constraints.rooms), strict=True
        ):
            hand += cards
            hand.sort()
        return hands, pile[rest_of_hands:]

    return deal


def _bare_card_counts(constraints: DealConstraints) -> tuple[range, list[int]]:
    """Return the possible numbers of `hand_only` cards in bare places, with the number of deals for each.

    These can have hundreds of digits, so they are scaled to the range of one random draw.
    """
    others, (hand_numbers, hand_others) = len(constraints.free[1]), map(len, constraints.hand_only)
    bare, room, in_hands = sum(constraints.bare), sum(constraints.rooms), hand_numbers + hand_others
    counts = range(max(0, bare - others, in_hands - room), min(hand_others, bare) + 1)
    if not counts:
        raise ValueError("no deal fits what is known")
    deals = [
        comb(hand_others, count)
        * comb(others, bare - count)  # the `hand_only` cards in bare places
        * perm(room, in_hands - count)  # the places of the other `hand_only` cards in hands
        * factorial(room - (in_hands - count) + constraints.draw)  # the places of the rest
        for count in counts
    ]
    return counts, [(deal << 62) // sum(deals) for deal in deals]


def _cut_hands(cards: list[int], sizes: list[int]) -> list[list[int]]:
    """Cut the cards, in order, into sorted hands of these sizes."""
    hands, start = [], 0
    for size in sizes:
        hands.append(sorted(cards[start : start + size]))
        start += size
    return hands
