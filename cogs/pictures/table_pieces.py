"""What lies on a table beside cards: tokens, plates, badges, and the felt itself."""

from __future__ import annotations

from functools import partial

from cogs.pictures import emblems
from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Art, Pen, placed, plain, ring, stretched

_SHAPES = {
    "square": [(-0.44, -0.44), (0.44, -0.44), (0.44, 0.44), (-0.44, 0.44)],
    "triangle": [(0, -0.5), (0.54, 0.44), (-0.54, 0.44)],
    "diamond": ring(4),
    "hexagon": ring(6, turn=0),
}
_ARM = 0.25
_CROSS = [
    *((-_ARM, -0.5), (_ARM, -0.5), (_ARM, -_ARM), (0.5, -_ARM), (0.5, _ARM), (_ARM, _ARM)),
    *((_ARM, 0.5), (-_ARM, 0.5), (-_ARM, _ARM), (-0.5, _ARM), (-0.5, -_ARM), (-_ARM, -_ARM)),
]

PLACES = ("1st", "2nd", "3rd", "4th", "5th", "6th")  # from the first place on


def token(seat: int, size: int, lettered: bool = True) -> Art:
    """A seat's sign: shape and colour, and its letter unless a name says who it is."""
    pen, (shape, _, ink) = _shaped(seat, size), theme.SEATS[seat]
    if lettered:
        pen.text(0.5, 0.64 if shape == "triangle" else 0.5, theme.LETTERS[seat], 0.4, ink)
    return pen.art()


def robot(seat: int, size: int) -> Art:
    """The sign of a seat at which the computer plays: its shape and colour, with a face."""
    pen, (shape, _, ink) = _shaped(seat, size), theme.SEATS[seat]
    across, down = (0.13, 0.56) if shape == "triangle" else (0.17, 0.42)
    for middle in (0.5 - across, 0.5 + across):
        pen.box(middle - 0.08, down - 0.08, middle + 0.08, down + 0.08, 0.02, ink)
    pen.box(0.5 - across - 0.04, down + 0.18, 0.5 + across + 0.04, down + 0.28, 0.02, ink)
    return pen.art()


def _shaped(seat: int, size: int) -> Pen:
    """A seat's shape in its colour."""
    shape, colour, _ = theme.SEATS[seat]
    pen = Pen(1, 1, size)
    grown = {"triangle": 0.9, "diamond": 0.98}.get(shape, 0.94)
    if shape == "circle":
        pen.oval(0.5, 0.5, 0.46, 0.46, theme.SHADE, cut=True)
        pen.oval(0.5, 0.5, 0.42, 0.42, colour)
    else:
        outline = _CROSS if shape == "cross" else _SHAPES[shape]
        pen.polygon(placed(outline, 0.5, 0.5, grown), theme.SHADE, cut=True)
        pen.polygon(placed(outline, 0.5, 0.51 if shape == "triangle" else 0.5, grown - 0.1), colour)
    return pen


def badge(letter: str, size: int, gold: bool) -> Art:
    """A round badge: `D` for the dealer, `T` for trump."""
    pen = Pen(1, 1, size)
    pen.oval(0.5, 0.5, 0.5, 0.5, theme.SHADE, cut=True)
    pen.oval(0.5, 0.5, 0.44, 0.44, theme.GOLD if gold else theme.IVORY)
    pen.text(0.5, 0.5, letter, 0.46, theme.INK)
    return pen.art()


def panel(width: int, height: int, turn: bool) -> Art:
    """The ground of what lies before a seat; framed in gold for the seat whose turn it is."""
    return stretched(partial(_panel, turn), width, height)


def _panel(turn: bool, width: int, height: int) -> Art:
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 20, theme.GOLD if turn else theme.SHADE, cut=True)
    edge = 6 if turn else 2
    pen.box(edge, edge, width - edge, height - edge, 20 - edge, theme.PLATE)
    return pen.art()


def cup(size: int) -> Art:
    """The sign of a trophy."""
    pen = Pen(1, 1, size)
    pen.oval(0.5, 0.5, 0.5, 0.5, theme.SHADE, cut=True)
    pen.oval(0.5, 0.5, 0.44, 0.44, theme.GOLD)
    emblems.cup(pen, 0.5, 0.5, 0.62)
    return pen.art()


def glow(unit: float) -> Art:
    """A gold edge to lie below a card."""
    width, height = theme.CARD
    pen = Pen(width + 12, height + 12, unit)
    pen.box(0, 0, width + 12, height + 12, 14, theme.SHADE, cut=True)
    pen.box(1, 1, width + 11, height + 11, 13, theme.GOLD)
    return pen.art()


def brace(width: int) -> Art:
    """A gold bar under cards that belong together."""
    pen = Pen(width, 10)
    pen.box(2, 2, width - 2, 8, 3, theme.GOLD, cut=True)
    return pen.art()


def place(unit: float) -> Art:
    """An empty place for a card."""
    width, height = theme.CARD
    pen = Pen(width, height, unit)
    pen.box(0, 0, width, height, 9, theme.FELT_DARK, cut=True)
    return pen.art()


def tray(height: int) -> Art:
    """The felt on which everything lies, to the very corners: it looks alike on a light page and on a dark one."""
    return stretched(_tray, theme.WIDTH, height)


def _tray(width: int, height: int) -> Art:
    pen = Pen(width, height, ground=theme.FELT_DARK)
    pen.box(6, 6, width - 6, height - 6, 24, theme.FELT)
    return pen.art(whole=True)


def room(height: int) -> Art:
    """A plain dark ground."""
    return plain(theme.WIDTH, height, theme.PLATE)


def band(height: int) -> Art:
    """Every other line of a score sheet."""
    return plain(theme.WIDTH, height, theme.ROOM)
