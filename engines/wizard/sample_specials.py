"""Deals unseen cards after the Chameleon's swap and the Carousel's pass (W23, W24).

A swap shows a card of one hand. A pass brings a hand a card from the right, which may be of a suit that the hand was
known to lack. A case says for every hand which card that was: one that it has played since, one that it must still
have, or any other of its cards. The cases are weighted by the number of deals that fit, so that all deals and passes
that fit are equally likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import factorial, prod
from typing import NamedTuple

from engines.kit.chance import Chance
from engines.kit.sampling import weighted_choice
from engines.wizard.deals import (
    Dealer,
    Past,
    count_deals,
    laid_tricks,
    make_place_dealer,
    read_past,
    tricks_before_pass,
    unseen_cards,
)
from engines.wizard.deck import CHAMELEON, JESTER, SUIT, WIZARD
from engines.wizard.view import View


class Arrival(NamedTuple):
    """What the card that a seat got from the right can be: one of `cards`, or if there are none any card of the hand.

    `is_held`: it is still in the hand. `is_swapped`: it is the card that the Chameleon's player took.
    """

    cards: tuple[int, ...] = ()
    is_in_hand: bool = False
    is_swapped: bool = False


class Case(NamedTuple):
    """One arrival by receiver, None if it may be any that fits; what each place must have; and how to deal the rest.

    `slots` are the receivers whose arrival has a place of its own after the hands, because other suits may fit it.
    """

    arrivals: tuple[Arrival | None, ...]
    fixed: list[list[int]]
    slots: list[int]
    deal: Dealer


def needs_specials_dealer(view: View) -> bool:
    """Whether special cards tell something about other hands, or cards were passed."""
    return view.swap is not None or bool(view.has_passed) or _is_chameleon_away(view)


def make_specials_dealer(view: View) -> Dealer:
    """Return a dealer of hands, stock and, once the Carousel turns, passed cards. Raises ValueError if no deal fits."""
    knowledge = _Knowledge(view)
    cases, weights = knowledge.weigh_cases()
    if not cases:
        raise ValueError("no deal fits what is known")

    def deal(chance: Chance) -> list[list[int]]:
        case = cases[0] if len(cases) == 1 else weighted_choice(cases, weights, chance)
        return knowledge.complete_deal(case, case.deal(chance), chance)

    return deal


def _is_chameleon_away(view: View) -> bool:
    """W23: whether no player was dealt the Chameleon. Otherwise it would lie in the place of the turned-up card."""
    return CHAMELEON in view.specials and view.swap is None and view.turned not in (None, CHAMELEON)


class _Knowledge:
    """What a view says about every hand."""

    def __init__(self, view: View) -> None:
        self.view, self.own = view, None if view.is_hand_hidden else view.seat
        self.has_passed = bool(view.has_passed) and view.phase != "pass"
        tricks, cut = laid_tricks(view), tricks_before_pass(view)
        self.before: Past = read_past(view.seats, view.places, tricks[:cut])
        self.after: Past = read_past(view.seats, view.places, tricks[cut:])
        self.cards = unseen_cards(view)
        self.sizes = [0 if seat == self.own else size for seat, size in enumerate(view.hand_sizes)]
        self.sizes.append(len(self.cards) - sum(self.sizes))  # the stock
        swap = view.swap
        is_hidden = swap is not None and swap.seat != self.own and swap.card not in self.before.played[swap.seat]
        self.swapped = swap if is_hidden else None  # their card was still in their hand before the pass

    def weigh_cases(self) -> tuple[list[Case], list[int]]:
        """Return the possible cases, and how many deals fit each."""
        seats = range(self.view.seats)
        choices = [self._arrivals(seat) if self.has_passed and seat != self.own else [None] for seat in seats]
        found = [
            self._weigh_case(arrivals, place) for arrivals in product(*choices) for place in self._chameleon_places()
        ]
        possible = [(case, weight) for case, weight in found if case is not None]
        return [case for case, _ in possible], [weight for _, weight in possible]

    def complete_deal(self, case: Case, places: list[list[int]], chance: Chance) -> list[list[int]]:
        """Return the deal with the cards that are known, and with the cards that were passed."""
        view, dealt = self.view, self.view.places
        got = {seat: slot[0] for seat, slot in zip(case.slots, places[dealt:-1], strict=True)}
        hands, stock = places[:dealt], places[-1]
        for place, hand in enumerate(hands):
            hand += case.fixed[place]
            if place in got:
                hand.append(got[place])
            hand.sort()
        if dealt > view.seats:
            hands[-1] = chance.shuffle(hands[-1])  # W19
        if self.own is not None:
            hands[self.own] = list(view.hand)
        deal = [*hands, stock + case.fixed[-1]]
        if not view.has_passed:
            return deal
        return [*deal, [self._passed_card(case, seat, got, hands, chance) for seat in range(view.seats)]]

    def _passed_card(self, case: Case, seat: int, got: dict[int, int], hands: list[list[int]], chance: Chance) -> int:
        """Return the card that a seat has chosen or passed, or −1."""
        view, receiver = self.view, (seat + 1) % self.view.seats
        if not view.has_passed[seat]:
            return -1
        if seat == self.own:
            assert view.passed is not None
            return view.passed
        if not self.has_passed:
            return _choose(hands[seat], chance)
        if receiver == self.own:
            assert view.received is not None
            return view.received
        arrival = case.arrivals[receiver]
        if receiver in got:
            return got[receiver]
        if arrival is not None:
            return _choose(arrival.cards, chance)
        return _choose(self._without_swapped(receiver, [*hands[receiver], *self.after.played[receiver]]), chance)

    def _arrivals(self, seat: int) -> list[Arrival | None]:
        """Return what the card that this seat got can be; None if it can be any card that the seat has had since."""
        view, giver = self.view, (seat - 1) % self.view.seats
        played, lacked, giver_lacked = self.after.played[seat], self.before.voids[seat], self.before.voids[giver]
        if giver == self.own:
            assert view.passed is not None
            return [Arrival((view.passed,), view.passed not in played)]
        swapped = self.swapped.card if self.swapped is not None and self.swapped.seat == giver else None
        if new := [card for card in played if SUIT[card] in lacked]:
            return [Arrival((new[0],), is_swapped=new[0] == swapped)]
        if swapped is None and not lacked and not giver_lacked:
            return [None]
        found: list[Arrival | None] = []
        is_single = swapped not in (JESTER, WIZARD)
        if swapped is not None:
            if swapped in played:
                found.append(Arrival((swapped,), is_swapped=True))
                if is_single:
                    return found
            elif not (is_single and swapped in self.after.played[giver]):
                found.append(Arrival((swapped,), is_in_hand=True, is_swapped=True))
        played = self._without_swapped(seat, played)
        others = tuple([card for card in played if SUIT[card] not in giver_lacked])
        return [*found, *([Arrival(others)] if others else []), Arrival(is_in_hand=True)]

    def _without_swapped(self, receiver: int, cards: list[int]) -> list[int]:
        """Return the cards without the one that the receiver took for the Chameleon, which came from nobody's hand."""
        swap = self.view.swap
        if swap is None or swap.seat != receiver or swap.card in self.before.played[receiver]:
            return cards
        return _without(cards, [swap.card] if swap.card in cards else [])

    def _chameleon_places(self) -> Sequence[int | None]:
        """Return where the Chameleon can be if no player was dealt it: in the stock, or in a dummy's hand (W19)."""
        if not _is_chameleon_away(self.view) or CHAMELEON not in self.cards:
            return (None,)
        return range(self.view.seats, len(self.sizes))

    def _weigh_case(self, arrivals: tuple[Arrival | None, ...], chameleon_place: int | None) -> tuple[Case | None, int]:
        """Return a case with the number of deals that fit, up to a factor that is the same for all cases."""
        view, after, before = self.view, self.after.voids, self.before.voids
        fixed = self._fixed_cards(arrivals)
        if chameleon_place is not None:
            fixed[chameleon_place].append(CHAMELEON)
        known = [card for place in fixed for card in place]
        slots = [seat for seat, arrival in enumerate(arrivals) if arrival == Arrival(is_in_hand=True)]
        rooms = [size - len(fixed[place]) - (place in slots) for place, size in enumerate(self.sizes)]
        lacks = any({SUIT[card] for card in cards} & void for cards, void in zip(fixed, after, strict=False))
        if min(rooms) < 0 or lacks or Counter(known) - Counter(self.cards):
            return None, 0
        cards, sizes = _without(self.cards, known), [*rooms[:-1], *[1] * len(slots), rooms[-1]]
        voids = [
            *[now | earlier for now, earlier in zip(after, before, strict=True)],
            *[after[seat] | before[(seat - 1) % view.seats] for seat in slots],
            set[int](),
        ]
        weight = count_deals(cards, sizes, voids) * prod(
            factorial(size) // factorial(room) for size, room in zip(self.sizes, rooms, strict=True)
        )
        weight *= prod(len(arrival.cards) for arrival in arrivals if arrival is not None and arrival.cards)
        if not weight:
            return None, 0
        return Case(arrivals, fixed, slots, make_place_dealer(cards, sizes, voids)), weight

    def _fixed_cards(self, arrivals: tuple[Arrival | None, ...]) -> list[list[int]]:
        """Return, by place and for the stock, the cards that must be there."""
        view = self.view
        fixed: list[list[int]] = [[] for _ in self.sizes]
        for seat, arrival in enumerate(arrivals):
            if arrival is not None and arrival.is_in_hand:
                fixed[seat] += arrival.cards
        if self.swapped is not None:
            seat, card = self.swapped
            receiver = (seat + 1) % view.seats
            arrival = arrivals[receiver]
            went = self.has_passed and (
                view.received == card if receiver == self.own else arrival is not None and arrival.is_swapped
            )
            if not went and card not in self.after.played[seat]:
                fixed[seat].append(card)
        return fixed


def _choose(cards: list[int] | tuple[int, ...], chance: Chance) -> int:
    return cards[chance.randbelow(len(cards))]


def _without(cards: list[int], removed: list[int]) -> list[int]:
    """Return the cards without one copy of each that is gone."""
    left = list(cards)
    for card in removed:
        left.remove(card)
    return left
