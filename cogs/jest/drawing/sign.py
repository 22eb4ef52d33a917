"""The sign of Jest, and its figure in the picture of a lobby."""

from __future__ import annotations

from cogs.jest.drawing.spec import CLOTH, JestLobby, JestSign
from cogs.pictures import emblems, lobby_picture
from cogs.pictures.game_sign import SIGN_SIZE, start_sign
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import S, SurfaceFactory
from cogs.pictures.raster.pen import Drawing, Pen


def lay_sign(spec: JestSign, make_surface: SurfaceFactory[S]) -> S:
    """Lay the sign, which is one drawing."""
    return make_surface(jest_sign, SIGN_SIZE, CLOTH)


def lay_lobby(spec: JestLobby, make_surface: SurfaceFactory[S]) -> S:
    """Lay the picture of a lobby."""
    return lobby_picture.lay_lobby(spec, make_surface, jest_figure, CLOTH)


def jest_sign(height: int) -> Drawing:
    """Return the smiling jester below his cap with bells."""
    pen = start_sign(height)
    emblems.draw_jester(pen, height / 2, height * 0.49, height * 0.47)
    return pen.finish(covers_all=True)


def jest_figure(size: int) -> Drawing:
    """Return the jester below his cap with bells."""
    pen = Pen(size, size, ground=theme.FELT)
    emblems.draw_jester(pen, size / 2, size * 0.49, size * 0.56)
    return pen.finish(covers_all=True)
