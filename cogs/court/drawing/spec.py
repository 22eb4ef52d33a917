"""The values of the Court's picture. Squares are column + 22 × row; −1 is no square. Seats are in order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from cogs.pictures.spec import LobbyPicture, ResultBanner, SeatPlate

BOARD_SIDE = 22
PART_STARTS = (
    0,
    5,
    9,
    13,
    17,
)  # the first columns and rows of the parts, five by five

CLOTH = "walnut"
"""The cloth of the table (`theme.CLOTHS`)."""


@dataclass(frozen=True, slots=True)
class CourtSign:
    """The sign of the game: a king, his Mage and the board."""


@dataclass(frozen=True, slots=True)
class CourtLobby(LobbyPicture):
    """The picture of a lobby of this game."""


def part_of(square: int) -> int:
    """Return the first square of a square's part."""
    column, row = (
        max(first for first in PART_STARTS if first <= at) for at in (square % BOARD_SIDE, square // BOARD_SIDE)
    )
    return column + BOARD_SIDE * row


@cache
def part_squares(first: int) -> tuple[int, ...]:
    """Return all squares of a part, row by row."""
    return tuple(square for square in range(BOARD_SIDE * BOARD_SIDE) if part_of(square) == first)


@dataclass(frozen=True, slots=True)
class CourtMove:
    """A Mage's move towards a suit's edge, or over it if `end` is −1."""

    start: int
    end: int
    suit: str


@dataclass(frozen=True, slots=True)
class CourtWay:
    """The possible move of a seat's Mage by the chosen card, and whether it brings a banner."""

    seat: int
    move: CourtMove
    banner: bool = False


@dataclass(frozen=True, slots=True)
class CourtBoard:
    """Everything on the board. Mages and Menhirs are by seat."""

    mages: tuple[int, ...]
    menhirs: tuple[int, ...]
    moves: tuple[CourtMove, ...] = ()  # the last moves, as arrows
    possible_moves: tuple[CourtWay, ...] = ()
    free: tuple[int, ...] = ()  # squares to choose from
    part: int = -1  # the chosen part, by its first square
    named: tuple[int, ...] = ()  # squares in it with their names
    you: int = -1  # the seat whose Mage has a ring


@dataclass(frozen=True, slots=True)
class CourtRolls:
    """An attack: the attacker, the card, the die, and each defender's final die and whether it was hit."""

    seat: int
    card: str
    roll: int
    defences: tuple[tuple[int, int, bool], ...]


@dataclass(frozen=True, slots=True)
class CourtPicture:
    """The part of the board with pieces, a plate per seat beside it, and below the hand or the last dice.

    A card of the hand is its name, and whether it is unusable now.
    """

    plates: tuple[SeatPlate, ...]
    board: CourtBoard
    note: str = ""  # the turn
    hand: tuple[tuple[str, bool], ...] = ()
    chosen: str = ""  # the framed card
    rolls: CourtRolls | None = None
    roll_off: tuple[int, ...] = ()  # by seat, the final die, until the first attack
    banner: ResultBanner | None = None
    whole: bool = False  # the whole board in parts, or an enlarged part, with nothing below
