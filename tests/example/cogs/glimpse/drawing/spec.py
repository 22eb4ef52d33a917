"""The values of Glimpse's pictures: frozen, hashable, and free of secrets."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.pictures.spec import LobbyPicture, ResultBanner


@dataclass(frozen=True, slots=True)
class GlimpseSign:
    """The sign of the game: two overlapping cards."""


@dataclass(frozen=True, slots=True)
class GlimpseLobby(LobbyPicture):
    """The picture of a lobby of this game."""


@dataclass(frozen=True, slots=True)
class Face:
    """A card and its kind."""

    card: int
    wizard: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A seat's cards on the table, turned up or face down, and what it has to do or has done."""

    name: str
    points: str
    hand: int
    up: tuple[Face, ...]
    down: bool
    tag: str = ""
    turn: bool = False
    computer: bool = False  # a computer plays: its sign has a face


@dataclass(frozen=True, slots=True)
class Own:
    """A hand, its card face down, the guess, and the glimpsed card of the neighbour."""

    cards: tuple[Face, ...]
    down: Face | None
    guess: str
    glimpse: Face
    neighbour: int
    called: str


@dataclass(frozen=True, slots=True)
class TablePicture:
    """The table with a row per seat; on a hand, the player's private cards below."""

    title: str
    places: tuple[Place, ...]
    own: Own | None = None
    banner: ResultBanner | None = None
