"""Jesters' cards and tiles: the grounds of Performances, Jest cards with their two halves, Gifts."""

from __future__ import annotations

from cogs.pictures import theme
from cogs.pictures.pen import Art, Pen

JEST = (150, 214)  # a Jest card in its own units
GIFT = (150, 128)  # a Gift in its own units


def task_card(width: int, height: int, favorite: bool, chosen: bool) -> Art:
    """The ground of a Performance; of the Favorite with a wide edge; framed in gold where it is performed."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 16, theme.GOLD if chosen else theme.SHADE, cut=True)
    edge = 6 if chosen else 3
    pen.box(edge, edge, width - edge, height - edge, 16 - edge, theme.VIOLET if favorite else theme.RIM)
    inner = 12
    pen.box(inner, inner, width - inner, height - inner, 8, theme.PLATE)
    return pen.art()


def jest_half_card(unit: float) -> Art:
    """The ground of a Jest card: a light upper half for what is learned, a dark lower one for what is changed."""
    width, height = JEST
    pen = Pen(width, height, unit)
    pen.box(0, 0, width, height, 14, theme.SHADE, cut=True)
    pen.box(2, 2, width - 2, height - 2, 12, theme.IVORY)
    pen.box(6, height / 2 + 2, width - 6, height - 6, 9, theme.PLATE)
    return pen.art()


def gift_card(unit: float, used: bool) -> Art:
    """The ground of a Gift, with a bow; without one where it is used."""
    width, height = GIFT
    pen = Pen(width, height, unit)
    pen.box(0, 0, width, height, 14, theme.SHADE, cut=True)
    pen.box(2, 2, width - 2, height - 2, 12, theme.RIM_LIGHT if used else theme.GOLD)
    pen.box(8, 8, width - 8, height - 8, 8, theme.PLATE)
    return pen.art()


def pit(width: int, height: int) -> Art:
    """A dark place in which tokens lie."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 12, theme.SHADE, cut=True)
    pen.box(2, 2, width - 2, height - 2, 10, theme.ROOM)
    return pen.art()
