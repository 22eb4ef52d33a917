"""Sprites of Jesters' ten symbols and of other small signs. All outlines are our own."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from cogs.pictures import emblems
from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Drawing, Pen, Point, bezier_curve, place_outline, star_outline
from cogs.pictures.raster.theme import Colour


def symbol_icon(index: int, size: int) -> Drawing:
    """A symbol's sign."""
    ground, draw = _SYMBOL_SIGNS[index]
    pen = Pen(1, 1, size)
    pen.oval(0.5, 0.5, 0.5, 0.5, theme.SHADE, in_mask=True)
    pen.oval(0.5, 0.5, 0.46, 0.46, theme.IVORY)
    pen.oval(0.5, 0.5, 0.42, 0.42, ground)
    draw(pen)
    return pen.finish()


def fame_star(text: str, size: int) -> Drawing:
    """A golden star with an amount of Fame."""
    pen = Pen(1, 1, size)
    _draw_star(pen, text, 0.5, 0.5, 1)
    return pen.finish()


def performance_card(fame: str, size: int) -> Drawing:
    """A Performance as a small card: two dice, and below them its Fame, or the Favorite's Gift if there is none."""
    pen = Pen(1, 1, size)
    pen.box(0.06, 0, 0.94, 1, 0.12, theme.SHADE, in_mask=True)
    pen.box(0.09, 0.03, 0.91, 0.97, 0.1, theme.VIOLET)
    pen.box(0.13, 0.07, 0.87, 0.93, 0.07, theme.PLATE)
    for x in (0.2, 0.53):
        pen.box(x, 0.12, x + 0.27, 0.39, 0.06, theme.IVORY)
        for shift in (0.08, 0.19):
            pen.oval(x + shift, 0.12 + shift, 0.035, 0.035, theme.INK)
    if fame:
        _draw_star(pen, fame, 0.5, 0.66, 0.62)
    else:
        _draw_gift(pen, 0.25, 0.42, 0.5)
    return pen.finish()


def _draw_star(pen: Pen, text: str, x: float, y: float, size: float) -> None:
    """Draw a golden star around a point."""
    pen.polygon(place_outline(star_outline(8, inner=0.4), x, y, size), theme.SHADE, in_mask=True)
    pen.polygon(place_outline(star_outline(8, inner=0.37), x, y, 0.9 * size), theme.GOLD)
    pen.text(x, y, text, (0.4 if len(text) == 1 else 0.3) * size, theme.INK)


def flip_arrows(size: int, ink: Colour = theme.IVORY) -> Drawing:
    """Two arrows, up and down: a die turns to its opposite side."""
    pen = Pen(0.9, 1, size, ground=theme.PLATE)
    pen.box(0, 0, 0.9, 1, 0, theme.PLATE, in_mask=True)
    for x, sign in ((0.28, 1), (0.62, -1)):
        shaft = [(x, 0.5 + sign * 0.34), (x, 0.5 - sign * 0.14)]
        pen.line(shaft, 0.11, ink)
        head = ((-0.17, -0.1), (0.17, -0.1), (0, -0.36))
        pen.polygon([(x + px, 0.5 + sign * py) for px, py in head], ink)
    return pen.finish()


def arrow(size: int, ink: Colour = theme.IVORY) -> Drawing:
    """An arrow to the right: becomes."""
    pen = Pen(0.8, 1, size, ground=theme.PLATE)
    pen.box(0, 0, 0.8, 1, 0, theme.PLATE, in_mask=True)
    pen.line([(0.14, 0.5), (0.48, 0.5)], 0.11, ink)
    pen.polygon([(0.42, 0.28), (0.42, 0.72), (0.7, 0.5)], ink)
    return pen.finish()


def reroll_icon(size: int, ink: Colour = theme.IVORY) -> Drawing:
    """An arrow in a circle: a reroll."""
    pen = Pen(1, 1, size, ground=theme.PLATE)
    pen.box(0, 0, 1, 1, 0, theme.PLATE, in_mask=True)
    arc = [_circle_point(angle, 0.33) for angle in range(-30, 251, 10)]
    pen.line(arc, 0.11, ink)
    x, y = arc[0]
    pen.polygon([(x - 0.2, y - 0.02), (x + 0.16, y - 0.02), (x - 0.02, y - 0.26)], ink)
    return pen.finish()


def plus_icon(size: int, ink: Colour = theme.IVORY) -> Drawing:
    """A plus."""
    pen = Pen(0.7, 1, size, ground=theme.PLATE)
    pen.box(0, 0, 0.7, 1, 0, theme.PLATE, in_mask=True)
    pen.line([(0.32, 0.28), (0.32, 0.72)], 0.11, ink)
    pen.line([(0.1, 0.5), (0.54, 0.5)], 0.11, ink)
    return pen.finish()


def gift_icon(size: int) -> Drawing:
    """A parcel with a bow."""
    pen = Pen(1, 1, size)
    _draw_gift(pen, 0, 0, 1)
    return pen.finish()


def _draw_gift(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw a parcel in a square whose upper left corner is at a point."""

    def box(x0: float, y0: float, x1: float, y1: float, corner: float, ink: Colour, in_mask: bool = False) -> None:
        pen.box(x + x0 * size, y + y0 * size, x + x1 * size, y + y1 * size, corner * size, ink, in_mask=in_mask)

    box(0.06, 0.3, 0.94, 0.96, 0.1, theme.SHADE, in_mask=True)
    pen.oval(x + 0.5 * size, y + 0.24 * size, 0.32 * size, 0.2 * size, theme.SHADE, in_mask=True)
    for side in (-1, 1):
        bow = ((0, 0.3), (side * 0.26, 0.08), (side * 0.26, 0.3))
        pen.polygon([(x + (0.5 + px) * size, y + py * size) for px, py in bow], theme.GOLD)
    box(0.11, 0.35, 0.89, 0.91, 0.06, theme.RED)
    box(0.42, 0.35, 0.58, 0.91, 0, theme.GOLD)
    box(0.11, 0.35, 0.89, 0.46, 0.04, theme.GOLD)


def _circle_point(angle: float, radius: float) -> Point:
    return 0.5 + radius * cos(angle * pi / 180), 0.5 + radius * sin(angle * pi / 180)


# The ten


def _draw_mime(pen: Pen) -> None:
    """Draw a white face with painted eyes and a closed mouth."""
    pen.oval(0.5, 0.52, 0.25, 0.3, theme.IVORY)
    for x in (0.4, 0.6):
        pen.polygon(place_outline(star_outline(4), x, 0.45, 0.2), theme.INK)
        pen.line([(x, 0.55), (x, 0.62)], 0.03, theme.INK)
    pen.oval(0.5, 0.68, 0.07, 0.035, theme.RED)


def _draw_magic(pen: Pen) -> None:
    """Draw a wand with a star."""
    pen.line([(0.28, 0.76), (0.56, 0.44)], 0.075, theme.IVORY)
    pen.polygon(place_outline(emblems.STAR, 0.61, 0.37, 0.46), theme.GOLD)


def _draw_juggling(pen: Pen) -> None:
    """Draw three balls in an arc above two hands."""
    for x, y, ink in ((0.29, 0.46, theme.RED), (0.5, 0.28, theme.INK), (0.71, 0.46, theme.GOLD)):
        pen.oval(x, y, 0.1, 0.1, ink)
    for x in (0.33, 0.67):
        hand = bezier_curve((x - 0.13, 0.62), ((x - 0.12, 0.82), (x + 0.12, 0.82), (x + 0.13, 0.62)))
        pen.line(hand, 0.055, theme.INK)


def _draw_music(pen: Pen) -> None:
    """Draw two joined notes."""
    for x in (0.36, 0.64):
        pen.oval(x, 0.68, 0.1, 0.075, theme.INK)
        pen.line([(x + 0.07, 0.67), (x + 0.07, 0.34)], 0.05, theme.INK)
    pen.polygon([(0.405, 0.28), (0.735, 0.24), (0.735, 0.36), (0.405, 0.4)], theme.INK)


def _draw_satire(pen: Pen) -> None:
    """Draw a quill."""
    feather = bezier_curve(
        (0.36, 0.66), ((0.36, 0.4), (0.52, 0.24), (0.78, 0.2)), ((0.76, 0.46), (0.62, 0.62), (0.36, 0.66))
    )
    pen.polygon(feather, theme.IVORY)
    pen.line([(0.24, 0.8), (0.68, 0.32)], 0.04, theme.GOLD)


def _draw_comedy(pen: Pen) -> None:
    """Draw a laughing mask."""
    _draw_mask(pen, theme.GOLD)
    for x in (0.39, 0.61):
        pen.line(
            bezier_curve((x - 0.08, 0.46), ((x - 0.05, 0.37), (x + 0.05, 0.37), (x + 0.08, 0.46))), 0.045, theme.INK
        )
    mouth = bezier_curve(
        (0.33, 0.56), ((0.36, 0.8), (0.64, 0.8), (0.67, 0.56)), ((0.6, 0.62), (0.4, 0.62), (0.33, 0.56))
    )
    pen.polygon(mouth, theme.INK)


def _draw_drama(pen: Pen) -> None:
    """Draw a weeping mask."""
    _draw_mask(pen, theme.CREAM)
    for x in (0.39, 0.61):
        pen.line(bezier_curve((x - 0.08, 0.42), ((x - 0.05, 0.5), (x + 0.05, 0.5), (x + 0.08, 0.42))), 0.045, theme.INK)
    mouth = bezier_curve(
        (0.35, 0.74), ((0.38, 0.56), (0.62, 0.56), (0.65, 0.74)), ((0.6, 0.66), (0.4, 0.66), (0.35, 0.74))
    )
    pen.polygon(mouth, theme.INK)
    pen.oval(0.36, 0.57, 0.03, 0.05, theme.BLUE)


def _draw_mask(pen: Pen, ink: Colour) -> None:
    face = bezier_curve((0.24, 0.28), ((0.4, 0.34), (0.6, 0.34), (0.76, 0.28)), ((0.8, 0.6), (0.66, 0.8), (0.5, 0.86)))
    face += bezier_curve((0.5, 0.86), ((0.34, 0.8), (0.2, 0.6), (0.24, 0.28)))
    pen.polygon(face, ink)


def _draw_advice(pen: Pen) -> None:
    """Draw a speech bubble with a mark in it."""
    pen.box(0.22, 0.24, 0.78, 0.62, 0.14, theme.IVORY)
    pen.polygon([(0.34, 0.58), (0.54, 0.58), (0.34, 0.8)], theme.IVORY)
    pen.line([(0.5, 0.32), (0.5, 0.43)], 0.065, theme.INK)
    pen.oval(0.5, 0.54, 0.035, 0.035, theme.INK)


def _draw_torn_letter(pen: Pen) -> None:
    """Draw a letter, torn in two."""
    pen.polygon([(0.2, 0.34), (0.52, 0.34), (0.44, 0.46), (0.54, 0.56), (0.46, 0.7), (0.2, 0.7)], theme.IVORY)
    pen.polygon([(0.6, 0.3), (0.82, 0.3), (0.82, 0.66), (0.54, 0.66), (0.62, 0.55), (0.52, 0.44)], theme.IVORY)
    pen.line([(0.21, 0.36), (0.42, 0.5)], 0.035, theme.INK)
    pen.line([(0.81, 0.32), (0.62, 0.47)], 0.035, theme.INK)


def _draw_entertainment(pen: Pen) -> None:
    """Draw a jester's head."""
    emblems.draw_jester(pen, 0.5, 0.48, 0.56)


_SYMBOL_SIGNS: tuple[tuple[Colour, Callable[[Pen], None]], ...] = (
    (theme.INK, _draw_mime),
    (theme.INDIGO, _draw_magic),
    (theme.CREAM, _draw_juggling),
    (theme.GOLD, _draw_music),
    (theme.GREEN, _draw_satire),
    (theme.RED, _draw_comedy),
    (theme.TEAL, _draw_advice),
    (theme.ORANGE, _draw_torn_letter),
    (theme.VIOLET, _draw_drama),
    (theme.PLUM, _draw_entertainment),
)
