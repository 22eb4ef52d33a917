"""The sign of Wizard."""

from __future__ import annotations

from cogs.pictures import emblems
from cogs.pictures.game_sign import SIGN_SIZE, start_sign
from cogs.pictures.raster.canvas import S, SurfaceFactory
from cogs.pictures.raster.pen import Drawing
from cogs.wizard.drawing.spec import CLOTH, WizardSign


def lay_sign(spec: WizardSign, make_surface: SurfaceFactory[S]) -> S:
    """Lay the sign, which is one drawing."""
    return make_surface(wizard_sign, SIGN_SIZE, CLOTH)


def wizard_sign(height: int) -> Drawing:
    """Return the head of an old wizard below his pointed hat."""
    pen = start_sign(height)
    emblems.draw_pointed_hat(pen, height / 2, height * 0.5, height * 0.48)
    return pen.finish(covers_all=True)
