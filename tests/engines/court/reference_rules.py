"""Jester's Court by the words of its rules, plain and slow, sharing no code with the engine.

Where a move leads (T4–T6), and a spectator who hears the public events alone and keeps the table by them.
"""

from __future__ import annotations

from engines.court import model
from engines.court.view import View
from engines.kit.contract import Event

OVER_EDGE = -1
DIRECTIONS = ((-1, 0), (1, 0), (0, -1), (0, 1))  # clubs left, diamonds right, hearts up, spades down


def is_number(card: int) -> bool:
    return card < 52 and 1 <= card % 13 <= 9


def walk_mage(standing: set[int], start: int, card: int) -> int:
    """Where a Mage gets to by that card, step by step; AWAY if it crosses the edge."""
    right, down = DIRECTIONS[card // 13]
    column, row = start % 22, start // 22
    for _ in range(card % 13 + 1 if is_number(card) else 1):
        ahead = column + right, row + down
        if not (0 <= ahead[0] <= 21 and 0 <= ahead[1] <= 21):
            return OVER_EDGE
        if ahead[0] + 22 * ahead[1] in standing:
            break
        column, row = ahead
    return column + 22 * row


class PlainObserver:
    """Sees the table once, at the beginning, and then only hears what happens."""

    def __init__(self, view: View) -> None:
        self.mages, self.menhirs, self.health = list(view.mages), list(view.menhirs), list(view.health)
        self.banners = [set(own) for own in view.banners]
        self.hand_sizes, self.bare = list(view.hand_sizes), list(view.bare)
        self.discard, self.draw, self.pool = list(view.discard), view.draw, list(view.pool)
        self.knocked = list(view.knocked)

    def check_view(self, view: View) -> None:
        for name in ("mages", "menhirs", "health", "hand_sizes", "bare", "discard", "pool", "knocked"):
            assert tuple(getattr(self, name)) == getattr(view, name), name
        assert tuple(tuple(sorted(own)) for own in self.banners) == view.banners
        assert self.draw == view.draw

    def see_events(self, events: list[Event]) -> None:
        for event in events:
            if event.is_visible_to(None):
                self._see_event(event)

    def _see_event(self, event: Event) -> None:
        match event:
            case model.MageMoved():
                self._see_move(event)
            case model.MagePlaced(seat=seat, square=square):
                self.mages[seat] = square
            case model.PhaseSkipped(seat=seat):
                self.bare[seat] = self.hand_sizes[seat]
            case model.BannerClaimed(seat=seat, suit=suit):
                assert suit not in self.banners[seat]
                self.banners[seat].add(suit)
            case model.BannerGiven(seat=seat, suit=suit):
                self.banners[seat].remove(suit)
            case model.MagesAttacked(attacked=attacked):
                self._see_discard(attacked.seat, attacked.card)
            case model.MagesStruck(seat=seat, card=card) | model.CardDiscarded(seat=seat, card=card):
                self._see_discard(seat, card)
            case model.MageHealed(seat=seat, card=card, health=health):
                self._see_discard(seat, card)
                self.health[seat] += 1
                assert self.health[seat] == health
            case model.MageDamaged(seat=seat, health=health):
                self.health[seat] -= 1
                assert self.health[seat] == health > 0
            case model.MageKnockedOut(seat=seat):
                assert self.health[seat] == 1
                self.health[seat] = 6
                self.mages[seat] = OVER_EDGE
                self.knocked[seat] += 1
            case model.MageEnclosed(seat=seat, square=square):
                assert self.mages[seat] == square
                assert all(square + away in self.menhirs for away in (-22, -1, 1, 22))
                self.mages[seat] = OVER_EDGE
            case model.MenhirSet(seat=seat, start=start, square=square):
                assert self.menhirs[seat] == start
                self._see_discard(seat, 52)
                self.menhirs[seat] = square
            case model.PileReshuffled(cards=cards):
                assert cards == len(self.discard)
                self.pool, self.draw, self.discard = sorted(self.discard), self.draw + cards, []
            case model.CardsDrawn(seat=seat, number=number):
                self.hand_sizes[seat] += number
                self.draw -= number

    def _see_move(self, event: model.MageMoved) -> None:
        standing = {*self.mages, *self.menhirs}
        assert event.start == self.mages[event.mage]
        assert event.end == walk_mage(standing, event.start, event.card)
        assert (event.stopped is None) == (event.at == OVER_EDGE)
        if event.stopped:
            assert event.at in (self.mages if event.stopped == "mage" else self.menhirs)
        self._see_discard(event.seat, event.card)
        self.mages[event.mage] = event.end
        if not is_number(event.card):
            assert event.mage == event.seat
            self.bare[event.seat] = self.hand_sizes[event.seat]

    def _see_discard(self, seat: int, card: int) -> None:
        self.hand_sizes[seat] -= 1
        self.discard.append(card)
        if not is_number(card):
            self.bare[seat] = max(0, self.bare[seat] - 1)
