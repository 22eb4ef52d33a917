"""The values of Jest's pictures: frozen, hashable, and free of secrets."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.pictures.spec import LobbyPicture, ResultBanner

CLOTH = "green"
"""The cloth of the table (`theme.CLOTHS`)."""


@dataclass(frozen=True, slots=True)
class JestSign:
    """The sign of the game: the jester."""


@dataclass(frozen=True, slots=True)
class JestLobby(LobbyPicture):
    """The picture of a lobby of this game."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A place of an offer: its card (a key, or `back`), or the seat that took it and the number of the take."""

    key: str = ""
    taker: int | None = None
    order: int = 0


@dataclass(frozen=True, slots=True)
class JestSeat:
    """A seat: the two places of its offer, the size of its Jest, and what it did or has to do."""

    name: str
    up: Offered
    down: Offered
    jest: int
    tag: str = ""
    turn: bool = False
    computer: bool = False  # a computer plays: its token has a face


@dataclass(frozen=True, slots=True)
class Trophy:
    """A trophy and its condition, in two short lines at most."""

    key: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JestHand:
    """A seat's two cards, each with a caption and its taker, and its Jest with its worth."""

    cards: tuple[tuple[str, str, int | None], ...]
    jest: tuple[str, ...]
    worth: str


@dataclass(frozen=True, slots=True)
class JestTable:
    """A table: trophies and deck above, a column per seat below, and on a hand the player's own cards."""

    title: tuple[str, ...]
    trophies: tuple[Trophy, ...]
    deck: int
    seats: tuple[JestSeat, ...]
    own: JestHand | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """A card of a Jest and its points, or no card for the bonus of pairs."""

    key: str
    points: str
    trophy: bool = False


@dataclass(frozen=True, slots=True)
class JestRow:
    """A Jest with its value."""

    seat: int
    name: str
    place: int
    cards: tuple[Counted, ...]
    total: str


@dataclass(frozen=True, slots=True)
class JestSheet:
    """All Jests with their values, the best first, and the trophies that nobody won."""

    rows: tuple[JestRow, ...]
    nobody: tuple[str, ...] = ()
    banner: ResultBanner | None = None
