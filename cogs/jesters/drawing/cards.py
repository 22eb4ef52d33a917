"""Backgrounds of Performances, Jest cards, Gifts, and the middle."""

from __future__ import annotations

from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Drawing, Pen


def task_card(width: int, height: int, is_favorite: bool, is_chosen: bool) -> Drawing:
    """The background of a Performance. The Favorite has a bright edge, a chosen one a gold frame."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 16, theme.GOLD if is_chosen else theme.SHADE, in_mask=True)
    edge = 6 if is_chosen else 3
    pen.box(edge, edge, width - edge, height - edge, 16 - edge, theme.VIOLET if is_favorite else theme.SHADE)
    inner = edge + (5 if is_favorite else 0)
    pen.box(inner, inner, width - inner, height - inner, 10, theme.PLATE)
    return pen.finish()


def jest_card(width: int, height: int) -> Drawing:
    """The background of a Jest card."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 12, theme.SHADE, in_mask=True)
    pen.box(2, 2, width - 2, height - 2, 10, theme.IVORY)
    return pen.finish()


def gift_card(width: int, height: int, is_used: bool) -> Drawing:
    """The background of a Gift, with a gold edge until it is used."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 12, theme.SHADE, in_mask=True)
    pen.box(2, 2, width - 2, height - 2, 11, theme.WORN if is_used else theme.GOLD)
    pen.box(7, 7, width - 7, height - 7, 7, theme.PLATE)
    return pen.finish()


def dark_panel(width: int, height: int) -> Drawing:
    """A dark area for other sprites."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 12, theme.SHADE, in_mask=True)
    pen.box(2, 2, width - 2, height - 2, 10, theme.PLATE)
    return pen.finish()
