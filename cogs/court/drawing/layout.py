"""The layout of the Court's picture: the board, beside it the seats, and below these the hand or the last dice."""

from __future__ import annotations

from cogs.court.drawing import pieces
from cogs.court.drawing.board import BoardPlace, board_size, lay_board, place_board
from cogs.court.drawing.sign import lay_lobby, lay_sign
from cogs.court.drawing.spec import CLOTH, CourtCard, CourtLobby, CourtPicture, CourtRolls, CourtSign
from cogs.pictures import table_pieces
from cogs.pictures.names import lay_name
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface, Layouts, S, SurfaceFactory
from cogs.pictures.raster.letters import fit_text, text_width
from cogs.pictures.result_banner import BelowBanner, banner_height, lay_banner
from cogs.pictures.spec import SeatPlate

_EDGE, _GAP = 10, 12
_RESULT_GAP = 8  # between plates that have places: the dice of four players need the room
_CELL, _SMALL_CELL = 30, 22
_NOTE_HEIGHT = 40
_NAME_ROW, _FLAG_ROW, _PLACE_ROW = 48, 48, 34  # of a plate
_TOKEN_SIZE, _FLAG_SIZE, _SIGN_SIZE = 34, 34, 24
_TITLE_HEIGHT = 40  # above the hand or the dice
_LARGE_TILE, _SMALL_TILE = 1.15, 1.0  # scales of the hand's cards
_MAX_LINE = 74  # from card to card
_DIE_SIZE, _DICE_LINE = 48, 58


def lay_court(spec: CourtPicture, make_surface: SurfaceFactory[S]) -> S:
    """Return the picture. All of a match have the same height, except for the small ones."""
    cell = _SMALL_CELL if spec.small else _CELL
    board_width, board_height = board_size(cell)
    height = _EDGE + board_height + (_NOTE_HEIGHT if spec.note else 0) + _EDGE
    start = banner_height(spec.banner)
    picture = make_surface(table_pieces.felt_tray, start + height, CLOTH)
    lay_banner(picture, spec.banner)
    surface = BelowBanner(picture, start) if start else picture
    place = place_board(_EDGE, _EDGE, cell)
    lay_board(surface, spec.board, place)
    if spec.note:
        _lay_note(surface, spec.note, place, _EDGE + board_height + _NOTE_HEIGHT / 2)
    _lay_column(surface, spec, _EDGE + board_width + _GAP, height - _EDGE)
    return picture


def _lay_note(surface: DrawingSurface, note: str, place: BoardPlace, y: float) -> None:
    """Lay the note below the board, and what the cross on the plates means."""
    size, ink, ground = theme.MIN_TYPE_SIZE, theme.IVORY, theme.FELT
    note, legend = f"{note} ·", "health"
    legend_width = _SIGN_SIZE + 18 + text_width(legend, size)
    note, _ = fit_text(note, place.right - place.x - legend_width, size)
    width = text_width(note, size) + legend_width
    x = (place.x + place.right - width) / 2
    surface.text(x, y, note, size, ink, ground, "l")
    x += text_width(note, size) + 10
    surface.paste(x, y - _SIGN_SIZE / 2, pieces.health_sign, False, _SIGN_SIZE)
    surface.text(x + _SIGN_SIZE + 8, y, legend, size, ink, ground, "l")


def _lay_column(surface: DrawingSurface, spec: CourtPicture, left: float, low: float) -> None:
    """Lay the plates, and below them the hand or the dice."""
    width = round(theme.WIDTH - _EDGE - left)
    y: float = _EDGE
    gap = _RESULT_GAP if spec.banner else theme.PLATE_GAP
    for plate in spec.plates:
        y += _lay_plate(surface, plate, left, y, width) + gap
    y += _GAP - gap
    title = _column_title(spec)
    if title:
        surface.text(left + width / 2, y + _TITLE_HEIGHT / 2, title, theme.MIN_TYPE_SIZE, theme.MIST, theme.FELT)
        y += _TITLE_HEIGHT
    if spec.hand:
        _lay_hand(surface, spec, left, y, width, low)
    elif spec.rolls:
        _lay_rolls(surface, left, y, spec.rolls, low)
    else:
        for i, die in enumerate(spec.roll_off):
            _lay_die(surface, left, y + _DICE_LINE * i, i, die)


def _column_title(spec: CourtPicture) -> str:
    if spec.hand:
        return "your hand"
    if spec.rolls:
        return "last attack"
    return "turn order" if spec.roll_off else ""


def _lay_plate(surface: DrawingSurface, plate: SeatPlate, x: float, y: float, width: int) -> int:
    """Lay a seat's name, its four places for banners, its health, and its place in a result. Returns the height."""
    (line,) = plate.lines
    height = _NAME_ROW + _FLAG_ROW + (_PLACE_ROW if line.right else 0)
    surface.paste(x, y, table_pieces.panel, width, height, plate.turn)
    token = (
        (table_pieces.computer_token, plate.seat, _TOKEN_SIZE)
        if plate.computer
        else (table_pieces.seat_token, plate.seat, _TOKEN_SIZE, False)
    )
    surface.paste(x + 8, y + 11, *token)
    name_x = 8 + _TOKEN_SIZE + 5
    lay_name(surface, x + name_x, y + 29, plate.name, width - name_x - 8, theme.IVORY, theme.PLATE, "l")
    for i, suit in enumerate("HDSC"):
        draw = pieces.banner if suit in plate.marks else pieces.banner_place
        surface.paste(x + 10 + i * (_FLAG_SIZE + 1), y + _NAME_ROW + 4, draw, suit, _FLAG_SIZE)
    middle = y + _NAME_ROW + 21
    ink = theme.TONE_COLOURS[line.tone]
    surface.text(x + width - 12, middle, line.text, theme.MIN_TYPE_SIZE, ink, theme.PLATE, "r")
    sign_x = x + width - 34 - _SIGN_SIZE
    surface.paste(sign_x, middle - _SIGN_SIZE / 2, pieces.health_sign, line.tone == "bad", _SIGN_SIZE)
    if line.right:
        place_y = y + _NAME_ROW + _FLAG_ROW + _PLACE_ROW / 2 - 8
        ink = theme.TONE_COLOURS[line.right_tone]
        surface.text(x + 12, place_y, line.right, theme.MIN_TYPE_SIZE, ink, theme.PLATE, "l")
    return height


def _lay_hand(surface: DrawingSurface, spec: CourtPicture, left: float, y: float, width: float, low: float) -> None:
    """Lay the cards one below the other, each with what it does."""
    line = min(_MAX_LINE, (low - y) / len(spec.hand))
    scale = _LARGE_TILE if line >= pieces.TILE_HEIGHT * _LARGE_TILE + 4 else _SMALL_TILE
    broadest = max(pieces.tile_size(card.name)[0] for card in spec.hand) * scale
    is_framed = False
    for i, card in enumerate(spec.hand):
        tile_width, tile_height = (side * scale for side in pieces.tile_size(card.name))
        x, top = left + 2 + (broadest - tile_width) / 2, y + line * i + (line - tile_height) / 2
        idle = card.idle
        if card.name == spec.chosen and not is_framed:
            surface.paste(x - 6 * scale, top - 6 * scale, pieces.tile_glow, card.name, scale)
            is_framed, idle = True, False
        surface.paste(x, top, pieces.card_tile, card.name, -1, scale, dimmed=idle)
        text_left = left + 2 + broadest + 8
        _lay_use(surface, card, text_left, y + line * (i + 0.5), left + width - text_left, idle)


def _lay_use(surface: DrawingSurface, card: CourtCard, x: float, y: float, room: float, idle: bool) -> None:
    """Lay what a card does: a few letters or a banner, after the sign of the rival whose Mage it moves."""
    if card.mage >= 0:
        surface.paste(x, y - 17, table_pieces.seat_token, card.mage, 34, False)
        x, room = x + 38, room - 38
    if card.banner:
        surface.paste(x, y - 22, pieces.banner, card.banner, 46)
        return
    text, size = fit_text(card.text, room, theme.MIN_TYPE_SIZE)
    surface.text(x, y, text, size, theme.MIST if idle else theme.IVORY, theme.FELT, "l")


def _lay_rolls(surface: DrawingSurface, left: float, y: float, rolls: CourtRolls, low: float) -> None:
    """Lay the attacker with card and die, then every defender's die and result."""
    _lay_die(surface, left, y, rolls.seat, rolls.roll)
    surface.paste(left + 120, y + 2, pieces.card_tile, rolls.card, -1, 1)
    line = min(_DICE_LINE, (low - _DIE_SIZE - y) / len(rolls.defences))
    for i, (seat, die, hit) in enumerate(rolls.defences, 1):
        _lay_die(surface, left, y + line * i, seat, die)
        label, ink = ("hit", theme.ROSE) if hit else ("safe", theme.LIME)
        surface.text(left + 124, y + line * i + _DIE_SIZE / 2, label, theme.MIN_TYPE_SIZE, ink, theme.FELT, "l")


def _lay_die(surface: DrawingSurface, left: float, y: float, seat: int, die: int) -> None:
    surface.paste(left + 8, y + 2, table_pieces.seat_token, seat, 44, False)
    surface.paste(left + 62, y, pieces.die, die, _DIE_SIZE)


LAYOUTS: Layouts = {CourtPicture: lay_court, CourtSign: lay_sign, CourtLobby: lay_lobby}
