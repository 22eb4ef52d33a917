"""The seats of a match as a strip of plates, the same in all games. A gold frame shows whose turn it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cogs.pictures import table_pieces
from cogs.pictures.names import lay_name
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface
from cogs.pictures.raster.letters import fit_text, text_width
from cogs.pictures.raster.pen import Drawing
from cogs.pictures.spec import PlateLine, SeatPlate

MAX_IN_ROW, _MAX_IN_TWO_ROWS = 4, 3  # five or six plates are laid in rows of three
_EDGE, _INSET, _TOKEN, _MARK_SIZE = 14, 14, 40, 38
_NAME_ROW, _LINE = 46, 40


def plates_height(plates: Sequence[SeatPlate]) -> int:
    """Return the height of a strip of these plates."""
    rows = len(_plate_rows(plates))
    return rows * _plate_height(plates) + (rows - 1) * theme.PLATE_GAP


MarkDrawer = Callable[[str, int], Drawing]
"""Draws a game's own mark, given its name and the size of its square."""


def no_mark(key: str, size: int) -> Drawing:
    """Raise LookupError. This is the mark drawer of games without marks."""
    raise LookupError(f"There is no mark named {key}.")


def lay_plates(surface: DrawingSurface, y: float, plates: Sequence[SeatPlate], mark: MarkDrawer = no_mark) -> int:
    """Lay one plate per seat from left to right, in two rows for more than four. Returns the height."""
    rows, height = _plate_rows(plates), _plate_height(plates)
    columns = max(map(len, rows))
    width = plate_width(columns)
    for i, row in enumerate(rows):
        for j, plate in enumerate(row):
            left, top = _EDGE + j * (width + theme.PLATE_GAP), y + i * (height + theme.PLATE_GAP)
            lay_plate(surface, plate, left, top, width, height, mark)
    return plates_height(plates)


def plate_middles(number: int) -> list[float]:
    """Return for each of so many plates in a strip how far to the right its middle is."""
    columns = plate_columns(number)
    width = plate_width(columns)
    return [_EDGE + (width + theme.PLATE_GAP) * (place % columns) + width / 2 for place in range(number)]


def lay_plate_column(
    surface: DrawingSurface,
    x: float,
    y: float,
    width: int,
    plates: Sequence[SeatPlate],
    mark: MarkDrawer = no_mark,
    gap: int = theme.PLATE_GAP,
) -> int:
    """Lay the plates one below the other, for layouts with room at the side. Returns the height."""
    height = _plate_height(plates)
    for i, plate in enumerate(plates):
        lay_plate(surface, plate, x, y + i * (height + gap), width, height, mark)
    return len(plates) * (height + gap) - gap


def plate_columns(number: int) -> int:
    """Return how many of so many plates stand side by side."""
    return number if number <= MAX_IN_ROW else _MAX_IN_TWO_ROWS


def plate_width(columns: int) -> int:
    """Return the width of a plate if so many stand side by side."""
    return (theme.WIDTH - 2 * _EDGE - (columns - 1) * theme.PLATE_GAP) // columns


def _plate_rows(plates: Sequence[SeatPlate]) -> list[Sequence[SeatPlate]]:
    most = plate_columns(len(plates))
    return [plates[i : i + most] for i in range(0, len(plates), most)]


def _plate_height(plates: Sequence[SeatPlate]) -> int:
    return _NAME_ROW + _LINE * max(len(plate.lines) for plate in plates) + 20


def lay_plate(
    surface: DrawingSurface,
    plate: SeatPlate,
    x: float,
    y: float,
    width: int,
    height: int,
    mark: MarkDrawer = no_mark,
) -> None:
    """Lay one plate."""
    surface.paste(x, y, table_pieces.panel, width, height, plate.turn)
    inside = width - 2 * _INSET
    sign = (
        (table_pieces.computer_token, plate.seat, _TOKEN)
        if plate.computer
        else (table_pieces.seat_token, plate.seat, _TOKEN, False)
    )
    surface.paste(x + _INSET - 2, y + 12, *sign)
    room = inside - _TOKEN - 6
    lay_name(surface, x + _INSET + _TOKEN + 6, y + 33, plate.name, room, theme.IVORY, theme.PLATE, "l")
    for i, line in enumerate(plate.lines):
        room, middle = inside, y + 10 + _NAME_ROW + _LINE * (i + 0.5)
        if i == 0:
            for n, key in enumerate(plate.marks, 1):
                surface.paste(x + width - 8 - n * _MARK_SIZE, middle - _MARK_SIZE / 2 - 2, mark, key, _MARK_SIZE)
            room -= _MARK_SIZE * len(plate.marks)
        _lay_line(surface, line, x + _INSET, middle, room)


def _lay_line(surface: DrawingSurface, line: PlateLine, x: float, y: float, room: float) -> None:
    """Lay one line of a plate. The right part comes first, because it is shorter."""
    if line.right:
        right, size = fit_text(line.right, room, theme.MIN_TYPE_SIZE)
        surface.text(x + room, y, right, size, theme.TONE_COLOURS[line.right_tone], theme.PLATE, "r")
        room -= text_width(right, size) + 10
    if line.text:
        text, size = fit_text(line.text, room, theme.MIN_TYPE_SIZE)
        surface.text(x, y, text, size, theme.TONE_COLOURS[line.tone], theme.PLATE, "l")
