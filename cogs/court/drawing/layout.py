"""The layout of the Court's picture: the board, the seats beside it, and below the hand or the last dice."""

from __future__ import annotations

from cogs.court.drawing import pieces
from cogs.court.drawing.board import (
    BOARD_LEFT,
    BOARD_TOP,
    BoardWindow,
    fit_window,
    lay_board,
    lay_parts,
    window_on_pieces,
)
from cogs.court.drawing.sign import lay_lobby, lay_sign
from cogs.court.drawing.spec import (
    BOARD_SIDE,
    CLOTH,
    CourtBoard,
    CourtLobby,
    CourtPicture,
    CourtRolls,
    CourtSign,
    part_squares,
)
from cogs.pictures import table_pieces
from cogs.pictures.plates import lay_plate_column
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface, Layouts, S, SurfaceFactory
from cogs.pictures.raster.letters import fit_text
from cogs.pictures.result_banner import BelowBanner, banner_height, lay_banner

_EDGE, _GAP = 10, 12
_COLUMN_WIDTH = 230  # width of the plates beside the board
_BOARD_WIDTH = theme.WIDTH - 2 * _EDGE - BOARD_LEFT - _GAP - _COLUMN_WIDTH  # room for squares
_BOARD_HEIGHT, _WHOLE_BOARD_HEIGHT = 660, 550
_PARTS_TOP, _PARTS_CELL = 41, 23  # the whole board: its top and the size of its squares
_CARD_SCALE = 1.1
_CARD_STEP = 104 / theme.PIXELS_PER_UNIT  # from card to card, in whole pixels, so that equal cards compress well
_FOOT_HEIGHT = 96  # only the upper part of the cards is visible, with rank and suit
_NOTE_HEIGHT = 44
_CLOSE_GAP = 3  # between the plates beside the whole board


def lay_court(spec: CourtPicture, make_surface: SurfaceFactory[S]) -> S:
    """Return the picture. Its height is constant, except for the whole board, which stands alone."""
    high = _WHOLE_BOARD_HEIGHT if spec.whole else _BOARD_HEIGHT
    height = _EDGE + BOARD_TOP + high + (_EDGE if spec.whole else _GAP + _FOOT_HEIGHT)
    start = banner_height(spec.banner)
    picture = make_surface(table_pieces.felt_tray, start + height, CLOTH)
    lay_banner(picture, spec.banner)
    surface = BelowBanner(picture, start) if start else picture
    at = _choose_window(spec, high)
    if spec.whole and spec.board.part < 0:
        lay_parts(surface, spec.board, at)
    else:
        lay_board(surface, spec.board, at)
    _lay_side_column(surface, spec, at, height - _EDGE)
    if spec.rolls:
        _lay_rolls(surface, height - _FOOT_HEIGHT, spec.rolls)
    elif spec.roll_off:
        _lay_roll_off(surface, height - _FOOT_HEIGHT, spec.roll_off)
    else:
        _lay_hand(surface, height, spec)
    return picture


def _choose_window(spec: CourtPicture, high: int) -> BoardWindow:
    """The drawn part of the board."""
    left, top = _EDGE + BOARD_LEFT, _EDGE + BOARD_TOP
    if spec.whole and spec.board.part < 0:
        return BoardWindow(
            0,
            0,
            BOARD_SIDE,
            BOARD_SIDE,
            _PARTS_CELL,
            left + (_BOARD_WIDTH - BOARD_SIDE * _PARTS_CELL) / 2,
            _EDGE + _PARTS_TOP,
        )
    if spec.whole:
        return fit_window(part_squares(spec.board.part), left, top, _BOARD_WIDTH, high)
    return window_on_pieces(spec.board, left, top, _BOARD_WIDTH, high)


def _lay_side_column(surface: DrawingSurface, spec: CourtPicture, window: BoardWindow, low: float) -> None:
    """Lay the plates, a small map if only a part is drawn, and the turn."""
    left = theme.WIDTH - _EDGE - _COLUMN_WIDTH
    gap = _CLOSE_GAP if spec.whole else theme.PLATE_GAP
    y = _EDGE + lay_plate_column(surface, left, _EDGE, _COLUMN_WIDTH, spec.plates, pieces.banner, gap) + _GAP
    if spec.note:
        note, size = fit_text(spec.note, _COLUMN_WIDTH, theme.MIN_TYPE_SIZE)
        surface.text(left + _COLUMN_WIDTH / 2, low - _NOTE_HEIGHT / 2, note, size, theme.IVORY, theme.FELT)
        low -= _NOTE_HEIGHT
    if not (window.is_whole or spec.whole):
        cell = int(min(_COLUMN_WIDTH - 8, low - y - 8) // BOARD_SIDE)
        side = BOARD_SIDE * cell + 8
        _lay_mini_board(surface, left + (_COLUMN_WIDTH - side) / 2, low - side, cell, spec.board, window)


def _lay_hand(surface: DrawingSurface, height: float, spec: CourtPicture) -> None:
    """Lay the hand at the lower edge of a picture of that height."""
    y = height - _FOOT_HEIGHT - 6
    step = _CARD_STEP
    names = [card for card, _ in spec.hand]
    for i, (card, idle) in enumerate(spec.hand):
        x = _EDGE + 4 + step * i
        if spec.chosen and i == names.index(spec.chosen):
            surface.paste(x - 6 * _CARD_SCALE, y - 6 * _CARD_SCALE, table_pieces.card_glow, _CARD_SCALE)
            idle = False
        surface.paste(x, y, pieces.card, card, _CARD_SCALE, dimmed=idle)
    if spec.hand:
        surface.paste(0, height - table_pieces.RIM_HEIGHT, table_pieces.tray_rim)  # the cards are stuck behind it


def _lay_rolls(surface: DrawingSurface, y: float, rolls: CourtRolls) -> None:
    """Lay the attacker with card and die, then every defender's die and result."""
    surface.paste(_EDGE + 6, y + 16, table_pieces.seat_token, rolls.seat, 52, False)
    surface.paste(_EDGE + 64, y - 2, pieces.card, rolls.card, 0.62)
    surface.paste(_EDGE + 134, y + 14, pieces.die, rolls.roll, 56)
    for i, (seat, die, hit) in enumerate(rolls.defences):
        x = 250 + 170 * i
        surface.paste(x, y + 2, table_pieces.seat_token, seat, 44, False)
        surface.paste(x + 50, y, pieces.die, die, 50)
        label, ink = ("hit", theme.ROSE) if hit else ("safe", theme.LIME)
        surface.text(x + 50, y + 68, label, theme.MIN_TYPE_SIZE, ink, theme.FELT)


def _lay_roll_off(surface: DrawingSurface, y: float, rolls: tuple[int, ...]) -> None:
    """Lay the dice of the roll-off."""
    surface.text(_EDGE + 4, y + 14, "rolled for the order of turns", theme.MIN_TYPE_SIZE, theme.MIST, theme.FELT, "l")
    for seat, die in enumerate(rolls):
        x = _EDGE + 4 + 150 * seat
        surface.paste(x, y + 40, table_pieces.seat_token, seat, 46, False)
        surface.paste(x + 54, y + 38, pieces.die, die, 50)


def _lay_mini_board(
    surface: DrawingSurface, x: float, y: float, cell: int, board: CourtBoard, window: BoardWindow
) -> None:
    """Lay a small map of the whole board, with a frame around the drawn part."""
    surface.paste(x, y, pieces.mini_board, cell)
    x, y = x + 4, y + 4
    for seat, mage in enumerate(board.mages):
        if mage >= 0:
            middle = (x + (mage % BOARD_SIDE + 0.5) * cell, y + (mage // BOARD_SIDE + 0.5) * cell)
            surface.paste(middle[0] - cell, middle[1] - cell, pieces.mage, seat, 2 * cell)
    surface.paste(
        x + window.column * cell, y + window.row * cell, pieces.gold_frame, window.columns * cell, window.rows * cell
    )


LAYOUTS: Layouts = {CourtPicture: lay_court, CourtSign: lay_sign, CourtLobby: lay_lobby}
