"""The sign of Jokers, and its figure in the picture of a lobby."""

from __future__ import annotations

from cogs.jokers.drawing.spec import CLOTH, JokersLobby, JokersSign
from cogs.pictures import emblems, lobby_picture
from cogs.pictures.game_sign import SIGN_SIZE, start_sign
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import S, SurfaceFactory
from cogs.pictures.raster.pen import Drawing, Pen


def lay_sign(spec: JokersSign, make_surface: SurfaceFactory[S]) -> S:
    """Lay the sign, which is one drawing."""
    return make_surface(jokers_sign, SIGN_SIZE, CLOTH)


def lay_lobby(spec: JokersLobby, make_surface: SurfaceFactory[S]) -> S:
    """Lay the picture of a lobby."""
    return lobby_picture.lay_lobby(spec, make_surface, jokers_figure, CLOTH)


def jokers_sign(height: int) -> Drawing:
    """Return the joker with his face of two halves."""
    pen = start_sign(height)
    emblems.draw_joker(pen, height / 2, height * 0.51, height * 0.59)
    return pen.finish(covers_all=True)


def jokers_figure(size: int) -> Drawing:
    """Return the joker with his face of two halves."""
    pen = Pen(size, size, ground=theme.FELT)
    emblems.draw_joker(pen, size / 2, size * 0.52, size * 0.66)
    return pen.finish(covers_all=True)
