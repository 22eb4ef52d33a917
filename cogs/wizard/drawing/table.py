"""The layout of a card table with a trick in its middle."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.pictures import theme, things
from cogs.pictures.canvas import S, Start, Surface
from cogs.wizard.drawing import cards
from cogs.wizard.spec import Laid, Plate, Trick, TrickTable

_PLATE_WIDTH, _PLATE_HEIGHT = theme.PLATE_SIZE
_SMALL = theme.CARD[0] * theme.SMALL
_LEFT, _MID, _RIGHT = 128, 500, 872
_TOP, _BOTTOM = 82, theme.TABLE_HEIGHT - 64


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a seat's plate and its card in the trick have their middles."""

    plate: tuple[int, int]
    card: tuple[int, int]


_BELOW, _ABOVE = _Spot((_MID, _BOTTOM), (_MID, 449)), _Spot((_MID, _TOP), (_MID, 244))
_SPOTS = {  # by number of seats: from the bottom clockwise, as people sit when seen from above
    2: (_BELOW, _ABOVE),
    3: (_BELOW, _Spot((_LEFT, 305), (352, 280)), _Spot((_RIGHT, 305), (648, 280))),
    4: (_BELOW, _Spot((_LEFT, 346), (345, 346)), _ABOVE, _Spot((_RIGHT, 346), (655, 346))),
    5: (
        _Spot((_MID, _BOTTOM), (_MID, 455)),
        _Spot((_LEFT, 450), (364, 416)),
        _Spot((350, _TOP), (428, 236)),
        _Spot((650, _TOP), (572, 236)),
        _Spot((_RIGHT, 450), (636, 416)),
    ),
    6: (
        _Spot((_MID, _BOTTOM), (_MID, 458)),
        _Spot((_LEFT, 456), (364, 436)),
        _Spot((_LEFT, 254), (364, 254)),
        _Spot((_MID, _TOP), (_MID, 238)),
        _Spot((_RIGHT, 254), (636, 254)),
        _Spot((_RIGHT, 456), (636, 436)),
    ),
}


def lay_table(spec: TrickTable, start: Start[S]) -> S:
    """The seats around, what lies in the middle, the trump above left, the round above right, the last trick below."""
    surface = start(things.table, theme.TABLE_HEIGHT)
    spots = _SPOTS[len(spec.plates)]
    for seat, plate in enumerate(spec.plates):
        _lay_plate(surface, seat, plate, *spots[seat].plate)
    unit = theme.MIDDLE if len(spots) <= 4 else theme.MIDDLE_CROWDED
    for i, laid in enumerate(spec.trick.cards):
        _lay_card(surface, laid, spec.trick, i == 0, unit, *spots[laid.seat].card)
    if not spec.trick.cards:
        _lay_words(surface, spec.middle)
    _lay_trump(surface, spec)
    _lay_title(surface, spec.title)
    _lay_last(surface, spec.last)
    return surface


def _lay_plate(surface: Surface, seat: int, plate: Plate, x: int, y: int) -> None:
    left, top = x - _PLATE_WIDTH / 2, y - _PLATE_HEIGHT / 2
    surface.paste(left, top, things.plate, bool(plate.turn))
    surface.paste(left + 10, top + 10, things.token, seat, 68)
    surface.paste(left + 18, top + 82, cards.card, "back", 0.18)
    _text(surface, left + 58, top + 96, str(plate.cards), 26, theme.MIST)
    for i, (number, word) in enumerate(plate.numbers):
        column = left + 116 + 76 * i
        _text(surface, column, top + 30, number, 46, theme.IVORY)
        _text(surface, column, top + 64, word, 25, theme.MIST)
    _text(surface, left + 154, top + 96, plate.foot, 28, theme.GOLD)
    if plate.dealer:
        surface.paste(left + _PLATE_WIDTH - 30, top - 10, things.badge, "D", 40, False)
    if plate.turn:
        surface.paste(left + 14, top - 22, things.tag, plate.turn)


def _text(surface: Surface, x: float, y: float, text: str, size: int, ink: theme.Colour) -> None:
    if text:
        surface.text(x, y, text, size, ink, theme.PLATE)


def _lay_card(surface: Surface, laid: Laid, trick: Trick, led: bool, unit: float, x: int, y: int) -> None:
    width, height = (side * unit for side in theme.CARD)
    left, top = x - width / 2, y - height / 2
    wins = laid.seat == trick.taker
    if wins:
        surface.paste(left - 6 * unit, top - 6 * unit, things.glow, unit)
    surface.paste(left, top, cards.card, laid.card, unit, dimmed=trick.over and not wins)
    surface.paste(left + width - 36, top - 8, things.token, laid.seat, 46)
    if led:
        surface.paste(x - 32, top + height - 24, things.tag, "led")


def _lay_words(surface: Surface, lines: tuple[str, ...]) -> None:
    for i, line in enumerate(lines):
        size = 30 if i == 0 else 54
        surface.text(_MID, theme.TABLE_HEIGHT / 2 - 30 + 56 * i, line, size, theme.IVORY, theme.FELT)


def _lay_trump(surface: Surface, spec: TrickTable) -> None:
    x = 16.0
    if spec.turned is not None:
        surface.paste(x, 16, cards.card, spec.turned, theme.SMALL)
        x += _SMALL + 12
    if spec.trump is not None:
        surface.paste(x, 16, things.suit, spec.trump, 78)
        x += 39
    else:
        x += 58
    for i, line in enumerate(spec.trump_words):
        low = 134 if spec.trump is not None else 50
        surface.text(x, low + 30 * i, line, 24, theme.IVORY, theme.ROOM)


def _lay_title(surface: Surface, title: tuple[str, ...]) -> None:
    for i, line in enumerate(title):
        ink = theme.IVORY if i == 0 else theme.MIST
        surface.text(theme.WIDTH - 22, 34 + 38 * i, line, 34 if i == 0 else 28, ink, theme.ROOM, "r")


def _lay_last(surface: Surface, trick: Trick) -> None:
    if not trick.cards:
        return
    top = theme.TABLE_HEIGHT - 12 - theme.CARD[1] * theme.SMALL
    surface.text(16, top - 28, "last trick", 22, theme.MIST, theme.ROOM, "l")
    step = min(_SMALL + 4, (330 - _SMALL) / (len(trick.cards) - 1))
    for i, laid in enumerate(trick.cards):
        lift = 14 if laid.seat == trick.taker else 0
        surface.paste(14 + step * i, top - lift, cards.card, laid.card, theme.SMALL)
        surface.paste(14 + step * i - 4, top - lift + 70, things.token, laid.seat, 32)
