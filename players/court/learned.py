"""The learned player: values positions with the network, and the moves of a turn by the positions after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from engines.court.board import OFF_BOARD, RAYS, START_SQUARES
from engines.court.deck import ACES, COURT_CARDS, NUMBER_CARDS
from engines.court.model import (
    FULL_HEALTH,
    HAND_SIZE,
    Attack,
    Discard,
    Give,
    Heal,
    Move,
    OwedDecision,
    Phase,
    Place,
    Push,
    SetMenhir,
    Strike,
)
from engines.court.moves import SKIP, STEP_MOVES, attack_targets
from players.court.chart import UNCLAIMED_SUITS, landing_square
from players.court.features import Mage, barred_edges, delay_features, hand_features, mage_features, turn_features
from players.court.networks import load_network
from players.court.odds import Banners, PublicPosition
from players.court.policy import MoveValue, add_banner

Mages = tuple[Mage, ...]
"""The other seats' Mages in turn order after the seat's own."""


class Table(NamedTuple):
    """What a turn leaves behind: the Mages, and the Menhirs by seat."""

    own: Mage
    others: Mages
    menhirs: tuple[int, ...]


class Evaluator:
    """Values positions that can follow from one, for one seat. A chance to win is between 0 and 1."""

    def __init__(self, position: PublicPosition, seat: int, turn_started: bool = False) -> None:
        seats, order = len(position.mages), position.order
        place = order.index(seat)
        self.seat, self.goal = seat, position.goal
        self.seats = [*order[place:], *order[:place]]
        self._network = load_network(seats)
        self._unknown = [HAND_SIZE - position.bare[each] for each in self.seats]
        first = order.index(position.turn) + (not turn_started)
        self._delays = delay_features(seats, (place - first) % seats)
        self.turns_left = None if position.cap is None else position.cap - position.turns + turn_started
        self.table = Table(
            _mage_of(position, seat),
            tuple([_mage_of(position, each) for each in self.seats[1:]]),
            tuple(position.menhirs),
        )
        self._own_sums: dict[tuple[Mage, int, bool, tuple[int, ...]], int] = {}

    def chance(self, table: Table, hand: tuple[int, ...]) -> float:
        """Return the seat's chance to win with these cards in its hand, apart from those that it will draw."""
        own, others, menhirs = table
        if len(own.banners) >= self.goal:
            return 1.0
        if any(len(mage.banners) >= self.goal for mage in others):
            return 0.0
        if self.turns_left is not None and self.turns_left <= 0:
            return _final_share(own, others)
        standing = [square for square in menhirs if square != OFF_BOARD]
        barred = barred_edges(own, standing)
        has_menhir = menhirs[self.seat] != OFF_BOARD
        key = own, barred, has_menhir, hand
        total = self._own_sums.get(key)
        if total is None:
            total = self._network.start + self._network.hand_sum(hand_features(own, self.goal, barred, hand))
            total += self._network.mage_sum(0, own, self.goal, barred, HAND_SIZE, has_menhir)
            self._own_sums[key] = total
        for place, mage in enumerate(others, 1):
            has_menhir = menhirs[self.seats[place]] != OFF_BOARD
            total += self._network.mage_sum(
                place, mage, self.goal, barred_edges(mage, standing), self._unknown[place], has_menhir
            )
        lead = own.score - max([mage.score for mage in others])
        features = turn_features(self.goal, self.turns_left, lead) + self._delays
        return self._network.chance(total + self._network.turn_sum(features))

    def inputs(self, table: Table, hand: tuple[int, ...]) -> list[float]:
        """Return the same position as the numbers that the network gets, all in one list."""
        found: list[float] = []
        standing = [square for square in table.menhirs if square != OFF_BOARD]
        for place, mage in enumerate((table.own, *table.others)):
            barred, has_menhir = barred_edges(mage, standing), table.menhirs[self.seats[place]] != OFF_BOARD
            unknown = self._unknown[place] if place else HAND_SIZE
            found += mage_features(mage, self.goal, barred, unknown, has_menhir)
            found += [] if place else hand_features(mage, self.goal, barred, hand)
        lead = table.own.score - max([mage.score for mage in table.others])
        return [*found, *turn_features(self.goal, self.turns_left, lead), *self._delays]


class TurnValues:
    """Values what the seat in turn may do, by its chance to win after the turn."""

    def __init__(self, position: PublicPosition, seat: int, hand: Sequence[int]) -> None:
        self.evaluator, self.hand = Evaluator(position, seat), tuple(hand)
        self.occupied = [square for square in (*position.mages, *position.menhirs) if square != OFF_BOARD]

    def step_values(self) -> list[MoveValue]:
        """Return the steps of Phase One, each with the value of the best move of Phase Two after it."""
        kinds, table = dict.fromkeys(self.hand), self.evaluator.table
        steps = [card for card in kinds if card in NUMBER_CARDS]
        found: list[MoveValue] = []
        for card in steps or [card for card in kinds if card in COURT_CARDS]:
            own = _moved(table.own, card, self.occupied)
            rest = _without(self.hand, card)
            found.append((STEP_MOVES[card], self._best_hinder(table._replace(own=own), rest)))
        if not steps:
            found.append((SKIP, self._best_hinder(table, self.hand)))
        return found

    def hinder_values(self) -> list[MoveValue]:
        """Return the moves of Phase Two; of the Menhir's squares, only those next to Mages."""
        return [*self._hinder_values(self.evaluator.table, self.hand)]

    def _best_hinder(self, table: Table, hand: tuple[int, ...]) -> float:
        """Return the value of the best move of Phase Two."""
        if len(table.own.banners) >= self.evaluator.goal:
            return 1.0
        return max([value for _, value in self._hinder_values(table, hand)])

    def _hinder_values(self, table: Table, hand: tuple[int, ...]) -> Iterator[MoveValue]:
        chance = self.evaluator.chance
        for card in dict.fromkeys(hand):
            rest = _without(hand, card)
            still = chance(table, rest)
            yield Discard(card), still
            if card in NUMBER_CARDS:
                for place, mage in enumerate(table.others):
                    after = _replaced(table.others, place, _moved(mage, card, self.occupied))
                    yield Push(card, self.evaluator.seats[place + 1]), chance(table._replace(others=after), rest)
            elif card in COURT_CARDS:
                yield from self._attack_values(card, table, rest, still)
            elif card in ACES:
                damaged = tuple([self._damaged(mage) for mage in table.others])
                yield Strike(card), chance(table._replace(others=damaged), rest)
                if table.own.health < FULL_HEALTH:
                    healed = table.own._replace(health=table.own.health + 1)
                    yield Heal(card), chance(table._replace(own=healed), rest)
            else:
                for square in self._barring_squares(table.others):
                    menhirs = list(table.menhirs)
                    menhirs[self.evaluator.seat] = square
                    yield SetMenhir(square), chance(table._replace(menhirs=tuple(menhirs)), rest)

    def _attack_values(self, card: int, table: Table, rest: tuple[int, ...], still: float) -> Iterator[MoveValue]:
        """Yield the values of attacks. Half of all attacks hit; what several do is added up."""
        effects = {}
        for place, mage in enumerate(table.others):
            after = _replaced(table.others, place, self._damaged(mage))
            effects[self.evaluator.seats[place + 1]] = self.evaluator.chance(table._replace(others=after), rest) - still
        for targets in attack_targets(card, tuple(sorted(effects))):
            yield Attack(card, targets), still + sum([effects[each] for each in targets or effects]) / 2

    def _damaged(self, mage: Mage) -> Mage:
        """Return a Mage with one health less. If it is knocked out (T10), its owner gives back any banner."""
        if mage.health > 1:
            return mage._replace(health=mage.health - 1)
        return Mage(OFF_BOARD, mage.banners[1:], FULL_HEALTH)

    def _barring_squares(self, others: Mages) -> list[int]:
        """Return the free squares next to the others' Mages on their ways to wanted edges."""
        squares = [
            rays[mage.square][0]
            for mage in others
            if mage.square != OFF_BOARD
            for suit, rays in enumerate(RAYS)
            if UNCLAIMED_SUITS[mage.banners] >> suit & 1 and rays[mage.square]
        ]
        return [each for each in dict.fromkeys(squares) if each not in START_SQUARES and each not in self.occupied]


def learned_values(position: PublicPosition, seat: int, hand: Sequence[int]) -> list[MoveValue]:
    """Return the sensible moves of any decision of a seat with its chances to win."""
    if position.owed:
        evaluator, own = Evaluator(position, seat), tuple(hand)
        table, mage = evaluator.table, evaluator.table.own
        if position.owed[0].what == "place":
            free = [square for square in START_SQUARES if square not in position.mages]
            return [
                (Place(each), evaluator.chance(table._replace(own=mage._replace(square=each)), own)) for each in free
            ]
        left = {lost: tuple([suit for suit in mage.banners if suit != lost]) for lost in mage.banners}
        return [
            (Give(lost), evaluator.chance(table._replace(own=mage._replace(banners=rest)), own))
            for lost, rest in left.items()
        ]
    turn = TurnValues(position, seat, hand)
    return turn.step_values() if position.phase == "move" else turn.hinder_values()


def rank_learned(position: PublicPosition, seat: int, hand: Sequence[int]) -> list[Move]:
    """Return the same moves, the best first."""
    return [move for move, _ in sorted(learned_values(position, seat, hand), key=itemgetter(1), reverse=True)]


def best_learned(position: PublicPosition, seat: int, hand: Sequence[int]) -> Move:
    """Return the best of them. What the seat knows is often the same again in a search."""
    known = _Known(
        tuple(position.owed),
        position.phase,
        position.goal,
        position.cap,
        tuple(position.order),
        position.turn,
        position.turns,
        tuple(position.mages),
        tuple(position.menhirs),
        tuple(position.health),
        tuple(position.banners),
        tuple(position.bare),
    )
    return _best_known(known, seat, tuple(hand))


class _Known(NamedTuple):
    """A `PublicPosition` that can be looked up."""

    owed: tuple[OwedDecision, ...]
    phase: Phase
    goal: int
    cap: int | None
    order: tuple[int, ...]
    turn: int
    turns: int
    mages: tuple[int, ...]
    menhirs: tuple[int, ...]
    health: tuple[int, ...]
    banners: tuple[Banners, ...]
    bare: tuple[int, ...]


@lru_cache(256)
def _best_known(known: _Known, seat: int, hand: tuple[int, ...]) -> Move:
    return max(learned_values(known, seat, hand), key=itemgetter(1))[0]


def _mage_of(position: PublicPosition, seat: int) -> Mage:
    return Mage(position.mages[seat], position.banners[seat], position.health[seat])


def _moved(mage: Mage, card: int, occupied: Sequence[int]) -> Mage:
    """Return a Mage after a card has moved it."""
    if mage.square == OFF_BOARD:
        return mage
    square = landing_square(mage.square, card, occupied)
    banners: Banners = add_banner(mage.banners, card // 13) if square == OFF_BOARD else mage.banners
    return Mage(square, banners, mage.health)


def _final_share(own: Mage, others: Mages) -> float:
    """Return the share of the win when turns have run out (T13)."""
    best = max([mage.score for mage in others])
    if own.score != best:
        return float(own.score > best)
    return 1 / (1 + [mage.score for mage in others].count(best))


def _without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def _replaced(others: Mages, place: int, mage: Mage) -> Mages:
    return (*others[:place], mage, *others[place + 1 :])
