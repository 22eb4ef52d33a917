"""Rules of thumb: make oneself likely to win, and whoever else is most likely to less so."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import log
from operator import itemgetter

from engines.court.board import OFF, RAYS, STARTS
from engines.court.deck import ACES, COURTS, JACK, NUMBERS, QUEEN
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
from engines.court.moves import SKIP, STEP_OF
from players.court.chart import CENTRE, UNCLAIMED, landing
from players.court.odds import HEALTHS, KINDS_HELD, NONE, WON, Banners, Odds, Sight, row

Choice = tuple[Move, float]
"""A move, and what it is worth: log-odds of winning. Those of a card's uses are but for the card's loss."""


def decide(sight: Sight, seat: int, hand: Sequence[int]) -> Move:
    """The policy's move, in whatever a seat has to decide."""
    return max(choices(sight, seat, hand), key=itemgetter(1))[0]


def ranked(sight: Sight, seat: int, hand: Sequence[int]) -> list[Move]:
    """All that is worth a thought, the policy's move first."""
    return [move for move, _ in sorted(choices(sight, seat, hand), key=itemgetter(1), reverse=True)]


def choices(sight: Sight, seat: int, hand: Sequence[int]) -> list[Choice]:
    """What the seat may decide, with what that is worth."""
    if sight.owed:
        return _placings(sight, seat, hand) if sight.owed[0].what == "place" else _givings(sight, seat, hand)
    scene = Scene(sight, seat, hand)
    return scene.steps() if sight.phase == "move" else scene.hinders()


def _placings(sight: Sight, seat: int, hand: Sequence[int]) -> list[Choice]:
    odds, banners, health = Odds(sight), sight.banners[seat], sight.health[seat]
    free = [square for square in STARTS if square not in sight.mages]
    return [(Place(square), odds.mine(seat, square, banners, health, hand)) for square in free]


def _givings(sight: Sight, seat: int, hand: Sequence[int]) -> list[Choice]:
    odds, banners = Odds(sight), sight.banners[seat]
    left = [tuple([suit for suit in banners if suit != lost]) for lost in banners]
    worths = [odds.mine(seat, CENTRE, each, FULL_HEALTH, hand) for each in left]
    return [(Give(lost), worth) for lost, worth in zip(banners, worths, strict=True)]


class Scene:
    """A position as the seat in turn sees it: what its cards would do to the odds of all."""

    def __init__(self, sight: Sight, seat: int, hand: Sequence[int]) -> None:
        self.sight, self.seat, self.hand, self.odds = sight, seat, hand, Odds(sight)
        self.square, self.banners, self.health = sight.mages[seat], sight.banners[seat], sight.health[seat]
        self.standing = [square for square in (*sight.mages, *sight.menhirs) if square != OFF]
        self.others = [other for other in range(len(sight.mages)) if other != seat]
        self.weights = {other: self._weight(other) for other in self.others}
        self.all = sum(self.weights.values())
        self._hurt: dict[int, float] = {}

    def steps(self) -> list[Choice]:
        """Phase One: each step, with the best use of one of the other cards after it."""
        kinds = dict.fromkeys(self.hand)
        best = {card: max([gain for _, gain in self.uses(card)]) for card in kinds}
        if numbers := [card for card in kinds if card in NUMBERS]:
            return [(STEP_OF[card], self._after(card, best)) for card in numbers]
        courts: list[Choice] = [(STEP_OF[card], self._after(card, best)) for card in kinds if card in COURTS]
        return [*courts, (SKIP, self._after(NONE, best))]

    def hinders(self) -> list[Choice]:
        """Phase Two: every sensible use of every card."""
        kept = self._kept(self.square, self.banners, self.hand)
        return [(move, worth + gain) for card, worth in kept for move, gain in self.uses(card)]

    def _after(self, card: int, best: dict[int, float]) -> float:
        """What it is worth to step by that card (NONE: skip), and then to make the best use of another."""
        square, banners, rest = self.square, self.banners, list(self.hand)
        if card != NONE:
            rest.remove(card)
            square = landing(square, card, self.standing)
            if square == OFF:
                banners = _claimed(banners, card // 13)
                if len(banners) >= self.sight.goal:
                    return WON * 2
        return max([worth + best[other] for other, worth in self._kept(square, banners, rest)])

    def _kept(self, square: int, banners: Banners, hand: Sequence[int]) -> list[tuple[int, float]]:
        """For each card of the hand, what the seat's log-odds are with its Mage there and the card gone."""
        base, plans = self.odds.plans(self.seat, square, banners, self.health, hand)
        held, found, last = self.odds.numbers.held, [], NONE
        for place, card in enumerate(hand):
            if card == last:
                continue
            last = card
            if hand[place + 1 : place + 2] == hand[place : place + 1]:  # there is another one
                plan = plans[0][0]
            else:
                plan = next(worth for worth, one, other in plans if card not in (one, other))
            found.append((card, base - held[KINDS_HELD[card]] + plan))
        return found

    def uses(self, card: int) -> list[Choice]:
        """The sensible uses of a card in Phase Two."""
        if card in NUMBERS:
            uses = [self._push(card, other) for other in self.others]
        elif card in COURTS:
            uses = [self._attack(card)]
        elif card in ACES:
            uses = self._ace(card)
        else:
            uses = self._menhirs()
        return [*uses, (_discard(card), -log(self.all))]

    def _weight(self, other: int) -> float:
        """The odds of another seat."""
        sight = self.sight
        return self.odds.of(other, sight.mages[other], sight.banners[other], sight.health[other])

    def _push(self, card: int, other: int) -> Choice:
        sight = self.sight
        banners = sight.banners[other]
        square = landing(sight.mages[other], card, self.standing)
        if square == OFF:
            banners = _claimed(banners, card // 13)
        after = self.odds.of(other, square, banners, sight.health[other])
        return _push(card, other), -log(self.all - self.weights[other] + after)

    def _hurting(self, other: int) -> float:
        """What is added to the odds of another seat when its Mage loses a health."""
        if other not in self._hurt:
            sight = self.sight
            square, banners, health = sight.mages[other], sight.banners[other], sight.health[other]
            lasts = health > 1
            odds = self.odds.of(other, square, banners, health - 1) if lasts else self.odds.knocked_out(other, banners)
            self._hurt[other] = odds - self.weights[other]
        return self._hurt[other]

    def _attack(self, card: int) -> Choice:
        """Half of all attacks hit."""
        targets: tuple[int, ...] = ()
        hit = self.others
        if len(hit) == 3 and card % 13 in (JACK, QUEEN):
            first, second, _ = sorted(hit, key=self._hurting)
            hit = [first, second] if card % 13 == QUEEN and self._hurting(second) < 0 else [first]
            targets = tuple(sorted(hit))
        return _attack(card, targets), -log(self.all + sum(map(self._hurting, hit)) / 2)

    def _ace(self, card: int) -> list[Choice]:
        strike = Strike(card), -log(self.all + sum(map(self._hurting, self.others)))
        if self.health == FULL_HEALTH:
            return [strike]
        worths = self.odds.numbers.health[row(self.banners, self.sight.goal - len(self.banners))]
        gain = worths[self.health] - worths[self.health - 1] + self.odds.late / HEALTHS
        return [strike, (Heal(card), gain - log(self.all))]

    def _menhirs(self) -> list[Choice]:
        """One's Menhir right before the Mage of who is ahead, where that wants to go."""
        before, menhirs = self._own(), list(self.sight.menhirs)
        uses: list[Choice] = []
        standing = self.odds.menhirs
        for square in self._bars():
            menhirs[self.seat] = square
            self.odds.menhirs = [each for each in menhirs if each != OFF]
            gain = self._own() - before - log(sum(map(self._weight, self.others)))
            uses.append((SetMenhir(square), gain))
        self.odds.menhirs = standing
        return uses

    def _own(self) -> float:
        """One's own log-odds, whatever the hand."""
        return log(self.odds.of(self.seat, self.square, self.banners, self.health))

    def _bars(self) -> list[int]:
        """The squares next to the Mages of the two who are most likely to win, on their ways."""
        squares = []
        for other in sorted(self.others, key=lambda each: -self.weights[each])[:2]:
            mage, wanted = self.sight.mages[other], UNCLAIMED[self.sight.banners[other]]
            if mage != OFF:
                squares += [rays[mage][0] for suit, rays in enumerate(RAYS) if wanted >> suit & 1 and rays[mage]]
        return [square for square in dict.fromkeys(squares) if square not in STARTS and square not in self.standing]


def _claimed(banners: Banners, suit: int) -> Banners:
    return banners if suit in banners else tuple(sorted((*banners, suit)))


# Moves that come again and again are made once.

_push, _attack, _discard = cache(Push), cache(Attack), cache(Discard)
