"""How likely each seat is to win, in log-odds, from what somebody knows of a position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp
from typing import Protocol

from engines.court.board import OFF
from engines.court.deck import ACES, COURTS, NUMBERS, STEPS
from engines.court.model import FULL_HEALTH, HAND, Owed, Phase
from players.court.chart import CENTRE, STEPS_TO, STRIDE, UNCLAIMED, barred, chances, grounds, landing
from players.court.numbers import numbers


class Sight(Protocol):
    """What states and views have in common: all that everybody knows, by seat where it is a sequence."""

    @property
    def owed(self) -> Sequence[Owed]: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def goal(self) -> int: ...
    @property
    def cap(self) -> int | None: ...
    @property
    def order(self) -> Sequence[int]: ...
    @property
    def turn(self) -> int: ...
    @property
    def turns(self) -> int: ...
    @property
    def mages(self) -> Sequence[int]: ...
    @property
    def menhirs(self) -> Sequence[int]: ...
    @property
    def health(self) -> Sequence[int]: ...
    @property
    def banners(self) -> Sequence[tuple[int, ...]]: ...
    @property
    def bare(self) -> Sequence[int]: ...


Banners = tuple[int, ...]
NONE = -1
"""No card."""
WON = 40.0
"""Log-odds of who has won."""
WAITING = 0.5
"""The turns that it costs to have no card to go on with."""
LATE, SOON, URGE = 8, 3, 30.0
"""When so few turns are left, a banner is worth more and more: `URGE` / (turns left + `SOON`)."""
HEALTHS = 12
"""So many health are worth a banner then, by which ties are broken."""
KINDS_HELD = tuple(
    0 if card in NUMBERS else 1 if card in COURTS else 2 if card in ACES else 3 for card in range(len(STEPS))
)
"""By card: a number card, a court card, an ace, a Menhir card."""
Plan = tuple[float, int, int]
"""What a way to an edge adds to log-odds, and the one or two cards that it needs (NONE: none)."""


class Tables:
    """What follows from the numbers for so many seats, worked out once."""

    def __init__(self, seats: int) -> None:
        self.numbers = numbers(seats)
        self.health = [[exp(worth) for worth in worths] for worths in self.numbers.health]
        self._fields: dict[tuple[int, int, int, int], list[float]] = {}

    def field(self, left: int, wanted: int, delay: int, unknown: int) -> list[float]:
        """By square, the odds of who needs so many banners, wants to cross these edges, moves after so many others

        and holds so many unknown cards.
        """
        key = left, wanted, delay, unknown
        found = self._fields.get(key)
        if found is None:
            tuned, chance = self.numbers, chances(unknown)
            base, pace, threat = tuned.left[left - 1], tuned.pace[left - 1], tuned.threat[left - 1][delay]
            found = [exp(base - pace * turns + threat * chance[cards]) for turns, cards in grounds(wanted)]
            self._fields[key] = found
        return found


@cache
def tables(seats: int) -> Tables:
    """Those for so many seats."""
    return Tables(seats)


class Odds:
    """The odds of seats, as they will be when the turn is over; or, where a turn has just `begun`, as they are."""

    def __init__(self, sight: Sight, begun: bool = False) -> None:
        seats, order = len(sight.mages), sight.order
        self.tables = tables(seats)
        self.numbers = self.tables.numbers
        self.goal, self.bare = sight.goal, sight.bare
        self.menhirs = [square for square in sight.menhirs if square != OFF]
        first = order.index(sight.turn) + (not begun)
        self.delays = [(order.index(seat) - first) % seats for seat in range(seats)]
        self.turns = LATE if sight.cap is None else sight.cap - sight.turns + begun
        self.late = URGE / (self.turns + SOON) if self.turns < LATE else 0.0

    def of(self, seat: int, square: int, banners: Banners, health: int) -> float:
        """Those of a seat whose hand is not known, with its Mage there."""
        left = self.goal - len(banners)
        if left <= 0:
            return exp(WON)
        if self.delays[seat] >= self.turns:  # it has had its last turn
            return exp(self.numbers.left[left - 1] + self._ending(banners, health))
        if square == OFF:
            square = CENTRE
        wanted, odds = UNCLAIMED[banners], self.tables.health[row(banners, left)][health - 1]
        if self.menhirs and (away := wanted & barred(square, self.menhirs)):
            odds *= exp(self.numbers.barred[left - 1] * away.bit_count() / wanted.bit_count())
            wanted -= away
        unknown = HAND - self.bare[seat]
        if self.late:
            odds *= exp(self._ending(banners, health, chances(unknown)[grounds(wanted)[square].cards]))
        return odds * self.tables.field(left, wanted, self.delays[seat], unknown)[square]

    def knocked_out(self, seat: int, banners: Banners) -> float:
        """Those of a seat whose Mage loses its last health (T10)."""
        if not banners:
            return self.of(seat, CENTRE, banners, FULL_HEALTH)
        left = [tuple([suit for suit in banners if suit != lost]) for lost in banners]
        return max([self.of(seat, CENTRE, each, FULL_HEALTH) for each in left])

    def mine(self, seat: int, square: int, banners: Banners, health: int, hand: Sequence[int]) -> float:
        """The log-odds of a seat whose hand is known, but for what it is still to draw."""
        base, plans = self.plans(seat, square, banners, health, hand)
        return base + plans[0][0]

    def plans(
        self, seat: int, square: int, banners: Banners, health: int, hand: Sequence[int]
    ) -> tuple[float, list[Plan]]:
        """The same in two parts: without its cards' ways to an edge, and these, the best first.

        The last one is to see what comes; it needs no card.
        """
        numbers, left = self.numbers, self.goal - len(banners)
        if square == OFF:
            square = CENTRE
        wanted, away = UNCLAIMED[banners], 0
        base = numbers.left[left - 1] + numbers.health[row(banners, left)][health - 1]
        if self.menhirs and (away := wanted & barred(square, self.menhirs)):
            base += numbers.barred[left - 1] * away.bit_count() / wanted.bit_count()
            wanted -= away
        for card in hand:
            base += numbers.held[KINDS_HELD[card]]
        pace, threat = numbers.pace[left - 1], numbers.threat[left - 1][self.delays[seat]]
        if self.late:
            base += self._ending(banners, health)
            threat += self._ending((), 0, 1.0)
            if self.delays[seat] >= self.turns:
                pace = threat = 0.0
        turns, cards = grounds(wanted)[square]
        chance = threat * chances(HAND - len(hand))[cards]
        plans = [
            ((threat if turns == 1 else chance) - pace * turns, one, other)
            for turns, one, other in ways(square, wanted, hand)
        ]
        plans.append((chance - pace * (turns + WAITING), NONE, NONE))
        plans.sort(reverse=True)
        return base, plans

    def _ending(self, banners: Banners, health: int, crossing: float = 0.0) -> float:
        """What banners and health add to log-odds where turns run out (T13).

        The chance of crossing an edge counts half: a banner that one has is worth more.
        """
        return self.late * (len(banners) + crossing / 2 + health / HEALTHS)


def row(banners: Banners, left: int) -> int:
    """Which row of the numbers tells what health is worth."""
    return 0 if not banners else 2 if left == 1 else 1


def ways(square: int, wanted: int, hand: Sequence[int]) -> list[tuple[float, int, int]]:
    """In how many turns each card takes a Mage over a wanted edge, alone, or with one more card, or as a beginning."""
    ground = grounds(wanted)
    found: list[tuple[float, int, int]] = []
    for place, card in enumerate(hand):
        if card not in NUMBERS:
            continue
        suit = card // 13
        if not wanted >> suit & 1:
            end = landing(square, card, ())
            found.append((1 + ground[CENTRE if end == OFF else end].turns, card, NONE))
            continue
        missing = STEPS_TO[suit][square] - STEPS[card]
        if missing <= 0:
            found.append((1, card, NONE))
            continue
        found.append((1 + ground[square + STRIDE[suit] * STEPS[card]].turns, card, NONE))
        found += [
            (2, card, other)
            for other in hand[:place]
            if other // 13 == suit and other in NUMBERS and missing <= STEPS[other] < missing + STEPS[card]
        ]
    return found
