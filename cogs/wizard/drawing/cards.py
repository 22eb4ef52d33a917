"""The faces of Wizard's cards: those of a pack of playing cards, and the two kinds that are none."""

from __future__ import annotations

from cogs.pictures import emblems, faces, theme
from cogs.pictures.pen import Art, Pen, placed, ring


def card(key: str, unit: float, crowded: bool = False) -> Art:
    """A card by its name in the notation, or `back`; simpler where it is small, or one of a crowd."""
    if key not in ("wizard", "jester"):
        return faces.card(key, unit, crowded)
    pen = Pen(*theme.CARD, unit)
    _special(pen, key, unit, crowded)
    return pen.art()


def _special(pen: Pen, key: str, unit: float, crowded: bool) -> None:
    """A figure with its word down the side; without the word where it is small."""
    ground, figure = (theme.INDIGO, emblems.pointed_hat) if key == "wizard" else (theme.PLUM, emblems.jester)
    faces.blank(pen, ground, theme.IVORY)
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
