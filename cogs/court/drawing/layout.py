"""The one picture: the board, the seats at its side; below it the reader's hand, or what was rolled last."""

from __future__ import annotations

from cogs.court.drawing import pieces
from cogs.court.drawing.board import LEFT, TOP, Window, lay_board, lay_parts, part, window
from cogs.court.spec import SIDE, CourtBoard, CourtPicture, CourtRolls, in_part
from cogs.pictures import table_pieces
from cogs.pictures.plates import lay_plate_column
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import S, Start, Surface
from cogs.pictures.raster.letters import fitted

_EDGE, _GAP = 10, 12
_COLUMN = 230  # how broad the plates at the board's side are
_WIDE = theme.WIDTH - 2 * _EDGE - LEFT - _GAP - _COLUMN  # what there is for squares
_HIGH, _HIGH_WHOLE = 660, 550
_PARTS_TOP, _PARTS_CELL = 41, 23  # the whole board in its parts: where it begins, how large its squares are
_CARD = 1.1
_STEP = 104 / theme.PIXELS  # from card to card: whole pixels, so that what is alike in them is packed as such
_FOOT = 96  # of a hand its upper part is seen, as far as rank and suit go
_NOTE = 44
_CLOSE = 3  # between the plates beside the whole board


def lay_court(spec: CourtPicture, start: Start[S]) -> S:
    """As high as ever, but for the whole board, which stands alone."""
    high = _HIGH_WHOLE if spec.whole else _HIGH
    height = _EDGE + TOP + high + (_EDGE if spec.whole else _GAP + _FOOT)
    surface = start(table_pieces.tray, height)
    at = _window(spec, high)
    if spec.whole and spec.board.part < 0:
        lay_parts(surface, spec.board, at)
    else:
        lay_board(surface, spec.board, at)
    _lay_column(surface, spec, at, height - _EDGE)
    if spec.rolls:
        _lay_rolls(surface, height - _FOOT, spec.rolls)
    elif spec.roll_off:
        _lay_roll_off(surface, height - _FOOT, spec.roll_off)
    else:
        _lay_hand(surface, height - _FOOT, spec)
    return surface


def _window(spec: CourtPicture, high: int) -> Window:
    """The part of the board that is drawn."""
    left, top = _EDGE + LEFT, _EDGE + TOP
    if spec.whole and spec.board.part < 0:
        return Window(0, 0, SIDE, SIDE, _PARTS_CELL, left + (_WIDE - SIDE * _PARTS_CELL) / 2, _EDGE + _PARTS_TOP)
    if spec.whole:
        return window(in_part(spec.board.part), left, top, _WIDE, high)
    return part(spec.board, left, top, _WIDE, high)


def _lay_column(surface: Surface, spec: CourtPicture, at: Window, low: float) -> None:
    """The plates, the whole board from afar where a part is drawn, and how far the match is."""
    left = theme.WIDTH - _EDGE - _COLUMN
    gap = _CLOSE if spec.whole else theme.PLATE_GAP
    y = _EDGE + lay_plate_column(surface, left, _EDGE, _COLUMN, spec.plates, pieces.banner, gap) + _GAP
    if spec.note:
        said, size = fitted(spec.note, _COLUMN, theme.LEAST_TYPE)
        surface.text(left + _COLUMN / 2, low - _NOTE / 2, said, size, theme.IVORY, theme.FELT)
        low -= _NOTE
    if not (at.whole or spec.whole):
        cell = int(min(_COLUMN - 8, low - y - 8) // SIDE)
        side = SIDE * cell + 8
        _lay_mini(surface, left + (_COLUMN - side) / 2, low - side, cell, spec.board, at)


def _lay_hand(surface: Surface, y: float, spec: CourtPicture) -> None:
    step = _STEP
    names = [card for card, _ in spec.hand]
    for i, (card, idle) in enumerate(spec.hand):
        x = _EDGE + 4 + step * i
        if spec.chosen and i == names.index(spec.chosen):
            surface.paste(x - 6 * _CARD, y - 6 * _CARD, table_pieces.glow, _CARD)
            idle = False
        surface.paste(x, y, pieces.card, card, _CARD, dimmed=idle)


def _lay_rolls(surface: Surface, y: float, rolls: CourtRolls) -> None:
    """Who attacked, by which card and die; then every defender's die, and what came of it."""
    surface.paste(_EDGE, y + 18, table_pieces.token, rolls.seat, 52, False)
    surface.paste(_EDGE + 58, y + 2, pieces.card, rolls.card, 0.64)
    surface.paste(_EDGE + 130, y + 18, pieces.die, rolls.roll, 56)
    for i, (seat, die, hit) in enumerate(rolls.defences):
        x = 250 + 170 * i
        surface.paste(x, y + 2, table_pieces.token, seat, 44, False)
        surface.paste(x + 50, y, pieces.die, die, 50)
        said, ink = ("hit", theme.ROSE) if hit else ("safe", theme.LIME)
        surface.text(x + 50, y + 72, said, theme.LEAST_TYPE, ink, theme.FELT)


def _lay_roll_off(surface: Surface, y: float, rolls: tuple[int, ...]) -> None:
    """The dice for the order of turns."""
    surface.text(_EDGE + 4, y + 14, "rolled for the order of turns", theme.LEAST_TYPE, theme.MIST, theme.FELT, "l")
    for seat, die in enumerate(rolls):
        x = _EDGE + 4 + 150 * seat
        surface.paste(x, y + 40, table_pieces.token, seat, 46, False)
        surface.paste(x + 54, y + 38, pieces.die, die, 50)


def _lay_mini(surface: Surface, x: float, y: float, cell: int, board: CourtBoard, at: Window) -> None:
    """The whole board from afar, the part that is drawn framed."""
    surface.paste(x, y, pieces.mini, cell)
    x, y = x + 4, y + 4
    for seat, mage in enumerate(board.mages):
        if mage >= 0:
            middle = (x + (mage % SIDE + 0.5) * cell, y + (mage // SIDE + 0.5) * cell)
            surface.paste(middle[0] - cell, middle[1] - cell, pieces.mage, seat, 2 * cell)
    surface.paste(x + at.column * cell, y + at.row * cell, pieces.frame, at.columns * cell, at.rows * cell)
