"""Plays many rounds of Wizard at once: the same number of cards and seats, other deals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from players.wizard.batch_features import Choices, choose
from players.wizard.batch_odds import KINDS, NAMES_BY_KIND, NO_SUIT, SUIT_OF, WIZARD, Array, expected_tricks, np
from players.wizard.batch_rounds import Rounds, Valuer, round_points


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


def deal_rounds(rng: Array, rows: int, seats: int, size: int) -> Rounds:
    """Return new rounds. The last seat is the dealer."""
    deck = NAMES_BY_KIND[rng.random((rows, 60)).argsort(axis=1)]
    places = np.arange(rows * seats).reshape(rows, seats, 1) * KINDS
    dealt = deck[:, : seats * size].reshape(rows, seats, size)
    counts = np.bincount((places + dealt).reshape(-1), minlength=rows * seats * KINDS)
    hands = counts.reshape(rows, seats, KINDS).astype(np.float32)
    turned_cards = np.full(rows, -1) if seats * size == 60 else deck[:, seats * size]
    trump = np.where(turned_cards < 0, NO_SUIT, SUIT_OF[turned_cards])
    _name_trumps(hands[:, seats - 1], trump, turned_cards, seats)
    return Rounds(hands, trump, turned_cards, np.zeros((rows, seats), np.int64), seats - 1)


def _name_trumps(hands: Array, trump: Array, turned_cards: Array, seats: int) -> None:
    """W3: the dealer names the suit from which it expects most."""
    at = np.nonzero(turned_cards == WIZARD)[0]
    if not len(at):
        return
    hand = hands[at]
    size = int(hand[0].sum())
    unseen, wizards = 1.0 - hand[:, :52], 3.0 - hand[:, WIZARD]
    found = []
    for suit in range(4):
        chances = expected_tricks(hand, np.full(len(at), suit), unseen, wizards, 59 - size, seats, size)
        found.append((chances * hand).sum(axis=1))
    trump[at] = np.stack(found, axis=1).argmax(axis=1)


class Players(NamedTuple):
    """Learners by row and seat, and the rule of thumb elsewhere. Without a valuer it plays everywhere."""

    learners: Array
    value_bids: Valuer | None
    value_cards: Valuer | None
    exploration: Exploration


def play_rounds(rng: Array, rounds: Rounds, players: Players, *, is_recording: bool = False) -> RoundResults:
    """Bid and play all tricks."""
    made_bids, made_cards = _Decisions(), _Decisions()
    for seat in range(rounds.seats):
        mover = np.full(rounds.rows, seat)
        choices = rounds.bid_choices(seat)
        rounds.bids[:, seat] = _make_moves(rng, choices, players.value_bids, players, mover, made_bids, rounds.seats)
    rounds.start_play()
    while rounds.size:
        if rounds.size == 1:
            card = rounds.last_cards()
        else:
            choices = rounds.card_choices()
            card = _make_moves(rng, choices, players.value_cards, players, rounds.mover, made_cards, rounds.seats)
        rounds.play(card)
    bid_sample = made_bids.sample(rounds.bids, rounds.needs) if is_recording and made_bids.places else None
    card_sample = made_cards.sample(rounds.bids, rounds.needs) if is_recording and made_cards.places else None
    return RoundResults(rounds.bids, rounds.needs, bid_sample, card_sample)


def _make_moves(
    rng: Array,
    choices: Choices,
    valuer: Valuer | None,
    players: Players,
    mover: Array,
    decisions: _Decisions,
    seats: int,
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
    decisions.seats.append(choices.seats[at].astype(np.float16))
    decisions.moves.append(choices.moves[number[at]].astype(np.float16))
    decisions.places.append(at * seats + mover[at])
    return key
