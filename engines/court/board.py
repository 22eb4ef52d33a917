"""The board: 22 × 22 squares, four starting squares, an edge a suit; and where a Mage would get to on it.

A square is column + 22 × row; K11 is column 10 (A–V from the left) of row 10 (1–22 from the top). What asks for a
`table` reads `mages` and `menhirs` of a state or of a view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from engines.court.deck import STEPS, SUITS
from engines.kit.cards import CLUBS, DIAMONDS, HEARTS, SPADES

SIDE = 22
SQUARES = range(SIDE * SIDE)
OFF = -1
"""Where a Mage or a Menhir is that stands on no square."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUV"
NAMES = tuple(f"{LETTERS[square % SIDE]}{square // SIDE + 1}" for square in SQUARES)
_SQUARES = {name: square for square, name in enumerate(NAMES)}
STARTS = tuple(_SQUARES[name] for name in ("K11", "L11", "K12", "L12"))

STRIDES = {CLUBS: (-1, 0), DIAMONDS: (1, 0), HEARTS: (0, -1), SPADES: (0, 1)}
"""A step towards each suit's edge, in columns and rows."""


Obstacle = Literal["mage", "menhir"]


class Table(Protocol):
    """What stands on the board, by seat: OFF, or a square."""

    @property
    def mages(self) -> Sequence[int]: ...
    @property
    def menhirs(self) -> Sequence[int]: ...


class Path(NamedTuple):
    """Where a card takes a Mage (T5, T6): to which square; `end` is OFF where it crosses the edge.

    `stopped` is what it stops before, if anything, and `at` the square of that (OFF: nothing).
    """

    start: int
    end: int
    crosses: bool
    stopped: Obstacle | None
    at: int


def square(text: str) -> int:
    """The square behind `K9`, `k 9` or `K09`. Raises ValueError."""
    word = "".join(text.split()).upper()
    letter, number = word[:1], word[1:]
    if number.isascii() and number.isdigit() and len(number) <= 2:
        found = _SQUARES.get(f"{letter}{int(number)}")
        if found is not None:
            return found
    raise ValueError(f"“{text.strip()[:20]}” is no square; write it like K9, with A–V and 1–22.")


def name(square: int) -> str:
    """The square's name: `K9`."""
    return NAMES[square]


def path(table: Table, mage: int, card: int) -> Path:
    """Where that card takes the Mage of that seat, which stands on the board; any card that is no ace and no Menhir."""
    start = table.mages[mage]
    end, at = reach(table, start, card)
    stopped: Obstacle | None = None if at == OFF else "mage" if at in table.mages else "menhir"
    return Path(start, end, end == OFF, stopped, at)


def reach(table: Table, start: int, card: int) -> tuple[int, int]:
    """Where that card takes a Mage from there: to which square (OFF: over the edge), and before which it stops short

    (OFF: before none).
    """
    ray, steps = RAYS[card // 13][start], STEPS[card]
    standing = {*table.mages, *table.menhirs}
    for square in ray[:steps]:
        if square in standing:  # T5: it stops before the first of them, and the rest of the move is lost
            return start, square
        start = square
    return OFF if steps > len(ray) else start, OFF  # T6


def free_starts(table: Table) -> tuple[int, ...]:
    """The starting squares that no Mage stands on."""
    return tuple([square for square in STARTS if square not in table.mages])


def why_no_menhir(table: Table, square: int) -> str | None:
    """Why a Menhir card cannot put a Menhir there (T8), as a sentence; None where it can."""
    if square not in SQUARES:
        return "There is no such square."
    if square in STARTS:
        return f"{NAMES[square]} is a starting square. No Menhir may stand there."
    if square in table.mages:
        return f"A Mage stands on {NAMES[square]}."
    if square in table.menhirs:
        return f"A Menhir stands on {NAMES[square]}."
    return None


def enclosed(table: Table) -> list[int]:
    """The seats of the Mages with a Menhir on each of the four neighbouring squares (T11): no edge counts as one."""
    return [seat for seat, mage in enumerate(table.mages) if mage != OFF and _menhirs_around(table, mage) == 4]


def _menhirs_around(table: Table, square: int) -> int:
    """On how many of the squares next to that one a Menhir stands."""
    return sum(rays[square][0] in table.menhirs for rays in RAYS if rays[square])


def _ray(start: int, stride: tuple[int, int]) -> tuple[int, ...]:
    """The squares from that one on towards an edge."""
    column, row = start % SIDE + stride[0], start // SIDE + stride[1]
    squares = []
    while 0 <= column < SIDE and 0 <= row < SIDE:
        squares.append(column + SIDE * row)
        column, row = column + stride[0], row + stride[1]
    return tuple(squares)


RAYS = tuple(tuple(_ray(start, STRIDES[suit]) for start in SQUARES) for suit in SUITS)
"""By suit and square, the squares from there on to the suit's edge."""
