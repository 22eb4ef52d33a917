"""What Glimpse's pictures show, as values: frozen, hashable, without anything that the reader may not see."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Face:
    """A card and what it is."""

    card: int
    wizard: bool


@dataclass(frozen=True, slots=True)
class Place:
    """What lies before a seat: its cards that are turned up, and one face down; what it is to do or has done."""

    name: str
    points: str
    hand: int
    up: tuple[Face, ...]
    down: bool
    tag: str = ""
    turn: bool = False
    computer: bool = False  # its sign has a face: the computer plays there


@dataclass(frozen=True, slots=True)
class Own:
    """A hand, the card of it that lies face down, what was guessed, and a neighbour's card that was glimpsed."""

    cards: tuple[Face, ...]
    down: Face | None
    guess: str
    glimpse: Face
    neighbour: int
    called: str


@dataclass(frozen=True, slots=True)
class TablePicture:
    """The table, a row a seat; on a hand what the reader alone knows lies below."""

    title: str
    places: tuple[Place, ...]
    own: Own | None = None
