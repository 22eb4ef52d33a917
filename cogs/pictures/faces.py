"""Card faces and backs, in units of a card 100 wide and 140 high."""

from __future__ import annotations

from cogs.pictures import emblems, theme
from cogs.pictures.pen import Art, Pen, placed, ring

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
_COURT = {"J": emblems.plumed_hat, "Q": emblems.tiara, "K": emblems.crown}


def card(key: str, unit: float, crowded: bool = False) -> Art:
    """A card by its name in the notation, or `back`; simpler where it is small, or one of a crowd."""
    pen = Pen(*theme.CARD, unit)
    if key in ("wizard", "jester"):
        _special(pen, key, unit, crowded)
    elif key == "joker":
        _joker(pen, unit)
    elif key == "back":
        _back(pen)
    elif unit < 1:
        _small(pen, key[:-1], key[-1])
    else:
        _playing_card(pen, key[:-1], key[-1], crowded)
    return pen.art()


def jest_card(key: str, unit: float) -> Art:
    """A card of Jest: rank, suit's letter and shape as large as they go; the Joker; a back."""
    pen = Pen(*theme.CARD, unit)
    if key == "back":
        _back(pen)
    elif key == "joker":
        _blank(pen, theme.IVORY, theme.GOLD)
        pen.box(5, 5, 95, 135, 6, theme.GOLD_DARK)
        pen.box(6.2, 6.2, 93.8, 133.8, 5, theme.IVORY)
        emblems.joker(pen, 50, 60, 72)
        pen.text(50, 119, "JOKER", 15, theme.INK)
    else:
        _blank(pen, theme.IVORY, theme.CREAM)
        ink = theme.SUIT_COLOURS[key[-1]]
        pen.text(28, 33, key[:-1], 40, ink)
        pen.text(80, 24, key[-1], 20, ink)
        emblems.pip(pen, key[-1], 52, 92, 68)
    return pen.art()


def _blank(pen: Pen, ground: theme.Colour, border: theme.Colour) -> None:
    """The outline's dark edge lets cards stand apart where they overlap."""
    pen.box(0, 0, 100, 140, 9, theme.SHADE, cut=True)
    pen.box(0.8, 0.8, 99.2, 139.2, 8.4, border)
    pen.box(2, 2, 98, 138, 7.4, ground)


def _playing_card(pen: Pen, rank: str, suit: str, crowded: bool) -> None:
    _blank(pen, theme.IVORY, theme.CREAM)
    ink = theme.SUIT_COLOURS[suit]
    _rank(pen, 17, 20, rank, 25, ink)
    emblems.pip(pen, suit, 17, 47.5, 22)
    if not crowded:
        pen.turn_corner(31, 63)
    if rank in _COURT:
        _court(pen, rank, suit)
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


def _court(pen: Pen, rank: str, suit: str) -> None:
    ink = theme.SUIT_COLOURS[suit]
    _COURT[rank](pen, 50, 71, 56, ink)
    for y, turned in ((27, False), (113, True)):
        emblems.pip(pen, suit, 50, y, 19, turned)


def _small(pen: Pen, rank: str, suit: str) -> None:
    """Rank over suit, as large as they go."""
    _blank(pen, theme.IVORY, theme.CREAM)
    ink = theme.SUIT_COLOURS[suit]
    _rank(pen, 50, 40, rank, 48, ink)
    emblems.pip(pen, suit, 50, 96, 54)


def _special(pen: Pen, key: str, unit: float, crowded: bool) -> None:
    ground, figure = (theme.INDIGO, emblems.wizard) if key == "wizard" else (theme.PLUM, emblems.jester)
    _blank(pen, ground, theme.IVORY)
    if unit < 1:
        figure(pen, 50, 70, 74)
        return
    if crowded:  # the word ends above the row of cards that covers the lower part
        _word(pen, key, 12, 13.5, 11)
        figure(pen, 64, 74, 56)
        return
    _word(pen, key, 38, 17.5, 12)
    sign = placed(emblems.STAR, 14.5, 16, 21) if key == "wizard" else placed(ring(4, inner=0.5), 14.5, 16, 21)
    pen.polygon(sign, theme.GOLD)
    figure(pen, 60, 72, 62)


def _word(pen: Pen, word: str, top: float, step: float, height: float) -> None:
    """A word down the left side."""
    for i, letter in enumerate(word.upper()):
        pen.text(14.5, top + step * i, letter, height, theme.IVORY)


def _joker(pen: Pen, unit: float) -> None:
    """The joker of a pack of playing cards: its word down the side, and a grinning head."""
    _blank(pen, theme.IVORY, theme.CREAM)
    if unit < 1:
        emblems.joker(pen, 50, 72, 80)
        return
    for i, letter in enumerate("JOKER"):
        pen.text(14.5, 20 + 18 * i, letter, 14, theme.RED if i % 2 else theme.INK)
    pen.turn_corner(25, 104)
    emblems.joker(pen, 53, 72, 66)


def _back(pen: Pen) -> None:
    _blank(pen, theme.INDIGO, theme.IVORY)
    pen.box(8, 8, 92, 132, 5, theme.VIOLET)
    pen.box(10, 10, 90, 130, 4, theme.INDIGO)
    for row in range(5):
        for column in range(3):
            pen.polygon(placed(emblems.STAR, 26 + 24 * column, 22 + 24 * row, 14), theme.GOLD)
