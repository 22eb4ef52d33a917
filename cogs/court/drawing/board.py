"""The layout of the Court's board, or of a part of it: squares, coordinates, edges and pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from cogs.court.drawing import pieces
from cogs.court.drawing.pieces import EDGE_THICKNESS
from cogs.court.drawing.spec import BOARD_SIDE, PART_STARTS, CourtBoard, CourtMove, CourtWay, part_squares
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface
from cogs.pictures.raster.pen import DrawFunction

BOARD_LEFT, BOARD_TOP = 46, 38  # room for row numbers and column letters
CELL_SIZES = (82, 66, 55, 47, 41, 36, 33, 30)  # few sizes, because each sprite is drawn once per size
EDGE_SUITS = "HDSC"
COLUMN_LETTERS = "ABCDEFGHIJKLMNOPQRSTUV"
START_SQUARES = (10 + 10 * BOARD_SIDE, 11 + 10 * BOARD_SIDE, 10 + 11 * BOARD_SIDE, 11 + 11 * BOARD_SIDE)
_STRIDES = {"C": (-1, 0), "D": (1, 0), "H": (0, -1), "S": (0, 1)}
_PARTS_PIECE_SHARE = 1.4  # size of pieces on the whole board, in squares
_MIN_LABELLED_CELL = 38  # on smaller squares, every other column and row is labelled


@dataclass(frozen=True, slots=True)
class BoardWindow:
    """A part of the board, and the place of its first square in the picture."""

    column: int
    row: int
    columns: int
    rows: int
    cell: int
    x: float
    y: float

    @property
    def right(self) -> float:
        """The right end of the squares."""
        return self.x + self.columns * self.cell

    @property
    def bottom(self) -> float:
        """The lower end of the squares."""
        return self.y + self.rows * self.cell

    @property
    def is_whole(self) -> bool:
        """Whether the part is the whole board."""
        return self.columns == self.rows == BOARD_SIDE

    @property
    def piece_share(self) -> float:
        """The size of pieces in squares. Pieces on small squares are larger."""
        return 1.2 if self.cell < _MIN_LABELLED_CELL else 1.06

    def contains_square(self, square: int) -> bool:
        """Whether a square is in the part."""
        column, row = square % BOARD_SIDE - self.column, square // BOARD_SIDE - self.row
        return square >= 0 and 0 <= column < self.columns and 0 <= row < self.rows

    def square_middle(self, square: int) -> tuple[float, float]:
        """The middle of a square, which may be outside the part."""
        column, row = square % BOARD_SIDE - self.column, square // BOARD_SIDE - self.row
        return self.x + (column + 0.5) * self.cell, self.y + (row + 0.5) * self.cell

    def shows_edge(self, suit: str) -> bool:
        """Whether the part reaches this edge of the board."""
        return {
            "C": self.column == 0,
            "H": self.row == 0,
            "D": self.column + self.columns == BOARD_SIDE,
            "S": self.row + self.rows == BOARD_SIDE,
        }[suit]

    def border_point(self, suit: str, square: int) -> tuple[float, float]:
        """The point where a line from the square towards a suit leaves the part."""
        x, y = self.square_middle(square)
        return {"C": (self.x, y), "D": (self.right, y), "H": (x, self.y), "S": (x, self.bottom)}[suit]


def fit_window(squares: Iterable[int], x: float, y: float, width: float, height: float) -> BoardWindow:
    """Return the part around these squares that fills the room, with squares as large as possible."""
    known = list(squares) or list(START_SQUARES)
    columns, rows = [square % BOARD_SIDE for square in known], [square // BOARD_SIDE for square in known]
    left, right = max(0, min(columns) - 1), min(BOARD_SIDE, max(columns) + 2)
    top, low = max(0, min(rows) - 1), min(BOARD_SIDE, max(rows) + 2)
    fitting = (cell for cell in CELL_SIZES if cell * (right - left) <= width and cell * (low - top) <= height)
    cell = next(fitting)
    wide, high = min(BOARD_SIDE, int(width // cell)), min(BOARD_SIDE, int(height // cell))
    column = min(max(0, (left + right - wide + 1) // 2), BOARD_SIDE - wide)
    row = min(max(0, (top + low - high + 1) // 2), BOARD_SIDE - high)
    return BoardWindow(column, row, wide, high, cell, x + (width - wide * cell) / 2, y + (height - high * cell) / 2)


def window_on_pieces(board: CourtBoard, x: float, y: float, width: float, height: float) -> BoardWindow:
    """Return the part with all pieces, and with the possible moves if they lie outside."""
    standing = [square for square in (*board.mages, *board.menhirs, *board.free) if square >= 0]
    ends = [square for way in board.possible_moves for square in (way.move.start, last_square(way.move))]
    found = fit_window(standing, x, y, width, height)
    return found if all(map(found.contains_square, ends)) else fit_window((*standing, *ends), x, y, width, height)


def lay_board(surface: DrawingSurface, board: CourtBoard, window: BoardWindow) -> None:
    """Lay squares and frame, then moves and possible moves, then pieces, so that nothing hides a Mage."""
    surface.paste(
        window.x,
        window.y,
        pieces.board_squares,
        window.columns,
        window.rows,
        window.cell,
        (window.column + window.row) % 2,
    )
    for square in START_SQUARES:
        if window.contains_square(square):
            _paste_on_square(
                surface, window, square, 1, pieces.marked_square, "free" if square in board.free else "start"
            )
    _lay_coordinates(surface, window)
    _lay_edges(surface, board, window)
    if board.part >= 0:
        _lay_chosen_part(surface, board, window)
    for move in board.moves:
        _lay_arrow(surface, move, window)
    for way in board.possible_moves:
        _lay_possible_move(surface, way, window)
    _lay_pieces(surface, board, window, window.piece_share)


def lay_parts(surface: DrawingSurface, board: CourtBoard, window: BoardWindow) -> None:
    """Lay the whole board in parts, each with its name in a free corner, and the suits outside."""
    surface.paste(window.x, window.y, pieces.board_parts, window.cell)
    for square in START_SQUARES:
        _paste_on_square(surface, window, square, 1, pieces.marked_square, "start")
    _lay_bars(surface, window)
    for suit, (x, y) in _outside_sign_places(window).items():
        width, height = pieces.edge_sign_size(suit)
        surface.paste(x - width / 2, y - height / 2, pieces.edge_sign, suit, True)
    for column, row in product(PART_STARTS, PART_STARTS):
        _lay_part_name(surface, board, window, part_squares(column + BOARD_SIDE * row))
    _lay_pieces(surface, board, window, _PARTS_PIECE_SHARE)


def _lay_part_name(surface: DrawingSurface, board: CourtBoard, window: BoardWindow, squares: Sequence[int]) -> None:
    standing = {*board.mages, *board.menhirs}
    corner = next((each for each in _label_corners(squares) if not standing & {*each}), squares)
    x, y = window.square_middle(corner[0])
    above = corner[0] // BOARD_SIDE == squares[0] // BOARD_SIDE
    y += window.cell * (0.1 if above else -0.25)
    surface.text(x - 0.3 * window.cell, y, square_name(squares[0]), theme.MIN_TYPE_SIZE, theme.IVORY, theme.FELT, "l")


def square_name(square: int) -> str:
    """`K11`."""
    return f"{COLUMN_LETTERS[square % BOARD_SIDE]}{square // BOARD_SIDE + 1}"


def _label_corners(squares: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The squares that a name would cover or touch at the upper left, the lower left and the right of a part."""
    first, end = squares[0], squares[-1]
    for column, (row, beyond) in product(
        (first % BOARD_SIDE, end % BOARD_SIDE - 2), ((first // BOARD_SIDE, -1), (end // BOARD_SIDE, 1))
    ):
        yield tuple(at * BOARD_SIDE + column + i for at in (row, row + beyond) for i in range(3))


def _outside_sign_places(window: BoardWindow) -> dict[str, tuple[float, float]]:
    """The centres of the suit signs beside the whole board."""
    x, y = (window.x + window.right) / 2, (window.y + window.bottom) / 2
    (broad, low), (narrow, high) = pieces.edge_sign_size("H"), pieces.edge_sign_size("C")
    assert (broad, low) == (high, narrow)
    off = EDGE_THICKNESS + low / 2
    return {
        "H": (x, window.y - off),
        "S": (x, window.bottom + off),
        "C": (window.x - off, y),
        "D": (window.right + off, y),
    }


def _lay_chosen_part(surface: DrawingSurface, board: CourtBoard, window: BoardWindow) -> None:
    """Lay the frame of the chosen part, and the names of its free squares."""
    squares = part_squares(board.part)
    x, y = window.square_middle(squares[0])
    columns, rows = (
        squares[-1] % BOARD_SIDE - squares[0] % BOARD_SIDE + 1,
        squares[-1] // BOARD_SIDE - squares[0] // BOARD_SIDE + 1,
    )
    half = window.cell / 2
    surface.paste(x - half, y - half, pieces.gold_frame, columns * window.cell, rows * window.cell)
    for square in board.named:
        x, y = window.square_middle(square)
        surface.text(x, y, square_name(square), theme.MIN_TYPE_SIZE, theme.IVORY, theme.FELT)


def _lay_pieces(surface: DrawingSurface, board: CourtBoard, window: BoardWindow, share: float) -> None:
    """Lay Menhirs, then Mages, with their size in squares."""
    for seat, menhir in enumerate(board.menhirs):
        if window.contains_square(menhir):
            _paste_on_square(surface, window, menhir, share, pieces.menhir, seat)
    for seat, mage in enumerate(board.mages):
        if window.contains_square(mage):
            if seat == board.you:
                _paste_on_square(surface, window, mage, 1.25 * share, pieces.mage_halo)
            _paste_on_square(surface, window, mage, share, pieces.mage, seat)


def _paste_on_square(
    surface: DrawingSurface, window: BoardWindow, square: int, share: float, draw: DrawFunction, *arguments: int | str
) -> None:
    """Lay a sprite in the middle of a square, with its size in squares."""
    size = round(window.cell * share)
    x, y = window.square_middle(square)
    surface.paste(x - size / 2, y - size / 2, draw, *arguments, size)


def _lay_coordinates(surface: DrawingSurface, window: BoardWindow) -> None:
    """Lay column letters above and row numbers at the left."""
    every = 1 if window.cell >= _MIN_LABELLED_CELL else 2
    for i in range(window.column % every, window.columns, every):
        x = window.x + (i + 0.5) * window.cell
        surface.text(x, window.y - 23, COLUMN_LETTERS[window.column + i], theme.MIN_TYPE_SIZE, theme.IVORY, theme.FELT)
    for i in range((window.row + 1) % every, window.rows, every):
        y = window.y + (i + 0.5) * window.cell
        surface.text(window.x - 10, y, str(window.row + i + 1), theme.MIN_TYPE_SIZE, theme.IVORY, theme.FELT, "r")


def _lay_edges(surface: DrawingSurface, board: CourtBoard, window: BoardWindow) -> None:
    """Lay the suit of each side: a bar at an edge of the board, or a sign that points towards it."""
    _lay_bars(surface, window)
    for suit in EDGE_SUITS:
        (x, y), (width, height) = _edge_sign_place(board, suit, window), pieces.edge_sign_size(suit)
        surface.paste(x - width / 2, y - height / 2, pieces.edge_sign, suit, window.shows_edge(suit))


def _lay_bars(surface: DrawingSurface, window: BoardWindow) -> None:
    """Lay a bar at an edge of the board."""
    lengths = {"H": window.columns, "S": window.columns, "C": window.rows, "D": window.rows}
    bars = {
        "H": (window.x, window.y - EDGE_THICKNESS),
        "S": (window.x, window.bottom),
        "C": (window.x - EDGE_THICKNESS, window.y),
        "D": (window.right, window.y),
    }
    for suit in filter(window.shows_edge, EDGE_SUITS):
        surface.paste(*bars[suit], pieces.edge_bar, suit, lengths[suit] * window.cell)


def _edge_sign_place(board: CourtBoard, suit: str, window: BoardWindow) -> tuple[float, float]:
    """A free place for a suit's sign at its side, near the middle."""
    across = suit in "HS"
    first = {
        "H": window.row,
        "S": window.row + window.rows - 1,
        "C": window.column,
        "D": window.column + window.columns - 1,
    }[suit]
    number, start = (window.columns, window.column) if across else (window.rows, window.row)
    standing = {*board.mages, *board.menhirs, *(last_square(way.move) for way in board.possible_moves)}
    taken = {*board.named, *START_SQUARES}
    places = sorted(range(number), key=lambda i: abs(2 * i + 1 - number))
    squares = [first * BOARD_SIDE + start + i if across else (start + i) * BOARD_SIDE + first for i in places]
    beside = 1 if across else BOARD_SIDE
    free = [square for square in squares if not standing & {square - beside, square, square + beside}]
    x, y = window.square_middle(next((square for square in free if square not in taken), (free or squares)[0]))
    width, height = pieces.edge_sign_size(suit)
    return {
        "H": (x, window.y + height / 2),
        "S": (x, window.bottom - height / 2),
        "C": (window.x + width / 2, y),
        "D": (window.right - width / 2, y),
    }[suit]


def _lay_arrow(surface: DrawingSurface, move: CourtMove, window: BoardWindow) -> None:
    """Lay an arrow from the middle of the first square to just in front of the piece on the last one."""
    across = move.suit in "CD"
    (x0, y0), (x1, y1) = window.square_middle(move.start), window.square_middle(last_square(move))
    if move.end < 0:
        x1, y1 = window.border_point(move.suit, move.start)
    if not (window.y < y0 < window.bottom if across else window.x < x0 < window.right):
        return
    x0, x1 = (min(max(x, window.x), window.right) for x in (x0, x1))
    y0, y1 = (min(max(y, window.y), window.bottom) for y in (y0, y1))
    gap = 0.4 * window.cell if move.end >= 0 and window.contains_square(move.end) else 0
    length = round(abs(x1 - x0) + abs(y1 - y0) - gap)
    if length <= window.cell / 2:
        return
    width = max(10, window.cell // 5)
    dx, dy = _STRIDES[move.suit]
    left = min(x0, x0 + dx * length) if dx else x0 - 1.5 * width
    top = min(y0, y0 + dy * length) if dy else y0 - 1.5 * width
    surface.paste(left, top, pieces.arrow, move.suit, length, width)


def _lay_possible_move(surface: DrawingSurface, way: CourtWay, window: BoardWindow) -> None:
    """Lay dots on the path, and at its end the Mage's hollow shape, or the banner at the edge."""
    dx, dy = _STRIDES[way.move.suit]
    stop = last_square(way.move)
    square = way.move.start
    while square != stop:
        square += dx + BOARD_SIDE * dy
        if square != way.move.end:
            _paste_on_square(surface, window, square, 0.26, pieces.path_dot)
    if way.move.end < 0:
        x, y = window.border_point(way.move.suit, stop)
        size = max(44, window.cell)
        surface.paste(x - size / 2, y - size / 2, pieces.edge_crossing, way.move.suit, size, way.banner)
    elif way.move.end != way.move.start:
        _paste_on_square(surface, window, way.move.end, window.piece_share, pieces.mage_outline, way.seat)


def last_square(move: CourtMove) -> int:
    """The last square of the path, or the one at the edge if the path leaves the board."""
    if move.end >= 0:
        return move.end
    column, row = move.start % BOARD_SIDE, move.start // BOARD_SIDE
    return {
        "C": row * BOARD_SIDE,
        "D": row * BOARD_SIDE + BOARD_SIDE - 1,
        "H": column,
        "S": column + BOARD_SIDE * (BOARD_SIDE - 1),
    }[move.suit]
