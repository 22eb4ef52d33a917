"""Faces of playing cards, and the back of every card, in units of a card 100 wide and 140 high."""

from __future__ import annotations

from cogs.pictures import emblems
from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Art, Pen, placed

_WORDED = 1.35  # cards smaller than that have no room for words that can be read
_HEADS = {"J": emblems.plumed_hat, "Q": emblems.tiara, "K": emblems.crown}


def card(key: str, unit: float, crowded: bool = False) -> Art:
    """A card by its name in the notation, or `back`; simpler where it is small. In a crowd only its left is seen."""
    pen = Pen(*theme.CARD, unit)
    if key == "joker":
        _joker(pen, unit, crowded)
    elif key == "back":
        back(pen)
    elif unit < 1:
        _small(pen, key[:-1], key[-1])
    else:
        _playing_card(pen, key[:-1], key[-1])
    return pen.art()


def blank(pen: Pen, ground: theme.Colour, border: theme.Colour) -> None:
    """A card with nothing on it; the outline's dark edge lets cards stand apart where they overlap."""
    pen.box(0, 0, 100, 140, 9, theme.SHADE, cut=True)
    pen.box(0.8, 0.8, 99.2, 139.2, 8.4, border)
    pen.box(2, 2, 98, 138, 7.4, ground)


def back(pen: Pen) -> None:
    """The back of every card."""
    blank(pen, theme.INDIGO, theme.IVORY)
    pen.box(8, 8, 92, 132, 5, theme.VIOLET)
    pen.box(10, 10, 90, 130, 4, theme.INDIGO)
    for row in range(5):
        for column in range(3):
            pen.polygon(placed(emblems.STAR, 26 + 24 * column, 22 + 24 * row, 14), theme.GOLD)


def _playing_card(pen: Pen, rank: str, suit: str) -> None:
    """Rank over suit at the left, where they are seen in every hand, and the suit once more as large as it goes."""
    blank(pen, theme.IVORY, theme.CREAM)
    ink = theme.SUIT_COLOURS[suit]
    _rank(pen, 31 if rank == "10" else 25, 26, rank, 34, ink)
    emblems.pip(pen, suit, 25, 69, 30)
    emblems.pip(pen, suit, 64, 103, 58)
    if rank in _HEADS:
        _HEADS[rank](pen, 71, 40, 42, ink)


def _rank(pen: Pen, x: float, y: float, rank: str, height: float, ink: theme.Colour) -> None:
    """A rank; the 10 set closely, so that it takes little more room than others."""
    if rank == "10":
        pen.text(x - 0.36 * height, y, "1", height, ink)
        pen.text(x + 0.24 * height, y, "0", height, ink)
    else:
        pen.text(x, y, rank, height, ink)


def _small(pen: Pen, rank: str, suit: str) -> None:
    """Rank over suit, as large as they go; the letters that reach below the others stand clear of it."""
    blank(pen, theme.IVORY, theme.CREAM)
    ink = theme.SUIT_COLOURS[suit]
    if rank in "JQ":
        _rank(pen, 50, 33, rank, 42, ink)
    else:
        _rank(pen, 50, 40, rank, 48, ink)
    emblems.pip(pen, suit, 50, 96, 54)


def _joker(pen: Pen, unit: float, crowded: bool) -> None:
    """The joker of a pack of playing cards: a grinning head, and its word above where there is room."""
    blank(pen, theme.IVORY, theme.CREAM)
    if unit < _WORDED:
        emblems.joker(pen, 38 if crowded else 50, 72, 56 if crowded else 80)
        return
    pen.text(50, 19, "JOKER", 17, theme.INK)
    emblems.joker(pen, 38 if crowded else 50, 82, 56 if crowded else 68)
