"""The layouts of the Court: the table with the whole board, and a hand beside the part of it that matters."""

from __future__ import annotations

from cogs.court.drawing import pieces
from cogs.court.drawing.board import FRAME, STARTS, Window, last, lay_board, whole, window
from cogs.court.spec import SIDE, CourtBoard, CourtHand, CourtRolls, CourtSeat, CourtTable
from cogs.pictures import faces, theme, things
from cogs.pictures.canvas import S, Start, Surface

_PLATE = (236, 184)
_TOP, _GAP = 26, 8
_BOARD = _TOP + _PLATE[1] + 10
_STRIP = _BOARD + 2 * FRAME + 22 * 40 + 6
_TABLE_HEIGHT = _STRIP + 96
_SUITS = "HDSC"  # as the edges lie, clockwise from above
_CARD = 1.1
_MINI = 9  # a square of the whole board from afar
_HEAD = 248
_VIEW = 800


def lay_court_table(spec: CourtTable, start: Start[S]) -> S:
    """The seats above, the whole board, the last dice and what else there is to say below."""
    surface = start(things.tray, _TABLE_HEIGHT)
    width = _PLATE[0] + _GAP
    left = (theme.WIDTH - width * len(spec.seats) + _GAP) / 2
    for seat, plate in enumerate(spec.seats):
        _lay_seat(surface, seat, plate, left + width * seat)
    lay_board(surface, spec.board, whole(FRAME, _BOARD + FRAME))
    if spec.rolls:
        _lay_rolls(surface, spec.rolls)
    else:
        _lay_roll_off(surface, spec.roll_off)
    for i, line in enumerate(spec.notes):
        surface.text(theme.WIDTH - 26, _STRIP + 22 + 40 * i, line, 27, theme.IVORY, theme.FELT, "r")
    return surface


def _lay_seat(surface: Surface, seat: int, plate: CourtSeat, x: float) -> None:
    surface.paste(x, _TOP, things.panel, *_PLATE, plate.lit)
    surface.paste(x + 12, _TOP + 14, things.token, seat, 62)
    surface.text(x + 84, _TOP + 34, plate.mage, 36, theme.IVORY, theme.PLATE, "l")
    surface.paste(x + 168, _TOP + 16, faces.card, "back", 0.26)
    surface.text(x + 212, _TOP + 36, str(plate.cards), 28, theme.MIST, theme.PLATE)
    if plate.menhir:
        surface.paste(x + 84, _TOP + 60, pieces.menhir, seat, 34)
        surface.text(x + 122, _TOP + 78, plate.menhir, 27, theme.MIST, theme.PLATE, "l")
    surface.paste(x + 14, _TOP + 101, pieces.health, plate.health)
    surface.text(x + 200, _TOP + 113, str(plate.health), 34, theme.IVORY, theme.PLATE)
    _lay_banners(surface, plate.banners, x + 14, _TOP + 131, 34, 44)
    surface.text(x + 206, _TOP + 154, f"{len(plate.banners)}", 34, theme.GOLD, theme.PLATE)
    if plate.tag:
        surface.paste(x + 14, _TOP - 20, things.tag, plate.tag)


def _lay_banners(surface: Surface, banners: str, x: float, y: float, width: int, step: float) -> None:
    for i, suit in enumerate(_SUITS):
        surface.paste(x + step * i, y, pieces.banner, suit, width, suit in banners)


def _lay_rolls(surface: Surface, rolls: CourtRolls) -> None:
    """Who attacked, by which card and die; then every defender's dice, ties quiet, and what came of it."""
    y = _STRIP
    surface.paste(22, y + 8, things.token, rolls.seat, 60)
    surface.paste(90, y, faces.card, rolls.card, 0.56)
    surface.paste(156, y + 8, pieces.die, rolls.roll, 60, False)
    room = [30 * (len(dice) - 1) + 122 for _, dice, _ in rolls.defences]
    squeeze = min(1.0, (480 - 122 * len(room)) / max(1, sum(room) - 122 * len(room)))
    x = 250.0
    for seat, dice, hit in rolls.defences:
        surface.paste(x, y + 4, things.token, seat, 48)
        left = x + 54
        for i, face in enumerate(dice):
            surface.paste(left + 30 * squeeze * i, y + 2, pieces.die, face, 52, i < len(dice) - 1)
        left += 30 * squeeze * (len(dice) - 1) + 26
        surface.text(left, y + 74, "hit" if hit else "safe", 26, theme.ROSE if hit else theme.LIME, theme.FELT)
        x = left + 42


def _lay_roll_off(surface: Surface, rolls: tuple[tuple[int, ...], ...]) -> None:
    """The dice for the order of turns."""
    x = 22.0
    for seat, dice in enumerate(rolls):
        surface.paste(x, _STRIP + 14, things.token, seat, 48)
        for i, face in enumerate(dice):
            surface.paste(x + 54 + 30 * i, _STRIP + 12, pieces.die, face, 52, i < len(dice) - 1)
        x += 30 * (len(dice) - 1) + 126


def lay_court_hand(spec: CourtHand, start: Start[S]) -> S:
    """The cards, health and banners; at their side the whole board from afar; below, the part that matters."""
    at = _window(spec)
    surface = start(things.tray, _HEAD + 6 + (_VIEW if at.rows < SIDE else 2 * FRAME + SIDE * at.cell))
    width = theme.CARD[0] * _CARD
    for i, (card, idle) in enumerate(spec.cards):
        surface.paste(22 + (width + 6) * i, 18, pieces.card, card, _CARD, dimmed=idle)
    surface.paste(22, 186, things.panel, 700, 58, False)
    surface.paste(40, 204, pieces.health, spec.health)
    surface.text(222, 216, f"{spec.health} health", 28, theme.IVORY, theme.PLATE, "l")
    _lay_banners(surface, spec.banners, 400, 193, 34, 44)
    surface.text(590, 216, f"{len(spec.banners)} of {spec.goal}", 28, theme.GOLD, theme.PLATE, "l")
    _lay_mini(surface, spec.board, at.column, at.row, at.columns, at.rows)
    lay_board(surface, spec.board, at)
    return surface


def _window(spec: CourtHand) -> Window:
    """The part of the board with all that is marked; all of it where that takes too much room."""
    ends = (square for end in spec.board.ends for square in (end.way.start, last(end.way)))
    squares = [square for square in (*spec.around, *ends) if square >= 0] or STARTS
    room = theme.WIDTH - 2 * FRAME, _VIEW - 2 * FRAME
    part = None if spec.whole else window(squares, FRAME, _HEAD + FRAME, *room)
    return part or whole(FRAME, _HEAD + FRAME)


def _lay_mini(surface: Surface, board: CourtBoard, column: int, row: int, columns: int, rows: int) -> None:
    """The whole board from afar, the part that is drawn below framed."""
    left, top = theme.WIDTH - 22 - 22 * _MINI - 28, 16
    surface.paste(left, top, pieces.mini, _MINI)
    x, y = left + 14, top + 14
    for seat, mage in enumerate(board.mages):
        if mage >= 0:
            middle = (x + (mage % SIDE + 0.5) * _MINI, y + (mage // SIDE + 0.5) * _MINI)
            surface.paste(middle[0] - 9, middle[1] - 9, pieces.dot, seat, 18)
    x, y, width, height = x + column * _MINI, y + row * _MINI, columns * _MINI, rows * _MINI
    for bar in ((x, y, width, 3), (x, y + height - 3, width, 3)):
        surface.paste(bar[0], bar[1], pieces.bar, width, 3)
    for bar in ((x, y, 3, height), (x + width - 3, y, 3, height)):
        surface.paste(bar[0], bar[1], pieces.bar, 3, height)
