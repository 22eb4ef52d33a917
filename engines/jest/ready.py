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


def _by_take(make: Callable[[int, int], T]) -> tuple[tuple[T, ...], ...]:
    """By who takes, and from whom."""
    return tuple(tuple(make(seat, source) for source in SEATS) for seat in SEATS)


def _sources(complete: int, seat: int) -> tuple[int, ...]:
    """J6: the offers from which a seat may take, where these (a bit a seat) are complete."""
    others = complete & ~(1 << seat) or complete  # its own only where there is no other
    return tuple(source for source in SEATS if others >> source & 1)


def _up_told(seat: int, source: int) -> tuple[Event, ...]:
    """By card: everybody sees what lay face up."""
    return tuple(CardTaken(seat=seat, source=source, card=card) for card in DECK)


def _face_down_told(seat: int, source: int) -> tuple[Event, ...]:
    """J8, by card: only taker and owner learn what lay face down."""
    to = tuple(sorted({seat, source}))
    return tuple(FaceDownTaken(seat=seat, source=source, card=card, to=to) for card in DECK)


OFFER = tuple(Offer(card) for card in DECK)
OFFERS = tuple(tuple((OFFER[low], OFFER[high]) for high in DECK) for low in DECK)
"""By the two cards of a hand."""
SOURCES = tuple(tuple(_sources(complete, seat) for seat in SEATS) for complete in range(16))
"""By the complete offers, a bit a seat, and by who takes: whose card may be taken."""
TAKE = tuple((Take(source, True), Take(source, False)) for source in SEATS)
TAKES = tuple(tuple(tuple(take for source in sources for take in TAKE[source]) for sources in row) for row in SOURCES)
"""The same as moves."""
# J8, by who takes and from whom, and where the card is told, by card
TAKEN_UP = _by_take(lambda seat, source: Taken(seat, source, True))
TAKEN_DOWN = _by_take(lambda seat, source: Taken(seat, source, False))
UP_TOLD = _by_take(_up_told)
DOWN_TOLD = _by_take(lambda seat, source: CardTaken(seat=seat, source=source, card=None))
FACE_DOWN_TOLD = _by_take(_face_down_told)
HANDS = tuple({hand: HandDealt(seat=seat, cards=hand, to=(seat,)) for hand in combinations(DECK, 2)} for seat in SEATS)
CHOSEN = tuple(OfferChosen(seat=seat) for seat in SEATS)
CHOICE = tuple(tuple(FaceDownChosen(seat=seat, card=card, to=(seat,)) for card in DECK) for seat in SEATS)


@cache
def deals(seats: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Every way to deal two cards each, of twice as many as there are seats: by seat, the places of its two."""
    return tuple(_deals([*combinations(range(2 * seats), 2)]))


def _deals(pairs: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], ...]]:
    if not pairs:
        yield ()
    for hand in pairs:
        for others in _deals([pair for pair in pairs if not {*pair} & {*hand}]):
            yield hand, *others


@cache
def round_dealt(number: int, left: int) -> Event:
    """A round's number, and the size of the deck."""
    return RoundDealt(round=number, deck=left)


@cache
def trophy_awarded(trophy: int, seat: int | None) -> Event:
    """A trophy's new owner, if it has one."""
    return TrophyAwarded(trophy=trophy, seat=seat)
