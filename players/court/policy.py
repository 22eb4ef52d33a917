"""The policy: raises one's own chance to win and lowers that of the strongest opponents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import log
from operator import itemgetter

from engines.court.board import OFF_BOARD, RAYS, START_SQUARES
from engines.court.deck import ACES, COURT_CARDS, JACK, NUMBER_CARDS, QUEEN
from engines.court.model import (
    FULL_HEALTH,
    Attack,
    Discard,
    Give,
    Heal,
    Move,
    Place,
    Push,
    SetMenhir,
    Strike,
)
from engines.court.moves import SKIP, STEP_MOVES
from players.court.chart import CENTRE, UNCLAIMED_SUITS, landing_square
from players.court.odds import (
    HEALTHS_PER_BANNER,
    KIND_OF_CARD,
    NO_CARD,
    WON_LOG_ODDS,
    Banners,
    Odds,
    PublicPosition,
    health_row,
)

EQUAL_LOG_ODDS = 0.001  # by which a move may be worse than the best and still count as about as good

MoveValue = tuple[Move, float]
"""A move and its value in log-odds of winning. The uses of a card leave out the cost of losing it."""


def choose_move(position: PublicPosition, seat: int, hand: Sequence[int]) -> Move:
    """Return the policy's move for any decision of a seat."""
    return max(move_values(position, seat, hand), key=itemgetter(1))[0]


def equal_moves(position: PublicPosition, seat: int, hand: Sequence[int]) -> list[Move]:
    """Return the policy's move, and others that are about as good; of the steps in Phase One, only the policy's.

    Steps with equal values keep other cards for later turns, which the values do not know.
    """
    if not position.owed and position.phase == "move":
        return [choose_move(position, seat, hand)]
    ranked = sorted(move_values(position, seat, hand), key=itemgetter(1), reverse=True)
    return [move for move, worth in ranked if worth >= ranked[0][1] - EQUAL_LOG_ODDS]


def ranked_moves(position: PublicPosition, seat: int, hand: Sequence[int]) -> list[Move]:
    """Return all sensible moves, the policy's move first."""
    return [move for move, _ in sorted(move_values(position, seat, hand), key=itemgetter(1), reverse=True)]


def move_values(position: PublicPosition, seat: int, hand: Sequence[int]) -> list[MoveValue]:
    """Return the seat's sensible moves with their values."""
    if position.owed:
        return (
            _place_values(position, seat, hand)
            if position.owed[0].what == "place"
            else _give_values(position, seat, hand)
        )
    evaluator = TurnEvaluator(position, seat, hand)
    return evaluator.step_values() if position.phase == "move" else evaluator.hinder_values()


def _place_values(position: PublicPosition, seat: int, hand: Sequence[int]) -> list[MoveValue]:
    odds, banners, health = Odds(position), position.banners[seat], position.health[seat]
    free = [square for square in START_SQUARES if square not in position.mages]
    return [(Place(square), odds.log_odds_with_hand(seat, square, banners, health, hand)) for square in free]


def _give_values(position: PublicPosition, seat: int, hand: Sequence[int]) -> list[MoveValue]:
    odds, banners = Odds(position), position.banners[seat]
    left = [tuple([suit for suit in banners if suit != lost]) for lost in banners]
    values = [odds.log_odds_with_hand(seat, CENTRE, each, FULL_HEALTH, hand) for each in left]
    return [(Give(lost), worth) for lost, worth in zip(banners, values, strict=True)]


class TurnEvaluator:
    """Evaluates a position for the seat in turn: how its cards would change everybody's odds."""

    def __init__(self, position: PublicPosition, seat: int, hand: Sequence[int]) -> None:
        self.position, self.seat, self.hand, self.odds = position, seat, hand, Odds(position)
        self.square, self.banners, self.health = position.mages[seat], position.banners[seat], position.health[seat]
        self.occupied = [square for square in (*position.mages, *position.menhirs) if square != OFF_BOARD]
        self.others = [other for other in range(len(position.mages)) if other != seat]
        self.others_odds = {other: self._seat_odds(other) for other in self.others}
        self.total_odds = sum(self.others_odds.values())
        self._damage_effects: dict[int, float] = {}

    def step_values(self) -> list[MoveValue]:
        """Return the steps of Phase One, each valued with the best use of another card after it."""
        kinds = dict.fromkeys(self.hand)
        best = {card: max([gain for _, gain in self.card_uses(card)]) for card in kinds}
        if numbers := [card for card in kinds if card in NUMBER_CARDS]:
            return [(STEP_MOVES[card], self._value_after_step(card, best)) for card in numbers]
        courts: list[MoveValue] = [
            (STEP_MOVES[card], self._value_after_step(card, best)) for card in kinds if card in COURT_CARDS
        ]
        return [*courts, (SKIP, self._value_after_step(NO_CARD, best))]

    def hinder_values(self) -> list[MoveValue]:
        """Return every sensible use of every card in Phase Two."""
        values = self._values_without_card(self.square, self.banners, self.hand)
        return [(move, worth + gain) for card, worth in values for move, gain in self.card_uses(card)]

    def _value_after_step(self, card: int, best: dict[int, float]) -> float:
        """Return the value of stepping with a card (NONE: skip), and then making the best use of another."""
        square, banners, rest = self.square, self.banners, list(self.hand)
        if card != NO_CARD:
            rest.remove(card)
            square = landing_square(square, card, self.occupied)
            if square == OFF_BOARD:
                banners = add_banner(banners, card // 13)
                if len(banners) >= self.position.goal:
                    return WON_LOG_ODDS * 2
        return max([worth + best[other] for other, worth in self._values_without_card(square, banners, rest)])

    def _values_without_card(self, square: int, banners: Banners, hand: Sequence[int]) -> list[tuple[int, float]]:
        """Return, for each card of the hand, the seat's log-odds with its Mage on this square and without the card."""
        base, plans = self.odds.log_odds_and_plans(self.seat, square, banners, self.health, hand)
        card_weights, found, last = self.odds.weights.in_hand, [], NO_CARD
        for place, card in enumerate(hand):
            if card == last:
                continue
            last = card
            if hand[place + 1 : place + 2] == hand[place : place + 1]:  # the hand has another one
                plan = plans[0][0]
            else:
                plan = next(worth for worth, one, other in plans if card not in (one, other))
            found.append((card, base - card_weights[KIND_OF_CARD[card]] + plan))
        return found

    def card_uses(self, card: int) -> list[MoveValue]:
        """Return the sensible uses of a card in Phase Two."""
        if card in NUMBER_CARDS:
            uses = [self._push_value(card, other) for other in self.others]
        elif card in COURT_CARDS:
            uses = [self._attack_value(card)]
        elif card in ACES:
            uses = self._ace_values(card)
        else:
            uses = self._menhir_values()
        return [*uses, (_discard_move(card), -log(self.total_odds))]

    def _seat_odds(self, other: int) -> float:
        """Return the odds of another seat."""
        sight = self.position
        return self.odds.seat_odds(other, sight.mages[other], sight.banners[other], sight.health[other])

    def _push_value(self, card: int, other: int) -> MoveValue:
        sight = self.position
        banners = sight.banners[other]
        square = landing_square(sight.mages[other], card, self.occupied)
        if square == OFF_BOARD:
            banners = add_banner(banners, card // 13)
        after = self.odds.seat_odds(other, square, banners, sight.health[other])
        return _push_move(card, other), -log(self.total_odds - self.others_odds[other] + after)

    def _damage_effect(self, other: int) -> float:
        """Return how another seat's odds change when its Mage loses one health."""
        if other not in self._damage_effects:
            sight = self.position
            square, banners, health = sight.mages[other], sight.banners[other], sight.health[other]
            lasts = health > 1
            odds = (
                self.odds.seat_odds(other, square, banners, health - 1)
                if lasts
                else self.odds.knocked_out_odds(other, banners)
            )
            self._damage_effects[other] = odds - self.others_odds[other]
        return self._damage_effects[other]

    def _attack_value(self, card: int) -> MoveValue:
        """Return the value of an attack. Half of all attacks hit."""
        targets: tuple[int, ...] = ()
        hit = self.others
        if len(hit) == 3 and card % 13 in (JACK, QUEEN):
            first, second, _ = sorted(hit, key=self._damage_effect)
            hit = [first, second] if card % 13 == QUEEN and self._damage_effect(second) < 0 else [first]
            targets = tuple(sorted(hit))
        return _attack_move(card, targets), -log(self.total_odds + sum(map(self._damage_effect, hit)) / 2)

    def _ace_values(self, card: int) -> list[MoveValue]:
        strike = Strike(card), -log(self.total_odds + sum(map(self._damage_effect, self.others)))
        if self.health == FULL_HEALTH:
            return [strike]
        values = self.odds.weights.health[health_row(self.banners, self.position.goal - len(self.banners))]
        gain = values[self.health] - values[self.health - 1] + self.odds.urgency / HEALTHS_PER_BANNER
        return [strike, (Heal(card), gain - log(self.total_odds))]

    def _menhir_values(self) -> list[MoveValue]:
        """Return moves that put the Menhir directly in the leader's way."""
        before, menhirs = self._own_log_odds(), list(self.position.menhirs)
        uses: list[MoveValue] = []
        standing = self.odds.menhirs
        for square in self._barring_squares():
            menhirs[self.seat] = square
            self.odds.menhirs = [each for each in menhirs if each != OFF_BOARD]
            gain = self._own_log_odds() - before - log(sum(map(self._seat_odds, self.others)))
            uses.append((SetMenhir(square), gain))
        self.odds.menhirs = standing
        return uses

    def _own_log_odds(self) -> float:
        """Return one's own log-odds, whatever the hand."""
        return log(self.odds.seat_odds(self.seat, self.square, self.banners, self.health))

    def _barring_squares(self) -> list[int]:
        """Return the squares next to the Mages of the two likeliest winners, on their routes."""
        squares = []
        for other in sorted(self.others, key=lambda each: -self.others_odds[each])[:2]:
            mage, wanted = self.position.mages[other], UNCLAIMED_SUITS[self.position.banners[other]]
            if mage != OFF_BOARD:
                squares += [rays[mage][0] for suit, rays in enumerate(RAYS) if wanted >> suit & 1 and rays[mage]]
        return [
            square for square in dict.fromkeys(squares) if square not in START_SQUARES and square not in self.occupied
        ]


def add_banner(banners: Banners, suit: int) -> Banners:
    """Return the banners with that of a suit."""
    return banners if suit in banners else tuple(sorted((*banners, suit)))


# Recurring moves are created once.

_push_move, _attack_move, _discard_move = cache(Push), cache(Attack), cache(Discard)
