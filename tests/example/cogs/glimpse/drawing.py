"""The layouts of Glimpse: the table in rows, and a hand beside the card to remember."""

from __future__ import annotations

from cogs.pictures import emblems, faces, theme, things
from cogs.pictures.canvas import Layouts, S, Start, Surface
from cogs.pictures.pen import Art, Pen
from tests.example.cogs.glimpse.spec import Face, HandPicture, Place, TablePicture

_TOP, _ROW = 76, 138
_LARGE = 1.4


def lay_table(spec: TablePicture, start: Start[S]) -> S:
    """The deal above; below, a row a seat: token, points, and its cards on the table."""
    surface = start(things.tray, _TOP + _ROW * len(spec.places) + 12)
    surface.text(32, 44, spec.title, 34, theme.IVORY, theme.FELT, "l")
    for seat, place in enumerate(spec.places):
        _lay_place(surface, seat, place, _TOP + _ROW * seat)
    return surface


def _lay_place(surface: Surface, seat: int, place: Place, y: int) -> None:
    surface.paste(18, y, things.panel, 964, _ROW - 10, place.turn)
    surface.paste(36, y + 26, things.token, seat, 76)
    surface.text(180, y + 50, place.points, 56, theme.GOLD, theme.PLATE)
    surface.text(180, y + 98, f"{place.hand} in hand", 24, theme.MIST, theme.PLATE)
    if place.tag:
        surface.paste(270, y + 46, things.tag, place.tag)
    for i, face in enumerate(place.up):
        surface.paste(520 + 90 * i, y + 13, glimpse_card, face.card, face.wizard, theme.SMALL)
    if place.down:
        surface.paste(520 + 90 * len(place.up), y + 13, faces.card, "back", theme.SMALL)


def lay_hand(spec: HandPicture, start: Start[S]) -> S:
    """The hand on the left, what of it lies face down dimmed; the glimpse on the right, with whose card it is."""
    surface = start(things.tray, 250)
    shown: list[tuple[Face, bool]] = [(face, False) for face in spec.cards]
    for i, (face, down) in enumerate([*shown, *([(spec.down, True)] if spec.down else [])]):
        surface.paste(28 + 156 * i, 26, glimpse_card, face.card, face.wizard, _LARGE, dimmed=down)
    surface.paste(560, 22, things.panel, 416, 206, False)
    surface.text(584, 60, "your glimpse", 30, theme.MIST, theme.PLATE, "l")
    surface.paste(584, 110, things.token, spec.neighbour, 84)
    surface.paste(810, 26, glimpse_card, spec.glimpse.card, spec.glimpse.wizard, _LARGE)
    return surface


def glimpse_card(card: int, wizard: bool, unit: float) -> Art:
    """A card: its number, and who it shows."""
    pen = Pen(*theme.CARD, unit)
    pen.box(0, 0, 100, 140, 9, theme.SHADE, cut=True)
    pen.box(1, 1, 99, 139, 8, theme.IVORY)
    pen.box(4, 4, 96, 136, 6, theme.INDIGO if wizard else theme.PLUM)
    figure = emblems.pointed_hat if wizard else emblems.jester
    figure(pen, 50, 86, 58)
    pen.text(27, 26, str(card), 25, theme.IVORY)
    return pen.art()


LAYOUTS: Layouts = {TablePicture: lay_table, HandPicture: lay_hand}
