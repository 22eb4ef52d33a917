"""Sprites of Wizard's cards: playing cards, Wizards, Jesters, and the special cards."""

from __future__ import annotations

from cogs.pictures import card_faces, emblems
from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Drawing, Pen
from cogs.wizard.drawing import special_figures

FIGURES = {
    "elephant": special_figures.draw_elephant,
    "mouse": special_figures.draw_mouse,
    "trapdoor": special_figures.draw_trapdoor,
    "chameleon": special_figures.draw_chameleon,
    "carousel": special_figures.draw_carousel,
    "weathervane": special_figures.draw_weathervane,
}
"""The special cards, of which there is one each. Their names are too long for a card."""
_MIN_WORD_SCALE = 1.45  # the smallest scale with a word


def wizard_card(key: str, unit: float, is_crowded: bool = False, tilt: int = 0) -> Drawing:
    """A card by its notation, or `back`, turned clockwise by `tilt` degrees. Small or crowded cards are simpler."""
    if key not in ("wizard", "jester", *FIGURES):
        return card_faces.card(key, unit, is_crowded, tilt)
    pen = Pen(*theme.CARD_SIZE, unit)
    if key in FIGURES:
        card_faces.draw_blank_card(pen, theme.RUST, theme.IVORY)
        FIGURES[key](pen, 36 if is_crowded else 50, 70, 54 if is_crowded else 75)
    else:
        _draw_named_card(pen, key, unit, is_crowded)
    return pen.finish(tilt=tilt)


def _draw_named_card(pen: Pen, key: str, unit: float, is_crowded: bool) -> None:
    """Draw a figure, with its word if it is readable on a phone."""
    ground, figure = (theme.INDIGO, emblems.draw_pointed_hat) if key == "wizard" else (theme.PLUM, emblems.draw_jester)
    card_faces.draw_blank_card(pen, ground, theme.IVORY)
    if unit < _MIN_WORD_SCALE:
        figure(pen, 36 if is_crowded else 50, 58 if is_crowded else 70, 54 if is_crowded else 74)
        return
    pen.text(50, 19, key.upper(), 16, theme.IVORY)
    figure(pen, 36 if is_crowded else 50, 76 if is_crowded else 82, 50 if is_crowded else 60)
