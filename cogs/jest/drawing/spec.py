"""What Jest's pictures show, as values: frozen, hashable, without anything that the reader may not see."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Offered:
    """A place of an offer: the card there (a key, or `back`), or none and whose it became, as the how-manyeth taken."""

    key: str = ""
    taker: int | None = None
    order: int = 0


@dataclass(frozen=True, slots=True)
class JestSeat:
    """What lies before a seat of Jest: the two places of its offer, how large its Jest is, what it did or is to do."""

    name: str
    up: Offered
    down: Offered
    jest: int
    tag: str = ""
    turn: bool = False
    computer: bool = False  # its token has a face: the computer plays there


@dataclass(frozen=True, slots=True)
class Trophy:
    """A trophy and what it asks for, in two short lines at most."""

    key: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JestHand:
    """A seat's two cards, each with a word below it and who took it, and its Jest with what it is worth."""

    cards: tuple[tuple[str, str, int | None], ...]
    jest: tuple[str, ...]
    worth: str


@dataclass(frozen=True, slots=True)
class JestTable:
    """A table of Jest: the trophies and the deck above, a column a seat below; on a hand one's own cards at last."""

    title: tuple[str, ...]
    trophies: tuple[Trophy, ...]
    deck: int
    seats: tuple[JestSeat, ...]
    own: JestHand | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """A card of a Jest and what it counts there; or none, for the bonus of the pairs."""

    key: str
    points: str
    trophy: bool = False


@dataclass(frozen=True, slots=True)
class JestRow:
    """A Jest worked out."""

    seat: int
    name: str
    place: int
    cards: tuple[Counted, ...]
    total: str


@dataclass(frozen=True, slots=True)
class JestSheet:
    """All Jests worked out, the best first, and the trophies that nobody got."""

    rows: tuple[JestRow, ...]
    nobody: tuple[str, ...] = ()
