"""What Wizard's pictures show, as values: frozen, hashable, without names or anything that the reader may not see."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CardFace:
    """One card of a hand; `key` is its name in the notation (`10H`), `wizard`, `jester` or `back`."""

    key: str
    raised: bool = False
    dimmed: bool = False
    trump: bool = False


@dataclass(frozen=True, slots=True)
class HandPicture:
    """A hand in the order given, in one row or two."""

    cards: tuple[CardFace, ...]


@dataclass(frozen=True, slots=True)
class Plate:
    """What lies before a seat: up to two numbers with a word each, and a line below them."""

    numbers: tuple[tuple[str, str], ...]
    foot: str = ""
    cards: int = 0  # in the hand
    dealer: bool = False
    turn: str = ""  # what the seat is to do now: `to bid`


@dataclass(frozen=True, slots=True)
class Laid:
    """A card in a trick and the seat that played it."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Trick:
    """Cards in the order they fell, the first one led; the seat that takes it, so far or (`over`) for good."""

    cards: tuple[Laid, ...] = ()
    taker: int | None = None
    over: bool = False


@dataclass(frozen=True, slots=True)
class TrickTable:
    """A card table seen from above: plates by seat, clockwise; the trick in the middle, the last one small."""

    title: tuple[str, ...]
    plates: tuple[Plate, ...]
    trick: Trick = Trick()
    last: Trick = Trick()
    turned: str | None = None
    trump: str | None = None  # the suit's letter
    trump_words: tuple[str, ...] = ()  # a short line or two beside the turned card
    middle: tuple[str, ...] = ()  # what to say as long as no trick lies there
