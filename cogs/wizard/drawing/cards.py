"""The faces of Wizard's cards: those of a pack of playing cards, and the two kinds that are none."""

from __future__ import annotations

from cogs.pictures import card_faces, emblems
from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Art, Pen

_WORD = 1.45  # from this size on


def card(key: str, unit: float, crowded: bool = False) -> Art:
    """A card by its name in the notation, or `back`; simpler where it is small, or one of a crowd."""
    if key not in ("wizard", "jester"):
        return card_faces.card(key, unit, crowded)
    pen = Pen(*theme.CARD, unit)
    _special(pen, key, unit, crowded)
    return pen.art()


def _special(pen: Pen, key: str, unit: float, crowded: bool) -> None:
    """A figure, under its word where a telephone shows that large enough."""
    ground, figure = (theme.INDIGO, emblems.pointed_hat) if key == "wizard" else (theme.PLUM, emblems.jester)
    card_faces.blank(pen, ground, theme.IVORY)
    if unit < _WORD:
        figure(pen, 36 if crowded else 50, 58 if crowded else 70, 54 if crowded else 74)
        return
    pen.text(50, 19, key.upper(), 16, theme.IVORY)
    figure(pen, 36 if crowded else 50, 76 if crowded else 82, 50 if crowded else 60)
