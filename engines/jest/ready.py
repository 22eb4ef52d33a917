"""Jest's moves and events, made once: they are frozen, and making one costs more than playing it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import TypeVar

from engines.game import Event
from engines.jest.deck import DECK
from engines.jest.model import (
    CardTaken,
    FaceDownChosen,
    FaceDownTaken,
    HandDealt,
    Offer,
    OfferChosen,
    RoundDealt,
    Take,
    Taken,
    TrophyAwarded,
)

T = TypeVar("T")
SEATS = range(4)


def _by_take(make: Callable[[int, int, bool], T]) -> tuple[tuple[tuple[T, T], ...], ...]:
    """By who takes, from whom, and whether it is the face-up card."""
    return tuple(tuple((make(seat, source, False), make(seat, source, True)) for source in SEATS) for seat in SEATS)


def _sources(complete: int, seat: int) -> tuple[int, ...]:
    """J6: the offers from which a seat may take, where these (a bit a seat) are complete."""
    others = complete & ~(1 << seat) or complete  # its own only where there is no other
    return tuple(source for source in SEATS if others >> source & 1)


def _card_taken(seat: int, source: int, up: bool) -> tuple[tuple[Event, ...], ...]:
    """J8, by card: everybody sees which one was taken, but only taker and owner what it is where it lay face down."""
    if up:
        return tuple((CardTaken(seat=seat, source=source, card=card),) for card in DECK)
    hidden = CardTaken(seat=seat, source=source, card=None)
    to = tuple(sorted({seat, source}))
    return tuple((hidden, FaceDownTaken(seat=seat, source=source, card=card, to=to)) for card in DECK)


OFFERS = tuple(tuple((Offer(low), Offer(high)) for high in DECK) for low in DECK)
"""By the two cards of a hand."""
SOURCES = tuple(tuple(_sources(complete, seat) for seat in SEATS) for complete in range(16))
"""By the complete offers, a bit a seat, and by who takes: whose card may be taken."""
TAKES = tuple(tuple(tuple(Take(s, up) for s in sources for up in (True, False)) for sources in row) for row in SOURCES)
"""The same as moves."""
TAKEN = _by_take(Taken)
CARD_TAKEN = _by_take(_card_taken)
CHOSEN = tuple(OfferChosen(seat=seat) for seat in SEATS)
CHOICE = tuple(tuple(FaceDownChosen(seat=seat, card=card, to=(seat,)) for card in DECK) for seat in SEATS)


@cache
def deals(seats: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Every way to deal two cards each, of twice as many as there are seats: by seat, the places of its two."""
    return tuple(_deals(seats, range(2 * seats)))


def _deals(seats: int, places: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    if not seats:
        yield ()
    for hand in combinations(places, 2) if seats else ():
        for others in _deals(seats - 1, [place for place in places if place not in hand]):
            yield hand, *others


@cache
def round_dealt(number: int, left: int) -> Event:
    """A round's number, and the size of the deck."""
    return RoundDealt(round=number, deck=left)


@cache
def hand_dealt(seat: int, cards: tuple[int, int]) -> Event:
    """A seat's two cards, sorted."""
    return HandDealt(seat=seat, cards=cards, to=(seat,))


@cache
def trophy_awarded(trophy: int, seat: int | None) -> Event:
    """A trophy's new owner, if it has one."""
    return TrophyAwarded(trophy=trophy, seat=seat)
