"""Deals unseen cards after the Chameleon's swap and the Carousel's pass (W23, W24).

A swap shows a card of one hand. A pass brings a hand a card from the right, which may be of a suit that the hand was
known to lack. A case says what became of the swapped card, and for every hand whether the card that it got is one that
it has played since or one that it still has. The cases are weighted by the number of deals and passes that fit, so that
all of these are equally likely.

Four Wizards and four Jesters are alike, but they are four cards. So if a Wizard was swapped or passed, and its player
has played one, that may be this Wizard or another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import factorial, perm, prod
from typing import Literal, NamedTuple

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
from engines.wizard.deck import CHAMELEON, SUIT
from engines.wizard.view import View


class Fate(NamedTuple):
    """What became of the card that the Chameleon's player took, and how many cards it can be.

    `is_passed`: the Carousel brought it to the left. Otherwise its player still has it, has played it since cards were
    passed, or has played it before.
    """

    candidates: int = 1
    is_passed: bool = False
    is_in_hand: bool = False
    is_played_since: bool = False


class Arrival(NamedTuple):
    """The card that a seat got from the right.

    `played`: one of `cards`, which it has played since. `in hand`: the only one of `cards`, which it still has. `slot`:
    an unknown card of its hand, for which other suits may fit. `any`: one of `cards`, or any card of its hand. `known`:
    there is nothing to find out.
    """

    where: Literal["known", "played", "in hand", "slot", "any"]
    cards: tuple[int, ...] = ()


class Case(NamedTuple):
    """The fate and the arrivals by seat; what each place must have; and how to deal the rest.

    `slots` are the receivers whose arrival has a place of its own after the hands.
    """

    fate: Fate
    arrivals: tuple[Arrival, ...]
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
        self.swap = None if view.swap is None or view.swap.seat == self.own else view.swap

    def weigh_cases(self) -> tuple[list[Case], list[int]]:
        """Return the possible cases, and how many deals and passes fit each."""
        found = [
            self._weigh_case(fate, arrivals, place)
            for fate in self._fates()
            for arrivals in product(*[self._arrivals(seat, fate) for seat in range(self.view.seats)])
            for place in self._chameleon_places()
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
        if receiver in got:
            return got[receiver]
        where, cards = case.arrivals[receiver]
        if where != "any":
            return _choose(cards, chance)
        return _choose([*cards, *_without(hands[receiver], case.fixed[receiver])], chance)

    def _fates(self) -> list[Fate]:
        """Return what can have become of the swapped card. One fate if there is none, or if its reader has taken it."""
        if self.swap is None:
            return [Fate()]
        seat, card = self.swap
        before, since = self.before.played[seat].count(card), self.after.played[seat].count(card)
        found = [Fate(before), Fate(is_in_hand=True)]
        if self.has_passed:
            found += [Fate(is_passed=True), Fate(since, is_played_since=True)]
        return [fate for fate in found if fate.candidates]

    def _arrivals(self, seat: int, fate: Fate) -> list[Arrival]:
        """Return what the card that this seat got can be: one that it has played since, or one of its hand."""
        view, giver, swap = self.view, (seat - 1) % self.view.seats, self.swap
        passed = None  # the card, if it is known
        if swap is not None and fate.is_passed and swap.seat == giver:
            passed = swap.card
        if seat == self.own:
            return [Arrival("known")] if passed in (None, view.received) else []
        if not self.has_passed:
            return [Arrival("known")]
        if giver == self.own:
            passed = view.passed
        lacked, giver_lacked, since = self.before.voids[seat], self.before.voids[giver], self.after.played[seat]
        new = [card for card in since if SUIT[card] in lacked]  # at most one, which it got
        if swap is not None and fate.is_played_since and swap.seat == seat:
            since = _without(since, [swap.card])
        if passed is None:
            played = tuple([card for card in since if SUIT[card] not in giver_lacked])
            if not lacked and not giver_lacked:
                return [Arrival("any", played)]
            in_hand = Arrival("slot")
        else:
            played = tuple([card for card in since if card == passed])
            in_hand = Arrival("in hand", (passed,))
        if new:
            return [Arrival("played", tuple(new))] if {*new} <= {*played} else []
        return [Arrival("played", played), in_hand] if played else [in_hand]

    def _chameleon_places(self) -> Sequence[int | None]:
        """Return where the Chameleon can be if no player was dealt it: in the stock, or in a dummy's hand (W19)."""
        if not _is_chameleon_away(self.view) or CHAMELEON not in self.cards:
            return (None,)
        return range(self.view.seats, len(self.sizes))

    def _weigh_case(
        self, fate: Fate, arrivals: tuple[Arrival, ...], chameleon_place: int | None
    ) -> tuple[Case | None, int]:
        """Return a case with the number of deals and passes that fit, up to a factor that is the same for all cases."""
        view, after, before = self.view, self.after.voids, self.before.voids
        fixed: list[list[int]] = [[*arrival.cards] if arrival.where == "in hand" else [] for arrival in arrivals]
        fixed += [[] for _ in range(view.seats, len(self.sizes))]
        if self.swap is not None and fate.is_in_hand:
            fixed[self.swap.seat].append(self.swap.card)
        if chameleon_place is not None:
            fixed[chameleon_place].append(CHAMELEON)
        known, unseen = Counter([card for place in fixed for card in place]), Counter(self.cards)
        slots = [seat for seat, arrival in enumerate(arrivals) if arrival.where == "slot"]
        rooms = [size - len(fixed[place]) - (place in slots) for place, size in enumerate(self.sizes)]
        lacks = any({SUIT[card] for card in cards} & void for cards, void in zip(fixed, after, strict=False))
        if min(rooms) < 0 or lacks or known - unseen:
            return None, 0
        cards, sizes = _without(self.cards, [*known.elements()]), [*rooms[:-1], *[1] * len(slots), rooms[-1]]
        voids = [
            *[now | earlier for now, earlier in zip(after, before, strict=True)],
            *[after[seat] | before[(seat - 1) % view.seats] for seat in slots],
            set[int](),
        ]
        weight = count_deals(cards, sizes, voids) * prod(
            factorial(size) // factorial(room) for size, room in zip(self.sizes, rooms, strict=True)
        )
        weight *= prod(perm(unseen[card], count) for card, count in known.items())  # which of those that are alike
        weight *= fate.candidates
        for seat, (where, played) in enumerate(arrivals):
            if where in ("played", "any"):
                weight *= len(played) + (rooms[seat] if where == "any" else 0)
        if not weight:
            return None, 0
        return Case(fate, arrivals, fixed, slots, make_place_dealer(cards, sizes, voids)), weight


def _choose(cards: list[int] | tuple[int, ...], chance: Chance) -> int:
    return cards[chance.randbelow(len(cards))]


def _without(cards: list[int], removed: list[int]) -> list[int]:
    """Return the cards without one copy of each of the others."""
    left = list(cards)
    for card in removed:
        left.remove(card)
    return left
