"""The layouts of Jest: the table in columns, a hand beside its Jest, and the Jests worked out."""

from __future__ import annotations

from cogs.jest.spec import JestHand, JestRow, JestSeat, JestSheet, JestTable, Offered, Trophy
from cogs.pictures import emblems, faces, theme, things
from cogs.pictures.canvas import Layouts, S, Start, Surface
from cogs.pictures.pen import Art, Pen

_SMALL_WIDTH, _SMALL_HEIGHT = (side * theme.SMALL for side in theme.CARD)
_TOP = 166  # where the seats' columns begin
_GAP = 16
_UNITS = {3: 1.36, 4: 0.98}
_HAND, _FAN = 1.5, 1.2
_ROW = 158


def lay_jest_table(spec: JestTable, start: Start[S]) -> S:
    """Trophies, deck and round above; below, a column a seat: token, Jest, and the two places of its offer."""
    unit = _UNITS[len(spec.seats)]
    height = round(theme.CARD[1] * unit) + 158
    surface = start(things.tray, _TOP + height + 20)
    x = 22.0
    for trophy in spec.trophies:
        x = _lay_trophy(surface, trophy, x)
    _lay_deck(surface, spec)
    width = round((theme.WIDTH - 20 - _GAP * (len(spec.seats) + 1)) / len(spec.seats))
    for seat, there in enumerate(spec.seats):
        _lay_seat(surface, seat, there, 10 + _GAP + (width + _GAP) * seat, width, height, unit)
    return surface


def _lay_trophy(surface: Surface, trophy: Trophy, x: float) -> float:
    """A trophy and what it asks for; where the next one may begin."""
    surface.paste(x, 24, face, trophy.key, theme.SMALL)
    surface.paste(x + _SMALL_WIDTH - 18, 24 + _SMALL_HEIGHT - 26, things.cup, 40)
    left = x + _SMALL_WIDTH + 26
    for i, line in enumerate(trophy.words):
        surface.text(left, 74 - 17 * (len(trophy.words) - 1) + 34 * i, line, 28, theme.IVORY, theme.FELT, "l")
    if trophy.suit:
        surface.paste(left + 116, 42, things.suit, trophy.suit, 52)
    return x + 300


def _lay_deck(surface: Surface, spec: JestTable) -> None:
    for i, line in enumerate(spec.title):
        ink, size = (theme.IVORY, 32) if i == 0 else (theme.MIST, 28)
        surface.text(theme.WIDTH - 24, 46 + 36 * i, line, size, ink, theme.FELT, "r")
    surface.paste(650, 34, *((face, "back", 0.6) if spec.deck else (things.place, 0.6)))
    surface.text(726, 54, "deck", 28, theme.MIST, theme.FELT, "l")
    surface.text(726, 94, str(spec.deck), 40, theme.IVORY, theme.FELT, "l")


def _lay_seat(surface: Surface, seat: int, there: JestSeat, x: int, width: int, height: int, unit: float) -> None:
    surface.paste(x, _TOP, things.panel, width, height, there.turn)
    surface.paste(x + 14, _TOP + 14, things.token, seat, 66)
    _lay_stack(surface, there.jest, x + width - 20, _TOP + 14)
    card = theme.CARD[0] * unit
    left, top = x + (width - 2 * card - 8) / 2, _TOP + 100
    for i, place in enumerate((there.up, there.down)):
        _lay_place(surface, place, left + (card + 8) * i, top, unit)
    middle, low = x + width / 2, _TOP + height - 30
    if there.turn:
        surface.paste(middle - (20 + 15 * len(there.tag)) / 2, low - 17, things.tag, there.tag)
    elif there.tag:
        surface.text(middle, low, there.tag, 26, theme.MIST, theme.PLATE)


def _lay_stack(surface: Surface, jest: int, right: float, y: float) -> None:
    """A Jest as a stack of backs, and how many they are."""
    for i in range(jest):
        surface.paste(right - 46 - 9 * (jest - 1 - i), y, face, "back", 0.46)
    left = right - 58 - 9 * max(0, jest - 1)
    surface.text(left, y + 18, str(jest), 40, theme.IVORY, theme.PLATE, "r")
    surface.text(left, y + 52, "Jest", 24, theme.MIST, theme.PLATE, "r")


def _lay_place(surface: Surface, place: Offered, x: float, y: float, unit: float) -> None:
    """A card of an offer; or its empty place, with who took it and as which one of the round."""
    if place.key:
        surface.paste(x, y, face, place.key, unit)
        return
    surface.paste(x, y, things.place, unit)
    if place.taker is not None:
        width, height = (side * unit for side in theme.CARD)
        surface.paste(x + width / 2 - 30, y + height / 2 - 30, things.token, place.taker, 60)
        surface.paste(x + width / 2 - 16, y + height / 2 + 34, things.badge, str(place.order), 32, False)


def lay_jest_hand(spec: JestHand, start: Start[S]) -> S:
    """The two cards on the left, the Jest fanned out on the right with its worth."""
    surface = start(things.tray, 320)
    for i, (key, word, taker) in enumerate(spec.cards):
        x = 28 + 162 * i
        surface.paste(x, 30, face, key, _HAND, dimmed=taker is not None)
        if taker is not None:
            surface.paste(x + 45, 100, things.token, taker, 60)
        if word:
            surface.paste(x + 75 - (20 + 15 * len(word)) / 2, 262, things.tag, word)
    surface.paste(372, 24, things.panel, 604, 272, False)
    surface.text(396, 56, "your Jest", 30, theme.MIST, theme.PLATE, "l")
    surface.text(952, 56, spec.worth, 40, theme.GOLD, theme.PLATE, "r")
    width = theme.CARD[0] * _FAN
    step = min(width + 8, (556 - width) / max(1, len(spec.jest) - 1))
    for i, key in enumerate(spec.jest):
        surface.paste(396 + step * i, 100, face, key, _FAN)
    if not spec.jest:
        surface.paste(396, 100, things.place, _FAN)
    return surface


def lay_jest_sheet(spec: JestSheet, start: Start[S]) -> S:
    """A line a seat, the best first: place, token, its cards and what each counts, the total."""
    surface = start(things.room, _ROW * len(spec.rows) + (_ROW if spec.nobody else 0) + 8)
    for i, row in enumerate(spec.rows):
        if i % 2 == 0:
            surface.paste(0, _ROW * i, things.band, _ROW)
        _lay_row(surface, row, _ROW * i + 12)
    y = _ROW * len(spec.rows) + 12
    for i, key in enumerate(spec.nobody):
        surface.paste(170 + 90 * i, y, face, key, theme.SMALL, dimmed=True)
        surface.paste(170 + 90 * i + _SMALL_WIDTH - 20, y + _SMALL_HEIGHT - 28, things.cup, 36)
    if spec.nobody:
        surface.text(84, y + 50, "nobody", 28, theme.MIST, theme.PLATE)
    return surface


def _lay_row(surface: Surface, row: JestRow, y: int) -> None:
    surface.paste(16, y + 6, things.token, row.seat, 72)
    surface.paste(52 - (20 + 15 * 3) / 2, y + 92, things.tag, things.PLACES[row.place - 1])
    step = min(_SMALL_WIDTH + 12, (690 - _SMALL_WIDTH) / max(1, len(row.cards) - 1))
    for i, card in enumerate(row.cards):
        x = 120 + step * i
        if card.key:
            surface.paste(x, y, face, card.key, theme.SMALL)
        else:
            surface.text(x + _SMALL_WIDTH / 2, y + 50, "pairs", 26, theme.MIST, theme.PLATE)
        if card.trophy:
            surface.paste(x + _SMALL_WIDTH - 20, y + _SMALL_HEIGHT - 28, things.cup, 36)
        surface.text(x + _SMALL_WIDTH / 2, y + 122, card.points, 30, _ink(card.points), theme.PLATE)
    surface.text(theme.WIDTH - 30, y + 64, row.total, 64, theme.GOLD, theme.PLATE, "r")


def _ink(points: str) -> theme.Colour:
    return theme.LIME if points.startswith("+") else theme.ROSE if points.startswith("−") else theme.MIST


def face(key: str, unit: float) -> Art:
    """A card: rank, suit's letter and shape as large as they go; the Joker; a back."""
    pen = Pen(*theme.CARD, unit)
    if key == "back":
        faces.back(pen)
    elif key == "joker":
        faces.blank(pen, theme.IVORY, theme.GOLD)
        pen.box(5, 5, 95, 135, 6, theme.GOLD_DARK)
        pen.box(6.2, 6.2, 93.8, 133.8, 5, theme.IVORY)
        emblems.joker(pen, 50, 60, 72)
        pen.text(50, 119, "JOKER", 15, theme.INK)
    else:
        faces.blank(pen, theme.IVORY, theme.CREAM)
        ink = theme.SUIT_COLOURS[key[-1]]
        pen.text(28, 33, key[:-1], 40, ink)
        pen.text(80, 24, key[-1], 20, ink)
        emblems.pip(pen, key[-1], 52, 92, 68)
    return pen.art()


LAYOUTS: Layouts = {JestTable: lay_jest_table, JestHand: lay_jest_hand, JestSheet: lay_jest_sheet}
