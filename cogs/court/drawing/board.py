"""The Court's board, all of it or a part: squares, coordinates, edges, and what stands there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from cogs.court.drawing import pieces
from cogs.court.drawing.pieces import BAND
from cogs.court.spec import PARTS, SIDE, CourtBoard, CourtMove, CourtWay, in_part
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import Surface
from cogs.pictures.raster.pen import Drawer

LEFT, TOP = 46, 38  # of the squares: numbers and letters
CELLS = (82, 66, 55, 47, 41, 36, 33, 30)  # few sizes, since every thing is drawn once for each of them
SUITS = "HDSC"
COLUMNS = "ABCDEFGHIJKLMNOPQRSTUV"
STARTS = (10 + 10 * SIDE, 11 + 10 * SIDE, 10 + 11 * SIDE, 11 + 11 * SIDE)
_STRIDES = {"C": (-1, 0), "D": (1, 0), "H": (0, -1), "S": (0, 1)}
_FAR = 1.4  # how large what stands on the whole board in its parts is, in squares
_CLOSE = 38  # below it, every other column and row is named


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

    @property
    def whole(self) -> bool:
        """Whether it is all of the board."""
        return self.columns == self.rows == SIDE

    @property
    def share(self) -> float:
        """How large what stands on a square is, in squares: on small ones it stands out."""
        return 1.2 if self.cell < _CLOSE else 1.06

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

    def border(self, suit: str, square: int) -> tuple[float, float]:
        """Where a line from that square towards a suit leaves it."""
        x, y = self.middle(square)
        return {"C": (self.x, y), "D": (self.right, y), "H": (x, self.y), "S": (x, self.low)}[suit]


def window(squares: Iterable[int], x: float, y: float, width: float, height: float) -> Window:
    """As large as it goes, a part of the board with these squares and those around them, filling that room."""
    known = list(squares) or list(STARTS)
    columns, rows = [square % SIDE for square in known], [square // SIDE for square in known]
    left, right = max(0, min(columns) - 1), min(SIDE, max(columns) + 2)
    top, low = max(0, min(rows) - 1), min(SIDE, max(rows) + 2)
    fitting = (cell for cell in CELLS if cell * (right - left) <= width and cell * (low - top) <= height)
    cell = next(fitting)
    wide, high = min(SIDE, int(width // cell)), min(SIDE, int(height // cell))
    column = min(max(0, (left + right - wide + 1) // 2), SIDE - wide)
    row = min(max(0, (top + low - high + 1) // 2), SIDE - high)
    return Window(column, row, wide, high, cell, x + (width - wide * cell) / 2, y + (height - high * cell) / 2)


def part(board: CourtBoard, x: float, y: float, width: float, height: float) -> Window:
    """The part on which anything stands; more of it only where what could be lies beyond."""
    standing = [square for square in (*board.mages, *board.menhirs, *board.free) if square >= 0]
    ends = [square for way in board.ways for square in (way.move.start, last(way.move))]
    found = window(standing, x, y, width, height)
    return found if all(map(found.shows, ends)) else window((*standing, *ends), x, y, width, height)


def lay_board(surface: Surface, board: CourtBoard, at: Window) -> None:
    """Squares and frame, then what moved, what could be, and what stands there: nothing hides a Mage."""
    surface.paste(at.x, at.y, pieces.squares, at.columns, at.rows, at.cell, (at.column + at.row) % 2)
    for square in STARTS:
        if at.shows(square):
            _paste(surface, at, square, 1, pieces.square, "free" if square in board.free else "start")
    _lay_frame(surface, at)
    _lay_edges(surface, board, at)
    if board.part >= 0:
        _lay_chosen(surface, board, at)
    for move in board.moves:
        _lay_arrow(surface, move, at)
    for way in board.ways:
        _lay_way(surface, way, at)
    _lay_standing(surface, board, at, at.share)


def lay_parts(surface: Surface, board: CourtBoard, at: Window) -> None:
    """The whole board in its parts, each with its name in a corner where nothing stands; suits outside it."""
    surface.paste(at.x, at.y, pieces.parts, at.cell)
    for square in STARTS:
        _paste(surface, at, square, 1, pieces.square, "start")
    _lay_bars(surface, at)
    for suit, (x, y) in _outside(at).items():
        width, height = pieces.sign_size(suit)
        surface.paste(x - width / 2, y - height / 2, pieces.sign, suit, True)
    for column, row in product(PARTS, PARTS):
        _lay_part_name(surface, board, at, in_part(column + SIDE * row))
    _lay_standing(surface, board, at, _FAR)


def _lay_part_name(surface: Surface, board: CourtBoard, at: Window, squares: Sequence[int]) -> None:
    standing = {*board.mages, *board.menhirs}
    corner = next((each for each in _corners(squares) if not standing & {*each}), squares)
    x, y = at.middle(corner[0])
    above = corner[0] // SIDE == squares[0] // SIDE
    y += at.cell * (0.1 if above else -0.25)
    surface.text(x - 0.3 * at.cell, y, name(squares[0]), theme.LEAST_TYPE, theme.IVORY, theme.FELT, "l")


def name(square: int) -> str:
    """`K11`."""
    return f"{COLUMNS[square % SIDE]}{square // SIDE + 1}"


def _corners(squares: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """What a name would cover or touch in the upper left of a part, the lower left, and at the right."""
    first, end = squares[0], squares[-1]
    for column, (row, beyond) in product((first % SIDE, end % SIDE - 2), ((first // SIDE, -1), (end // SIDE, 1))):
        yield tuple(at * SIDE + column + i for at in (row, row + beyond) for i in range(3))


def _outside(at: Window) -> dict[str, tuple[float, float]]:
    """The middles of the suits' signs beside the whole board."""
    x, y = (at.x + at.right) / 2, (at.y + at.low) / 2
    (broad, low), (narrow, high) = pieces.sign_size("H"), pieces.sign_size("C")
    assert (broad, low) == (high, narrow)
    off = BAND + low / 2
    return {"H": (x, at.y - off), "S": (x, at.low + off), "C": (at.x - off, y), "D": (at.right + off, y)}


def _lay_chosen(surface: Surface, board: CourtBoard, at: Window) -> None:
    """The chosen part framed, and the names of the squares that may be chosen in it."""
    squares = in_part(board.part)
    x, y = at.middle(squares[0])
    columns, rows = squares[-1] % SIDE - squares[0] % SIDE + 1, squares[-1] // SIDE - squares[0] // SIDE + 1
    half = at.cell / 2
    surface.paste(x - half, y - half, pieces.frame, columns * at.cell, rows * at.cell)
    for square in board.named:
        x, y = at.middle(square)
        surface.text(x, y, name(square), theme.LEAST_TYPE, theme.IVORY, theme.FELT)


def _lay_standing(surface: Surface, board: CourtBoard, at: Window, share: float) -> None:
    """Menhirs, then Mages, so many squares large."""
    for seat, menhir in enumerate(board.menhirs):
        if at.shows(menhir):
            _paste(surface, at, menhir, share, pieces.menhir, seat)
    for seat, mage in enumerate(board.mages):
        if at.shows(mage):
            if seat == board.you:
                _paste(surface, at, mage, 1.25 * share, pieces.halo)
            _paste(surface, at, mage, share, pieces.mage, seat)


def _paste(surface: Surface, at: Window, square: int, share: float, draw: Drawer, *arguments: int | str) -> None:
    """A thing in the middle of a square, so many squares large."""
    size = round(at.cell * share)
    x, y = at.middle(square)
    surface.paste(x - size / 2, y - size / 2, draw, *arguments, size)


def _lay_frame(surface: Surface, at: Window) -> None:
    """Letters above, numbers at the left."""
    every = 1 if at.cell >= _CLOSE else 2
    for i in range(at.column % every, at.columns, every):
        x = at.x + (i + 0.5) * at.cell
        surface.text(x, at.y - 23, COLUMNS[at.column + i], theme.LEAST_TYPE, theme.IVORY, theme.FELT)
    for i in range((at.row + 1) % every, at.rows, every):
        y = at.y + (i + 0.5) * at.cell
        surface.text(at.x - 10, y, str(at.row + i + 1), theme.LEAST_TYPE, theme.IVORY, theme.FELT, "r")


def _lay_edges(surface: Surface, board: CourtBoard, at: Window) -> None:
    """At each side its suit; a bar where that is the edge of the board, else the sign points on to it."""
    _lay_bars(surface, at)
    for suit in SUITS:
        (x, y), (width, height) = _side(board, suit, at), pieces.sign_size(suit)
        surface.paste(x - width / 2, y - height / 2, pieces.sign, suit, at.edge(suit))


def _lay_bars(surface: Surface, at: Window) -> None:
    """A bar where the board ends."""
    lengths = {"H": at.columns, "S": at.columns, "C": at.rows, "D": at.rows}
    bars = {"H": (at.x, at.y - BAND), "S": (at.x, at.low), "C": (at.x - BAND, at.y), "D": (at.right, at.y)}
    for suit in filter(at.edge, SUITS):
        surface.paste(*bars[suit], pieces.edge, suit, lengths[suit] * at.cell)


def _side(board: CourtBoard, suit: str, at: Window) -> tuple[float, float]:
    """The place for a suit's sign at its side, near the middle, where nothing stands."""
    across = suit in "HS"
    first = {"H": at.row, "S": at.row + at.rows - 1, "C": at.column, "D": at.column + at.columns - 1}[suit]
    number, start = (at.columns, at.column) if across else (at.rows, at.row)
    standing = {*board.mages, *board.menhirs, *(last(way.move) for way in board.ways)}
    taken = {*board.named, *STARTS}
    places = sorted(range(number), key=lambda i: abs(2 * i + 1 - number))
    squares = [first * SIDE + start + i if across else (start + i) * SIDE + first for i in places]
    beside = 1 if across else SIDE
    free = [square for square in squares if not standing & {square - beside, square, square + beside}]
    x, y = at.middle(next((square for square in free if square not in taken), (free or squares)[0]))
    width, height = pieces.sign_size(suit)
    return {
        "H": (x, at.y + height / 2),
        "S": (x, at.low - height / 2),
        "C": (at.x + width / 2, y),
        "D": (at.right - width / 2, y),
    }[suit]


def _lay_arrow(surface: Surface, move: CourtMove, at: Window) -> None:
    """From the middle of the first square, or where the part begins, to just before what stands on the last one."""
    across = move.suit in "CD"
    (x0, y0), (x1, y1) = at.middle(move.start), at.middle(last(move))
    if move.end < 0:
        x1, y1 = at.border(move.suit, move.start)
    if not (at.y < y0 < at.low if across else at.x < x0 < at.right):
        return
    x0, x1 = (min(max(x, at.x), at.right) for x in (x0, x1))
    y0, y1 = (min(max(y, at.y), at.low) for y in (y0, y1))
    gap = 0.4 * at.cell if move.end >= 0 and at.shows(move.end) else 0
    length = round(abs(x1 - x0) + abs(y1 - y0) - gap)
    if length <= at.cell / 2:
        return
    width = max(10, at.cell // 5)
    dx, dy = _STRIDES[move.suit]
    left = min(x0, x0 + dx * length) if dx else x0 - 1.5 * width
    top = min(y0, y0 + dy * length) if dy else y0 - 1.5 * width
    surface.paste(left, top, pieces.arrow, move.suit, length, width)


def _lay_way(surface: Surface, way: CourtWay, at: Window) -> None:
    """Dots on the squares on the way; at its end the Mage's shape, hollow, or at the edge the banner it brings."""
    dx, dy = _STRIDES[way.move.suit]
    stop = last(way.move)
    square = way.move.start
    while square != stop:
        square += dx + SIDE * dy
        if square != way.move.end:
            _paste(surface, at, square, 0.26, pieces.step)
    if way.move.end < 0:
        x, y = at.border(way.move.suit, stop)
        size = max(44, at.cell)
        surface.paste(x - size / 2, y - size / 2, pieces.crossing, way.move.suit, size, way.banner)
    elif way.move.end != way.move.start:
        _paste(surface, at, way.move.end, at.share, pieces.ghost, way.seat)


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
