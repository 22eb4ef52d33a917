"""What a picture of the Court shows. Squares are column + 22 × row; −1 is no square. Seats are in their order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from cogs.pictures.spec import SeatPlate

BOARD_SIDE = 22
PART_STARTS = (
    0,
    5,
    9,
    13,
    17,
)  # columns, and rows, at which the parts of the board begin: five by five


def part_of(square: int) -> int:
    """The first square of the part that a square is in."""
    column, row = (
        max(first for first in PART_STARTS if first <= at) for at in (square % BOARD_SIDE, square // BOARD_SIDE)
    )
    return column + BOARD_SIDE * row


@cache
def part_squares(first: int) -> tuple[int, ...]:
    """All squares of a part, row by row."""
    return tuple(square for square in range(BOARD_SIDE * BOARD_SIDE) if part_of(square) == first)


@dataclass(frozen=True, slots=True)
class CourtMove:
    """A Mage on its way towards a suit's edge, or (`end` −1) beyond it."""

    start: int
    end: int
    suit: str


@dataclass(frozen=True, slots=True)
class CourtWay:
    """Where the chosen card would take a seat's Mage, and whether that brings a banner."""

    seat: int
    move: CourtMove
    banner: bool = False


@dataclass(frozen=True, slots=True)
class CourtBoard:
    """All that is on the board. Mages and Menhirs by seat."""

    mages: tuple[int, ...]
    menhirs: tuple[int, ...]
    moves: tuple[CourtMove, ...] = ()  # the last ones, as arrows
    ways: tuple[CourtWay, ...] = ()  # what could be
    free: tuple[int, ...] = ()  # squares to choose from
    part: int = -1  # the part that is chosen, by its first square
    named: tuple[int, ...] = ()  # squares in it that bear their names
    you: int = -1  # whose Mage is ringed


@dataclass(frozen=True, slots=True)
class CourtRolls:
    """An attack: whose, the card, the die, and for each defender the die that counted and whether it was hit."""

    seat: int
    card: str
    roll: int
    defences: tuple[tuple[int, int, bool], ...]


@dataclass(frozen=True, slots=True)
class CourtPicture:
    """The board as far as anything stands on it, a plate a seat at its side; below the hand, or the last dice.

    A card of the hand is its name, and whether it is of no use now.
    """

    plates: tuple[SeatPlate, ...]
    board: CourtBoard
    note: str = ""  # how far the match is
    hand: tuple[tuple[str, bool], ...] = ()
    chosen: str = ""  # the card that is framed
    rolls: CourtRolls | None = None
    roll_off: tuple[int, ...] = ()  # by seat the die that counted, as long as there was no attack
    whole: bool = False  # the whole board in its parts, or one of them from near; and nothing below it
