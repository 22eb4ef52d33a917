"""Many rounds of Wizard at once, in numpy: the same number of cards, dealer and place in the trick; other hands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from players.networks import WEIGHT_BITS
from players.wizard.batch_features import BidTable, CardTable, Choices, bid_choices, card_choices
from players.wizard.batch_odds import KINDS, NO_SUIT, STRENGTH_OF, SUIT_OF, TOP_RANK, WIZARD, Array, np
from players.wizard.networks import (
    BID_INPUTS,
    CARD_INPUTS,
    FIRST_UNITS,
    OTHERS_WEIGHT,
    OUTPUTS,
    SECOND_UNITS,
    read_networks,
    weight_count,
)

Valuer = Callable[[Choices], Array]
"""Returns the value of each move, in points."""
IMPOSSIBLE = -1e9


def round_points(bids: Array, needs: Array) -> Array:
    """Return the points of a round (W10)."""
    return np.where(needs == 0, 20 + 10 * bids, -10 * np.abs(needs))


class Rounds:
    """Rounds in play, by row. Hands are counts by place and kind; all arrays may be changed.

    `players` bid; a dummy hand comes after them (W19), and `dummy` has its cards by row, of which it plays the last.
    """

    def __init__(
        self, hands: Array, trump: Array, turned_cards: Array, bids: Array, dealer: int, dummy: Array = None
    ) -> None:
        self.rows, self.seats, _ = hands.shape
        self.hands, self.trump, self.turned, self.bids, self.dummy = hands, trump, turned_cards, bids, dummy
        self.dealer, self.size = dealer, round(float(hands[0, 0].sum()))
        self.players: int = bids.shape[1]
        self.seen = np.zeros((self.rows, KINDS), np.float32)
        with_card = np.nonzero(turned_cards >= 0)[0]
        self.seen[with_card, turned_cards[with_card]] = 1.0
        self.voids = np.zeros((self.rows, self.seats, 5), bool)
        self._own = np.arange(self.rows)
        self.needs = bids

    def bidder(self, place: int) -> int:
        """Return the seat that bids in this place of the order, from 0 (W4)."""
        return (self.dealer + 1 + place) % self.players

    def bid_choices(self, place: int, hook: int | None = None) -> Choices:
        """Describe the bids of the seat in this place of the order. `hook` is that of the match (W12)."""
        before = self.bids[:, [self.bidder(each) for each in range(place)]]
        forbidden = None
        if hook is not None and self.size >= hook and place == self.players - 1:
            forbidden = self.size - before.sum(axis=1)
        hand = self.hands[:, self.bidder(place)]
        return bid_choices(BidTable(hand, self.trump, self.turned, before, self.seats, self.size, forbidden))

    def start_play(self) -> None:
        """Begin the first trick, when all bids are made (W5)."""
        self.needs = np.zeros((self.rows, self.seats), np.int64)
        self.needs[:, : self.players] = self.bids
        self.leader = np.full(self.rows, (self.dealer + 1) % self.seats)
        self._start_trick()

    def _start_trick(self) -> None:
        self.played = 0
        self.follow, self.best = np.full(self.rows, NO_SUIT), np.full(self.rows, -1)
        self.winner = np.zeros(self.rows, int)

    @property
    def mover(self) -> Array:
        """The place in turn."""
        return (self.leader + self.played) % self.seats

    def card_choices(self) -> Choices:
        """Describe the legal cards of the places in turn."""
        own, mover, seats = self._own, self.mover, self.seats
        turns = (mover[:, None] + np.arange(seats)) % seats
        return card_choices(
            CardTable(
                self.hands[own, mover],
                self.trump,
                self.follow,
                self.best,
                (self.winner - mover) % seats,
                self.seen,
                self.bids[own, np.minimum(mover, self.players - 1)],
                self.needs[own[:, None], turns],
                self.voids[own[:, None], turns],
                seats,
                self.size,
                self.played,
            )
        )

    def last_cards(self) -> Array:
        """Return a card of each place in turn, which is its only one in the last trick."""
        return self.hands[self._own, self.mover].argmax(axis=1)

    def play(self, card: Array) -> None:
        """Play a card in every row (W7–W9)."""
        own, mover, follow = self._own, self.mover, self.follow
        self.hands[own, mover, card] -= 1
        self.seen[own, card] += 1
        suit = SUIT_OF[card]
        strays = (follow < NO_SUIT) & (suit < NO_SUIT) & (suit != follow) & (mover < self.players)
        self.voids[own[strays], mover[strays], follow[strays]] = True
        free = (follow == NO_SUIT) & (self.best < TOP_RANK)
        follow = self.follow = np.where(free, suit, follow)
        rank = np.where(card == WIZARD, TOP_RANK, 0)
        is_suit = suit < NO_SUIT
        rank = np.where(is_suit & (suit == follow), 100 + STRENGTH_OF[card], rank)
        rank = np.where(is_suit & (suit == self.trump), 200 + STRENGTH_OF[card], rank)
        higher = rank > self.best
        self.best, self.winner = np.where(higher, rank, self.best), np.where(higher, mover, self.winner)
        self.played += 1
        if self.played == self.seats:
            self.needs[own, self.winner] -= 1
            self.leader, self.size = self.winner, self.size - 1
            self._start_trick()

    @property
    def points(self) -> Array:
        """The points by row and seat, at the end (W10)."""
        return round_points(self.bids, self.needs[:, : self.players])


class BatchNetwork:
    """A network of `players/wizard/networks.py` in floating-point numbers: its values are the same but for rounding."""

    def __init__(self, weights: Array, seat_inputs: int, move_inputs: int) -> None:
        parts = []
        for before, after in (
            (seat_inputs, FIRST_UNITS),
            (move_inputs, FIRST_UNITS),
            (1, FIRST_UNITS),
            (FIRST_UNITS, SECOND_UNITS),
            (1, SECOND_UNITS),
            (SECOND_UNITS, OUTPUTS),
            (1, OUTPUTS),
        ):
            parts.append(weights[: before * after].reshape(before, after))
            weights = weights[before * after :]
        self._seat, self._move, self._first, self._second, self._second_start, self._last, self._last_start = parts

    def values(self, choices: Choices, bids: Array) -> Array:
        """Return the value of each move; `bids` has the seat's bid after each move."""
        units = (choices.seats @ self._seat + self._first)[choices.rows]
        units += choices.moves @ self._move
        np.maximum(units, 0, out=units)
        units = units @ self._second + self._second_start
        np.maximum(units, 0, out=units)
        odds, miss, others = (units @ self._last + self._last_start).T
        return (20 + 10 * bids) / (1 + np.exp(-odds)) - 10 * (miss + OTHERS_WEIGHT * others)


class BatchPolicy:
    """The learned policy for many rounds at once."""

    def __init__(self, seats: int) -> None:
        weights, split = np.array(read_networks(seats), np.float32) / 2**WEIGHT_BITS, weight_count(*BID_INPUTS)
        self._bids = BatchNetwork(weights[:split], *BID_INPUTS)
        self._cards = BatchNetwork(weights[split:], *CARD_INPUTS)

    def bid_values(self, rounds: Rounds, place: int, hook: int | None) -> Array:
        """Return the values of bids, by row and bid."""
        choices = rounds.bid_choices(place, hook)
        return _spread(choices, self._bids.values(choices, choices.keys), rounds.rows)

    def card_values(self, rounds: Rounds) -> Array:
        """Return the values of the cards of the places in turn, by row and kind."""
        choices = rounds.card_choices()
        assert choices.bids is not None
        return _spread(choices, self._cards.values(choices, choices.bids[choices.rows]), rounds.rows)

    def finish_bidding(self, rounds: Rounds, place: int, hook: int | None) -> None:
        """Make the bids from this place of the order on."""
        for each in range(place, rounds.players):
            rounds.bids[:, rounds.bidder(each)] = self.bid_values(rounds, each, hook).argmax(axis=1)

    def play_out(self, rounds: Rounds) -> None:
        """Play all tricks to the end."""
        while rounds.size:
            cards = rounds.last_cards() if rounds.size == 1 else self.card_values(rounds).argmax(axis=1)
            if rounds.dummy is not None and rounds.size <= rounds.dummy.shape[1]:  # otherwise it has played
                cards = np.where(rounds.mover == rounds.players, rounds.dummy[:, rounds.size - 1], cards)
            rounds.play(cards)


@cache
def batch_policy(seats: int) -> BatchPolicy:
    """Return the policy for this number of seats, for which there must be networks."""
    return BatchPolicy(seats)


def _spread(choices: Choices, values: Array, rows: int) -> Array:
    """Return the values by row and key, with `IMPOSSIBLE` where there is no such move."""
    grid = np.full((rows, KINDS), IMPOSSIBLE, np.float32)
    grid[choices.rows, choices.keys] = values
    return grid
