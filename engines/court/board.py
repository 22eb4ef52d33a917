"""The board of 22 × 22 squares with four starting squares and one edge per suit, and the paths of Mages.

A square is column + 22 × row; K11 is column 10 (A–V from the left) of row 10 (1–22 from the top). Functions with a
`pieces` argument accept a state or a view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from engines.court.deck import CARD_STEPS, SUITS
from engines.kit.cards import CLUBS, DIAMONDS, HEARTS, SPADES

SIDE = 22
SQUARES = range(SIDE * SIDE)
OFF_BOARD = -1
"""The position of a Mage or a Menhir that is off the board."""

COLUMN_LETTERS = "ABCDEFGHIJKLMNOPQRSTUV"
SQUARE_NAMES = tuple(f"{COLUMN_LETTERS[square % SIDE]}{square // SIDE + 1}" for square in SQUARES)
_SQUARES_BY_NAME = {name: square for square, name in enumerate(SQUARE_NAMES)}
START_SQUARES = tuple(_SQUARES_BY_NAME[name] for name in ("K11", "L11", "K12", "L12"))

STRIDES = {CLUBS: (-1, 0), DIAMONDS: (1, 0), HEARTS: (0, -1), SPADES: (0, 1)}
"""A step towards each suit's edge, in columns and rows."""


Obstacle = Literal["mage", "menhir"]


class BoardPieces(Protocol):
    """The positions of all pieces, by seat: a square, or OFF."""

    @property
    def mages(self) -> Sequence[int]: ...
    @property
    def menhirs(self) -> Sequence[int]: ...


class MagePath(NamedTuple):
    """The path of a Mage for a card (T5, T6). `end` is the last square, or OFF if it crosses the edge.

    `stopped` is the kind of piece that stops it, if any, and `at` is the square of that piece (OFF: none).
    """

    start: int
    end: int
    crosses: bool
    stopped: Obstacle | None
    at: int


def parse_square(text: str) -> int:
    """Parse `K9`, `k 9` or `K09`. Raises ValueError."""
    word = "".join(text.split()).upper()
    letter, number = word[:1], word[1:]
    if number.isascii() and number.isdigit() and len(number) <= 2:
        found = _SQUARES_BY_NAME.get(f"{letter}{int(number)}")
        if found is not None:
            return found
    raise ValueError(f"“{text.strip()[:20]}” is not a square. Write it like K9, with A–V and 1–22.")


def square_name(square: int) -> str:
    """Return the name of the square: `K9`."""
    return SQUARE_NAMES[square]


def mage_path(pieces: BoardPieces, mage: int, card: int) -> MagePath:
    """Return the path of a seat's Mage, which must be on the board, for any card except aces and Menhir cards."""
    start = pieces.mages[mage]
    end, at = trace_move(pieces, start, card)
    stopped: Obstacle | None = None if at == OFF_BOARD else "mage" if at in pieces.mages else "menhir"
    return MagePath(start, end, end == OFF_BOARD, stopped, at)


def trace_move(pieces: BoardPieces, start: int, card: int) -> tuple[int, int]:
    """Return where a card takes a Mage from a square (OFF: over the edge), and the square of the piece that stops it

    (OFF: none).
    """
    ray, steps = RAYS[card // 13][start], CARD_STEPS[card]
    standing = {*pieces.mages, *pieces.menhirs}
    for square in ray[:steps]:
        if square in standing:  # T5: it stops before the first piece, and the rest of the move is lost
            return start, square
        start = square
    return OFF_BOARD if steps > len(ray) else start, OFF_BOARD  # T6


def free_starts(pieces: BoardPieces) -> tuple[int, ...]:
    """Return the starting squares without a Mage."""
    return tuple([square for square in START_SQUARES if square not in pieces.mages])


def menhir_refusal(pieces: BoardPieces, square: int) -> str | None:
    """Explain in a sentence why a Menhir card cannot put a Menhir on a square (T8). None if it can."""
    if square not in SQUARES:
        return "There is no such square."
    if square in START_SQUARES:
        return f"{SQUARE_NAMES[square]} is a starting square, so no Menhir may stand there."
    if square in pieces.mages:
        return f"A Mage stands on {SQUARE_NAMES[square]}."
    if square in pieces.menhirs:
        return f"A Menhir stands on {SQUARE_NAMES[square]}."
    return None


def enclosed_mages(pieces: BoardPieces) -> list[int]:
    """Return the seats whose Mages have a Menhir on all four neighbouring squares (T11). Edges do not count."""
    return [
        seat for seat, mage in enumerate(pieces.mages) if mage != OFF_BOARD and _count_menhirs_around(pieces, mage) == 4
    ]


def _count_menhirs_around(pieces: BoardPieces, square: int) -> int:
    """Return the number of neighbouring squares with a Menhir."""
    return sum(rays[square][0] in pieces.menhirs for rays in RAYS if rays[square])


def _ray(start: int, stride: tuple[int, int]) -> tuple[int, ...]:
    """Return the squares from this one on towards an edge."""
    column, row = start % SIDE + stride[0], start // SIDE + stride[1]
    squares = []
    while 0 <= column < SIDE and 0 <= row < SIDE:
        squares.append(column + SIDE * row)
        column, row = column + stride[0], row + stride[1]
    return tuple(squares)


RAYS = tuple(tuple(_ray(start, STRIDES[suit]) for start in SQUARES) for suit in SUITS)
"""By suit and square: the squares from there on to the suit's edge."""
