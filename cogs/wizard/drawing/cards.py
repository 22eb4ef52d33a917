"""The faces of Wizard's cards: those of a pack of playing cards, and the two kinds that are none."""

from __future__ import annotations

from cogs.pictures import card_faces, emblems
from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Drawing, Pen

_MIN_WORD_SCALE = 1.45  # from this size on


def wizard_card(key: str, unit: float, is_crowded: bool = False) -> Drawing:
    """A card by its name in the notation, or `back`; simpler where it is small, or one of a crowd."""
    if key not in ("wizard", "jester"):
        return card_faces.card(key, unit, is_crowded)
    pen = Pen(*theme.CARD_SIZE, unit)
    _draw_special_card(pen, key, unit, is_crowded)
    return pen.finish()


def _draw_special_card(pen: Pen, key: str, unit: float, is_crowded: bool) -> None:
    """A figure, under its word where a telephone shows that large enough."""
    ground, figure = (theme.INDIGO, emblems.draw_pointed_hat) if key == "wizard" else (theme.PLUM, emblems.draw_jester)
    card_faces.draw_blank_card(pen, ground, theme.IVORY)
    if unit < _MIN_WORD_SCALE:
        figure(pen, 36 if is_crowded else 50, 58 if is_crowded else 70, 54 if is_crowded else 74)
        return
    pen.text(50, 19, key.upper(), 16, theme.IVORY)
    figure(pen, 36 if is_crowded else 50, 76 if is_crowded else 82, 50 if is_crowded else 60)
