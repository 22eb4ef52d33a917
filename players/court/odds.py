"""Estimates each seat's chance to win, in log-odds, from what somebody knows of a position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp
from typing import Protocol

from engines.court.board import OFF_BOARD
from engines.court.deck import ACES, CARD_STEPS, COURT_CARDS, NUMBER_CARDS
from engines.court.model import FULL_HEALTH, HAND_SIZE, OwedDecision, Phase
from players.court.chart import (
    CENTRE,
    SQUARE_STEP,
    STEPS_TO_EDGE,
    UNCLAIMED_SUITS,
    barred_suits,
    crossing_chances,
    edge_distances,
    landing_square,
)
from players.court.numbers import load_weights


class PublicPosition(Protocol):
    """What states and views have in common: public knowledge, with sequences by seat."""

    @property
    def owed(self) -> Sequence[OwedDecision]: ...
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
NO_CARD = -1
"""No card."""
WON_LOG_ODDS = 40.0
"""The log-odds of a seat that has won."""
WAITING_TURNS = 0.5
"""The cost in turns of having no card to continue with."""
LATE_TURNS, URGENCY_OFFSET, URGENCY_SCALE = 8, 3, 30.0
"""When few turns are left, a banner gains value: `URGE` / (turns left + `SOON`)."""
HEALTHS_PER_BANNER = 12
"""The health that is worth a banner then, because health breaks ties."""
KIND_OF_CARD = tuple(
    0 if card in NUMBER_CARDS else 1 if card in COURT_CARDS else 2 if card in ACES else 3
    for card in range(len(CARD_STEPS))
)
"""By card: a number card, a court card, an ace, a Menhir card."""
EdgePlan = tuple[float, int, int]
"""What a route to an edge adds to the log-odds, and the one or two cards it needs (NONE: none)."""


class OddsTables:
    """Tables derived from the weights for one number of seats, computed once."""

    def __init__(self, seats: int) -> None:
        self.weights = load_weights(seats)
        self.health_factors = [[exp(worth) for worth in values] for values in self.weights.health]
        self._odds_cache: dict[tuple[int, int, int, int], list[float]] = {}

    def odds_by_square(self, banners_left: int, wanted_suits: int, delay: int, unknown_cards: int) -> list[float]:
        """Return, by square, the odds of a seat that needs this many banners, wants to cross these edges, moves after
        this many others, and has this many unknown cards."""
        key = banners_left, wanted_suits, delay, unknown_cards
        found = self._odds_cache.get(key)
        if found is None:
            tuned, chance = self.weights, crossing_chances(unknown_cards)
            base, pace, threat = (
                tuned.left[banners_left - 1],
                tuned.pace[banners_left - 1],
                tuned.threat[banners_left - 1][delay],
            )
            found = [exp(base - pace * turns + threat * chance[cards]) for turns, cards in edge_distances(wanted_suits)]
            self._odds_cache[key] = found
        return found


@cache
def odds_tables(seats: int) -> OddsTables:
    """Return the tables for this many seats."""
    return OddsTables(seats)


class Odds:
    """Computes the odds of seats at the end of the current turn or, if a turn has just `begun`, at its start."""

    def __init__(self, position: PublicPosition, turn_started: bool = False) -> None:
        seats, order = len(position.mages), position.order
        self.tables = odds_tables(seats)
        self.weights = self.tables.weights
        self.goal, self.bare = position.goal, position.bare
        self.menhirs = [square for square in position.menhirs if square != OFF_BOARD]
        first = order.index(position.turn) + (not turn_started)
        self.turn_delays = [(order.index(seat) - first) % seats for seat in range(seats)]
        self.turns_left = LATE_TURNS if position.cap is None else position.cap - position.turns + turn_started
        self.urgency = URGENCY_SCALE / (self.turns_left + URGENCY_OFFSET) if self.turns_left < LATE_TURNS else 0.0

    def seat_odds(self, seat: int, square: int, banners: Banners, health: int) -> float:
        """Return the odds of a seat with an unknown hand and its Mage on this square."""
        left = self.goal - len(banners)
        if left <= 0:
            return exp(WON_LOG_ODDS)
        if self.turn_delays[seat] >= self.turns_left:  # it has had its last turn
            return exp(self.weights.left[left - 1] + self._endgame_bonus(banners, health))
        if square == OFF_BOARD:
            square = CENTRE
        wanted, odds = UNCLAIMED_SUITS[banners], self.tables.health_factors[health_row(banners, left)][health - 1]
        if self.menhirs and (away := wanted & barred_suits(square, self.menhirs)):
            odds *= exp(self.weights.barred[left - 1] * away.bit_count() / wanted.bit_count())
            wanted -= away
        unknown = HAND_SIZE - self.bare[seat]
        if self.urgency:
            odds *= exp(
                self._endgame_bonus(banners, health, crossing_chances(unknown)[edge_distances(wanted)[square].cards])
            )
        return odds * self.tables.odds_by_square(left, wanted, self.turn_delays[seat], unknown)[square]

    def knocked_out_odds(self, seat: int, banners: Banners) -> float:
        """Return the odds of a seat whose Mage loses its last health (T10)."""
        if not banners:
            return self.seat_odds(seat, CENTRE, banners, FULL_HEALTH)
        left = [tuple([suit for suit in banners if suit != lost]) for lost in banners]
        return max([self.seat_odds(seat, CENTRE, each, FULL_HEALTH) for each in left])

    def log_odds_with_hand(self, seat: int, square: int, banners: Banners, health: int, hand: Sequence[int]) -> float:
        """Return the log-odds of a seat with a known hand, apart from the cards it will still draw."""
        base, plans = self.log_odds_and_plans(seat, square, banners, health, hand)
        return base + plans[0][0]

    def log_odds_and_plans(
        self, seat: int, square: int, banners: Banners, health: int, hand: Sequence[int]
    ) -> tuple[float, list[EdgePlan]]:
        """Return the same in two parts: without routes to an edge, and the routes of its cards, best first.

        The last route is waiting for new cards; it needs none.
        """
        numbers, left = self.weights, self.goal - len(banners)
        if square == OFF_BOARD:
            square = CENTRE
        wanted, away = UNCLAIMED_SUITS[banners], 0
        base = numbers.left[left - 1] + numbers.health[health_row(banners, left)][health - 1]
        if self.menhirs and (away := wanted & barred_suits(square, self.menhirs)):
            base += numbers.barred[left - 1] * away.bit_count() / wanted.bit_count()
            wanted -= away
        for card in hand:
            base += numbers.in_hand[KIND_OF_CARD[card]]
        pace, threat = numbers.pace[left - 1], numbers.threat[left - 1][self.turn_delays[seat]]
        if self.urgency:
            base += self._endgame_bonus(banners, health)
            threat += self._endgame_bonus((), 0, 1.0)
            if self.turn_delays[seat] >= self.turns_left:
                pace = threat = 0.0
        turns, cards = edge_distances(wanted)[square]
        chance = threat * crossing_chances(HAND_SIZE - len(hand))[cards]
        plans = [
            ((threat if turns == 1 else chance) - pace * turns, one, other)
            for turns, one, other in edge_routes(square, wanted, hand)
        ]
        plans.append((chance - pace * (turns + WAITING_TURNS), NO_CARD, NO_CARD))
        plans.sort(reverse=True)
        return base, plans

    def _endgame_bonus(self, banners: Banners, health: int, crossing: float = 0.0) -> float:
        """Return what banners and health add to the log-odds when turns run out (T13).

        The chance to cross an edge counts half, because a banner in hand is worth more.
        """
        return self.urgency * (len(banners) + crossing / 2 + health / HEALTHS_PER_BANNER)


def health_row(banners: Banners, banners_left: int) -> int:
    """Return the row of the weights for the value of health."""
    return 0 if not banners else 2 if banners_left == 1 else 1


def edge_routes(square: int, wanted_suits: int, hand: Sequence[int]) -> list[tuple[float, int, int]]:
    """Return the turns in which each card takes a Mage over a wanted edge: alone, with one more card, or as a start."""
    ground = edge_distances(wanted_suits)
    found: list[tuple[float, int, int]] = []
    for place, card in enumerate(hand):
        if card not in NUMBER_CARDS:
            continue
        suit = card // 13
        if not wanted_suits >> suit & 1:
            end = landing_square(square, card, ())
            found.append((1 + ground[CENTRE if end == OFF_BOARD else end].turns, card, NO_CARD))
            continue
        missing = STEPS_TO_EDGE[suit][square] - CARD_STEPS[card]
        if missing <= 0:
            found.append((1, card, NO_CARD))
            continue
        found.append((1 + ground[square + SQUARE_STEP[suit] * CARD_STEPS[card]].turns, card, NO_CARD))
        found += [
            (2, card, other)
            for other in hand[:place]
            if other // 13 == suit
            and other in NUMBER_CARDS
            and missing <= CARD_STEPS[other] < missing + CARD_STEPS[card]
        ]
    return found
