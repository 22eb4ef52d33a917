"""The layouts of Jest: the table in columns, on a hand one's own cards below it, and the Jests worked out."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jest.spec import JestHand, JestRow, JestSeat, JestSheet, JestTable, Offered, Trophy
from cogs.pictures import card_faces, table_pieces
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import Layouts, S, Start, Surface
from cogs.pictures.raster.letters import fitted
from cogs.pictures.raster.strips import lay_shared, lay_strip

_SMALL_WIDTH, _SMALL_HEIGHT = (side * theme.SMALL for side in theme.CARD)
_TOP = 128  # where the seats' columns begin
_EDGE, _GAP = 14, 12
_UNITS = {3: 1.2, 4: 1.0}
_HEAD, _FOOT = 96, 44  # of a column, above and below its cards
_HAND, _FAN = 1.24, 1.0
_OWN = round(theme.CARD[1] * _HAND) + 72  # how high one's own part is
_ROW = 158
_STEP = 76 / theme.PIXELS  # from card to card in a row: whole pixels, so that what is alike in them is packed as such


def lay_jest_table(spec: JestTable, start: Start[S]) -> S:
    """Trophies, deck and round above; a column a seat: name, Jest, and the two places of its offer; one's own below."""
    unit = _UNITS[len(spec.seats)]
    height = round(theme.CARD[1] * unit) + _HEAD + _FOOT
    own = _TOP + height + _GAP
    surface = start(table_pieces.tray, own + (_OWN if spec.own else 2))
    lay_strip(surface, 0, _TOP, _lay_top, spec.trophies, spec.title, spec.deck)
    lay_shared(surface, _TOP, own, _lay_seats, spec.seats, height, unit)
    if spec.own:
        lay_strip(surface, own, own + _OWN, _lay_own, spec.own, own)
    return surface


def _lay_top(surface: Surface, trophies: Sequence[Trophy], title: Sequence[str], deck: int) -> None:
    for i, trophy in enumerate(trophies):
        _lay_trophy(surface, trophy, _EDGE + 6.0 + 270 * i)
    _lay_deck(surface, title, deck)


def _lay_seats(surface: Surface, seats: Sequence[JestSeat], height: int, unit: float) -> None:
    width = round((theme.WIDTH - 2 * _EDGE - _GAP * (len(seats) - 1)) / len(seats))
    for seat, there in enumerate(seats):
        _lay_seat(surface, seat, there, _EDGE + (width + _GAP) * seat, width, height, unit)


def _lay_trophy(surface: Surface, trophy: Trophy, x: float) -> None:
    """A trophy and what it asks for."""
    surface.paste(x, 14, card_faces.card, trophy.key, theme.SMALL)
    surface.paste(x + _SMALL_WIDTH - 18, 14 + _SMALL_HEIGHT - 26, table_pieces.cup, 40)
    for i, line in enumerate(trophy.words):
        middle = 14 + _SMALL_HEIGHT / 2 - 21 * (len(trophy.words) - 1) + 42 * i
        surface.text(x + _SMALL_WIDTH + 30, middle, line, theme.LEAST_TYPE, theme.IVORY, theme.FELT, "l")


def _lay_deck(surface: Surface, title: Sequence[str], deck: int) -> None:
    for i, line in enumerate(title):
        ink = theme.IVORY if i == 0 else theme.MIST
        surface.text(theme.WIDTH - 24, 44 + 42 * i, line, theme.LEAST_TYPE, ink, theme.FELT, "r")
    surface.paste(596, 14, *((card_faces.card, "back", theme.SMALL) if deck else (table_pieces.place, theme.SMALL)))
    surface.text(684, 44, "deck", theme.LEAST_TYPE, theme.MIST, theme.FELT, "l")
    surface.text(684, 86, str(deck), 40, theme.IVORY, theme.FELT, "l")


def _lay_seat(surface: Surface, seat: int, there: JestSeat, x: int, width: int, height: int, unit: float) -> None:
    surface.paste(x, _TOP, table_pieces.panel, width, height, there.turn)
    sign = (table_pieces.robot, seat, 40) if there.computer else (table_pieces.token, seat, 40, False)
    surface.paste(x + 12, _TOP + 12, *sign)
    name, size = fitted(there.name, width - 72, theme.NAME_TYPE)
    surface.text(x + 60, _TOP + 32, name, size, theme.IVORY, theme.PLATE, "l")
    surface.text(x + 14, _TOP + 74, f"{there.jest} in Jest", theme.LEAST_TYPE, theme.MIST, theme.PLATE, "l")
    for i in range(there.jest):
        surface.paste(x + width - 44 - 12 * i, _TOP + 54, card_faces.card, "back", 0.28)
    card = theme.CARD[0] * unit
    left, top = x + (width - 2 * card - 8) / 2, _TOP + _HEAD
    for i, place in enumerate((there.up, there.down)):
        _lay_place(surface, place, left + (card + 8) * i, top, unit)
    ink = theme.GOLD if there.turn else theme.MIST
    if there.tag:
        surface.text(x + width / 2, _TOP + height - 24, there.tag, theme.LEAST_TYPE, ink, theme.PLATE)


def _lay_place(surface: Surface, place: Offered, x: float, y: float, unit: float) -> None:
    """A card of an offer; or its empty place, with who took it and as which one of the round."""
    if place.key:
        surface.paste(x, y, card_faces.card, place.key, unit)
        return
    surface.paste(x, y, table_pieces.place, unit)
    if place.taker is not None:
        width, height = (side * unit for side in theme.CARD)
        surface.paste(x + width / 2 - 26, y + height / 2 - 52, table_pieces.token, place.taker, 52, False)
        surface.paste(x + width / 2 - 30, y + height / 2 + 4, table_pieces.badge, str(place.order), 60, False)


def _lay_own(surface: Surface, own: JestHand, y: int) -> None:
    """The two cards on the left, the Jest fanned out on the right with its worth."""
    card, height = (side * _HAND for side in theme.CARD)
    for i, (key, word, taker) in enumerate(own.cards):
        x = 24 + (card + 36) * i
        surface.paste(x, y + 10, card_faces.card, key, _HAND, dimmed=taker is not None)
        if taker is not None:
            surface.paste(x + card / 2 - 30, y + 10 + height / 2 - 30, table_pieces.token, taker, 60, False)
        if word:
            surface.text(x + card / 2, y + height + 38, word, theme.LEAST_TYPE, theme.GOLD, theme.FELT)
    left = 360
    surface.paste(left, y + 4, table_pieces.panel, theme.WIDTH - left - _EDGE, _OWN - 18, False)
    surface.text(left + 22, y + 40, "your Jest", theme.LEAST_TYPE, theme.MIST, theme.PLATE, "l")
    surface.text(theme.WIDTH - 36, y + 40, own.worth, theme.NAME_TYPE, theme.GOLD, theme.PLATE, "r")
    width = theme.CARD[0] * _FAN
    step = min(width + 8, (theme.WIDTH - left - 58 - width) / max(1, len(own.jest) - 1))
    for i, key in enumerate(own.jest):
        surface.paste(left + 22 + step * i, y + 68, card_faces.card, key, _FAN)
    if not own.jest:
        surface.paste(left + 22, y + 68, table_pieces.place, _FAN)


def lay_jest_sheet(spec: JestSheet, start: Start[S]) -> S:
    """A line a seat, the best first: place, token, its cards and what each counts, the total."""
    surface = start(table_pieces.room, _ROW * len(spec.rows) + (_ROW if spec.nobody else 0) + 8)
    for i, row in enumerate(spec.rows):
        if i % 2 == 0:
            surface.paste(0, _ROW * i, table_pieces.band, _ROW)
        _lay_row(surface, row, _ROW * i + 12)
    y = _ROW * len(spec.rows) + 12
    for i, key in enumerate(spec.nobody):
        surface.paste(204 + 90 * i, y, card_faces.card, key, theme.SMALL, dimmed=True)
        surface.paste(204 + 90 * i + _SMALL_WIDTH - 20, y + _SMALL_HEIGHT - 28, table_pieces.cup, 36)
    if spec.nobody:
        surface.text(24, y + 50, "nobody", theme.LEAST_TYPE, theme.MIST, _ground(y), "l")
    return surface


def _lay_row(surface: Surface, row: JestRow, y: int) -> None:
    surface.paste(14, y + 6, table_pieces.token, row.seat, 44, False)
    place = table_pieces.PLACES[row.place - 1]
    surface.text(70, y + 30, place, theme.NAME_TYPE, theme.GOLD, _ground(y), "l")
    name, size = fitted(row.name, 178, theme.NAME_TYPE)
    surface.text(14, y + 80, name, size, theme.IVORY, _ground(y), "l")
    step = min(_STEP, (650 - _SMALL_WIDTH) / max(1, len(row.cards) - 1))
    for i, card in enumerate(row.cards):
        x = 204 + step * i
        if card.key:
            surface.paste(x, y, card_faces.card, card.key, theme.SMALL)
        else:
            surface.text(x + _SMALL_WIDTH / 2, y + 50, "pairs", theme.LEAST_TYPE, theme.MIST, _ground(y))
        if card.trophy:
            surface.paste(x + _SMALL_WIDTH - 20, y + _SMALL_HEIGHT - 28, table_pieces.cup, 36)
        surface.text(x + _SMALL_WIDTH / 2, y + 124, card.points, theme.LEAST_TYPE, _ink(card.points), _ground(y))
    surface.text(theme.WIDTH - 24, y + 64, row.total, 60, theme.GOLD, _ground(y), "r")


def _ground(y: int) -> theme.Colour:
    """Every other line lies on a band."""
    return theme.ROOM if y // _ROW % 2 == 0 else theme.PLATE


def _ink(points: str) -> theme.Colour:
    return theme.LIME if points.startswith("+") else theme.ROSE if points.startswith("−") else theme.MIST


LAYOUTS: Layouts = {JestTable: lay_jest_table, JestSheet: lay_jest_sheet}
