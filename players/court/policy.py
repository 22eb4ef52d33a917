"""Rules of thumb: make oneself likely to win, and whoever else is most likely to less so."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

from engines.court.board import OFF, RAYS, STARTS
from engines.court.deck import ACES, COURTS, JACK, NUMBERS, QUEEN, SUITS
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
    Skip,
    Step,
    Strike,
)
from players.court.chart import CENTRE, UNCLAIMED, landing
from players.court.odds import KINDS_HELD, WON, Odds, Plan, Sight


class Use(NamedTuple):
    """A move of Phase Two: the odds of the others after it, and what it adds to one's own log-odds."""

    move: Move
    others: float
    own: float = 0.0


def decide(sight: Sight, seat: int, hand: Sequence[int]) -> Move:
    """The policy's move, in whatever a seat has to decide."""
    if sight.owed:
        return _place(sight, seat, hand) if sight.owed[0].what == "place" else _give(sight, seat, hand)
    return _step(sight, seat, hand) if sight.phase == "move" else _hinder(sight, seat, hand)


def _place(sight: Sight, seat: int, hand: Sequence[int]) -> Move:
    odds = Odds(sight)
    free = [square for square in STARTS if square not in sight.mages]
    return Place(max(free, key=lambda square: odds.mine(seat, square, sight.banners[seat], sight.health[seat], hand)))


def _give(sight: Sight, seat: int, hand: Sequence[int]) -> Move:
    odds, held = Odds(sight), sight.banners[seat]
    left = {lost: tuple([suit for suit in held if suit != lost]) for lost in held}
    return Give(max(held, key=lambda lost: odds.mine(seat, CENTRE, left[lost], FULL_HEALTH, hand)))


def _step(sight: Sight, seat: int, hand: Sequence[int]) -> Move:
    """Phase One: the step after which the rest of the turn can be best."""
    scene = Scene(sight, seat)
    cards = [card for card in dict.fromkeys(hand) if card in NUMBERS]
    steps = cards or [card for card in dict.fromkeys(hand) if card in COURTS]
    uses = {card: scene.best(scene.uses(card)) for card in dict.fromkeys(hand)}
    best, best_worth = None, 0.0
    for card in [*steps, *([] if cards else [None])]:
        rest = list(hand)
        if card is not None:
            rest.remove(card)
        worth = scene.after_step(card, rest, uses)
        if best is None or worth > best_worth:
            best, best_worth = (Skip() if card is None else Step(card)), worth
    assert best is not None
    return best


def _hinder(sight: Sight, seat: int, hand: Sequence[int]) -> Move:
    """Phase Two: what makes oneself more likely to win than the others."""
    scene = Scene(sight, seat)
    best, best_worth = None, 0.0
    base, plans = scene.odds.plans(seat, sight.mages[seat], sight.banners[seat], sight.health[seat], hand)
    for card in dict.fromkeys(hand):
        own = base - scene.odds.numbers.held[KINDS_HELD[card]]
        own += scene.plan_without(plans, card, hand.count(card) > 1)
        for use in scene.uses(card):
            worth = own + use.own - log(use.others)
            if best is None or worth > best_worth:
                best, best_worth = use.move, worth
    assert best is not None
    return best


class Scene:
    """A position as the seat in turn sees it: what its cards would do to the odds of all."""

    def __init__(self, sight: Sight, seat: int) -> None:
        self.sight, self.seat, self.odds = sight, seat, Odds(sight)
        self.standing = [square for square in (*sight.mages, *sight.menhirs) if square != OFF]
        self.others = [other for other in range(len(sight.mages)) if other != seat]
        self.weights = {other: self._weight(other) for other in self.others}
        self.all = sum(self.weights.values())
        self._hurt: dict[int, float] = {}

    def after_step(self, card: int | None, rest: list[int], uses: dict[int, Use]) -> float:
        """What it is worth to step by that card (None: skip), and then to make the best use of one of the others."""
        sight, seat = self.sight, self.seat
        banners, square = sight.banners[seat], sight.mages[seat]
        if card is not None:
            square = landing(square, card, self.standing)
            if square == OFF:
                banners = self._claimed(banners, card // 13)
                if len(banners) >= sight.goal:
                    return WON * 2
        base, plans = self.odds.plans(seat, square, banners, sight.health[seat], rest)
        worth = -WON
        for other in dict.fromkeys(rest):
            use = uses[other]
            plan = self.plan_without(plans, other, rest.count(other) > 1)
            worth = max(worth, base - self.odds.numbers.held[KINDS_HELD[other]] + plan + use.own - log(use.others))
        return worth

    def plan_without(self, plans: list[Plan], card: int, twice: bool) -> float:
        """What the best way to an edge adds that does without that card."""
        if twice:
            return plans[0][0]
        for worth, one, other in plans:
            if card not in (one, other):
                return worth
        raise AssertionError("the last plan needs no card")

    def best(self, uses: list[Use]) -> Use:
        return max(uses, key=lambda use: use.own - log(use.others))

    def uses(self, card: int) -> list[Use]:
        """The sensible uses of a card in Phase Two."""
        if card in NUMBERS:
            return [*[self._push(card, other) for other in self.others], Use(Discard(card), self.all)]
        if card in COURTS:
            return [self._attack(card), Use(Discard(card), self.all)]
        if card in ACES:
            return [*self._ace(card), Use(Discard(card), self.all)]
        return [*self._menhirs(), Use(Discard(card), self.all)]

    def _weight(self, other: int) -> float:
        sight = self.sight
        return exp(self.odds.of(other, sight.mages[other], sight.banners[other], sight.health[other]))

    def _push(self, card: int, other: int) -> Use:
        sight = self.sight
        banners = sight.banners[other]
        square = landing(sight.mages[other], card, self.standing)
        if square == OFF:
            banners = self._claimed(banners, card // 13)
        after = exp(self.odds.of(other, square, banners, sight.health[other]))
        return Use(Push(card, other), self.all - self.weights[other] + after)

    def _claimed(self, banners: tuple[int, ...], suit: int) -> tuple[int, ...]:
        return banners if suit in banners else tuple(sorted((*banners, suit)))

    def hurt(self, other: int) -> float:
        """By how much the odds of another seat change when its Mage loses a health."""
        if other not in self._hurt:
            sight = self.sight
            health, banners = sight.health[other], sight.banners[other]
            if health > 1:
                after = self.odds.of(other, sight.mages[other], banners, health - 1)
            else:
                after = self.odds.knocked_out(other, banners)
            self._hurt[other] = exp(after) - self.weights[other]
        return self._hurt[other]

    def _attack(self, card: int) -> Use:
        if len(self.others) < 3 or card % 13 not in (JACK, QUEEN):
            return Use(Attack(card), self.all + sum(map(self.hurt, self.others)) / 2)
        ranked = sorted(self.others, key=self.hurt)
        targets = ranked[:1] if card % 13 == JACK or self.hurt(ranked[1]) >= 0 else ranked[:2]
        return Use(Attack(card, tuple(sorted(targets))), self.all + sum(map(self.hurt, targets)) / 2)

    def _ace(self, card: int) -> list[Use]:
        strike = Use(Strike(card), self.all + sum(map(self.hurt, self.others)))
        health, banners = self.sight.health[self.seat], self.sight.banners[self.seat]
        if health == FULL_HEALTH:
            return [strike]
        table = self.odds.numbers.health[bool(banners)]
        return [strike, Use(Heal(card), self.all, table[health] - table[health - 1])]

    def _menhirs(self) -> list[Use]:
        """The Menhir before a Mage, where it keeps it from an edge it wants."""
        sight, seat = self.sight, self.seat
        uses = []
        menhirs = list(sight.menhirs)
        kept = self.odds.menhirs
        own = sight.mages[seat]
        for square in self._bars():
            menhirs[seat] = square
            self.odds.menhirs = [each for each in menhirs if each != OFF]
            others = sum(self._weight(other) for other in self.others)
            gain = self.odds.of(seat, own, sight.banners[seat], sight.health[seat])
            self.odds.menhirs = kept
            gain -= self.odds.of(seat, own, sight.banners[seat], sight.health[seat])
            uses.append(Use(SetMenhir(square), others, gain))
        return uses

    def _bars(self) -> list[int]:
        sight = self.sight
        squares = []
        for other in sorted(self.others, key=lambda each: -self.weights[each])[:2]:
            mage = sight.mages[other]
            if mage == OFF:
                continue
            wanted = UNCLAIMED[sight.banners[other]]
            for suit in SUITS:
                if wanted >> suit & 1 and (ray := RAYS[suit][mage]):
                    square = ray[0]
                    if square not in STARTS and square not in self.standing:
                        squares.append(square)
        return squares
