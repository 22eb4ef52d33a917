"""Jesters' own emoji: a die of each colour with its pattern."""

from __future__ import annotations

from cogs.jesters.drawing.dice import technique_die
from cogs.pictures.emoji import UNITS, EmojiDrawing
from cogs.pictures.raster import theme

EMOJI = {
    f"{name}_die": EmojiDrawing(technique_die, (colour, int(UNITS)))
    for colour, (name, _) in enumerate(theme.DICE_COLOURS)
}
