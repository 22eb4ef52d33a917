"""The seats of a match as a strip of plates: everywhere alike, whose turn it is framed in gold."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cogs.pictures import table_pieces
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import Surface
from cogs.pictures.raster.letters import breadth, fitted
from cogs.pictures.raster.pen import Art
from cogs.pictures.spec import PlateLine, SeatPlate

MOST_IN_ROW = 4  # of five and six, three
_EDGE, _INSET, _TOKEN, _MARK = 14, 14, 40, 38
_NAME_ROW, _LINE = 46, 40


def plates_height(plates: Sequence[SeatPlate]) -> int:
    """How high a strip of these is."""
    rows = len(_rows(plates))
    return rows * _height(plates) + (rows - 1) * theme.PLATE_GAP


Mark = Callable[[str, int], Art]
"""Draws a game's own sign of that name in a square of that size."""


def no_mark(key: str, size: int) -> Art:
    """For games that have none."""
    raise LookupError(f"No mark is called {key}.")


def lay_plates(surface: Surface, y: float, plates: Sequence[SeatPlate], mark: Mark = no_mark) -> int:
    """A plate a seat from left to right, in two rows for more than four; how high that is."""
    rows, height = _rows(plates), _height(plates)
    columns = max(map(len, rows))
    width = (theme.WIDTH - 2 * _EDGE - (columns - 1) * theme.PLATE_GAP) // columns
    for i, row in enumerate(rows):
        for j, plate in enumerate(row):
            left, top = _EDGE + j * (width + theme.PLATE_GAP), y + i * (height + theme.PLATE_GAP)
            _lay_plate(surface, plate, left, top, width, height, mark)
    return plates_height(plates)


def lay_plate_column(
    surface: Surface,
    x: float,
    y: float,
    width: int,
    plates: Sequence[SeatPlate],
    mark: Mark = no_mark,
    gap: int = theme.PLATE_GAP,
) -> int:
    """The same one below the other, where there is room at the side; how high that is."""
    height = _height(plates)
    for i, plate in enumerate(plates):
        _lay_plate(surface, plate, x, y + i * (height + gap), width, height, mark)
    return len(plates) * (height + gap) - gap


def _rows(plates: Sequence[SeatPlate]) -> list[Sequence[SeatPlate]]:
    most = MOST_IN_ROW if len(plates) <= MOST_IN_ROW else 3
    return [plates[i : i + most] for i in range(0, len(plates), most)]


def _height(plates: Sequence[SeatPlate]) -> int:
    return _NAME_ROW + _LINE * max(len(plate.lines) for plate in plates) + 20


def _lay_plate(surface: Surface, plate: SeatPlate, x: float, y: float, width: int, height: int, mark: Mark) -> None:
    surface.paste(x, y, table_pieces.panel, width, height, plate.turn)
    inside = width - 2 * _INSET
    sign = (
        (table_pieces.robot, plate.seat, _TOKEN) if plate.computer else (table_pieces.token, plate.seat, _TOKEN, False)
    )
    surface.paste(x + _INSET - 2, y + 12, *sign)
    name, size = fitted(plate.name, inside - _TOKEN - 6, theme.NAME_TYPE)
    surface.text(x + _INSET + _TOKEN + 6, y + 33, name, size, theme.IVORY, theme.PLATE, "l")
    for i, line in enumerate(plate.lines):
        room, middle = inside, y + 10 + _NAME_ROW + _LINE * (i + 0.5)
        if i == 0:
            for n, key in enumerate(plate.marks, 1):
                surface.paste(x + width - 8 - n * _MARK, middle - _MARK / 2 - 2, mark, key, _MARK)
            room -= _MARK * len(plate.marks)
        _lay_line(surface, line, x + _INSET, middle, room)


def _lay_line(surface: Surface, line: PlateLine, x: float, y: float, room: float) -> None:
    """A line, what stands at its right first: that is the shorter."""
    if line.right:
        right, size = fitted(line.right, room, theme.LEAST_TYPE)
        surface.text(x + room, y, right, size, theme.TONES[line.right_tone], theme.PLATE, "r")
        room -= breadth(right, size) + 10
    if line.text:
        text, size = fitted(line.text, room, theme.LEAST_TYPE)
        surface.text(x, y, text, size, theme.TONES[line.tone], theme.PLATE, "l")
