"""Jesters' dice: each colour has a pattern, a letter and a word, so that it never is the only sign."""

from __future__ import annotations

from collections.abc import Callable

from cogs.pictures import theme
from cogs.pictures.pen import Art, Pen, placed

ANY = -1  # a die of any colour
RIM = 0.13  # of a die's edge that shows its pattern
BAND = 0.36  # how much higher a die with its colour below is
WIDE = 1.32  # a rolled die's width to its size
_FAR = 0.24
_PIPS = {
    1: ((0, 0),),
    2: ((-_FAR, -_FAR), (_FAR, _FAR)),
    3: ((-_FAR, -_FAR), (0, 0), (_FAR, _FAR)),
    4: ((-_FAR, -_FAR), (_FAR, -_FAR), (-_FAR, _FAR), (_FAR, _FAR)),
    5: ((-_FAR, -_FAR), (_FAR, -_FAR), (0, 0), (-_FAR, _FAR), (_FAR, _FAR)),
    6: ((-_FAR, -_FAR), (_FAR, -_FAR), (-_FAR, 0), (_FAR, 0), (-_FAR, _FAR), (_FAR, _FAR)),
}


def tech(colour: int, size: int) -> Art:
    """A die that is not rolled: its pattern around its letter; one of any colour shows all four."""
    pen = Pen(1, 1, size)
    pen.box(0, 0, 1, 1, 0.2, theme.SHADE, cut=True)
    if colour == ANY:
        _all_colours(pen)
        pen.oval(0.5, 0.5, 0.3, 0.3, theme.IVORY)
        pen.text(0.5, 0.5, "?", 0.34, theme.INK)
        return pen.art()
    ink = theme.DICE[colour][1]
    pen.box(0.05, 0.05, 0.95, 0.95, 0.16, ink)
    _PATTERNS[colour](pen, 0.05, 0.05, 0.95, 0.95)
    pen.box(RIM + 0.05, RIM + 0.05, 0.95 - RIM, 0.95 - RIM, 0.12, ink)
    pen.text(0.5, 0.5, letter(colour), 0.44, theme.IVORY)
    return pen.art()


def rolled(colour: int, face: int, size: int, marked: bool) -> Art:
    """A rolled die: its pips, and below them its colour's word on its pattern; edged in gold where it is marked."""
    height = WIDE + BAND
    pen = Pen(WIDE, height, size)
    pen.box(0, 0, WIDE, height, 0.24, theme.GOLD if marked else theme.SHADE, cut=True)
    edge = 0.09 if marked else 0.06
    pen.box(edge, edge, WIDE - edge, height - edge, 0.19, theme.SHADE)
    word, ink = theme.DICE[colour]
    pen.box(0.1, 0.1, WIDE - 0.1, height - 0.1, 0.17, ink)
    _PATTERNS[colour](pen, 0.1, 0.1, WIDE - 0.1, height - 0.1)
    pen.box(0.24, 0.24, WIDE - 0.24, WIDE - 0.24, 0.14, theme.IVORY)
    for x, y in placed(_PIPS[face], WIDE / 2, WIDE / 2, 1):
        pen.oval(x, y, 0.085, 0.085, theme.INK)
    pen.text(WIDE / 2, WIDE - 0.24 + (BAND + 0.04) / 2, word.upper(), 0.19 if len(word) < 6 else 0.165, theme.IVORY)
    return pen.art()


def sign(text: str, colour: int, size: int) -> Art:
    """A die of a requirement: what it has to show, and below it the letter of the colour that is asked of it."""
    if colour == ANY:
        pen = Pen(1, 1, size)
        pen.box(0, 0, 1, 1, 0.18, theme.SHADE, cut=True)
        pen.box(0.05, 0.05, 0.95, 0.95, 0.14, theme.IVORY)
    else:
        height = 1 + BAND
        pen = Pen(1, height, size)
        pen.box(0, 0, 1, height, 0.18, theme.SHADE, cut=True)
        pen.box(0.04, 0.04, 0.96, height - 0.04, 0.15, theme.DICE[colour][1])
        _PATTERNS[colour](pen, 0.04, 0.04, 0.96, height - 0.04)
        pen.text(0.5, 0.5 + (1 + BAND) / 2 - 0.05, letter(colour), 0.27, theme.IVORY)
        pen.box(0.15, 0.15, 0.85, 0.95, 0.1, theme.IVORY)
    _write(pen, 0.5, 0.54 if colour != ANY else 0.5, text)
    return pen.art()


def relation(text: str, size: int) -> Art:
    """`≥ 9` or `≤ 6`, since the typeface lacks these signs; `size` is that of a die."""
    pen = Pen(0.62 + 0.36 * (len(text) - 1), 1, size, ground=theme.PLATE)
    pen.box(0, 0, 2, 1, 0, theme.PLATE, cut=True)
    _compare(pen, 0.28, 0.5, 0.4, text[0] == "≥", theme.IVORY)
    pen.text(0.56 + 0.18 * (len(text) - 1), 0.5, text[1:], 0.46, theme.IVORY)
    return pen.art()


def letter(colour: int) -> str:
    """The letter of a colour."""
    return theme.DICE[colour][0][0].upper()


def _compare(pen: Pen, x: float, y: float, size: float, greater: bool, ink: theme.Colour) -> None:
    side = -0.5 if greater else 0.5
    pen.line(placed(((side, -0.6), (-side, -0.15), (side, 0.3)), x, y, size), 0.09, ink)
    pen.line(placed(((side, 0.62), (-side, 0.62)), x, y, size), 0.09, ink)


def _write(pen: Pen, x: float, y: float, text: str) -> None:
    """What a die has to show; `≠`: another number than the others."""
    if text == "≠":
        for low in (-0.1, 0.1):
            pen.line([(x - 0.2, y + low), (x + 0.2, y + low)], 0.075, theme.INK)
        pen.line([(x - 0.1, y + 0.26), (x + 0.1, y - 0.26)], 0.075, theme.INK)
    else:
        pen.text(x, y, text, {1: 0.48, 2: 0.4, 3: 0.3}.get(len(text), 0.24), theme.INK)


def _plain(pen: Pen, x0: float, y0: float, x1: float, y1: float) -> None:
    """Red's."""


def _stripes(pen: Pen, x0: float, y0: float, x1: float, y1: float) -> None:
    """Blue's: teeth all around."""
    for x in _spread(x0, x1, 0.17):
        for y, inward in ((y0, 0.09), (y1, -0.09)):
            pen.line([(x, y), (x, y + inward)], 0.05, theme.IVORY)
    for y in _spread(y0, y1, 0.17):
        for x, inward in ((x0, 0.09), (x1, -0.09)):
            pen.line([(x, y), (x + inward, y)], 0.05, theme.IVORY)


def _spread(low: float, high: float, step: float) -> list[float]:
    """The middles of equal parts of about that length."""
    parts = round((high - low) / step)
    return [low + (high - low) * (i + 0.5) / parts for i in range(parts)]


def _dots(pen: Pen, x0: float, y0: float, x1: float, y1: float) -> None:
    """Green's: dots all around."""
    for x in _spread(x0, x1, 0.19):
        for y in (y0 + 0.08, y1 - 0.08):
            pen.oval(x, y, 0.04, 0.04, theme.IVORY)
    for y in _spread(y0, y1, 0.19)[1:-1]:
        for x in (x0 + 0.08, x1 - 0.08):
            pen.oval(x, y, 0.04, 0.04, theme.IVORY)


def _line(pen: Pen, x0: float, y0: float, x1: float, y1: float) -> None:
    """Purple's: a thin line all around."""
    pen.box(x0 + 0.035, y0 + 0.035, x1 - 0.035, y1 - 0.035, 0.12, theme.IVORY)
    pen.box(x0 + 0.08, y0 + 0.08, x1 - 0.08, y1 - 0.08, 0.1, theme.PURPLE)


_PATTERNS: tuple[Callable[[Pen, float, float, float, float], None], ...] = (_plain, _stripes, _dots, _line)


def _all_colours(pen: Pen) -> None:
    """Four quarters, each in its colour."""
    pen.box(0.05, 0.05, 0.95, 0.95, 0.16, theme.RED)
    for x, y, colour in ((0.5, 0.05, 1), (0.05, 0.5, 2), (0.5, 0.5, 3)):
        pen.box(x, y, x + 0.45, y + 0.45, 0.12, theme.DICE[colour][1])
    pen.line([(0.5, 0.07), (0.5, 0.93)], 0.04, theme.IVORY)
    pen.line([(0.07, 0.5), (0.93, 0.5)], 0.04, theme.IVORY)
