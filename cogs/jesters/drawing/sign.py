"""The sign of Jesters, and its figure in the picture of a lobby."""

from __future__ import annotations

from cogs.jesters.drawing import dice
from cogs.jesters.drawing.spec import CLOTH, JestersLobby, JestersSign
from cogs.pictures import emblems, lobby_picture
from cogs.pictures.game_sign import SIGN_SIZE, start_sign
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import S, SurfaceFactory
from cogs.pictures.raster.pen import Drawing, Pen, place_outline


def lay_sign(spec: JestersSign, make_surface: SurfaceFactory[S]) -> S:
    """Lay the sign, which is one drawing."""
    return make_surface(jesters_sign, SIGN_SIZE, CLOTH)


def lay_lobby(spec: JestersLobby, make_surface: SurfaceFactory[S]) -> S:
    """Lay the picture of a lobby."""
    return lobby_picture.lay_lobby(spec, make_surface, jesters_figure, CLOTH)


def jesters_sign(height: int) -> Drawing:
    """Return a jester above three dice in different colours."""
    pen = start_sign(height)
    _draw_jester(pen, height / 2, height * 0.43, height * 0.42, height * 0.75, height * 0.2)
    return pen.finish(covers_all=True)


def jesters_figure(size: int) -> Drawing:
    """Return the same without a frame."""
    pen = Pen(size, size, ground=theme.FELT)
    _draw_jester(pen, size / 2, size * 0.4, size * 0.5, size * 0.83, size * 0.26)
    return pen.finish(covers_all=True)


def _draw_jester(pen: Pen, x: float, y: float, size: float, below: float, die: float) -> None:
    """Draw a jester around a point, and below him three dice of a size."""
    emblems.draw_jester(pen, x, y, size)
    for number, face in enumerate((5, 6, 3)):
        _draw_die(pen, number, face, x + 1.1 * die * (number - 1), below, die)


def _draw_die(pen: Pen, colour: int, face: int, x: float, y: float, size: float) -> None:
    """Draw a die around a point, with a broad edge in its colour."""
    for edge, ink in ((0.0, theme.SHADE), (0.03, theme.DICE_COLOURS[colour][1]), (0.13, theme.IVORY)):
        half = (0.5 - edge) * size
        pen.box(x - half, y - half, x + half, y + half, 0.2 * size - edge * size, ink)
    for px, py in place_outline(dice.DIE_PIPS[face], x, y, 0.92 * size):
        pen.oval(px, py, 0.085 * size, 0.085 * size, theme.INK)
