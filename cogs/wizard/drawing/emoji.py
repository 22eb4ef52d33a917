"""Wizard's own emoji: its special cards."""

from __future__ import annotations

from cogs.pictures import emblems
from cogs.pictures.emoji import EmojiDrawing, figure_card
from cogs.pictures.raster import theme
from cogs.wizard.drawing.cards import FIGURES

EMOJI = {
    "wizard": EmojiDrawing(figure_card, (theme.INDIGO, emblems.draw_pointed_hat)),
    "jester": EmojiDrawing(figure_card, (theme.PLUM, emblems.draw_jester)),
    **{name: EmojiDrawing(figure_card, (theme.RUST, draw)) for name, draw in FIGURES.items()},
}
