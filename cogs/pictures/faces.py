"""Faces of playing cards, and the back of every card, in units of a card 100 wide and 140 high."""

from __future__ import annotations

from cogs.pictures import emblems, theme
from cogs.pictures.pen import Art, Pen, placed

_LEFT, _MID, _RIGHT = 39.5, 50.0, 60.5
_ROWS = {
    2: ((_MID, 26), (_MID, 114)),
    3: ((_MID, 26), (_MID, 70), (_MID, 114)),
    4: ((_LEFT, 26), (_RIGHT, 26), (_LEFT, 114), (_RIGHT, 114)),
    5: ((_LEFT, 26), (_RIGHT, 26), (_MID, 70), (_LEFT, 114), (_RIGHT, 114)),
    6: ((_LEFT, 26), (_RIGHT, 26), (_LEFT, 70), (_RIGHT, 70), (_LEFT, 114), (_RIGHT, 114)),
    7: ((_LEFT, 26), (_RIGHT, 26), (_MID, 48), (_LEFT, 70), (_RIGHT, 70), (_LEFT, 114), (_RIGHT, 114)),
    8: ((_LEFT, 26), (_RIGHT, 26), (_MID, 48), (_LEFT, 70), (_RIGHT, 70), (_MID, 92), (_LEFT, 114), (_RIGHT, 114)),
    9: (*((x, y) for y in (24, 54.6, 85.4, 116) for x in (_LEFT, _RIGHT)), (_MID, 70)),
    10: (*((x, y) for y in (24, 54.6, 85.4, 116) for x in (_LEFT, _RIGHT)), (_MID, 39.3), (_MID, 100.7)),
}
_HEADS = {"J": emblems.plumed_hat, "Q": emblems.tiara, "K": emblems.crown}


def card(key: str, unit: float, crowded: bool = False) -> Art:
    """A card by its name in the notation, or `back`; simpler where it is small, or one of a crowd."""
    pen = Pen(*theme.CARD, unit)
    if key == "joker":
        _joker(pen, unit)
    elif key == "back":
        back(pen)
    elif unit < 1:
        _small(pen, key[:-1], key[-1])
    else:
        _playing_card(pen, key[:-1], key[-1], crowded)
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


def _playing_card(pen: Pen, rank: str, suit: str, crowded: bool) -> None:
    blank(pen, theme.IVORY, theme.CREAM)
    ink = theme.SUIT_COLOURS[suit]
    _rank(pen, 17, 20, rank, 25, ink)
    emblems.pip(pen, suit, 17, 47.5, 22)
    if not crowded:
        pen.turn_corner(31, 63)
    if rank in _HEADS:
        _figure(pen, rank, suit)
    elif rank == "A" or crowded:
        emblems.pip(pen, suit, 50, 70, 46)
    else:
        for x, y in _ROWS[int(rank)]:
            emblems.pip(pen, suit, x, y, 16.5, turned=y > 70)


def _rank(pen: Pen, x: float, y: float, rank: str, height: float, ink: theme.Colour) -> None:
    """A rank; the 10 set closely, so that it takes little more room than others."""
    if rank == "10":
        height *= 0.92
        pen.text(x - 0.36 * height, y, "1", height, ink)
        pen.text(x + 0.21 * height, y, "0", height, ink)
    else:
        pen.text(x, y, rank, height, ink)


def _figure(pen: Pen, rank: str, suit: str) -> None:
    ink = theme.SUIT_COLOURS[suit]
    _HEADS[rank](pen, 50, 71, 56, ink)
    for y, turned in ((27, False), (113, True)):
        emblems.pip(pen, suit, 50, y, 19, turned)


def _small(pen: Pen, rank: str, suit: str) -> None:
    """Rank over suit, as large as they go."""
    blank(pen, theme.IVORY, theme.CREAM)
    ink = theme.SUIT_COLOURS[suit]
    _rank(pen, 50, 40, rank, 48, ink)
    emblems.pip(pen, suit, 50, 96, 54)


def _joker(pen: Pen, unit: float) -> None:
    """The joker of a pack of playing cards: its word down the side, and a grinning head."""
    blank(pen, theme.IVORY, theme.CREAM)
    if unit < 1:
        emblems.joker(pen, 50, 72, 80)
        return
    for i, letter in enumerate("JOKER"):
        pen.text(14.5, 20 + 18 * i, letter, 14, theme.RED if i % 2 else theme.INK)
    pen.turn_corner(25, 104)
    emblems.joker(pen, 53, 72, 66)
