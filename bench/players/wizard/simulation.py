"""Plays many rounds of Wizard at once: the same number of cards and seats, other deals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from bench.players.wizard.features import BidTable, CardTable, Choices, bid_choices, card_choices, choose
from bench.players.wizard.odds import (
    KINDS,
    NAMES_BY_KIND,
    NO_SUIT,
    STRENGTH_OF,
    SUIT_OF,
    TOP_RANK,
    WIZARD,
    Array,
    expected_tricks,
    np,
)

Valuer = Callable[[Choices], Array]
"""Returns the value of each move, in points."""


class Sample(NamedTuple):
    """Decisions as the networks see them, and how their rounds ended.

    That is the bid, whether it was met (0 or 1), by how many tricks it was missed, and the others' mean points in tens.
    """

    seats: Array
    moves: Array
    bids: Array
    met: Array
    missed: Array
    others: Array


@dataclass(frozen=True, slots=True)
class Exploration:
    """How often a learner plays a move by chance: near ones by their values, or any at all."""

    near: float = 0.0
    any: float = 0.0
    temperature: float = 8.0  # points


@dataclass(slots=True)
class _Decisions:
    """The decisions of learners in a batch of rounds, until their results are known."""

    seats: list[Array] = field(default_factory=list)
    moves: list[Array] = field(default_factory=list)
    places: list[Array] = field(default_factory=list)  # the row and the seat as one number

    def sample(self, bids: Array, needs: Array) -> Sample:
        points = round_points(bids, needs)
        others = (points.sum(axis=1, keepdims=True) - points) / (10 * (points.shape[1] - 1))
        at = np.concatenate(self.places)
        need = needs.reshape(-1)[at]
        return Sample(
            np.concatenate(self.seats),
            np.concatenate(self.moves),
            bids.reshape(-1)[at].astype(np.float32),
            (need == 0).astype(np.float32),
            np.abs(need).astype(np.float32),
            others.reshape(-1)[at].astype(np.float32),
        )


class RoundResults(NamedTuple):
    """The bids and missing tricks by row and seat, and the decisions of learners."""

    bids: Array
    needs: Array
    bid_sample: Sample | None
    card_sample: Sample | None

    @property
    def points(self) -> Array:
        """The points by row and seat (W10)."""
        return round_points(self.bids, self.needs)


def round_points(bids: Array, needs: Array) -> Array:
    """Return the points of a round (W10)."""
    return np.where(needs == 0, 20 + 10 * bids, -10 * np.abs(needs))


class Table:
    """Rounds in play. The last seat is the dealer."""

    def __init__(self, rng: Array, rows: int, seats: int, size: int) -> None:
        self.rows, self.seats, self.size = rows, seats, size
        deck = NAMES_BY_KIND[rng.random((rows, 60)).argsort(axis=1)]
        places = np.arange(rows * seats).reshape(rows, seats, 1) * KINDS
        dealt = deck[:, : seats * size].reshape(rows, seats, size)
        counts = np.bincount((places + dealt).reshape(-1), minlength=rows * seats * KINDS)
        self.hands = counts.reshape(rows, seats, KINDS).astype(np.float32)
        is_all = seats * size == 60
        self.turned = np.full(rows, -1) if is_all else deck[:, seats * size]
        self.trump = np.where(self.turned < 0, NO_SUIT, SUIT_OF[self.turned])
        self.seen = np.zeros((rows, KINDS), np.float32)
        if not is_all:
            self.seen[np.arange(rows), self.turned] = 1.0
        self._name_trumps()
        self.bids = np.zeros((rows, seats), np.int64)
        self.needs = self.bids

    def _name_trumps(self) -> None:
        """W3: the dealer names the suit from which it expects most."""
        at = np.nonzero(self.turned == WIZARD)[0]
        if not len(at):
            return
        hand = self.hands[at, self.seats - 1]
        unseen, wizards = 1.0 - hand[:, :52], 3.0 - hand[:, WIZARD]
        found = []
        for suit in range(4):
            trump = np.full(len(at), suit)
            chances = expected_tricks(hand, trump, unseen, wizards, 59 - self.size, self.seats, self.size)
            found.append((chances * hand).sum(axis=1))
        self.trump[at] = np.stack(found, axis=1).argmax(axis=1)


class Players(NamedTuple):
    """Learners by row and seat, and the rule of thumb elsewhere. Without a valuer it plays everywhere."""

    learners: Array
    value_bids: Valuer | None
    value_cards: Valuer | None
    exploration: Exploration


def play_rounds(rng: Array, table: Table, players: Players, *, is_recording: bool = False) -> RoundResults:
    """Bid and play all tricks."""
    rows, seats, own = table.rows, table.seats, np.arange(table.rows)
    made_bids, made_cards = _Decisions(), _Decisions()
    for seat in range(seats):
        choices = bid_choices(
            BidTable(table.hands[:, seat], table.trump, table.turned, table.bids[:, :seat], seats, table.size)
        )
        mover = np.full(rows, seat)
        table.bids[:, seat] = _make_moves(rng, choices, players.value_bids, players, mover, made_bids, seats)
    table.needs = table.bids.copy()
    leader = np.zeros(rows, int)
    voids = np.zeros((rows, seats, 5), bool)
    for size in range(table.size, 0, -1):
        follow, best, winner = np.full(rows, NO_SUIT), np.full(rows, -1), np.zeros(rows, int)
        for played in range(seats):
            mover = (leader + played) % seats
            hand = table.hands[own, mover]
            if size == 1:
                card = hand.argmax(axis=1)
            else:
                turns = (mover[:, None] + np.arange(seats)) % seats
                choices = card_choices(
                    CardTable(
                        hand,
                        table.trump,
                        follow,
                        best,
                        (winner - mover) % seats,
                        table.seen,
                        table.bids[own, mover],
                        table.needs[own[:, None], turns],
                        voids[own[:, None], turns],
                        seats,
                        size,
                        played,
                    )
                )
                card = _make_moves(rng, choices, players.value_cards, players, mover, made_cards, seats)
            table.hands[own, mover, card] -= 1
            table.seen[own, card] += 1
            suit = SUIT_OF[card]
            strays = (follow < NO_SUIT) & (suit < NO_SUIT) & (suit != follow)
            voids[own[strays], mover[strays], follow[strays]] = True
            free = (follow == NO_SUIT) & (best < TOP_RANK)
            follow = np.where(free, suit, follow)
            rank = np.where(card == WIZARD, TOP_RANK, 0)
            is_suit = suit < NO_SUIT
            rank = np.where(is_suit & (suit == follow), 100 + STRENGTH_OF[card], rank)
            rank = np.where(is_suit & (suit == table.trump), 200 + STRENGTH_OF[card], rank)
            higher = rank > best
            best, winner = np.where(higher, rank, best), np.where(higher, mover, winner)
        table.needs[own, winner] -= 1
        leader = winner
    bid_sample = made_bids.sample(table.bids, table.needs) if is_recording and made_bids.places else None
    card_sample = made_cards.sample(table.bids, table.needs) if is_recording and made_cards.places else None
    return RoundResults(table.bids, table.needs, bid_sample, card_sample)


def _make_moves(
    rng: Array, choices: Choices, valuer: Valuer | None, players: Players, mover: Array, made: _Decisions, seats: int
) -> Array:
    rows = len(mover)
    own = np.arange(rows)
    learns = players.learners[own, mover]
    key, number = choose(choices, choices.values, rows)
    exploration = players.exploration
    explores = exploration.near > 0 or exploration.any > 0
    if valuer is None and not explores:
        return key
    values = choices.values if valuer is None else valuer(choices)
    noise = None
    if explores:
        dice = rng.random(rows)
        scale = np.where(dice < exploration.near, exploration.temperature, 0.0)
        scale = np.where(dice > 1 - exploration.any, 1e4, scale)
        noise = scale[choices.rows] * rng.gumbel(size=len(choices.rows))
    learned_key, learned_number = choose(choices, values, rows, noise)
    key, number = np.where(learns, learned_key, key), np.where(learns, learned_number, number)
    counts = np.bincount(choices.rows, minlength=rows)
    at = np.nonzero(learns & (counts > 1))[0]
    made.seats.append(choices.seats[at].astype(np.float16))
    made.moves.append(choices.moves[number[at]].astype(np.float16))
    made.places.append(at * seats + mover[at])
    return key
