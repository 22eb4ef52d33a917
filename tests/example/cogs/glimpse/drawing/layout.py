"""The layout of Glimpse: the table in rows, and on a hand the player's cards and glimpse below."""

from __future__ import annotations

from cogs.pictures import card_faces, emblems, lobby_picture, table_pieces
from cogs.pictures.game_sign import SIGN_SIZE, start_sign
from cogs.pictures.names import lay_name
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface, Layouts, S, SurfaceFactory
from cogs.pictures.raster.letters import fit_text
from cogs.pictures.raster.pen import Drawing, Pen
from cogs.pictures.result_banner import BelowBanner, banner_height, lay_banner
from tests.example.cogs.glimpse.drawing.spec import Face, GlimpseLobby, GlimpseSign, Own, Place, TablePicture

_TOP_HEIGHT, _ROW_HEIGHT, _OWN_HEIGHT = 64, 122, 236
_HAND_SCALE = 1.4


def lay_table(spec: TablePicture, make_surface: SurfaceFactory[S]) -> S:
    """The deal, then a row per seat (shape, name, points, cards on the table), then the player's own cards."""
    own = _TOP_HEIGHT + _ROW_HEIGHT * len(spec.places) + 6
    start = banner_height(spec.banner)
    picture = make_surface(table_pieces.felt_tray, start + own + (_OWN_HEIGHT if spec.own else 0))
    lay_banner(picture, spec.banner)
    surface = BelowBanner(picture, start)
    surface.text(28, 36, spec.title, theme.NAME_TYPE_SIZE, theme.IVORY, theme.FELT, "l")
    for seat, place in enumerate(spec.places):
        _lay_place(surface, seat, place, _TOP_HEIGHT + _ROW_HEIGHT * seat)
    if spec.own:
        _lay_own(surface, spec.own, own)
    return picture


def _lay_place(surface: DrawingSurface, seat: int, place: Place, y: int) -> None:
    surface.paste(18, y, table_pieces.panel, 964, _ROW_HEIGHT - 8, place.turn)
    sign = (table_pieces.computer_token, seat, 44) if place.computer else (table_pieces.seat_token, seat, 44, False)
    surface.paste(36, y + 12, *sign)
    lay_name(surface, 90, y + 36, place.name, 250, theme.IVORY, theme.PLATE, "l")
    surface.text(90, y + 82, place.points, 44, theme.GOLD, theme.PLATE, "l")
    surface.text(160, y + 82, f"{place.hand} in hand", theme.MIN_TYPE_SIZE, theme.MIST, theme.PLATE, "l")
    surface.text(360, y + 36, place.tag, theme.MIN_TYPE_SIZE, theme.GOLD, theme.PLATE, "l")
    for i, face in enumerate(place.up):
        surface.paste(560 + 84 * i, y + 7, glimpse_card, face.card, face.wizard, theme.SMALL_SCALE)
    if place.down:
        surface.paste(560 + 84 * len(place.up), y + 7, card_faces.card, "back", theme.SMALL_SCALE)


def _lay_own(surface: DrawingSurface, own: Own, y: int) -> None:
    """The hand on the left with the card face down dimmed, and the glimpse with its owner on the right."""
    faces: list[tuple[Face, bool]] = [(face, False) for face in own.cards]
    for i, (face, down) in enumerate([*faces, *([(own.down, True)] if own.down else [])]):
        surface.paste(28 + 156 * i, y + 14, glimpse_card, face.card, face.wizard, _HAND_SCALE, dimmed=down)
    surface.paste(560, y + 10, table_pieces.panel, 416, 206, False)
    surface.text(584, y + 48, "your glimpse", theme.MIN_TYPE_SIZE, theme.MIST, theme.PLATE, "l")
    surface.paste(584, y + 76, table_pieces.seat_token, own.neighbour, 44, False)
    lay_name(surface, 636, y + 100, own.called, 160, theme.IVORY, theme.PLATE, "l")
    if own.guess:
        guess, size = fit_text(own.guess, 210, theme.MIN_TYPE_SIZE)
        surface.text(584, y + 164, guess, size, theme.GOLD, theme.PLATE, "l")
    surface.paste(810, y + 14, glimpse_card, own.glimpse.card, own.glimpse.wizard, _HAND_SCALE)


def glimpse_card(card: int, wizard: bool, unit: float) -> Drawing:
    """A card: its number and its figure."""
    pen = Pen(*theme.CARD_SIZE, unit)
    pen.box(0, 0, 100, 140, 9, theme.SHADE, in_mask=True)
    pen.box(1, 1, 99, 139, 8, theme.IVORY)
    pen.box(4, 4, 96, 136, 6, theme.INDIGO if wizard else theme.PLUM)
    figure = emblems.draw_pointed_hat if wizard else emblems.draw_jester
    figure(pen, 50, 86, 58)
    pen.text(30, 30, str(card), 34, theme.IVORY)
    return pen.finish()


def lay_sign(spec: GlimpseSign, make_surface: SurfaceFactory[S]) -> S:
    """The back of a card, and the wizard on the card before it."""
    surface = make_surface(empty_sign, SIGN_SIZE)
    surface.paste(52, 52, card_faces.card, "back", 1.1)
    surface.paste(118, 74, glimpse_card, 12, True, 1.1)
    return surface


def empty_sign(height: int) -> Drawing:
    """The ground of the sign."""
    return start_sign(height).finish(covers_all=True)


def lay_lobby(spec: GlimpseLobby, make_surface: SurfaceFactory[S]) -> S:
    """The picture of a lobby."""
    return lobby_picture.lay_lobby(spec, make_surface, glimpse_figure, "green")


def glimpse_figure(size: int) -> Drawing:
    """The wizard."""
    pen = Pen(size, size, ground=theme.FELT)
    emblems.draw_pointed_hat(pen, size / 2, size / 2, size / 2)
    return pen.finish(covers_all=True)


LAYOUTS: Layouts = {TablePicture: lay_table, GlimpseSign: lay_sign, GlimpseLobby: lay_lobby}
