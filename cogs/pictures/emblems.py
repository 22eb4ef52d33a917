"""Suit pips, and the heads and hats on cards. All outlines were made for this project."""

from __future__ import annotations

from math import cos, pi, sin

from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Pen, Point, bezier_curve, mirror_outline, place_outline, star_outline

_HEART = mirror_outline(
    bezier_curve((0, 0.5), ((0.08, 0.3), (0.5, 0.1), (0.5, -0.18)), ((0.5, -0.38), (0.37, -0.47), (0.25, -0.47)))
    + bezier_curve((0.25, -0.47), ((0.12, -0.47), (0.03, -0.4), (0, -0.26)))
)
_DIAMOND = mirror_outline(
    bezier_curve((0, -0.52), ((0.1, -0.3), (0.24, -0.12), (0.4, 0)), ((0.24, 0.12), (0.1, 0.3), (0, 0.52)))
)
_SPADE_LEAF = mirror_outline(
    bezier_curve((0, -0.52), ((0.08, -0.3), (0.48, -0.06), (0.48, 0.17)), ((0.48, 0.34), (0.36, 0.41), (0.26, 0.41)))
    + bezier_curve((0.26, 0.41), ((0.15, 0.41), (0.06, 0.35), (0.02, 0.24)))
)
_STEM = mirror_outline(bezier_curve((0.02, 0.1), ((0.03, 0.35), (0.08, 0.46), (0.2, 0.5))))
STAR = star_outline(5, inner=0.21)


def draw_pip(
    pen: Pen,
    suit: str,
    x: float,
    y: float,
    size: float,
    upside_down: bool = False,
    paint: theme.Colour | None = None,
) -> None:
    """Draw a suit symbol around a point, in the colour of the suit unless another one is given."""
    ink = paint or theme.SUIT_COLOURS[suit]
    if suit == "H":
        pen.polygon(place_outline(_HEART, x, y, size, upside_down), ink)
    elif suit == "D":
        pen.polygon(place_outline(_DIAMOND, x, y, size, upside_down), ink)
    elif suit == "S":
        pen.polygon(place_outline(_SPADE_LEAF, x, y, size, upside_down), ink)
        pen.polygon(place_outline(_STEM, x, y, size, upside_down), ink)
    else:
        for cx, cy in place_outline(((0, -0.27), (-0.26, 0.1), (0.26, 0.1)), x, y, size, upside_down):
            pen.oval(cx, cy, 0.235 * size, 0.235 * size, ink)
        pen.polygon(place_outline(((-0.1, -0.2), (0.1, -0.2), (0.14, 0.2), (-0.14, 0.2)), x, y, size, upside_down), ink)
        pen.polygon(place_outline(_STEM, x, y, size, upside_down), ink)


def draw_crown(pen: Pen, x: float, y: float, size: float, ink: theme.Colour) -> None:
    """Draw the king's crown: five tall points with balls, and a jewelled band."""
    tips: list[Point] = [(-0.5, -0.2), (-0.26, -0.34), (0, -0.42), (0.26, -0.34), (0.5, -0.2)]
    dips: list[Point] = [(-0.33, 0.1), (-0.12, 0.06), (0.12, 0.06), (0.33, 0.1)]
    zigzag = [tips[0], dips[0], tips[1], dips[1], tips[2], dips[2], tips[3], dips[3], tips[4]]
    pen.polygon(place_outline([(-0.38, 0.3), *zigzag, (0.38, 0.3)], x, y, size), theme.GOLD)
    for cx, cy in place_outline(tips, x, y, size):
        pen.oval(cx, cy, 0.06 * size, 0.06 * size, ink)
    left, right, low = x - 0.4 * size, x + 0.4 * size, y + 0.27 * size
    pen.box(left, low, right, low + 0.16 * size, 0.03 * size, theme.GOLD_DARK)
    for i in (-1, 0, 1):
        pen.polygon(place_outline(_DIAMOND, x + i * 0.24 * size, low + 0.08 * size, 0.13 * size), theme.IVORY)


def draw_tiara(pen: Pen, x: float, y: float, size: float, ink: theme.Colour) -> None:
    """Draw the queen's tiara: arches that rise to the middle, with pearls."""
    for cx, r in ((-0.36, 0.13), (0.36, 0.13), (-0.19, 0.17), (0.19, 0.17), (0.0, 0.22)):
        px, py = x + cx * size, y + (0.28 - 1.15 * r) * size
        pen.oval(px, py, r * size, 1.35 * r * size, theme.GOLD)
        pen.oval(px, py + 0.02 * size, 0.55 * r * size, 0.8 * r * size, theme.IVORY)
        pen.oval(px, py - 1.35 * r * size, 0.05 * size, 0.05 * size, ink)
    pip_y = y + 0.05 * size
    pen.polygon(place_outline(_HEART, x, pip_y, 0.14 * size), ink)
    band = bezier_curve((-0.5, 0.2), ((-0.25, 0.3), (0.25, 0.3), (0.5, 0.2)))
    lower = bezier_curve((0.46, 0.36), ((0.25, 0.46), (-0.25, 0.46), (-0.46, 0.36)))
    pen.polygon(place_outline([*band, *lower], x, y, size), theme.GOLD_DARK)


def draw_plumed_hat(pen: Pen, x: float, y: float, size: float, ink: theme.Colour) -> None:
    """Draw the jack's hat: a soft cap with a turned-up brim and a long feather."""
    feather = bezier_curve(
        (0.1, 0.16), ((0.2, -0.1), (0.3, -0.42), (0.52, -0.46)), ((0.56, -0.2), (0.42, 0.06), (0.18, 0.2))
    )
    cap = bezier_curve(
        (-0.4, 0.2), ((-0.5, -0.2), (-0.2, -0.36), (0.02, -0.3)), ((0.3, -0.26), (0.4, -0.02), (0.36, 0.2))
    )
    brim = bezier_curve((-0.5, 0.14), ((-0.2, 0.26), (0.2, 0.26), (0.46, 0.12)))
    under = bezier_curve((0.44, 0.3), ((0.2, 0.44), (-0.25, 0.44), (-0.48, 0.32)))
    pen.polygon(place_outline(cap, x, y, size), ink)
    pen.polygon(place_outline(feather, x, y, size), theme.GOLD)
    vein = bezier_curve((0.14, 0.16), ((0.24, 0.0), (0.34, -0.24), (0.48, -0.4)))
    pen.line(place_outline(vein, x, y, size), 0.025 * size, theme.GOLD_DARK)
    pen.polygon(place_outline([*brim, *under], x, y, size), theme.GOLD_DARK)
    pen.oval(x + 0.16 * size, y + 0.27 * size, 0.07 * size, 0.07 * size, theme.IVORY)


def draw_pointed_hat(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw a head with a starry pointed hat, kind eyes and a long beard."""
    beard = bezier_curve(
        (-0.3, 0.08), ((-0.36, 0.4), (-0.12, 0.62), (0.03, 0.86)), ((0.14, 0.6), (0.36, 0.4), (0.3, 0.08))
    )
    pen.polygon(place_outline(beard, x, y, size), theme.IVORY)
    pen.oval(x, y + 0.16 * size, 0.22 * size, 0.19 * size, theme.SKIN)
    moustache = bezier_curve(
        (0, 0.27), ((0.06, 0.2), (0.2, 0.22), (0.27, 0.36)), ((0.16, 0.34), (0.06, 0.36), (0, 0.31))
    )
    pen.polygon(place_outline(mirror_outline(moustache), x, y, size), theme.CREAM)
    for side in (-1, 1):
        pen.oval(x + side * 0.09 * size, y + 0.14 * size, 0.027 * size, 0.035 * size, theme.INK)
        brow = [(side * 0.04, 0.075), (side * 0.15, 0.06)]
        pen.line(place_outline(brow, x, y, size), 0.04 * size, theme.IVORY)
    pen.oval(x, y + 0.22 * size, 0.045 * size, 0.05 * size, (228, 170, 140))
    cone = bezier_curve(
        (-0.31, 0.02), ((-0.22, -0.24), (-0.12, -0.5), (0.0, -0.72)), ((0.08, -0.86), (0.22, -0.86), (0.34, -0.7))
    ) + bezier_curve(
        (0.34, -0.7), ((0.22, -0.72), (0.16, -0.66), (0.18, -0.56)), ((0.22, -0.36), (0.28, -0.16), (0.31, 0.02))
    )
    pen.polygon(place_outline(cone, x, y, size), theme.VIOLET)
    pen.oval(x, y + 0.02 * size, 0.5 * size, 0.095 * size, theme.VIOLET)
    band = bezier_curve((-0.31, -0.08), ((-0.1, 0.0), (0.1, 0.0), (0.31, -0.08)), ((0.3, 0), (0.3, 0), (0.315, 0.02)))
    pen.polygon(
        place_outline([*band, *bezier_curve((0.31, 0.02), ((0.1, 0.09), (-0.1, 0.09), (-0.31, 0.02)))], x, y, size),
        theme.GOLD,
    )
    for sx, sy, big in ((0.04, -0.32, 0.24), (-0.12, -0.17, 0.12), (0.17, -0.16, 0.13), (0.07, -0.58, 0.11)):
        pen.polygon(place_outline(STAR, x + sx * size, y + sy * size, big * size), theme.GOLD)


def draw_jester(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw a smiling face with a three-horned cap with bells, and a zigzag collar."""
    _draw_collar(pen, x, y, size)
    pen.oval(x, y + 0.22 * size, 0.25 * size, 0.29 * size, theme.SKIN)
    left = bezier_curve((-0.27, 0.14), ((-0.36, -0.3), (-0.62, -0.3), (-0.58, 0.12)))
    left += bezier_curve((-0.58, 0.12), ((-0.46, -0.08), (-0.34, -0.02), (-0.02, -0.28)), ((0, -0.1), (0, 0), (0, 0.1)))
    pen.polygon(place_outline(left, x, y, size), theme.TEAL)
    pen.polygon(place_outline([(-px, py) for px, py in left], x, y, size), theme.RED)
    middle = bezier_curve((-0.2, -0.02), ((-0.16, -0.4), (-0.08, -0.5), (0.02, -0.68)))
    middle += bezier_curve((0.02, -0.68), ((0.1, -0.5), (0.2, -0.36), (0.2, -0.02)))
    pen.polygon(place_outline(middle, x, y, size), theme.GOLD)
    brim = bezier_curve((-0.3, 0.02), ((-0.1, -0.08), (0.1, -0.08), (0.3, 0.02)))
    under = bezier_curve((0.29, 0.15), ((0.1, 0.06), (-0.1, 0.06), (-0.29, 0.15)))
    pen.polygon(place_outline([*brim, *under], x, y, size), theme.IVORY)
    for bx, by in ((-0.58, 0.16), (0.58, 0.16), (0.02, -0.7)):
        _draw_bell(pen, x + bx * size, y + by * size, 0.085 * size)
    _draw_grin(pen, x, y, size)


def draw_joker(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw a two-coloured half-mask with one eye shut, and a cap with two horns that curl outwards."""
    for side, colour in ((-1, theme.RED), (1, theme.INK)):
        horn = bezier_curve((0, -0.2), ((0.1, -0.62), (0.5, -0.66), (0.56, -0.2)))
        horn += bezier_curve(
            (0.56, -0.2), ((0.44, -0.34), (0.34, -0.24), (0.3, 0.06)), ((0.2, 0.0), (0.1, -0.02), (0, -0.02))
        )
        pen.polygon(place_outline([(side * px, py) for px, py in horn], x, y, size), colour)
        half = bezier_curve(
            (0, -0.04), ((0.14, -0.04), (0.3, 0.0), (0.31, 0.14)), ((0.3, 0.36), (0.14, 0.5), (0, 0.58))
        )
        face = theme.SKIN if side < 0 else theme.IVORY
        pen.polygon(place_outline([(side * px, py) for px, py in half], x, y, size), theme.INK)
        inner = [(side * (0.92 * px), 0.02 + 0.94 * (py - 0.02)) for px, py in half]
        pen.polygon(place_outline(inner, x, y, size), face)
        band = bezier_curve((0, -0.06), ((0.12, -0.07), (0.24, -0.04), (0.32, 0.02)))
        band += [(0.3, 0.12), (0.18, 0.06), (0, 0.05)]
        pen.polygon(place_outline([(side * px, py) for px, py in band], x, y, size), theme.GOLD)
        _draw_bell(pen, x + side * 0.56 * size, y - 0.15 * size, 0.075 * size)
    pen.polygon(place_outline(star_outline(4, inner=0.5), x - 0.13 * size, y + 0.19 * size, 0.15 * size), theme.INK)
    wink = [(0.07, 0.2), (0.13, 0.16), (0.2, 0.2)]
    pen.line(place_outline(wink, x, y, size), 0.03 * size, theme.INK)
    pen.polygon(place_outline(star_outline(4), x + 0.14 * size, y + 0.31 * size, 0.1 * size), theme.RED)
    grin = [(0.17 * sin(a), 0.34 + 0.1 * cos(a)) for a in (pi * (i / 12 - 0.5) for i in range(13))]
    pen.line(place_outline(grin, x, y, size), 0.035 * size, theme.RED)


_TOWER = [(-0.5, -0.5), (-0.26, -0.5), (-0.26, -0.28), (-0.12, -0.28), (-0.12, -0.5)]
_TOWER = [*_TOWER, *((-px, py) for px, py in reversed(_TOWER)), (0.5, -0.08), (0.36, 0.04), (0.36, 0.5)]
_TOWER = [*_TOWER, (-0.36, 0.5), (-0.36, 0.04), (-0.5, -0.08)]
_FLAME = bezier_curve(
    (0.02, -0.6), ((0.1, -0.3), (0.44, -0.16), (0.38, 0.2)), ((0.32, 0.5), (-0.32, 0.5), (-0.38, 0.2))
) + bezier_curve(
    (-0.38, 0.2), ((-0.4, -0.02), (-0.2, -0.06), (-0.2, -0.26)), ((-0.08, -0.2), (0.04, -0.36), (0.02, -0.6))
)
_LEAF = mirror_outline(bezier_curve((0, 0.56), ((0.4, 0.3), (0.5, -0.1), (0, -0.56))))
_MOON = bezier_curve(
    (0.2, -0.5), ((-0.5, -0.5), (-0.6, 0.5), (0.2, 0.5)), ((-0.2, 0.3), (-0.2, -0.3), (0.2, -0.5)), steps=20
)


def draw_crest_emblem(pen: Pen, seat: int, x: float, y: float, size: float, ink: theme.Colour) -> None:
    """Draw the emblem of a seat: star, tower, flame, leaf, moon or ring."""
    if seat == 5:
        pen.oval(x, y, 0.26 * size, 0.26 * size, ink)
        pen.oval(x, y, 0.12 * size, 0.12 * size, theme.SEAT_SIGNS[seat][1])
        return
    outline = (STAR, _TOWER, _FLAME, _LEAF, _MOON)[seat]
    grown = (1.25, 0.95, 0.9, 0.95, 1.1)[seat]
    pen.polygon(place_outline(outline, x + (0.14 * size if seat == 4 else 0), y, grown * size), ink)


def draw_cup(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw a goblet with two handles."""
    for side in (-1, 1):
        pen.oval(x + side * 0.3 * size, y - 0.2 * size, 0.16 * size, 0.16 * size, theme.INK)
        pen.oval(x + side * 0.3 * size, y - 0.2 * size, 0.09 * size, 0.09 * size, theme.GOLD)
    bowl = bezier_curve(
        (0, 0.16), ((0.22, 0.12), (0.32, -0.1), (0.32, -0.46)), ((0.2, -0.46), (0.1, -0.46), (0, -0.46))
    )
    pen.polygon(place_outline(mirror_outline(bowl), x, y, size), theme.INK)
    foot = ((-0.06, 0.1), (0.06, 0.1), (0.08, 0.34), (0.26, 0.46), (-0.26, 0.46), (-0.08, 0.34))
    pen.polygon(place_outline(foot, x, y, size), theme.INK)


def _draw_collar(pen: Pen, x: float, y: float, size: float) -> None:
    points = ((-0.44, 0.5), (-0.2, 0.44), (0, 0.46), (0.2, 0.44), (0.44, 0.5))
    tips = ((-0.36, 0.8), (-0.13, 0.86), (0.13, 0.86), (0.36, 0.8))
    for i, tip in enumerate(tips):
        colour = (theme.RED, theme.GOLD, theme.TEAL, theme.GOLD)[i]
        pen.polygon(place_outline((points[i], tip, points[i + 1], (0, 0.3)), x, y, size), colour)
        _draw_bell(pen, x + tip[0] * size, y + tip[1] * size, 0.05 * size)


def _draw_bell(pen: Pen, x: float, y: float, r: float) -> None:
    pen.oval(x, y, r, r, theme.GOLD)
    pen.line([(x - 0.5 * r, y + 0.25 * r), (x + 0.5 * r, y + 0.25 * r)], 0.3 * r, theme.GOLD_DARK)


def _draw_grin(pen: Pen, x: float, y: float, size: float) -> None:
    for side in (-1, 1):
        eye = place_outline(star_outline(4, inner=0.5), x + side * 0.1 * size, y + 0.2 * size, 0.11 * size)
        pen.polygon(eye, theme.INK)
        pen.oval(x + side * 0.16 * size, y + 0.31 * size, 0.045 * size, 0.035 * size, theme.ROSE)
    arc = [(0.13 * sin(a), 0.28 + 0.11 * cos(a)) for a in (pi * (i / 12 - 0.5) for i in range(13))]
    pen.line(place_outline(arc, x, y, size), 0.035 * size, theme.RED)
    pen.oval(x, y + 0.27 * size, 0.035 * size, 0.04 * size, theme.ROSE)
