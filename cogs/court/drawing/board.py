"""The Court's board, all of it or a part: squares, coordinates, edges, and what stands there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cogs.court.drawing import pieces
from cogs.court.drawing.pieces import BAND
from cogs.court.spec import SIDE, CourtBoard, CourtEnd, CourtMove
from cogs.pictures import theme
from cogs.pictures.canvas import Drawer, Surface

FRAME = 60  # round the squares: coordinates, and beyond them the suits' edges
CELLS = (88, 80, 72, 64, 56, 48, 44, 40)  # few sizes, since every thing is drawn once for each of them
COLUMNS = "ABCDEFGHIJKLMNOPQRSTUV"
STARTS = (10 + 10 * SIDE, 11 + 10 * SIDE, 10 + 11 * SIDE, 11 + 11 * SIDE)
_STRIDES = {"C": (-1, 0), "D": (1, 0), "H": (0, -1), "S": (0, 1)}
_LETTER = 25


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the board, and where its first square lies in the picture."""

    column: int
    row: int
    columns: int
    rows: int
    cell: int
    x: float
    y: float

    @property
    def right(self) -> float:
        """Where its squares end."""
        return self.x + self.columns * self.cell

    @property
    def low(self) -> float:
        """Where its squares end below."""
        return self.y + self.rows * self.cell

    def shows(self, square: int) -> bool:
        """Whether a square is in it."""
        column, row = square % SIDE - self.column, square // SIDE - self.row
        return square >= 0 and 0 <= column < self.columns and 0 <= row < self.rows

    def middle(self, square: int) -> tuple[float, float]:
        """The middle of a square, which need not be in it."""
        column, row = square % SIDE - self.column, square // SIDE - self.row
        return self.x + (column + 0.5) * self.cell, self.y + (row + 0.5) * self.cell

    def edge(self, suit: str) -> bool:
        """Whether that edge of the board is in it."""
        return {
            "C": self.column == 0,
            "H": self.row == 0,
            "D": self.column + self.columns == SIDE,
            "S": self.row + self.rows == SIDE,
        }[suit]


def whole(x: float, y: float) -> Window:
    """The whole board, as small as it can be read."""
    return Window(0, 0, SIDE, SIDE, CELLS[-1], x, y)


def window(squares: Iterable[int], x: float, y: float, width: float, height: float) -> Window | None:
    """As large as it goes, a part of the board with these squares and those around them, filling that room.

    None where they need more room.
    """
    known = list(squares)
    columns, rows = [square % SIDE for square in known], [square // SIDE for square in known]
    left, right = max(0, min(columns) - 1), min(SIDE, max(columns) + 2)
    top, low = max(0, min(rows) - 1), min(SIDE, max(rows) + 2)
    fitting = (cell for cell in CELLS if cell * (right - left) <= width and cell * (low - top) <= height)
    cell = next(fitting, None)
    if cell is None:
        return None
    wide, high = min(SIDE, int(width // cell)), min(SIDE, int(height // cell))
    column = min(max(0, (left + right - wide + 1) // 2), SIDE - wide)
    row = min(max(0, (top + low - high + 1) // 2), SIDE - high)
    return Window(column, row, wide, high, cell, x + (width - wide * cell) / 2, y + (height - high * cell) / 2)


def lay_board(surface: Surface, board: CourtBoard, at: Window) -> None:
    """Squares and frame, then what moved, what stands there, and what could be."""
    _lay_squares(surface, board, at)
    _lay_frame(surface, at)
    for end in board.ends:
        _lay_way(surface, end.way, at)
    for move in board.moves:
        _lay_arrow(surface, move, at)
    for square in board.free:
        _lay_free(surface, square, at)
    for seat, menhir in enumerate(board.menhirs):
        if at.shows(menhir):
            _paste(surface, at, menhir, 0.98, pieces.menhir, seat)
    for seat, mage in enumerate(board.mages):
        if at.shows(mage):
            if seat == board.you:
                _paste(surface, at, mage, 1.3, pieces.halo)
            _paste(surface, at, mage, 1.1, pieces.mage, seat)
    _lay_ends(surface, board.ends, at)


def _paste(surface: Surface, at: Window, square: int, share: float, draw: Drawer, *arguments: int) -> None:
    """A thing in the middle of a square, so many squares large."""
    size = round(at.cell * share)
    x, y = at.middle(square)
    surface.paste(x - size / 2, y - size / 2, draw, *arguments, size)


def _lay_free(surface: Surface, square: int, at: Window) -> None:
    """A starting square to choose, with its name."""
    x, y = at.middle(square)
    surface.paste(x - at.cell / 2, y - at.cell / 2, pieces.square, "free", at.cell)
    name = f"{COLUMNS[square % SIDE]}{square // SIDE + 1}"
    surface.text(x, y, name, round(at.cell * 0.36), theme.GOLD, theme.PLATE)


def _lay_squares(surface: Surface, board: CourtBoard, at: Window) -> None:
    for row in range(at.row, at.row + at.rows):
        for column in range(at.column, at.column + at.columns):
            square = column + SIDE * row
            dark = (column + row) % 2 == 1
            kind = "start" if square in STARTS else "marked" if column == board.column else "dark" if dark else ""
            if kind:
                x, y = at.middle(square)
                surface.paste(x - at.cell / 2, y - at.cell / 2, pieces.square, kind, at.cell)


def _lay_frame(surface: Surface, at: Window) -> None:
    """Coordinates on all four sides; beyond them the edges that are in sight, else which suit lies that way."""
    for i in range(at.columns):
        x, letter = at.x + (i + 0.5) * at.cell, COLUMNS[at.column + i]
        for y in (at.y - 15, at.low + 15):
            surface.text(x, y, letter, _LETTER, theme.IVORY, theme.FELT)
    for i in range(at.rows):
        y, number = at.y + (i + 0.5) * at.cell, str(at.row + i + 1)
        for x in (at.x - 15, at.right + 15):
            surface.text(x, y, number, _LETTER, theme.IVORY, theme.FELT)
    sides = {"H": at.y - 30 - BAND, "S": at.low + 30}
    for suit, y in sides.items():
        for i in range(at.columns) if at.edge(suit) else ():
            surface.paste(at.x + i * at.cell, y, pieces.edge, suit, at.cell, i % 2 == 0)
        if not at.edge(suit):
            surface.paste((at.x + at.right) / 2 - 44, y, pieces.edge, suit, 88, True)
    sides = {"C": at.x - 30 - BAND, "D": at.right + 30}
    for suit, x in sides.items():
        for i in range(at.rows) if at.edge(suit) else ():
            surface.paste(x, at.y + i * at.cell, pieces.edge, suit, at.cell, i % 2 == 0)
        if not at.edge(suit):
            surface.paste(x, (at.y + at.low) / 2 - 44, pieces.edge, suit, 88, True)


def _beyond(at: Window, move: CourtMove) -> tuple[float, float]:
    """Where a move ends in the picture."""
    if move.end >= 0:
        return at.middle(move.end)
    x, y = at.middle(move.start)
    return {"C": (at.x - 40, y), "D": (at.right + 40, y), "H": (x, at.y - 40), "S": (x, at.low + 40)}[move.suit]


def _lay_arrow(surface: Surface, move: CourtMove, at: Window) -> None:
    """From the middle of the first square to just before whatever stands on the last one."""
    (x0, y0), (x1, y1) = at.middle(move.start), _beyond(at, move)
    gap = 0.36 * at.cell if move.end >= 0 else 0
    length = round(abs(x1 - x0) + abs(y1 - y0) - gap)
    if length <= 0 or not at.shows(move.start) or (move.end >= 0 and not at.shows(move.end)):
        return
    width = max(12, at.cell // 4)
    dx, dy = _STRIDES[move.suit]
    left = min(x0, x0 + dx * length) if dx else x0 - 1.5 * width
    top = min(y0, y0 + dy * length) if dy else y0 - 1.5 * width
    surface.paste(left, top, pieces.arrow, move.suit, length, width)


def _lay_way(surface: Surface, way: CourtMove, at: Window) -> None:
    """Dots on the squares on the way."""
    dx, dy = _STRIDES[way.suit]
    stop = last(way)
    square = way.start
    while square != stop:
        square += dx + SIDE * dy
        if at.shows(square):
            _paste(surface, at, square, 0.22, pieces.step)


def last(way: CourtMove) -> int:
    """The last square of the way; where it leads off the board, the one at the edge."""
    if way.end >= 0:
        return way.end
    column, row = way.start % SIDE, way.start // SIDE
    return {
        "C": row * SIDE,
        "D": row * SIDE + SIDE - 1,
        "H": column,
        "S": column + SIDE * (SIDE - 1),
    }[way.suit]


def _lay_ends(surface: Surface, ends: Sequence[CourtEnd], at: Window) -> None:
    """Marks on the squares where cards lead; several on one square stand across the way."""
    there: dict[CourtMove, list[CourtEnd]] = {}
    for end in ends:
        there.setdefault(end.way, []).append(end)
    size = min(64, round(0.9 * at.cell))
    for way, marks in there.items():
        dx, dy = _STRIDES[way.suit]
        x, y = _beyond(at, way)
        if way.end == way.start:  # stopped at once: between the two
            x, y = x + 0.55 * dx * at.cell, y + 0.55 * dy * at.cell
        for i, mark in enumerate(marks):
            off = (i - (len(marks) - 1) / 2) * (size + 2)
            surface.paste(
                x + (off if dy else 0) - size / 2,
                y + (off if dx else 0) - size / 2,
                pieces.end,
                mark.text,
                size,
                mark.gold,
            )
