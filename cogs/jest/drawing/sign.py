"""The sign of Jest."""

from __future__ import annotations

from cogs.jest.drawing.spec import CLOTH, JestSign
from cogs.pictures import emblems
from cogs.pictures.game_sign import SIGN_SIZE, start_sign
from cogs.pictures.raster.canvas import S, SurfaceFactory
from cogs.pictures.raster.pen import Drawing


def lay_sign(spec: JestSign, make_surface: SurfaceFactory[S]) -> S:
    """Lay the sign, which is one drawing."""
    return make_surface(jest_sign, SIGN_SIZE, CLOTH)


def jest_sign(height: int) -> Drawing:
    """Return the smiling jester below his cap with bells."""
    pen = start_sign(height)
    emblems.draw_jester(pen, height / 2, height * 0.49, height * 0.47)
    return pen.finish(covers_all=True)
