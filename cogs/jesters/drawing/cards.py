"""The grounds of Jesters' cards: Performances, Jest cards, Gifts; and of what lies in the middle."""

from __future__ import annotations

from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Art, Pen


def task_card(width: int, height: int, favorite: bool, chosen: bool) -> Art:
    """The ground of a Performance, of the Favorite with a bright edge; framed in gold where it is chosen."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 16, theme.GOLD if chosen else theme.SHADE, cut=True)
    edge = 6 if chosen else 3
    pen.box(edge, edge, width - edge, height - edge, 16 - edge, theme.VIOLET if favorite else theme.SHADE)
    inner = edge + (5 if favorite else 0)
    pen.box(inner, inner, width - inner, height - inner, 10, theme.PLATE)
    return pen.art()


def jest_card(width: int, height: int) -> Art:
    """The ground of a Jest card."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 12, theme.SHADE, cut=True)
    pen.box(2, 2, width - 2, height - 2, 10, theme.IVORY)
    return pen.art()


def gift_card(width: int, height: int, used: bool) -> Art:
    """The ground of a Gift, edged in gold until it is used."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 12, theme.SHADE, cut=True)
    pen.box(2, 2, width - 2, height - 2, 11, theme.WORN if used else theme.GOLD)
    pen.box(7, 7, width - 7, height - 7, 7, theme.PLATE)
    return pen.art()


def pit(width: int, height: int) -> Art:
    """A dark place in which things lie."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 12, theme.SHADE, cut=True)
    pen.box(2, 2, width - 2, height - 2, 10, theme.PLATE)
    return pen.art()
