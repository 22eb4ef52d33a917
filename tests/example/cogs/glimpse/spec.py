"""What Glimpse's pictures show, as values: frozen, hashable, without names or anything that the reader may not see."""

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

    points: str
    hand: int
    up: tuple[Face, ...]
    down: bool
    tag: str = ""
    turn: bool = False


@dataclass(frozen=True, slots=True)
class TablePicture:
    """The table, a row a seat."""

    title: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class HandPicture:
    """A hand, the card of it that lies face down, and the card that was glimpsed of a neighbour's."""

    cards: tuple[Face, ...]
    down: Face | None
    glimpse: Face
    neighbour: int
