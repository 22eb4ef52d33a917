"""The sign of Jester's Court."""

from __future__ import annotations

from cogs.court.drawing.spec import CLOTH, CourtSign
from cogs.pictures import face_figures
from cogs.pictures.game_sign import SIGN_EDGE, SIGN_SIZE, start_sign
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import S, SurfaceFactory
from cogs.pictures.raster.pen import Drawing, Pen

_SQUARES = 4  # on each side


def lay_sign(spec: CourtSign, make_surface: SurfaceFactory[S]) -> S:
    """Lay the sign, which is one drawing."""
    return make_surface(court_sign, SIGN_SIZE, CLOTH)


def court_sign(height: int) -> Drawing:
    """Return a king on the squares of the board, and two Mages before him."""
    pen = start_sign(height)
    low = height - SIGN_EDGE
    cell = (low - SIGN_EDGE) / _SQUARES
    for i in range(_SQUARES):
        for j in range(i % 2, _SQUARES, 2):
            x, y = SIGN_EDGE + i * cell, SIGN_EDGE + j * cell
            pen.box(x, y, x + cell, y + cell, 0, theme.FELT_DARK)
    king = 0.44 * height
    face_figures.draw_king(pen, 0.4 * height, low - 0.88 * king, king, "H")
    for seat, row in ((0, 0.5), (1, 2.5)):
        _draw_mage(pen, seat, low - 0.5 * cell, low - row * cell, cell)
    return pen.finish(covers_all=True)


def _draw_mage(pen: Pen, seat: int, x: float, y: float, size: float) -> None:
    """Draw a Mage around a point: a disc or a square in the colour of its seat."""
    shape, colour, _ = theme.SEAT_SIGNS[seat]
    for half, ink in ((0.45 * size, theme.SHADE), (0.37 * size, colour)):
        radius = half if shape == "circle" else 0.1 * half
        pen.box(x - half, y - half, x + half, y + half, radius, ink)
