"""The Court's own emoji: a Menhir card."""

from __future__ import annotations

from cogs.court.drawing.pieces import MENHIR_OUTLINE
from cogs.pictures.emoji import UNITS, EmojiDrawing
from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Drawing, Pen, place_outline


def standing_stone() -> Drawing:
    """Draw a standing stone without an owner."""
    pen = Pen(100, 100, UNITS / 100)
    pen.polygon(place_outline(MENHIR_OUTLINE, 50, 50, 98), theme.SHADE, in_mask=True)
    pen.polygon(place_outline(MENHIR_OUTLINE, 50, 50, 88), theme.MIST)
    pen.line([(39, 24), (44, 42), (37, 56)], 4, theme.PLATE)
    pen.line([(60, 66), (55, 80)], 4, theme.PLATE)
    return pen.finish()


EMOJI = {"menhir": EmojiDrawing(standing_stone)}
