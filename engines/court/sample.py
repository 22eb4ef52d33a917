"""A full state that could lie behind a view of the Court."""

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
    """What is known of the unseen cards, and of how many lie where.

    `free` cards were in the pile that the draw pile was shuffled from, so they may be anywhere; `kept` ones are in
    hands. Of both first the number cards, then the others. By seat `bare` is how many cards everybody knows to be no
    number cards, and `rooms` how many others a hand has; the seat's own has none to be dealt.
    """

    free: tuple[list[int], list[int]]
    hand_only: tuple[list[int], list[int]]
    bare: list[int]
    rooms: list[int]
    draw: int


def sample(view: View, chance: Chance) -> State:
    """Keep what the view shows, and deal the unseen cards anew."""
    return sampler(view)(chance)


def sampler(view: View) -> Callable[[Chance], State]:
    """`sample` for one view. Each deal that fits what is known is equally likely."""
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
    """The cards of the other hands and of the draw pile, sorted."""
    return remaining_cards(deck.full_pack(len(view.mages)), view.discard, view.hand)


def _make_dealer(view: View) -> Callable[[Chance], Deal]:
    """What deals the unseen cards, so that each way to put them into hands and draw pile is equally likely."""
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
    """What the view tells of the unseen cards; a kind that the draw pile cannot have so often is kept in hands."""
    cards = Counter(unseen_cards(view))
    kept = cards - Counter(view.pool)
    bare = [0 if seat == view.seat else number for seat, number in enumerate(view.bare)]
    sizes = [0 if seat == view.seat else size for seat, size in enumerate(view.hand_sizes)]
    rooms = [size - number for size, number in zip(sizes, bare, strict=True)]
    return DealConstraints(_split_number_cards(cards - kept), _split_number_cards(kept), bare, rooms, view.draw)


def _split_number_cards(cards: Counter[int]) -> tuple[list[int], list[int]]:
    """The number cards and the others."""
    each = [*cards.elements()]
    return [card for card in each if card in NUMBER_CARDS], [card for card in each if card not in NUMBER_CARDS]


def _unconstrained_dealer(constraints: DealConstraints) -> Callable[[Chance], Deal]:
    """Any card may be anywhere."""
    cards, room, rooms = [*constraints.free[0], *constraints.free[1]], sum(constraints.rooms), constraints.rooms

    def deal(chance: Chance) -> Deal:
        pile = chance.shuffle(cards)
        return _cut_hands(pile[:room], rooms), pile[room:]

    return deal


def _constrained_dealer(constraints: DealConstraints) -> Callable[[Chance], Deal]:
    """Bare places take no number cards, the draw pile takes no kept ones.

    How many kept cards are in bare places is drawn first, by the number of deals that have so many.
    """
    (numbers, others), (kept_numbers, kept_others) = constraints.free, constraints.hand_only
    bare, room = sum(constraints.bare), sum(constraints.rooms)
    counts, weights = _bare_card_counts(constraints)

    def deal(chance: Chance) -> Deal:
        count = weighted_choice(counts, weights, chance) if len(counts) > 1 else counts[0]
        shown, kept = chance.draw(kept_others, count)
        more, free = chance.draw(others, bare - count)
        kept += kept_numbers
        pile = chance.shuffle(numbers + free)
        rest_of_hands = room - len(kept)
        hands = _cut_hands(chance.shuffle(shown + more), constraints.bare)
        for hand, cards in zip(
            hands, _cut_hands(chance.shuffle(kept + pile[:rest_of_hands]), constraints.rooms), strict=True
        ):
            hand += cards
            hand.sort()
        return hands, pile[rest_of_hands:]

    return deal


def _bare_card_counts(constraints: DealConstraints) -> tuple[range, list[int]]:
    """How many kept cards may be in bare places, and how many deals there are for each number.

    These counts can have hundreds of digits: they are scaled to what one draw of chance takes.
    """
    others, (kept_numbers, kept_others) = len(constraints.free[1]), map(len, constraints.hand_only)
    bare, room, kept = sum(constraints.bare), sum(constraints.rooms), kept_numbers + kept_others
    counts = range(max(0, bare - others, kept - room), min(kept_others, bare) + 1)
    if not counts:
        raise ValueError("no deal fits what is known")
    deals = [
        comb(kept_others, count)
        * comb(others, bare - count)  # which cards are in bare places
        * perm(room, kept - count)  # where in hands the kept ones are that are left
        * factorial(room - (kept - count) + constraints.draw)  # and where the rest are
        for count in counts
    ]
    return counts, [(deal << 62) // sum(deals) for deal in deals]


def _cut_hands(cards: list[int], sizes: list[int]) -> list[list[int]]:
    """The cards in order, cut into sorted hands of these sizes."""
    hands, start = [], 0
    for size in sizes:
        hands.append(sorted(cards[start : start + size]))
        start += size
    return hands
