"""The layouts of Jest: the table in columns, the player's own cards below it, and the result."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jest.drawing.sign import lay_lobby, lay_sign
from cogs.jest.drawing.spec import (
    CLOTH,
    JestHand,
    JestLobby,
    JestRow,
    JestSeat,
    JestSheet,
    JestSign,
    JestTable,
    Offered,
    Trophy,
)
from cogs.pictures import card_faces, table_pieces
from cogs.pictures.names import lay_name
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface, Layouts, S, SurfaceFactory
from cogs.pictures.raster.letters import text_width
from cogs.pictures.raster.strips import lay_shared, lay_strip
from cogs.pictures.result_banner import banner_height, lay_banner

_SMALL_WIDTH, _SMALL_HEIGHT = (side * theme.SMALL_SCALE for side in theme.CARD_SIZE)
_TOP = 128  # of the seats' columns
_EDGE, _GAP = 14, 12
_SCALES = {3: 1.2, 4: 1.0}
_HEAD_HEIGHT, _FOOT_HEIGHT = 96, 50  # of a column, above and below its cards
_HAND_SCALE, _FAN_SCALE = 1.24, 1.0
_OWN_HEIGHT = round(theme.CARD_SIZE[1] * _HAND_SCALE) + 72  # of the player's own part
_ROW_HEIGHT, _SHEET_EDGE = 158, 12
_ROWS_PER_STRIP = 2  # lines; larger strips take longer to pack (`png.LARGE_BYTES`)
_MAX_STEP = 76 / theme.PIXELS_PER_UNIT  # from card to card, in whole pixels, so that equal cards compress well


def lay_jest_table(spec: JestTable, make_surface: SurfaceFactory[S]) -> S:
    """Lay trophies, deck and round, then a column per seat (name, Jest, offer), then the player's own cards."""
    unit = _SCALES[len(spec.seats)]
    height = round(theme.CARD_SIZE[1] * unit) + _HEAD_HEIGHT + _FOOT_HEIGHT
    own = _TOP + height + _GAP
    surface = make_surface(table_pieces.felt_tray, own + (_OWN_HEIGHT if spec.own else 2), CLOTH)
    lay_strip(surface, 0, _TOP, _lay_top, spec.trophies, spec.title, spec.deck)
    lay_shared(surface, _TOP, own, _lay_seats, spec.seats, height, unit)
    if spec.own:
        lay_strip(surface, own, own + _OWN_HEIGHT, _lay_own, spec.own, own)
    return surface


def _lay_top(surface: DrawingSurface, trophies: Sequence[Trophy], title: Sequence[str], deck: int) -> None:
    for i, trophy in enumerate(trophies):
        _lay_trophy(surface, trophy, _EDGE + 6.0 + 270 * i)
    _lay_deck(surface, title, deck)


def _lay_seats(surface: DrawingSurface, seats: Sequence[JestSeat], height: int, unit: float) -> None:
    width = round((theme.WIDTH - 2 * _EDGE - _GAP * (len(seats) - 1)) / len(seats))
    for seat, seat_spec in enumerate(seats):
        _lay_seat(surface, seat, seat_spec, _EDGE + (width + _GAP) * seat, width, height, unit)


def _lay_trophy(surface: DrawingSurface, trophy: Trophy, x: float) -> None:
    """Lay a trophy and its condition."""
    surface.paste(x, 14, card_faces.card, trophy.key, theme.SMALL_SCALE)
    surface.paste(x + _SMALL_WIDTH - 18, 14 + _SMALL_HEIGHT - 26, table_pieces.trophy_badge, 40)
    for i, line in enumerate(trophy.words):
        middle = 14 + _SMALL_HEIGHT / 2 - 21 * (len(trophy.words) - 1) + 42 * i
        surface.text(x + _SMALL_WIDTH + 30, middle, line, theme.MIN_TYPE_SIZE, theme.IVORY, theme.FELT, "l")


def _lay_deck(surface: DrawingSurface, title: Sequence[str], deck: int) -> None:
    for i, line in enumerate(title):
        ink = theme.IVORY if i == 0 else theme.MIST
        surface.text(theme.WIDTH - 24, 44 + 42 * i, line, theme.MIN_TYPE_SIZE, ink, theme.FELT, "r")
    surface.paste(
        596,
        14,
        *((card_faces.card, "back", theme.SMALL_SCALE) if deck else (table_pieces.empty_card_place, theme.SMALL_SCALE)),
    )
    surface.text(684, 44, "to draw", theme.MIN_TYPE_SIZE, theme.MIST, theme.FELT, "l")
    surface.text(684, 86, str(deck), 40, theme.IVORY, theme.FELT, "l")


def _lay_seat(
    surface: DrawingSurface, seat: int, jest_seat: JestSeat, x: int, width: int, height: int, unit: float
) -> None:
    surface.paste(x, _TOP, table_pieces.panel, width, height, jest_seat.turn)
    sign = (table_pieces.computer_token, seat, 40) if jest_seat.computer else (table_pieces.seat_token, seat, 40, False)
    surface.paste(x + 12, _TOP + 12, *sign)
    lay_name(surface, x + 60, _TOP + 32, jest_seat.name, width - 72, theme.IVORY, theme.PLATE, "l")
    surface.text(x + 14, _TOP + 74, f"{jest_seat.jest} in Jest", theme.MIN_TYPE_SIZE, theme.MIST, theme.PLATE, "l")
    for i in range(jest_seat.jest):
        surface.paste(x + width - 44 - 12 * i, _TOP + 54, card_faces.card, "back", 0.28)
    card = theme.CARD_SIZE[0] * unit
    left, top = x + (width - 2 * card - 8) / 2, _TOP + _HEAD_HEIGHT
    for i, place in enumerate((jest_seat.up, jest_seat.down)):
        _lay_place(surface, place, left + (card + 8) * i, top, unit)
    ink = theme.GOLD if jest_seat.turn else theme.MIST
    if jest_seat.tag:
        surface.text(x + width / 2, _TOP + height - 28, jest_seat.tag, theme.MIN_TYPE_SIZE, ink, theme.PLATE)


def _lay_place(surface: DrawingSurface, place: Offered, x: float, y: float, unit: float) -> None:
    """Lay a card of an offer, or its empty place with the taker and the number of the take."""
    if place.key:
        surface.paste(x, y, card_faces.card, place.key, unit)
        return
    surface.paste(x, y, table_pieces.empty_card_place, unit)
    if place.taker is not None:
        width, height = (side * unit for side in theme.CARD_SIZE)
        surface.paste(x + width / 2 - 26, y + height / 2 - 52, table_pieces.seat_token, place.taker, 52, False)
        surface.paste(x + width / 2 - 30, y + height / 2 + 4, table_pieces.round_badge, str(place.order), 60, False)


def _lay_own(surface: DrawingSurface, own: JestHand, y: int) -> None:
    """Lay the two cards on the left, and the fanned Jest with its worth on the right."""
    card, height = (side * _HAND_SCALE for side in theme.CARD_SIZE)
    for i, (key, word, taker) in enumerate(own.cards):
        x = 36 + (card + 30) * i
        surface.paste(x, y + 10, card_faces.card, key, _HAND_SCALE, dimmed=taker is not None)
        if taker is not None:
            surface.paste(x + card / 2 - 30, y + 10 + height / 2 - 30, table_pieces.seat_token, taker, 60, False)
        if word:
            surface.text(x + card / 2, y + height + 38, word, theme.MIN_TYPE_SIZE, theme.GOLD, theme.FELT)
    left = 360
    surface.paste(left, y + 4, table_pieces.panel, theme.WIDTH - left - _EDGE, _OWN_HEIGHT - 18, False)
    surface.text(left + 22, y + 40, "your Jest", theme.MIN_TYPE_SIZE, theme.MIST, theme.PLATE, "l")
    surface.text(theme.WIDTH - 36, y + 40, own.worth, theme.NAME_TYPE_SIZE, theme.GOLD, theme.PLATE, "r")
    width = theme.CARD_SIZE[0] * _FAN_SCALE
    step = min(width + 8, (theme.WIDTH - left - 58 - width) / max(1, len(own.jest) - 1))
    for i, key in enumerate(own.jest):
        surface.paste(left + 22 + step * i, y + 68, card_faces.card, key, _FAN_SCALE)
    if not own.jest:
        surface.paste(left + 22, y + 68, table_pieces.empty_card_place, _FAN_SCALE)


def lay_jest_sheet(spec: JestSheet, make_surface: SurfaceFactory[S]) -> S:
    """Lay a line per seat, the best first: place, token, cards with points, total."""
    lines = len(spec.rows) + bool(spec.nobody)
    top = banner_height(spec.banner) + _SHEET_EDGE
    surface = make_surface(table_pieces.paper_sheet, top + _ROW_HEIGHT * lines + _SHEET_EDGE, CLOTH)
    lay_banner(surface, spec.banner)
    for first in range(0, len(spec.rows), _ROWS_PER_STRIP):
        rows, y = spec.rows[first : first + _ROWS_PER_STRIP], top + _ROW_HEIGHT * first
        lay_strip(surface, y, y + _ROW_HEIGHT * len(rows), _lay_rows, rows, first, y)
    y = top + _ROW_HEIGHT * len(spec.rows) + 12
    for i, key in enumerate(spec.nobody):
        surface.paste(204 + 90 * i, y, card_faces.card, key, theme.SMALL_SCALE, dimmed=True)
        surface.paste(204 + 90 * i + _SMALL_WIDTH - 20, y + _SMALL_HEIGHT - 28, table_pieces.trophy_badge, 36)
    if spec.nobody:
        surface.text(30, y + 50, "nobody", theme.MIN_TYPE_SIZE, theme.BROWN, theme.PAPER, "l")
    return surface


def _lay_rows(surface: DrawingSurface, rows: Sequence[JestRow], first: int, top: int) -> None:
    """Lay consecutive lines; `first` is the number of the first one."""
    for i, row in enumerate(rows, first):
        y = top + _ROW_HEIGHT * (i - first)
        if i % 2 == 0:
            surface.paste(table_pieces.PAPER_MARGIN, y, table_pieces.paper_band, _ROW_HEIGHT)
        _lay_row(surface, row, y + 12, _row_colour(i))


def _lay_row(surface: DrawingSurface, row: JestRow, y: int, ground: theme.Colour) -> None:
    surface.paste(26, y + 6, table_pieces.seat_token, row.seat, 44, False)
    place = table_pieces.PLACE_LABELS[row.place - 1]
    surface.text(82, y + 30, place, theme.NAME_TYPE_SIZE, theme.BROWN, ground, "l")
    lay_name(surface, 26, y + 80, row.name, 170, theme.INK, ground, "l")
    step = min(_MAX_STEP, (640 - _SMALL_WIDTH) / max(1, len(row.cards) - 1))
    for i, card in enumerate(row.cards):
        x = 204 + step * i
        if card.key:
            surface.paste(x, y, card_faces.card, card.key, theme.SMALL_SCALE)
        else:
            surface.text(x + _SMALL_WIDTH / 2, y + 50, "pairs", theme.MIN_TYPE_SIZE, theme.BROWN, ground)
        if card.trophy:
            surface.paste(x + _SMALL_WIDTH - 20, y + _SMALL_HEIGHT - 28, table_pieces.trophy_badge, 36)
        surface.text(
            x + _SMALL_WIDTH / 2, y + 124, card.points, theme.MIN_TYPE_SIZE, _points_colour(card.points), ground
        )
    if row.place == 1:
        label = round(text_width(row.total, 60)) + 40
        surface.paste(theme.WIDTH - 24 - label, y + 22, table_pieces.winner_label, label, 84)
        surface.text(theme.WIDTH - 24 - label / 2, y + 64, row.total, 60, theme.INK, theme.GOLD)
    else:
        surface.text(theme.WIDTH - 44, y + 64, row.total, 60, theme.INK, ground, "r")


def _row_colour(line: int) -> theme.Colour:
    """The background of a line: every other one has a band."""
    return theme.PAPER_BAND if line % 2 == 0 else theme.PAPER


def _points_colour(points: str) -> theme.Colour:
    return theme.GREEN if points.startswith("+") else theme.CRIMSON if points.startswith("−") else theme.BROWN


LAYOUTS: Layouts = {JestTable: lay_jest_table, JestSheet: lay_jest_sheet, JestSign: lay_sign, JestLobby: lay_lobby}
