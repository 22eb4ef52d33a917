"""The sign of Wizard, and its figure in the picture of a lobby."""

from __future__ import annotations

from cogs.pictures import emblems, lobby_picture
from cogs.pictures.game_sign import SIGN_SIZE, start_sign
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import S, SurfaceFactory
from cogs.pictures.raster.pen import Drawing, Pen, place_outline
from cogs.wizard.drawing.spec import CLOTH, WizardLobby, WizardSign

_STARS = ((0.11, 0.18, 0.1), (0.9, 0.31, 0.12), (0.1, 0.66, 0.07), (0.87, 0.77, 0.08), (0.85, 0.1, 0.06))
"""The places and sizes of the stars around the wizard, as shares of the figure."""


def lay_sign(spec: WizardSign, make_surface: SurfaceFactory[S]) -> S:
    """Lay the sign, which is one drawing."""
    return make_surface(wizard_sign, SIGN_SIZE, CLOTH)


def lay_lobby(spec: WizardLobby, make_surface: SurfaceFactory[S]) -> S:
    """Lay the picture of a lobby."""
    return lobby_picture.lay_lobby(spec, make_surface, wizard_figure, CLOTH)


def wizard_sign(height: int) -> Drawing:
    """Return the head of an old wizard below his pointed hat."""
    pen = start_sign(height)
    emblems.draw_pointed_hat(pen, height / 2, height * 0.5, height * 0.48)
    return pen.finish(covers_all=True)


def wizard_figure(size: int) -> Drawing:
    """Return the wizard among stars."""
    pen = Pen(size, size, ground=theme.FELT)
    for x, y, share in _STARS:
        pen.polygon(place_outline(emblems.STAR, x * size, y * size, share * size), theme.IVORY)
    emblems.draw_pointed_hat(pen, size / 2, size * 0.54, size * 0.56)
    return pen.finish(covers_all=True)
