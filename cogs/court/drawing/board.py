"""The layout of the Court's board: squares, coordinates, edges, moves and pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cogs.court.drawing import pieces
from cogs.court.drawing.pieces import EDGE_THICKNESS
from cogs.court.drawing.spec import BOARD_SIDE, CourtBoard, CourtMove, CourtWay
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface
from cogs.pictures.raster.pen import DrawFunction

LETTERS_HEIGHT, NUMBERS_WIDTH = 34, 42  # room for column letters above and row numbers at the left
EDGE_SUITS = "HDSC"
COLUMN_LETTERS = "ABCDEFGHIJKLMNOPQRSTUV"
START_SQUARES = (10 + 10 * BOARD_SIDE, 11 + 10 * BOARD_SIDE, 10 + 11 * BOARD_SIDE, 11 + 11 * BOARD_SIDE)
_STRIDES = {"C": (-1, 0), "D": (1, 0), "H": (0, -1), "S": (0, 1)}
_PIECE_SHARE = 1.2  # size of pieces, in squares
_LETTER_CELL = 28  # squares that are wide enough for every letter; on smaller ones letters are condensed
_NUMBER_CELL = 26  # squares that are high enough for every number; on smaller ones every other row has its own
_CROSSING_SIZE = 54  # of a banner at the edge
_TILE_GAP = 3
_NAME_SIZE = (66, 34)  # of a starting square's name

Box = tuple[float, float, float, float]
"""The left, upper, right and lower end of something."""


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """The place of the board in the picture: the size of its squares, and their upper left corner."""

    cell: int
    x: float
    y: float

    @property
    def right(self) -> float:
        """The right end of the squares."""
        return self.x + BOARD_SIDE * self.cell

    @property
    def bottom(self) -> float:
        """The lower end of the squares."""
        return self.y + BOARD_SIDE * self.cell

    def square_middle(self, square: int) -> tuple[float, float]:
        """The middle of a square."""
        return self.x + (square % BOARD_SIDE + 0.5) * self.cell, self.y + (square // BOARD_SIDE + 0.5) * self.cell

    def square_box(self, square: int, share: float = 1) -> Box:
        """The ends of something in the middle of a square, with its size in squares."""
        (x, y), half = self.square_middle(square), self.cell * share / 2
        return x - half, y - half, x + half, y + half

    def border_point(self, suit: str, square: int) -> tuple[float, float]:
        """The point where a line from the square towards a suit leaves the squares."""
        x, y = self.square_middle(square)
        return {"C": (self.x, y), "D": (self.right, y), "H": (x, self.y), "S": (x, self.bottom)}[suit]

    def edge_middle(self, suit: str, square: int) -> tuple[float, float]:
        """The middle of the edge's strip where a line from the square towards a suit crosses it."""
        (x, y), (dx, dy) = self.border_point(suit, square), _STRIDES[suit]
        return x + dx * EDGE_THICKNESS / 2, y + dy * EDGE_THICKNESS / 2


def place_board(left: float, top: float, cell: int) -> BoardPlace:
    """Return the place of a board whose coordinates begin at a point."""
    return BoardPlace(cell, left + NUMBERS_WIDTH + EDGE_THICKNESS, top + LETTERS_HEIGHT + EDGE_THICKNESS)


def board_size(cell: int) -> tuple[int, int]:
    """Return the width and height of the board with its edges and coordinates."""
    side = BOARD_SIDE * cell + 2 * EDGE_THICKNESS
    return NUMBERS_WIDTH + side, LETTERS_HEIGHT + side


def square_name(square: int) -> str:
    """`K11`."""
    return f"{COLUMN_LETTERS[square % BOARD_SIDE]}{square // BOARD_SIDE + 1}"


def lay_board(surface: DrawingSurface, board: CourtBoard, place: BoardPlace) -> None:
    """Lay squares and edges, then moves and possible moves, then pieces, so that nothing hides a Mage."""
    surface.paste(place.x, place.y, pieces.board_squares, BOARD_SIDE, BOARD_SIDE, place.cell, 0)
    for square in START_SQUARES:
        _paste_on_square(surface, place, square, 1, pieces.marked_square, "free" if square in board.free else "start")
    _lay_coordinates(surface, place)
    _lay_edges(surface, board, place)
    if board.row >= 0:
        _lay_chosen_row(surface, board.row, place)
    for move in board.moves:
        _lay_arrow(surface, move, place)
    for way in board.possible_moves:
        _lay_path(surface, way, place)
    for way, x, y in tile_places(board, place):
        surface.paste(x, y, pieces.card_tile, way.card, way.seat, 1)
    for way in board.possible_moves:
        _lay_destination(surface, way, place)
    for square, (x, y, _, _) in _name_boxes(board, place).items():
        surface.paste(x, y, pieces.name_ground, *_NAME_SIZE)
        middle = x + _NAME_SIZE[0] / 2, y + _NAME_SIZE[1] / 2
        surface.text(*middle, square_name(square), theme.MIN_TYPE_SIZE, theme.IVORY, theme.PLATE)
    _lay_pieces(surface, board, place)


def _lay_coordinates(surface: DrawingSurface, place: BoardPlace) -> None:
    """Lay column letters above and row numbers at the left."""
    size, ink, ground = theme.MIN_TYPE_SIZE, theme.IVORY, theme.FELT
    stretch = min(1, place.cell / _LETTER_CELL)
    every = 1 if place.cell >= _NUMBER_CELL else 2
    for i in range(BOARD_SIDE):
        along = (i + 0.5) * place.cell
        above = place.y - EDGE_THICKNESS - LETTERS_HEIGHT / 2
        surface.text(place.x + along, above, COLUMN_LETTERS[i], size, ink, ground, stretch=stretch)
        if i % every == 0:
            surface.text(place.x - EDGE_THICKNESS - 4, place.y + along, str(i + 1), size, ink, ground, "r")


def _lay_edges(surface: DrawingSurface, board: CourtBoard, place: BoardPlace) -> None:
    """Lay a strip with its suit along each edge. One that brings nothing more is faded and has a tick."""
    length, strip = BOARD_SIDE * place.cell, EDGE_THICKNESS
    corners = {
        "H": (place.x, place.y - strip),
        "S": (place.x, place.bottom),
        "C": (place.x - strip, place.y),
        "D": (place.right, place.y),
    }
    for suit, (x, y) in corners.items():
        is_claimed = suit in board.claimed
        surface.paste(x, y, pieces.edge_strip, suit, length, dimmed=is_claimed)
        if is_claimed:
            middle_x, middle_y = (x + length / 2, y + strip / 2) if suit in "HS" else (x + strip / 2, y + length / 2)
            surface.paste(middle_x - 20, middle_y - 20, pieces.edge_tick, 40)


def _lay_chosen_row(surface: DrawingSurface, row: int, place: BoardPlace) -> None:
    surface.paste(
        place.x - 4,
        place.y + row * place.cell - 4,
        pieces.gold_frame,
        BOARD_SIDE * place.cell + 8,
        place.cell + 8,
    )


def _lay_pieces(surface: DrawingSurface, board: CourtBoard, place: BoardPlace) -> None:
    """Lay Menhirs, then Mages."""
    for seat, menhir in enumerate(board.menhirs):
        if menhir >= 0:
            _paste_on_square(surface, place, menhir, _PIECE_SHARE, pieces.menhir, seat)
    for seat, mage in enumerate(board.mages):
        if mage >= 0:
            if seat == board.you:
                _paste_on_square(surface, place, mage, 1.25 * _PIECE_SHARE, pieces.mage_halo)
            _paste_on_square(surface, place, mage, _PIECE_SHARE, pieces.mage, seat)


def _paste_on_square(
    surface: DrawingSurface, place: BoardPlace, square: int, share: float, draw: DrawFunction, *arguments: int | str
) -> None:
    """Lay a sprite in the middle of a square, with its size in squares."""
    size = round(place.cell * share)
    x, y = place.square_middle(square)
    surface.paste(x - size / 2, y - size / 2, draw, *arguments, size)


# Moves


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


def _lay_arrow(surface: DrawingSurface, move: CourtMove, place: BoardPlace) -> None:
    """Lay an arrow from the middle of the first square to just in front of the piece on the last one."""
    (x0, y0), (x1, y1) = place.square_middle(move.start), place.square_middle(last_square(move))
    if move.end < 0:
        x1, y1 = place.border_point(move.suit, move.start)
    gap = 0.4 * place.cell if move.end >= 0 else 0
    length = round(abs(x1 - x0) + abs(y1 - y0) - gap)
    if length <= place.cell / 2:
        return
    width = max(10, place.cell // 5)
    dx, dy = _STRIDES[move.suit]
    left = min(x0, x0 + dx * length) if dx else x0 - 1.5 * width
    top = min(y0, y0 + dy * length) if dy else y0 - 1.5 * width
    surface.paste(left, top, pieces.arrow, move.suit, length, width)


def _lay_path(surface: DrawingSurface, way: CourtWay, place: BoardPlace) -> None:
    """Lay dots on the squares that a Mage would pass."""
    for square in _passed_squares(way.move):
        _paste_on_square(surface, place, square, 0.26, pieces.path_dot)


def _passed_squares(move: CourtMove) -> Iterator[int]:
    dx, dy = _STRIDES[move.suit]
    square, stop = move.start, last_square(move)
    while square != stop:
        square += dx + BOARD_SIDE * dy
        if square != move.end:
            yield square


def _lay_destination(surface: DrawingSurface, way: CourtWay, place: BoardPlace) -> None:
    """Lay the Mage's hollow shape at the end of its path, or on the edge the banner that it gets there."""
    move = way.move
    if move.end < 0:
        x, y, _, _ = _crossing_box(move, place)
        surface.paste(x, y, pieces.edge_crossing, move.suit, _CROSSING_SIZE, way.banner)
    elif move.end != move.start:
        _paste_on_square(surface, place, move.end, _PIECE_SHARE, pieces.mage_outline, way.seat)


def _crossing_box(move: CourtMove, place: BoardPlace) -> Box:
    x, y = place.edge_middle(move.suit, move.start)
    half = _CROSSING_SIZE / 2
    return x - half, y - half, x + half, y + half


# Labels that stand aside


def tile_places(board: CourtBoard, place: BoardPlace) -> list[tuple[CourtWay, float, float]]:
    """Return the upper left corner of each card's label: beside its destination, where it hides nothing.

    A label without such a place is left out: the hand names its square, too.
    """
    boxes = [_destination_box(way, place) for way in board.possible_moves]
    boxes += _piece_boxes(board, place)
    paths = [place.square_box(square, 0.3) for way in board.possible_moves for square in _passed_squares(way.move)]
    found = []
    for way in board.possible_moves:
        if not way.card or way.move.end == way.move.start:
            continue
        size = pieces.tile_size(way.card)
        places = _boxes_beside(_destination_box(way, place), size, way.move.suit, place)
        free = [box for box in places if not any(_overlap(box, other) for other in boxes)]
        if free:
            best = min(free, key=lambda box: sum(_overlap(box, other) for other in paths))
            boxes.append(best)
            found.append((way, best[0], best[1]))
    return found


def _destination_box(way: CourtWay, place: BoardPlace) -> Box:
    return _crossing_box(way.move, place) if way.move.end < 0 else place.square_box(way.move.end, _PIECE_SHARE)


def _piece_boxes(board: CourtBoard, place: BoardPlace) -> list[Box]:
    """The room of all pieces."""
    return [place.square_box(square, _PIECE_SHARE) for square in (*board.mages, *board.menhirs) if square >= 0]


def _boxes_beside(box: Box, size: tuple[int, int], suit: str, place: BoardPlace) -> Iterator[Box]:
    """The places around something: ahead of it, then at its sides, then at its corners, and the same farther away.

    All lie on the squares and the edges.
    """
    left, top, right, low = box
    width, height = size
    middle_x, middle_y = (left + right - width) / 2, (top + low - height) / 2
    dx, _ = _STRIDES[suit]
    across = "HS" if dx else "DC"
    for gap in (_TILE_GAP, _TILE_GAP + place.cell):
        before_x, after_x, before_y, after_y = left - width - gap, right + gap, top - height - gap, low + gap
        sides = {
            "C": (before_x, middle_y),
            "D": (after_x, middle_y),
            "H": (middle_x, before_y),
            "S": (middle_x, after_y),
        }
        corners = [(x, y) for x in (after_x, before_x) for y in (before_y, after_y)]
        for x, y in (sides[suit], *(sides[side] for side in across), *corners):
            inside_x = min(max(x, place.x - EDGE_THICKNESS), place.right + EDGE_THICKNESS - width)
            inside_y = min(max(y, place.y - EDGE_THICKNESS), place.bottom + EDGE_THICKNESS - height)
            yield inside_x, inside_y, inside_x + width, inside_y + height


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _name_boxes(board: CourtBoard, place: BoardPlace) -> dict[int, Box]:
    """Return where the names of the free starting squares stand: at their left and right, away from pieces."""
    width, height = _NAME_SIZE
    blocked, found = _piece_boxes(board, place), {}
    for square in board.free:
        left, top, right, low = place.square_box(square)
        y = (top + low - height) / 2 + (-3 if square in START_SQUARES[:2] else 3)
        is_left = square in START_SQUARES[::2]
        columns = range(BOARD_SIDE // 2)
        xs = [left - width - 4 - i * place.cell if is_left else right + 4 + i * place.cell for i in columns]
        boxes = [(x, y, x + width, y + height) for x in xs]
        found[square] = next((box for box in boxes if not any(_overlap(box, other) for other in blocked)), boxes[0])
    return found
