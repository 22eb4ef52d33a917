"""The picture of a lobby: the game's figure, its name and what it is like, and the seats as plates that fill up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import cos, floor, pi, sin

from cogs.pictures import table_pieces
from cogs.pictures.names import lay_name
from cogs.pictures.plates import lay_plate, plate_columns, plate_width
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface, S, SurfaceFactory
from cogs.pictures.raster.letters import fit_text, text_width
from cogs.pictures.raster.pen import CAPITAL_HEIGHT, DrawFunction, Drawing, Pen, font
from cogs.pictures.raster.strips import lay_strip
from cogs.pictures.raster.typeface import TITLE_FONT
from cogs.pictures.spec import LobbyPicture, SeatPlate

FIGURE_SIZE = 228  # width and height of a game's figure
_EDGE, _PLATE_HEIGHT, _LAST_GAP = 14, 106, 10
_SEATS_TOP = 316
_LEFT = 268  # of the words beside the figure
_TITLE_SIZE, _LIKE_SIZE, _LIKE_LINE = 84, 36, 44
_ICON, _ICON_GAP, _FACT_GAP = 38, 8, 22
_DASH, _DASH_GAP, _DASH_WIDTH, _CORNER = 18, 14, 5, 20
_FLAG_WIDTH, _FLAG_HEIGHT = 44, 34
_FLAGS = (theme.RED, theme.IVORY, theme.TEAL)


def lay_lobby(spec: LobbyPicture, make_surface: SurfaceFactory[S], figure: DrawFunction, cloth: str) -> S:
    """Lay the words beside the game's figure, and below them a plate for every seat."""
    count = len(spec.seats) + spec.needed + spec.open
    rows = -(-count // plate_columns(count))
    bottom = _SEATS_TOP + rows * (_PLATE_HEIGHT + theme.PLATE_GAP) + _LAST_GAP
    surface = make_surface(table_pieces.felt_tray, bottom, cloth)
    words = (spec.title, spec.like, (spec.players, spec.length, spec.learning), spec.effort)
    lay_strip(surface, 0, _SEATS_TOP, _lay_head, figure, *words)
    lay_strip(surface, _SEATS_TOP, bottom, _lay_seats, spec.seats, spec.needed, spec.open)
    return surface


def _lay_head(
    surface: DrawingSurface, figure: DrawFunction, title: str, like: str, facts: tuple[str, str, str], effort: int
) -> None:
    surface.paste(16, 14, flag_line, theme.WIDTH - 32)
    surface.paste(26, 62, figure, FIGURE_SIZE)
    surface.paste(_LEFT, 46, lobby_title, title)
    lines = wrap_evenly(like, theme.WIDTH - _LEFT - 30, _LIKE_SIZE)
    top = 174 if len(lines) > 1 else 190
    for number, line in enumerate(lines):
        surface.text(_LEFT + 2, top + _LIKE_LINE * number, line, _LIKE_SIZE, theme.IVORY, theme.FELT, "l")
    _lay_facts(surface, 278, facts, effort)


def _lay_facts(surface: DrawingSurface, y: float, facts: tuple[str, str, str], effort: int) -> None:
    """Lay how many play, how long and how hard, each after its sign."""
    signs: tuple[tuple[DrawFunction, tuple[int, ...], int], ...]
    signs = ((people_sign, (), 46), (hourglass, (), 30), (effort_sign, (effort,), 96))
    widths = [text_width(fact, theme.MIN_TYPE_SIZE) for fact in facts]
    room = theme.WIDTH - _LEFT - 30 - sum(wide + _ICON_GAP for _, _, wide in signs)
    stretch = min(1, floor(100 * (room - 2 * _FACT_GAP) / sum(widths)) / 100)
    x = _LEFT + 2.0
    for (draw, arguments, wide), fact, width in zip(signs, facts, widths, strict=True):
        surface.paste(x, y - _ICON / 2, draw, *arguments)
        x += wide + _ICON_GAP
        surface.text(x, y, fact, theme.MIN_TYPE_SIZE, theme.MIST, theme.FELT, "l", stretch)
        x += width * stretch + _FACT_GAP


def _lay_seats(surface: DrawingSurface, seats: tuple[SeatPlate, ...], needed: int, open_seats: int) -> None:
    count = len(seats) + needed + open_seats
    columns = plate_columns(count)
    width = plate_width(columns)
    for number in range(count):
        left = _EDGE + number % columns * (width + theme.PLATE_GAP)
        top = _SEATS_TOP + number // columns * (_PLATE_HEIGHT + theme.PLATE_GAP)
        if number < len(seats):
            _lay_taken_seat(surface, seats[number], left, top, width)
        else:
            _lay_free_seat(surface, number, left, top, width, is_needed=number < len(seats) + needed)


def _lay_taken_seat(surface: DrawingSurface, seat: SeatPlate, x: float, y: float, width: int) -> None:
    """Lay a plate. Its line is condensed if necessary, because four plates side by side have little room."""
    (line,) = seat.lines
    lay_plate(surface, replace(seat, lines=()), x, y, width, _PLATE_HEIGHT)
    ink = theme.TONE_COLOURS[line.tone]
    lay_name(surface, x + 14, y + 76, line.text, width - 28, ink, theme.PLATE, "l", theme.MIN_TYPE_SIZE)


def _lay_free_seat(surface: DrawingSurface, seat: int, x: float, y: float, width: int, *, is_needed: bool) -> None:
    surface.paste(x, y, dashed_frame, width, _PLATE_HEIGHT, is_needed)
    surface.paste(x + 12, y + 12, table_pieces.hollow_token, seat, 40)
    lines = (("free seat", 60, 33, 34, theme.IVORY), (_call(is_needed), 14, 76, theme.MIN_TYPE_SIZE, theme.MIST))
    for text, left, down, size, ink in lines:
        fitted, size = fit_text(text, width - left - 8, size)
        surface.text(x + left, y + down, fitted, size, ink, theme.FELT, "l")


def _call(is_needed: bool) -> str:
    return "is needed" if is_needed else "for anybody"


def wrap_evenly(text: str, room: float, size: int) -> list[str]:
    """Return the text in as few lines as fit the room, about equally long."""
    lines = _wrap(text, room, size)
    while len(narrower := _wrap(text, max(text_width(line, size) for line in lines) - 1, size)) == len(lines):
        lines = narrower
    return lines


def _wrap(text: str, room: float, size: int) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def lobby_title(title: str) -> Drawing:
    """Return the name of a game in large letters on the cloth."""
    pen = Pen(theme.WIDTH - _LEFT - 20, 100, ground=theme.FELT)
    left, _, right, _ = font(1000, TITLE_FONT).getbbox(title)
    middle = (right - left) * _TITLE_SIZE / 2000
    pen.text(middle, 50, title, _TITLE_SIZE * CAPITAL_HEIGHT, theme.IVORY, TITLE_FONT, in_mask=True)
    return pen.finish()


def flag_line(width: int) -> Drawing:
    """Return a line of flags."""
    pen = Pen(width, _FLAG_HEIGHT, ground=theme.FELT)
    pen.box(0, 0, width, 5, 0, theme.WOOD_DARK, in_mask=True)
    count = width // _FLAG_WIDTH
    for number in range(count):
        left, right = number * width / count, (number + 1) * width / count
        outline = ((left + 4, 4), (right - 4, 4), ((left + right) / 2, _FLAG_HEIGHT - 2))
        pen.polygon(outline, _FLAGS[number % len(_FLAGS)], in_mask=True)
    return pen.finish()


def people_sign() -> Drawing:
    """Return two people, the sign of the number of players."""
    pen = Pen(1.2, 1, _ICON, theme.FELT)
    for x, ink in ((0.4, theme.MIST), (0.8, theme.IVORY)):
        pen.oval(x, 0.3, 0.2, 0.2, theme.FELT, in_mask=True)
        pen.box(x - 0.34, 0.5, x + 0.34, 1.1, 0.3, theme.FELT, in_mask=True)
        pen.oval(x, 0.3, 0.16, 0.16, ink)
        pen.box(x - 0.28, 0.54, x + 0.28, 1.1, 0.26, ink)
    return pen.finish()


def hourglass() -> Drawing:
    """Return an hourglass, the sign of the length of a match."""
    pen = Pen(0.8, 1, _ICON, theme.FELT)
    for y in (0.04, 0.86):
        pen.box(0.06, y, 0.74, y + 0.1, 0.03, theme.IVORY, in_mask=True)
    glass = ((0.14, 0.14), (0.66, 0.14), (0.43, 0.5), (0.66, 0.86), (0.14, 0.86), (0.37, 0.5))
    pen.polygon(glass, theme.MIST, in_mask=True)
    pen.polygon(((0.22, 0.86), (0.58, 0.86), (0.4, 0.62)), theme.WOOD_LIGHT)
    return pen.finish()


def effort_sign(filled: int) -> Drawing:
    """Return how hard a game is to learn: one to three filled rounds of three."""
    pen = Pen(2.55, 1, _ICON, theme.FELT)
    for number in range(3):
        x = 0.42 + 0.85 * number
        pen.oval(x, 0.5, 0.36, 0.36, theme.IVORY, in_mask=True)
        if number >= filled:
            pen.oval(x, 0.5, 0.27, 0.27, theme.FELT)
    return pen.finish()


def dashed_frame(width: int, height: int, is_gold: bool) -> Drawing:
    """Return the frame of a free seat: dashes on the cloth."""
    pen, ink = Pen(width, height, ground=theme.FELT), theme.GOLD if is_gold else theme.MIST
    for start in _dashes(width):
        for y in (0, height - _DASH_WIDTH):
            pen.box(start, y, start + _DASH, y + _DASH_WIDTH, 2, ink, in_mask=True)
    for start in _dashes(height):
        for x in (0, width - _DASH_WIDTH):
            pen.box(x, start, x + _DASH_WIDTH, start + _DASH, 2, ink, in_mask=True)
    left, right, top, bottom = _CORNER, width - _CORNER, _CORNER, height - _CORNER
    for x, y, quarter in ((right, bottom, 0), (left, bottom, 1), (left, top, 2), (right, top, 3)):
        pen.polygon(_quarter_ring(x, y, quarter), ink, in_mask=True)
    return pen.finish()


def _dashes(length: int) -> list[float]:
    """Return where the dashes of a side begin, evenly between its round corners."""
    room = length - 2 * _CORNER
    count = max(1, round((room - _DASH_GAP) / (_DASH + _DASH_GAP)))
    gap = (room - count * _DASH) / (count + 1)
    return [_CORNER + gap + number * (_DASH + gap) for number in range(count)]


def _quarter_ring(x: float, y: float, quarter: int) -> Sequence[tuple[float, float]]:
    angles = [(quarter + step / 8) * pi / 2 for step in range(9)]
    radii = ((angles, _CORNER), (list(reversed(angles)), _CORNER - _DASH_WIDTH))
    return [(x + radius * cos(angle), y + radius * sin(angle)) for some, radius in radii for angle in some]
