"""Wizard's policy: which trump, which bid, which card. Its inputs are what one seat knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, sqrt
from typing import Protocol

from engines.wizard.deck import DECK, ELEPHANT, JESTER, SUIT, TRAPDOOR, WIZARD
from players.wizard.numbers import Weights
from players.wizard.odds import (
    ALL_CARDS,
    CARD_BIT,
    HIGHER_CARDS,
    LOG_TRICKS,
    RANKS_BESIDE,
    SUIT_MASKS,
    TOP_RANK,
    logistic,
    make_bid_value,
    make_trick_chances,
)


class CardChooser(Protocol):
    """A function that chooses a card. `Policy.choose_card` explains its arguments."""

    def __call__(
        self,
        hand: Sequence[int],
        bid: int,
        need: int,
        trump: int | None,
        follow: int | None,
        best: int,
        visible: int,
        wizards: int,
        hidden: int,
        seats: int,
        keen: int,
        shy: int,
        demand: float,
        values: dict[int, float] | None = None,
        beside: int = 0,
        /,
    ) -> int: ...


class Policy:
    """The policy with these weights."""

    __slots__ = ("_points", "_prospects", "card", "numbers")

    def __init__(self, weights: Weights) -> None:
        self.numbers = weights
        self._prospects = make_trick_chances(weights)
        self._points = make_bid_value(weights.bid, weights.miss)
        self.card = make_card_chooser(weights)

    def choose_trump(
        self, hand: Sequence[int], seats: int, turned_card: int | None = WIZARD, specials: Sequence[int] = ()
    ) -> int | None:
        """Return the most promising suit (W3), or None, which only the Chameleon allows (W23)."""
        choices = range(4) if turned_card == WIZARD else (*range(4), None)
        return max(choices, key=lambda suit: self.expected_tricks(hand, suit, seats, turned_card, specials)[0])

    def expected_tricks(
        self, hand: Sequence[int], trump: int | None, seats: int, turned_card: int | None, specials: Sequence[int] = ()
    ) -> tuple[float, float]:
        """Return the expected number of tricks of a hand, and its variance; `specials` are those of the pack."""
        unseen, wizards = ALL_CARDS, 4 + specials.count(ELEPHANT)
        for each in hand:
            if each < 52:
                unseen &= ~CARD_BIT[each]
            elif each in (WIZARD, ELEPHANT):
                wizards -= 1
        hidden = len(DECK) + len(specials) - len(hand)
        if turned_card is not None:
            hidden -= 1
            unseen &= ~CARD_BIT[turned_card]
            wizards -= turned_card in (WIZARD, ELEPHANT)
        size = len(hand)
        demand = (seats - 1) / seats
        in_hands, appetite = (seats - 1) * size / hidden, 1 / seats
        chances = self._prospects(hand, trump, unseen, wizards, in_hands, demand, appetite, size)
        appetite = sum(chances) / size
        chances = self._prospects(hand, trump, unseen, wizards, in_hands, demand, appetite, size)
        mean = sum(chances)
        if TRAPDOOR in specials:  # W22: it may cost everybody a trick
            mean *= 1 - (1.0 if TRAPDOOR in hand else in_hands) / size
        return mean, sum([each - each * each for each in chances])

    def bid_target(
        self,
        hand: Sequence[int],
        trump: int | None,
        seats: int,
        turned_card: int | None,
        bids_made: Sequence[float],
        specials: Sequence[int] = (),
    ) -> tuple[float, float]:
        """Return the tricks to aim for after the earlier bids, and their variance."""
        mean, variance = self.expected_tricks(hand, trump, seats, turned_card, specials)
        numbers, size = self.numbers, len(hand)
        mean = numbers.bid_base + numbers.bid_hand * mean + numbers.bid_tricks * LOG_TRICKS[size]
        if bids_made:
            mean += numbers.bid_others * (sum(bids_made) - len(bids_made) * size / seats)
        else:
            mean += numbers.bid_lead
        return mean, variance

    def choose_bid(
        self,
        hand: Sequence[int],
        trump: int | None,
        seats: int,
        turned_card: int | None,
        bids_made: Sequence[float],
        forbidden: int | None = None,
        specials: Sequence[int] = (),
    ) -> int:
        """Return how many tricks to bid (W4), other than the bid that is forbidden (W12)."""
        mean, variance = self.bid_target(hand, trump, seats, turned_card, bids_made, specials)
        return self._best_bid(mean, variance, len(hand), forbidden)

    def choose_blind_bid(self, size: int, seats: int, bids_made: Sequence[float], forbidden: int | None = None) -> int:
        """Return how many tricks to bid for a hand of this size that nobody has seen (W18)."""
        share = 1 / seats
        mean = size * share + self.numbers.bid_others * (sum(bids_made) - len(bids_made) * size * share)
        return self._best_bid(mean, size * share * (1 - share), size, forbidden)

    def _best_bid(self, mean: float, variance: float, size: int, forbidden: int | None) -> int:
        low = max(0, min(int(mean), size) - 1)
        near = [bid for bid in range(low, min(size, low + 3) + 1) if bid != forbidden]
        return max(near, key=lambda bid: self._points(bid - mean, variance, bid))

    def remaining_chances(
        self,
        hand: Sequence[int],
        trump: int | None,
        visible: int,
        wizards: int,
        hidden: int,
        seats: int,
        demand: float,
        need: int,
    ) -> list[float]:
        """Return each card's chance to take one of the tricks to come. The arguments are as in `choose_card`."""
        size = len(hand)
        in_hands = min(1.0, (seats - 1) * size / hidden) if hidden else 0.0
        return self._prospects(hand, trump, ALL_CARDS & ~visible, wizards, in_hands, demand, need / size, size)


def make_card_chooser(weights: Weights) -> CardChooser:
    """Return a function that chooses the card after which the expected tricks best match those still needed."""
    expected, takes = make_trick_chances(weights), make_take_chance(weights)
    sure, doubt, miss = exp(weights.play.sure), exp(weights.play.doubt), exp(weights.miss)

    def choose_card(
        hand: Sequence[int],
        bid: int,
        need: int,
        trump: int | None,
        follow: int | None,
        best: int,
        visible: int,
        wizards: int,
        hidden: int,
        seats: int,
        keen: int,
        shy: int,
        demand: float,
        values: dict[int, float] | None = None,
        beside: int = 0,
    ) -> int:
        """Return the card to play from a sorted hand; `values` receives the value of each legal card.

        best: the highest rank in the trick so far (−1: nobody has led); seen: the suits' cards that this seat has seen,
        including its own; wizards, hidden: how many Wizards and cards it has not seen; keen, shy: how many of the seats
        yet to play want tricks, or none; demand: the tricks that the others want, as a fraction of the tricks left;
        beside: 1 if the Mouse lies in the trick, 2 if the Elephant does. The Elephant counts as a Wizard.
        """
        legal = legal_cards(hand, follow)
        if len(legal) == 1 and values is None:
            return legal[0]
        prize = 20 + 10 * bid
        unseen, size, after = ALL_CARDS & ~visible, len(hand), keen + shy
        in_hands = min(1.0, (seats - 1) * (size - 1) / (hidden - after)) if hidden > after else 0.0
        chances = expected(hand, trump, unseen, wizards, in_hands, demand, need / size, size - 1)
        off = need - sum(chances)
        variance = sum([each - each * each for each in chances])
        missing = 1.0 - size / hidden if hidden > size else 0.0  # the chance that a player lacks an unseen card
        ranks = RANKS_BESIDE[beside][4 if trump is None else trump]
        free = follow is None and best < TOP_RANK  # the card sets the suit to follow
        high, found, before, value = -1e9, -1, (-1.0, -1.0), 0.0
        for each in legal:
            suit_led = SUIT[each] if free else follow
            rank = ranks[4 if suit_led is None else suit_led][each]
            if rank <= best or rank <= 0:
                now = 0.0
            elif each >= WIZARD or not after:
                now = 1.0
            else:
                now = takes(each, trump, suit_led, unseen, wizards, missing, keen, shy)
            later = chances[hand.index(each)]
            if (now, later) != before:  # otherwise it is equivalent to its neighbour
                before = now, later
                left = off + later
                spread = sure + doubt * (variance - later + later * later)  # as `worth`, which costs too much here
                peak, floor = -0.5 / spread, miss * spread
                value = 0.0
                if now < 1.0:
                    square = left * left
                    value = (1.0 - now) * (prize * exp(square * peak) - 10 * sqrt(square + floor))
                if now > 0.0:
                    square = (left - 1.0) * (left - 1.0)
                    value += now * (prize * exp(square * peak) - 10 * sqrt(square + floor))
            if values is not None:
                values[each] = value
            if value > high:
                high, found = value, each
        return found

    return choose_card


def legal_cards(hand: Sequence[int], follow: int | None) -> Sequence[int]:
    """Return the playable cards of the hand, without repetitions (W7)."""
    if follow is not None:
        suit = [card for card in hand if SUIT[card] == follow]
        if suit:
            if hand[-1] >= JESTER:
                suit += [card for card in (JESTER, WIZARD) if card in hand]
                if hand[-1] > WIZARD:
                    suit += [card for card in hand if card > WIZARD]
            return suit
    if len(hand) > 1 and hand[-2] >= JESTER:
        return list(dict.fromkeys(hand))
    return hand


def make_take_chance(weights: Weights) -> Callable[[int, int | None, int | None, int, int, float, int, int], float]:
    """Return a function that gives the chance of the best card so far to take this trick."""
    keen_takes, shy_takes = logistic(weights.keen), logistic(weights.shy)

    def take_chance(
        card: int,
        trump: int | None,
        suit_led: int | None,
        unseen: int,
        wizards: int,
        missing: float,
        keen: int,
        shy: int,
    ) -> float:
        """`missing` is the chance that a player yet to play lacks an unseen card; the rest is as in `choose_card`."""
        beating = (unseen & HIGHER_CARDS[card]).bit_count() + wizards
        if trump is None or suit_led is None or suit_led == trump:
            can = 1.0 - missing**beating
        else:  # only players without the suit can trump it
            void = missing ** (unseen & SUIT_MASKS[suit_led]).bit_count()
            if SUIT[card] == trump:
                can = 1.0 - missing ** (wizards + void * (beating - wizards))
            else:
                can = 1.0 - missing ** (beating + void * (unseen & SUIT_MASKS[trump]).bit_count())
        return float((1.0 - can * keen_takes) ** keen * (1.0 - can * shy_takes) ** shy)

    return take_chance
