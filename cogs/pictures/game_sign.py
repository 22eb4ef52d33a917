"""The sign of a game: a small square picture of its table with its figure, for the list of the games."""

from __future__ import annotations

from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Pen

SIGN_SIZE = 280  # layout units; Discord shows it on 85 pixels
_FRAME = ((theme.WOOD_LIGHT, 5), (theme.WOOD, 13), (theme.WOOD_DARK, 5), (theme.SHADE, 4), (theme.FELT_DARK, 6))
"""From the outside in, with their widths. All lines are broad, because the picture is shown at a third of its size."""
SIGN_EDGE = sum(width for _, width in _FRAME)  # width of the frame


def start_sign(height: int) -> Pen:
    """Return a pen on an empty table of that width and height."""
    pen = Pen(height, height, ground=theme.WOOD_DARK)
    edge = 0
    for colour, wide in _FRAME:
        pen.box(edge, edge, height - edge, height - edge, max(6, 26 - edge / 2), colour)
        edge += wide
    pen.box(edge, edge, height - edge, height - edge, 8, theme.FELT)
    return pen
