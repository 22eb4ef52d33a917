"""Faces and backs of playing cards, in units of a card that is 100 wide and 140 high."""

from __future__ import annotations

from cogs.pictures import emblems, face_figures
from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Drawing, Pen, place_outline

_MIN_WORD_SCALE = 1.35  # smaller cards have no room for readable words
_DRAW_FIGURE = {"J": face_figures.draw_jack, "Q": face_figures.draw_queen, "K": face_figures.draw_king}


def card(key: str, unit: float, is_crowded: bool = False, tilt: int = 0) -> Drawing:
    """Return a card by its notation, or `back`; small cards are simpler. A crowded card shows only its left side.

    `tilt` turns it clockwise, in degrees.
    """
    pen = Pen(*theme.CARD_SIZE, unit)
    if key == "joker":
        _draw_joker(pen, unit, is_crowded)
    elif key == "back":
        draw_card_back(pen)
    elif unit < 1:
        _draw_small_card(pen, key[:-1], key[-1])
    else:
        _draw_playing_card(pen, key[:-1], key[-1])
    return pen.finish(tilt=tilt)


def draw_blank_card(pen: Pen, ground: theme.Colour, border: theme.Colour) -> None:
    """Draw a blank card. The dark edge of its outline separates overlapping cards."""
    pen.box(0, 0, 100, 140, 9, theme.SHADE, in_mask=True)
    pen.box(0.8, 0.6, 98.8, 137.8, 8.4, border)
    pen.box(2, 1.8, 97.4, 135.8, 7.4, ground)


def draw_card_back(pen: Pen) -> None:
    """Draw the back of a card."""
    draw_blank_card(pen, theme.INDIGO, theme.IVORY)
    pen.box(8, 8, 92, 132, 5, theme.VIOLET)
    pen.box(10, 10, 90, 130, 4, theme.INDIGO)
    for row in range(5):
        for column in range(3):
            pen.polygon(place_outline(emblems.STAR, 26 + 24 * column, 22 + 24 * row, 14), theme.GOLD)


def _draw_playing_card(pen: Pen, rank: str, suit: str) -> None:
    """Draw rank and suit at the left, where every hand shows them, and a large suit beside them."""
    draw_blank_card(pen, theme.IVORY, theme.CREAM)
    ink = theme.SUIT_COLOURS[suit]
    _draw_rank(pen, 31 if rank == "10" else 25, 26, rank, 34, ink)
    emblems.draw_pip(pen, suit, 25, 69, 30)
    if rank in _DRAW_FIGURE:
        _DRAW_FIGURE[rank](pen, 69, 84, 56, suit)
    else:
        emblems.draw_pip(pen, suit, 65, 103, 58)


def _draw_rank(pen: Pen, x: float, y: float, rank: str, height: float, ink: theme.Colour) -> None:
    """Draw a rank. The 10 is set closely, so that it is hardly wider than the others."""
    if rank == "10":
        pen.text(x - 0.36 * height, y, "1", height, ink)
        pen.text(x + 0.24 * height, y, "0", height, ink)
    else:
        pen.text(x, y, rank, height, ink)


def _draw_small_card(pen: Pen, rank: str, suit: str) -> None:
    """Draw a large rank over a large suit. J and Q move up a little, because they have descenders."""
    draw_blank_card(pen, theme.IVORY, theme.CREAM)
    ink = theme.SUIT_COLOURS[suit]
    if rank in "JQ":
        _draw_rank(pen, 50, 33, rank, 42, ink)
    else:
        _draw_rank(pen, 50, 40, rank, 48, ink)
    emblems.draw_pip(pen, suit, 50, 96, 54)


def _draw_joker(pen: Pen, unit: float, is_crowded: bool) -> None:
    """Draw the joker: a grinning head, with the word above it if there is room."""
    draw_blank_card(pen, theme.IVORY, theme.CREAM)
    if unit < _MIN_WORD_SCALE:
        emblems.draw_joker(pen, 38 if is_crowded else 50, 72, 56 if is_crowded else 80)
        return
    pen.text(50, 19, "JOKER", 17, theme.INK)
    emblems.draw_joker(pen, 38 if is_crowded else 50, 82, 56 if is_crowded else 68)
