"""The sign of Jokers."""

from __future__ import annotations

from cogs.jokers.drawing.spec import CLOTH, JokersSign
from cogs.pictures import emblems
from cogs.pictures.game_sign import SIGN_SIZE, start_sign
from cogs.pictures.raster.canvas import S, SurfaceFactory
from cogs.pictures.raster.pen import Drawing


def lay_sign(spec: JokersSign, make_surface: SurfaceFactory[S]) -> S:
    """Lay the sign, which is one drawing."""
    return make_surface(jokers_sign, SIGN_SIZE, CLOTH)


def jokers_sign(height: int) -> Drawing:
    """Return the joker with his face of two halves."""
    pen = start_sign(height)
    emblems.draw_joker(pen, height / 2, height * 0.51, height * 0.59)
    return pen.finish(covers_all=True)
