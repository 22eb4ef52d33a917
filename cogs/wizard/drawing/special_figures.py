"""The figures of Wizard's six special cards. All outlines were made for this project, about one unit wide."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import cos, pi, sin

from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Pen, Point, bezier_curve, mirror_outline, place_outline


def draw_elephant(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw an elephant's head from the front: wide ears, tusks, a long trunk, and a cap with a jewel."""
    ear = bezier_curve(
        (0.12, -0.3), ((0.3, -0.5), (0.6, -0.4), (0.56, -0.06)), ((0.54, 0.16), (0.34, 0.3), (0.18, 0.16))
    )
    inner = bezier_curve(
        (0.2, -0.24), ((0.34, -0.38), (0.5, -0.3), (0.47, -0.06)), ((0.45, 0.08), (0.32, 0.16), (0.22, 0.08))
    )
    for side in (-1, 1):
        _fill(pen, [(side * px, py) for px, py in ear], x, y, size, theme.STONE)
        _fill(pen, [(side * px, py) for px, py in inner], x, y, size, theme.ROSE)
    for side in (-1, 1):
        tusk = bezier_curve(
            (0.1, 0.14), ((0.14, 0.3), (0.22, 0.4), (0.34, 0.4)), ((0.26, 0.34), (0.24, 0.24), (0.22, 0.1))
        )
        _fill(pen, [(side * px, py) for px, py in tusk], x, y, size, theme.IVORY)
    head = bezier_curve(
        (0, -0.46), ((0.2, -0.46), (0.3, -0.3), (0.29, -0.1)), ((0.28, 0.06), (0.2, 0.16), (0.13, 0.22))
    )
    trunk = bezier_curve(
        (0.13, 0.22), ((0.12, 0.4), (0.13, 0.5), (0.22, 0.52)), ((0.28, 0.53), (0.32, 0.49), (0.33, 0.43))
    )
    tip = bezier_curve(
        (0.33, 0.43), ((0.44, 0.48), (0.4, 0.66), (0.22, 0.66)), ((0.0, 0.66), (-0.1, 0.5), (-0.13, 0.22))
    )
    left = [(-px, py) for px, py in reversed(head)]
    _fill(pen, [*head, *trunk, *tip, *left], x, y, size, theme.STONE_LIGHT)
    for row in range(4):
        low = 0.26 + 0.085 * row
        _stroke(pen, [(-0.09 + 0.025 * row, low), (0.07 + 0.02 * row, low + 0.005)], x, y, size, 0.02, theme.STONE)
    for side in (-1, 1):
        pen.oval(x + side * 0.15 * size, y - 0.06 * size, 0.034 * size, 0.044 * size, theme.INK)
        _stroke(pen, [(side * 0.1, -0.13), (side * 0.2, -0.12)], x, y, size, 0.025, theme.STONE)
    cap = bezier_curve(
        (0, -0.52), ((0.14, -0.52), (0.22, -0.42), (0.24, -0.32)), ((0.16, -0.3), (0.06, -0.24), (0, -0.12))
    )
    _fill(pen, mirror_outline(cap), x, y, size, theme.GOLD)
    _fill(pen, [(0, -0.42), (0.075, -0.33), (0, -0.22), (-0.075, -0.33)], x, y, size, theme.RED)


def draw_mouse(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw a mouse from the side: a round back, a pointed nose with whiskers, big ears and a long curled tail."""
    tail = bezier_curve(
        (-0.34, 0.3), ((-0.62, 0.3), (-0.6, -0.06), (-0.38, -0.1)), ((-0.2, -0.12), (-0.18, -0.34), (-0.36, -0.36))
    )
    _stroke(pen, tail, x, y, size, 0.045, theme.ROSE)
    pen.oval(x + 0.13 * size, y - 0.2 * size, 0.15 * size, 0.16 * size, theme.STONE)
    body = bezier_curve(
        (-0.42, 0.34), ((-0.44, 0.0), (-0.16, -0.16), (0.06, -0.12)), ((0.24, -0.16), (0.42, 0.02), (0.56, 0.22))
    ) + bezier_curve((0.56, 0.22), ((0.48, 0.32), (0.34, 0.3), (0.26, 0.38)), ((0.1, 0.4), (-0.2, 0.42), (-0.42, 0.34)))
    _fill(pen, body, x, y, size, theme.STONE_LIGHT)
    pen.oval(x + 0.04 * size, y - 0.18 * size, 0.17 * size, 0.18 * size, theme.STONE_LIGHT)
    pen.oval(x + 0.05 * size, y - 0.17 * size, 0.11 * size, 0.12 * size, theme.ROSE)
    pen.oval(x + 0.33 * size, y + 0.1 * size, 0.036 * size, 0.042 * size, theme.INK)
    pen.oval(x + 0.55 * size, y + 0.2 * size, 0.05 * size, 0.045 * size, theme.ROSE)
    for tip in ((0.3, 0.16), (0.28, 0.24), (0.33, 0.31)):
        _stroke(pen, [(0.46, 0.21), tip], x, y, size, 0.016, theme.INK)
    for foot in (-0.2, 0.2):
        pen.oval(x + foot * size, y + 0.4 * size, 0.1 * size, 0.045 * size, theme.ROSE)


def draw_trapdoor(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw an open hatch in a floor of planks: a dark hole with a ladder, and the lid with its ring behind it."""
    floor = [(-0.46, -0.1), (0.46, -0.1), (0.6, 0.6), (-0.6, 0.6)]
    _fill(pen, floor, x, y, size, theme.PLANK)
    for share in (-0.66, 0.0, 0.66):
        _stroke(pen, [(0.46 * share, -0.1), (0.6 * share, 0.6)], x, y, size, 0.018, theme.PLANK_DARK)
    hole = [(-0.29, 0.06), (0.29, 0.06), (0.39, 0.5), (-0.39, 0.5)]
    _fill(pen, hole, x, y, size, theme.INK)
    for side in (-0.13, 0.13):
        _stroke(pen, [(side, 0.14), (0.8 * side, 0.49)], x, y, size, 0.035, theme.GOLD_DARK)
    for rung in (0.2, 0.3, 0.4):
        _stroke(pen, [(-0.115, rung), (0.115, rung)], x, y, size, 0.03, theme.GOLD_DARK)
    lid = [(-0.29, 0.05), (0.29, 0.05), (0.34, -0.5), (-0.34, -0.5)]
    _fill(pen, lid, x, y, size, theme.PLANK)
    for share in (-0.5, 0.0, 0.5):
        _stroke(pen, [(0.58 * share, 0.05), (0.68 * share, -0.5)], x, y, size, 0.018, theme.PLANK_DARK)
    for bar in (-0.06, -0.4):
        _stroke(pen, [(-0.29, bar), (0.29, bar)], x, y, size, 0.05, theme.PLANK_DARK)
    pen.oval(x, y - 0.25 * size, 0.09 * size, 0.1 * size, theme.GOLD)
    pen.oval(x, y - 0.25 * size, 0.05 * size, 0.06 * size, theme.PLANK)


def draw_chameleon(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw a chameleon on a branch: a crest, an eye like a cone, spots in many colours, and a tail in a spiral."""
    _stroke(pen, bezier_curve((-0.6, 0.34), ((-0.2, 0.3), (0.2, 0.42), (0.6, 0.32))), x, y, size, 0.07, theme.PLANK)
    turns = [(0.34 - 0.3 * (1 - i / 30)) for i in range(31)]
    spiral = [
        (-0.33 + 0.62 * r * cos(-pi / 2 - 4.2 * pi * i / 30), 0.1 + 0.62 * r * sin(-pi / 2 - 4.2 * pi * i / 30))
        for i, r in enumerate(turns)
    ]
    _stroke(pen, spiral, x, y, size, 0.065, theme.LEAF)
    body = bezier_curve(
        (-0.36, -0.08), ((-0.2, -0.4), (0.06, -0.36), (0.18, -0.22)), ((0.24, -0.42), (0.34, -0.44), (0.42, -0.3))
    )
    body += bezier_curve(
        (0.42, -0.3), ((0.5, -0.18), (0.6, -0.1), (0.58, -0.04)), ((0.52, 0.08), (0.34, 0.1), (0.24, 0.08))
    )
    body += bezier_curve((0.24, 0.08), ((0.1, 0.24), (-0.18, 0.24), (-0.3, 0.1)))
    _fill(pen, body, x, y, size, theme.LEAF)
    for leg in (-0.14, 0.16):
        _stroke(pen, [(leg, 0.12), (leg - 0.06, 0.22), (leg + 0.02, 0.32)], x, y, size, 0.06, theme.LEAF)
    for (sx, sy), colour in (
        ((-0.18, -0.08), theme.GOLD),
        ((-0.02, -0.18), theme.RED),
        ((-0.03, 0.03), theme.TEAL),
        ((0.1, -0.08), theme.GOLD),
    ):
        pen.oval(x + sx * size, y + sy * size, 0.05 * size, 0.05 * size, colour)
    pen.oval(x + 0.38 * size, y - 0.16 * size, 0.1 * size, 0.1 * size, theme.GOLD)
    pen.oval(x + 0.4 * size, y - 0.16 * size, 0.045 * size, 0.05 * size, theme.INK)
    _stroke(pen, [(0.36, 0.0), (0.55, -0.03)], x, y, size, 0.022, theme.INK)


def draw_carousel(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw a roundabout: a striped roof with a flag, poles, a horse, and a round floor."""
    _stroke(pen, [(0, -0.62), (0, -0.4)], x, y, size, 0.03, theme.GOLD)
    _fill(pen, [(0, -0.64), (0.17, -0.57), (0, -0.5)], x, y, size, theme.RED)
    pen.oval(x, y + 0.46 * size, 0.54 * size, 0.12 * size, theme.GOLD_DARK)
    pen.oval(x, y + 0.42 * size, 0.54 * size, 0.11 * size, theme.GOLD)
    for pole in (-0.42, 0.0, 0.42):
        _stroke(pen, [(pole, -0.16), (pole, 0.44)], x, y, size, 0.04, theme.IVORY)
    _draw_horse(pen, x - 0.02 * size, y + 0.16 * size, 0.62 * size)
    stripes = (-0.56, -0.336, -0.112, 0.112, 0.336, 0.56)
    for i, (left, right) in enumerate(pairwise(stripes)):
        colour = (theme.RED, theme.IVORY)[i % 2]
        _fill(pen, [(0, -0.46), (right, -0.18), (left, -0.18)], x, y, size, colour)
        middle = (left + right) / 2
        pen.oval(x + middle * size, y - 0.17 * size, 0.112 * size, 0.08 * size, colour)


def draw_weathervane(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw a weathervane: a cock over an arrow, on a pole with two arms."""
    _stroke(pen, [(0, 0.0), (0, 0.62)], x, y, size, 0.05, theme.GOLD_DARK)
    _stroke(pen, [(-0.26, 0.4), (0.26, 0.4)], x, y, size, 0.035, theme.GOLD_DARK)
    for side in (-0.28, 0.28):
        pen.oval(x + side * size, y + 0.4 * size, 0.055 * size, 0.055 * size, theme.IVORY)
    _stroke(pen, [(-0.46, 0.14), (0.4, 0.14)], x, y, size, 0.045, theme.IVORY)
    _fill(pen, [(0.36, 0.02), (0.6, 0.14), (0.36, 0.26)], x, y, size, theme.IVORY)
    _fill(
        pen,
        [(-0.6, 0.02), (-0.42, 0.14), (-0.6, 0.26), (-0.4, 0.26), (-0.3, 0.14), (-0.4, 0.02)],
        x,
        y,
        size,
        theme.IVORY,
    )
    tail = bezier_curve(
        (-0.1, 0.0), ((-0.3, -0.02), (-0.5, -0.2), (-0.44, -0.5)), ((-0.36, -0.36), (-0.3, -0.3), (-0.22, -0.3))
    )
    tail += bezier_curve(
        (-0.22, -0.3), ((-0.26, -0.4), (-0.24, -0.46), (-0.2, -0.52)), ((-0.14, -0.34), (-0.08, -0.24), (0, -0.16))
    )
    body = bezier_curve(
        (0, -0.16), ((0.06, -0.2), (0.08, -0.34), (0.14, -0.44)), ((0.2, -0.52), (0.32, -0.5), (0.34, -0.4))
    )
    body += bezier_curve(
        (0.34, -0.4), ((0.36, -0.2), (0.3, 0.02), (0.08, 0.06)), ((0.0, 0.07), (-0.06, 0.04), (-0.1, 0.0))
    )
    _fill(pen, [*tail, *body], x, y, size, theme.GOLD)
    _fill(pen, [(0.33, -0.42), (0.46, -0.36), (0.34, -0.32)], x, y, size, theme.ORANGE)
    for cx, cy in ((0.16, -0.5), (0.23, -0.54), (0.3, -0.5)):
        pen.oval(x + cx * size, y + cy * size, 0.05 * size, 0.055 * size, theme.RED)
    pen.oval(x + 0.33 * size, y - 0.27 * size, 0.035 * size, 0.06 * size, theme.RED)
    pen.oval(x + 0.26 * size, y - 0.41 * size, 0.026 * size, 0.03 * size, theme.INK)


def _draw_horse(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw a jumping horse from the side."""
    for leg in (((-0.2, 0.1), (-0.36, 0.2), (-0.34, 0.34)), ((0.16, 0.1), (0.3, 0.16), (0.24, 0.3))):
        _stroke(pen, leg, x, y, size, 0.075, theme.IVORY)
    _stroke(pen, bezier_curve((-0.3, -0.04), ((-0.5, -0.1), (-0.5, 0.1), (-0.44, 0.2))), x, y, size, 0.08, theme.GOLD)
    body = bezier_curve(
        (-0.32, 0.0), ((-0.3, -0.18), (0.0, -0.1), (0.14, -0.14)), ((0.18, -0.3), (0.22, -0.4), (0.34, -0.44))
    )
    body += bezier_curve(
        (0.34, -0.44), ((0.42, -0.4), (0.52, -0.3), (0.54, -0.22)), ((0.5, -0.14), (0.42, -0.2), (0.36, -0.22))
    )
    body += bezier_curve(
        (0.36, -0.22), ((0.32, 0.0), (0.3, 0.14), (0.12, 0.16)), ((-0.1, 0.18), (-0.3, 0.2), (-0.32, 0.0))
    )
    _fill(pen, body, x, y, size, theme.IVORY)
    _stroke(pen, bezier_curve((0.14, -0.14), ((0.18, -0.3), (0.22, -0.4), (0.32, -0.44))), x, y, size, 0.07, theme.GOLD)
    _fill(pen, [(-0.12, -0.12), (0.08, -0.12), (0.06, 0.04), (-0.1, 0.04)], x, y, size, theme.RED)


def _fill(pen: Pen, outline: Sequence[Point], x: float, y: float, size: float, ink: theme.Colour) -> None:
    pen.polygon(place_outline(outline, x, y, size), ink)


def _stroke(
    pen: Pen, points: Sequence[Point], x: float, y: float, size: float, width: float, ink: theme.Colour
) -> None:
    pen.line(place_outline(points, x, y, size), width * size, ink)
