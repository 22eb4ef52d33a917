"""Sprites of Jesters' dice. Each colour has a pattern for colour-blind players; letters are for seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PIL import Image

from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import CAPITAL_HEIGHT, Drawing, Pen, place_outline

ANY_COLOUR = -1  # a die of any colour
PATTERN_HEIGHT = 18  # of the pattern below a coloured die of a requirement
SIGN_HEIGHT = 46  # of the face of such a die
EXTRA_HEIGHT = 0.3  # share of a rolled die's width for the pattern below it
ROLLING_WIDTH = 1.4  # of a rolling die with its corners, in widths of a die
_DICE_PLACES = {1: ((0.0, 0.0),), 2: ((0.0, 0.25), (0.5, 0.25)), 3: ((0.0, 0.0), (0.5, 0.0), (0.25, 0.5))}
_ROLLING = ((25, 4), (65, 1), (40, 6), (15, 3))  # the angle and the face of each picture of a rolling die
_PIP_OFFSET = 0.23
DIE_PIPS = {
    1: ((0, 0),),
    2: ((-_PIP_OFFSET, -_PIP_OFFSET), (_PIP_OFFSET, _PIP_OFFSET)),
    3: ((-_PIP_OFFSET, -_PIP_OFFSET), (0, 0), (_PIP_OFFSET, _PIP_OFFSET)),
    4: (
        (-_PIP_OFFSET, -_PIP_OFFSET),
        (_PIP_OFFSET, -_PIP_OFFSET),
        (-_PIP_OFFSET, _PIP_OFFSET),
        (_PIP_OFFSET, _PIP_OFFSET),
    ),
    5: (
        (-_PIP_OFFSET, -_PIP_OFFSET),
        (_PIP_OFFSET, -_PIP_OFFSET),
        (0, 0),
        (-_PIP_OFFSET, _PIP_OFFSET),
        (_PIP_OFFSET, _PIP_OFFSET),
    ),
    6: (
        (-_PIP_OFFSET, -_PIP_OFFSET),
        (_PIP_OFFSET, -_PIP_OFFSET),
        (-_PIP_OFFSET, 0),
        (_PIP_OFFSET, 0),
        (-_PIP_OFFSET, _PIP_OFFSET),
        (_PIP_OFFSET, _PIP_OFFSET),
    ),
}


def technique_die(colour: int, size: int) -> Drawing:
    """An unrolled die with a large pattern. A die of any colour has all four patterns.

    Its edge is light, because red without a pattern is dark on dark for people who do not see red.
    """
    pen = Pen(1, 1, size, theme.IVORY)
    _draw_technique(pen, colour, 0, 0, 1)
    return pen.finish()


def technique_dice(colours: Sequence[int], size: int) -> Drawing:
    """One to three unrolled dice in a square: what a Jest card teaches."""
    pen = Pen(1, 1, size, theme.IVORY)
    places = _DICE_PLACES[len(colours)]
    side = 1 if len(colours) == 1 else 0.5
    for colour, (x, y) in zip(colours, places, strict=True):
        _draw_technique(pen, colour, x, y, side)
    return pen.finish()


def _draw_technique(pen: Pen, colour: int, x: float, y: float, side: float) -> None:
    """Draw an unrolled die whose upper left corner is at a point."""
    low, high = 0.05 * side, 0.95 * side
    pen.box(x, y, x + side, y + side, 0.2 * side, theme.IVORY, in_mask=True)
    if colour == ANY_COLOUR:
        _draw_all_colours(pen, x, y, side)
    else:
        pen.box(x + low, y + low, x + high, y + high, 0.16 * side, theme.DICE_COLOURS[colour][1])
        _DRAW_PATTERN[colour](pen, x + low, y + low, x + high, y + high)


def technique_mark(key: str, size: int) -> Drawing:
    """A seat's die of a colour."""
    return technique_die(int(key), size)


def rolled_die(colour: int, face: int, size: int, is_marked: bool) -> Drawing:
    """A rolled die: its pips, and its colour's pattern below. Marked dice have a gold edge."""
    height = 1 + EXTRA_HEIGHT
    pen = Pen(1, height, size)
    pen.box(0, 0, 1, height, 0.17, theme.GOLD if is_marked else theme.SHADE, in_mask=True)
    edge = 0.08 if is_marked else 0.03
    pen.box(edge, edge, 1 - edge, height - edge, 0.13, theme.DICE_COLOURS[colour][1])
    inside = edge + 0.06
    pen.box(inside, inside, 1 - inside, 1 - 0.06, 0.1, theme.IVORY)
    for x, y in place_outline(DIE_PIPS[face], 0.5, 0.5, 0.92):
        pen.oval(x, y, 0.08, 0.08, theme.INK)
    _DRAW_PATTERN[colour](pen, inside, 0.97, 1 - inside, height - inside + 0.03)
    return pen.finish()


def rolling_die(colour: int, turn: int, size: int) -> Drawing:
    """A die that rolls: tilted, with another face each turn."""
    angle, face = _ROLLING[(turn - 1) % len(_ROLLING)]
    pen = Pen(ROLLING_WIDTH, ROLLING_WIDTH, size)
    edge = (ROLLING_WIDTH - 1) / 2
    end, middle = edge + 1, ROLLING_WIDTH / 2
    pen.box(edge, edge, end, end, 0.2, theme.SHADE, in_mask=True)
    pen.box(edge + 0.03, edge + 0.03, end - 0.03, end - 0.03, 0.18, theme.DICE_COLOURS[colour][1])
    pen.box(edge + 0.09, edge + 0.09, end - 0.09, end - 0.09, 0.14, theme.IVORY)
    for x, y in place_outline(DIE_PIPS[face], middle, middle, 0.92):
        pen.oval(x, y, 0.08, 0.08, theme.INK)
    pen.image = pen.image.rotate(angle, Image.Resampling.BILINEAR, fillcolor=theme.SHADE)
    pen.mask = pen.mask.rotate(angle, Image.Resampling.BILINEAR)
    return pen.finish()


def requirement_die(text: str, colour: int, width: int) -> Drawing:
    """A die of a requirement: its required face, and the pattern of its required colour below."""
    pen = Pen(width, SIGN_HEIGHT + (0 if colour == ANY_COLOUR else PATTERN_HEIGHT))
    if colour != ANY_COLOUR:
        pen.box(0, 0, width, SIGN_HEIGHT + PATTERN_HEIGHT, 10, theme.SHADE, in_mask=True)
        pen.box(2, 2, width - 2, SIGN_HEIGHT + PATTERN_HEIGHT - 2, 9, theme.DICE_COLOURS[colour][1])
        _DRAW_PATTERN[colour](pen, 6, SIGN_HEIGHT + 1, width - 6, SIGN_HEIGHT + PATTERN_HEIGHT - 3)
        pen.box(6, 6, width - 6, SIGN_HEIGHT - 1, 6, theme.IVORY)
    else:
        pen.box(0, 0, width, SIGN_HEIGHT, 10, theme.SHADE, in_mask=True)
        pen.box(2, 2, width - 2, SIGN_HEIGHT - 2, 9, theme.IVORY)
    pen.text(
        width / 2,
        SIGN_HEIGHT / 2 + (1 if colour != ANY_COLOUR else 0),
        text,
        theme.MIN_TYPE_SIZE * CAPITAL_HEIGHT,
        theme.INK,
    )
    return pen.finish()


def change_sign(text: str, colour: int, width: int, height: int) -> Drawing:
    """A Jest card's change of a die: `±2` on a die of that colour, or two arrows that turn it over."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 10, theme.SHADE, in_mask=True)
    band = 16
    if colour == ANY_COLOUR:
        step = (width - 4) / 4
        pen.box(2, 2, width - 2, height - 2, 9, theme.RED)
        for one in range(1, 4):
            pen.box(2 + step * one, 2, width - 2, height - 2, 9, theme.DICE_COLOURS[one][1])
            pen.box(2 + step * one - 2, height - band - 2, 2 + step * one + 2, height - 4, 0, theme.IVORY)
    else:
        pen.box(2, 2, width - 2, height - 2, 9, theme.DICE_COLOURS[colour][1])
        _DRAW_PATTERN[colour](pen, 6, height - band - 2, width - 6, height - 4)
    low = height - band - 4
    pen.box(6, 6, width - 6, low, 6, theme.IVORY)
    if text == "turn":
        _draw_turn_arrows(pen, width / 2, (6 + low) / 2, low - 12)
    else:
        pen.text(width / 2, (6 + low) / 2, text, theme.MIN_TYPE_SIZE * CAPITAL_HEIGHT, theme.INK)
    return pen.finish()


def _draw_turn_arrows(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw two arrows, up and down."""
    for at, sign in ((x - 0.22 * size, 1), (x + 0.22 * size, -1)):
        pen.line([(at, y + sign * 0.34 * size), (at, y - sign * 0.1 * size)], 0.12 * size, theme.INK)
        head = ((-0.2, -0.04), (0.2, -0.04), (0, -0.4))
        pen.polygon([(at + px * size, y + sign * py * size) for px, py in head], theme.INK)


def _draw_no_pattern(pen: Pen, x0: float, y0: float, x1: float, y1: float) -> None:
    """Draw red's pattern: none."""


def _draw_stripes(pen: Pen, x0: float, y0: float, x1: float, y1: float) -> None:
    """Draw blue's pattern: vertical bars."""
    bars = max(2, round((x1 - x0) / (y1 - y0) * 2))
    step = (x1 - x0) / (2 * bars + 1)
    for i in range(bars):
        left = x0 + step * (2 * i + 1)
        pen.box(left, y0 + 0.12 * (y1 - y0), left + step, y1 - 0.12 * (y1 - y0), 0, theme.IVORY)


def _draw_checks(pen: Pen, x0: float, y0: float, x1: float, y1: float) -> None:
    """Draw green's pattern: a checkerboard."""
    rows = 4 if x1 - x0 < 1.5 * (y1 - y0) else 2
    side = 0.84 * (y1 - y0) / rows
    columns = round((x1 - x0) / side) - (0 if rows == 2 else 1)
    left, top = (x0 + x1 - columns * side) / 2, y0 + 0.08 * (y1 - y0)
    for row in range(rows):
        for column in range(columns):
            if (row + column) % 2 == 0:
                x, y = left + column * side, top + row * side
                pen.box(x, y, x + side, y + side, 0, theme.IVORY)


def _draw_ring(pen: Pen, x0: float, y0: float, x1: float, y1: float) -> None:
    """Draw purple's pattern: a ring."""
    width = 0.2 * (y1 - y0)
    low = 0.16 * (y1 - y0)
    pen.box(x0 + low, y0 + low, x1 - low, y1 - low, width, theme.IVORY)
    pen.box(x0 + low + width, y0 + low + width, x1 - low - width, y1 - low - width, width / 2, theme.PURPLE)


_DRAW_PATTERN: tuple[Callable[[Pen, float, float, float, float], None], ...] = (
    _draw_no_pattern,
    _draw_stripes,
    _draw_checks,
    _draw_ring,
)


def _draw_all_colours(pen: Pen, x: float, y: float, side: float) -> None:
    """Draw four quarters in the four colours, under a cross."""
    low, half, high, end = (share * side for share in (0.05, 0.5, 0.95, 0.1))
    pen.box(x + low, y + low, x + high, y + high, 0.16 * side, theme.RED)
    for dx, dy, colour in ((half, low, 1), (low, half, 2), (half, half, 3)):
        pen.box(x + dx, y + dy, x + dx + high - half, y + dy + high - half, 0.12 * side, theme.DICE_COLOURS[colour][1])
    pen.line([(x + half, y + end), (x + half, y + side - end)], 0.08 * side, theme.IVORY)
    pen.line([(x + end, y + half), (x + side - end, y + half)], 0.08 * side, theme.IVORY)
