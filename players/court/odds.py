"""How likely each seat is to win, in log-odds, from what somebody knows of a position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol

from engines.court.board import OFF
from engines.court.deck import ACES, COURTS, NUMBERS, STEPS
from engines.court.model import FULL_HEALTH, HAND, Owed, Phase
from players.court.chart import CENTRE, STEPS_TO, STRIDE, UNCLAIMED, barred, chances, grounds, landing
from players.court.numbers import Numbers, numbers

WON = 40.0


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
WAITING = 0.5
"""The turns that it costs to have no card to go on with."""
KINDS_HELD = tuple(
    0 if card in NUMBERS else 1 if card in COURTS else 2 if card in ACES else 3 for card in range(len(STEPS))
)
"""By card: a number card, a court card, an ace, a Menhir card."""


class Plan(NamedTuple):
    """What a way to an edge adds to log-odds, and the cards that it needs (NONE: none)."""

    worth: float
    one: int = NONE
    other: int = NONE


class Odds:
    """The log-odds of seats, as they will be when the turn is over."""

    def __init__(self, sight: Sight) -> None:
        seats = len(sight.mages)
        self.numbers: Numbers = numbers(seats)
        self.seats, self.goal, self.bare = seats, sight.goal, sight.bare
        self.menhirs = [square for square in sight.menhirs if square != OFF]
        at = sight.order.index(sight.turn)
        self.delays = [(sight.order.index(seat) - at - 1) % seats for seat in range(seats)]

    def of(self, seat: int, square: int, banners: Banners, health: int) -> float:
        """Those of a seat whose hand is not known, with its Mage there."""
        left = self.goal - len(banners)
        if left <= 0:
            return WON
        if square == OFF:
            square = CENTRE
        wanted, away = self._wanted(square, banners)
        value, cards = rows(self.seats, left, wanted)[square]
        value += self.numbers.health[bool(banners)][health - 1] + away * self.numbers.barred[left - 1]
        threat = self.numbers.threat[left - 1][self.delays[seat]]
        return value + threat * chances(HAND - self.bare[seat])[cards]

    def mine(self, seat: int, square: int, banners: Banners, health: int, hand: Sequence[int]) -> float:
        """Those of a seat whose hand is known, but for what it is still to draw."""
        base, plans = self.plans(seat, square, banners, health, hand)
        return base + plans[0].worth

    def plans(
        self, seat: int, square: int, banners: Banners, health: int, hand: Sequence[int]
    ) -> tuple[float, list[Plan]]:
        """The same in two parts: without its cards' ways to an edge, and these, the best first.

        The last one is to see what comes; it needs no card.
        """
        numbers, left = self.numbers, self.goal - len(banners)
        if square == OFF:
            square = CENTRE
        wanted, away = self._wanted(square, banners)
        ground = grounds(wanted)[square]
        pace, threat = numbers.pace[left - 1], numbers.threat[left - 1][self.delays[seat]]
        chance = threat * chances(HAND - len(hand))[ground.cards]
        base = numbers.left[left - 1] + numbers.health[bool(banners)][health - 1] + away * numbers.barred[left - 1]
        for card in hand:
            base += numbers.held[KINDS_HELD[card]]
        plans = [
            Plan((threat if turns == 1 else chance) - pace * turns, one, other)
            for turns, one, other in ways(square, wanted, hand)
        ]
        plans.append(Plan(chance - pace * (ground.turns + WAITING)))
        plans.sort(reverse=True)
        return base, plans

    def knocked_out(self, seat: int, banners: Banners) -> float:
        """Those of a seat whose Mage loses its last health (T10)."""
        if not banners:
            return self.of(seat, CENTRE, banners, FULL_HEALTH)
        return max(
            self.of(seat, CENTRE, tuple([suit for suit in banners if suit != lost]), FULL_HEALTH) for lost in banners
        )

    def _wanted(self, square: int, banners: Banners) -> tuple[int, float]:
        """The suits whose edges the Mage can cross for a banner, and the share of the wanted ones that are barred."""
        wanted = UNCLAIMED[banners]
        if self.menhirs:
            away = wanted & barred(square, self.menhirs)
            if away:
                return wanted - away, away.bit_count() / wanted.bit_count()
        return wanted, 0.0


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


@cache
def rows(seats: int, left: int, wanted: int) -> tuple[tuple[float, int], ...]:
    """By square, what it is worth to who needs so many banners and wants to cross these edges; and by how many kinds

    of cards it can.
    """
    tuned = numbers(seats)
    base, pace = tuned.left[left - 1], tuned.pace[left - 1]
    return tuple((base - pace * ground.turns, ground.cards) for ground in grounds(wanted))
