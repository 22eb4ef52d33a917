"""The figures on face cards: king, queen and jack, in units of their shoulders' width."""

from __future__ import annotations

from cogs.pictures import emblems
from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Pen, bezier_curve, mirror_outline, place_outline

_SHOULDERS = mirror_outline([*bezier_curve((0, 0.3), ((0.2, 0.28), (0.5, 0.32), (0.52, 0.88))), (0, 0.88)])
_COLLAR = mirror_outline(
    bezier_curve((0, 0.34), ((0.14, 0.28), (0.34, 0.3), (0.4, 0.46)), ((0.34, 0.62), (0.12, 0.66), (0, 0.6)))
)
_BEARD = mirror_outline(
    [*bezier_curve((0.25, -0.06), ((0.3, 0.2), (0.2, 0.48), (0, 0.56))), (0, 0.1), (0.1, 0.07), (0.2, 0.04)]
)
_LONG_HAIR = mirror_outline(
    [
        *bezier_curve((0, -0.38), ((0.3, -0.4), (0.36, -0.1), (0.34, 0.16)), ((0.34, 0.36), (0.46, 0.42), (0.4, 0.58))),
        (0, 0.5),
    ]
)
_NECKLINE = mirror_outline([*bezier_curve((0.17, 0.3), ((0.18, 0.5), (0.08, 0.58), (0, 0.6))), (0, 0.26)])
_SHORT_HAIR = mirror_outline(
    [
        *bezier_curve(
            (0, -0.36), ((0.3, -0.38), (0.36, -0.06), (0.31, 0.16)), ((0.28, 0.24), (0.18, 0.2), (0.16, 0.12))
        ),
        (0, 0.1),
    ]
)


def draw_king(pen: Pen, x: float, y: float, size: float, suit: str) -> None:
    """Draw the king: a crowned head with a beard, in a robe with an ermine collar."""
    ink = theme.SUIT_COLOURS[suit]
    pen.polygon(place_outline(_SHOULDERS, x, y, size), ink)
    pen.polygon(place_outline(_COLLAR, x, y, size), theme.CREAM)
    for cx, cy in place_outline(((-0.31, 0.46), (-0.17, 0.56), (0.17, 0.56), (0.31, 0.46)), x, y, size):
        pen.oval(cx, cy, 0.024 * size, 0.038 * size, theme.INK)
    _draw_face(pen, x, y, size)
    pen.polygon(place_outline(_BEARD, x, y, size), theme.WORN)
    pen.oval(x, y + 0.17 * size, 0.075 * size, 0.034 * size, theme.RED)
    emblems.draw_crown(pen, x, y - 0.5 * size, 0.66 * size, ink)
    emblems.draw_pip(pen, suit, x, y + 0.74 * size, 0.22 * size, paint=theme.GOLD)


def draw_queen(pen: Pen, x: float, y: float, size: float, suit: str) -> None:
    """Draw the queen: long hair, a tiara, and a necklace with the suit."""
    ink = theme.SUIT_COLOURS[suit]
    pen.polygon(place_outline(_LONG_HAIR, x, y, size), theme.GOLD_DARK)
    pen.polygon(place_outline(_SHOULDERS, x, y, size), ink)
    pen.polygon(place_outline(_NECKLINE, x, y, size), theme.SKIN)
    necklace = bezier_curve((-0.19, 0.32), ((-0.16, 0.56), (0.16, 0.56), (0.19, 0.32)))
    pen.line(place_outline(necklace, x, y, size), 0.035 * size, theme.GOLD)
    _draw_face(pen, x, y, size)
    for side in (-1, 1):
        pen.oval(x + side * 0.14 * size, y + 0.07 * size, 0.05 * size, 0.035 * size, theme.ROSE)
    pen.oval(x, y + 0.14 * size, 0.065 * size, 0.034 * size, theme.RED)
    emblems.draw_tiara(pen, x, y - 0.38 * size, 0.6 * size, ink)
    emblems.draw_pip(pen, suit, x, y + 0.74 * size, 0.22 * size, paint=theme.GOLD)


def draw_jack(pen: Pen, x: float, y: float, size: float, suit: str) -> None:
    """Draw the jack: a young face below a plumed hat, in a tunic of two colours."""
    ink = theme.SUIT_COLOURS[suit]
    pen.polygon(place_outline(_SHOULDERS, x, y, size), ink)
    pen.polygon(place_outline([(px, py) for px, py in _SHOULDERS if px >= 0], x, y, size), theme.GOLD_DARK)
    pen.polygon(place_outline(_SHORT_HAIR, x, y, size), theme.WORN)
    _draw_face(pen, x, y, size)
    collar = mirror_outline([(0, 0.32), (0.26, 0.3), (0.2, 0.46), (0, 0.4)])
    pen.polygon(place_outline(collar, x, y, size), theme.IVORY)
    smile = bezier_curve((-0.08, 0.12), ((-0.03, 0.17), (0.03, 0.17), (0.08, 0.12)))
    pen.line(place_outline(smile, x, y, size), 0.035 * size, theme.RED)
    emblems.draw_plumed_hat(pen, x, y - 0.42 * size, 0.76 * size, ink)
    emblems.draw_pip(pen, suit, x, y + 0.7 * size, 0.24 * size, paint=theme.IVORY)


def _draw_face(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw a face with eyes and a nose."""
    pen.oval(x, y, 0.25 * size, 0.3 * size, theme.SKIN)
    for side in (-1, 1):
        pen.oval(x + side * 0.1 * size, y - 0.04 * size, 0.032 * size, 0.042 * size, theme.INK)
        brow = ((side * 0.05, -0.12), (side * 0.16, -0.13))
        pen.line(place_outline(brow, x, y, size), 0.028 * size, theme.WORN)
    pen.line(place_outline(((0.01, -0.02), (0.03, 0.06), (-0.02, 0.065)), x, y, size), 0.022 * size, theme.WORN)
