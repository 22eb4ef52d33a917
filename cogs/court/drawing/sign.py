"""The sign of Jester's Court, and its figure in the picture of a lobby."""

from __future__ import annotations

from cogs.court.drawing.spec import CLOTH, CourtLobby, CourtSign
from cogs.pictures import face_figures, lobby_picture
from cogs.pictures.game_sign import SIGN_EDGE, SIGN_SIZE, start_sign
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import S, SurfaceFactory
from cogs.pictures.raster.pen import Drawing, Pen

_SQUARES = 4  # on each side


def lay_sign(spec: CourtSign, make_surface: SurfaceFactory[S]) -> S:
    """Lay the sign, which is one drawing."""
    return make_surface(court_sign, SIGN_SIZE, CLOTH)


def lay_lobby(spec: CourtLobby, make_surface: SurfaceFactory[S]) -> S:
    """Lay the picture of a lobby."""
    return lobby_picture.lay_lobby(spec, make_surface, court_figure, CLOTH)


def court_sign(height: int) -> Drawing:
    """Return a king on the squares of the board, and two Mages before him."""
    pen = start_sign(height)
    _draw_court(pen, SIGN_EDGE, height - SIGN_EDGE, 0.4 * height, 0.44 * height)
    return pen.finish(covers_all=True)


def court_figure(size: int) -> Drawing:
    """Return the same without a frame."""
    pen = Pen(size, size, ground=theme.FELT)
    _draw_court(pen, 0.02 * size, 0.98 * size, 0.38 * size, 0.52 * size)
    return pen.finish(covers_all=True)


def _draw_court(pen: Pen, high: float, low: float, x_king: float, king: float) -> None:
    """Draw the board from `high` to `low` in both directions, a king of that place and size, and two Mages."""
    cell = (low - high) / _SQUARES
    for i in range(_SQUARES):
        for j in range(i % 2, _SQUARES, 2):
            x, y = high + i * cell, high + j * cell
            pen.box(x, y, x + cell, y + cell, 0, theme.FELT_DARK)
    face_figures.draw_king(pen, x_king, low - 0.88 * king, king, "H")
    for seat, row in ((0, 0.5), (1, 2.5)):
        _draw_mage(pen, seat, low - 0.5 * cell, low - row * cell, cell)


def _draw_mage(pen: Pen, seat: int, x: float, y: float, size: float) -> None:
    """Draw a Mage around a point: a disc or a square in the colour of its seat."""
    shape, colour, _ = theme.SEAT_SIGNS[seat]
    for half, ink in ((0.45 * size, theme.SHADE), (0.37 * size, colour)):
        radius = half if shape == "circle" else 0.1 * half
        pen.box(x - half, y - half, x + half, y + half, radius, ink)
