"""The layout of Jokers: the seats, the piles, and on a hand the player's cards in their melds."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from cogs.jokers.drawing.sign import lay_lobby, lay_sign
from cogs.jokers.drawing.spec import CLOTH, Group, Hand, JokersLobby, JokersSign, PileTable, ShownCard
from cogs.pictures import card_faces, table_pieces
from cogs.pictures.plates import lay_plates, plates_height
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface, Layouts, S, SurfaceFactory
from cogs.pictures.raster.letters import text_width
from cogs.pictures.raster.strips import lay_shared, lay_strip

_EDGE, _GAP = 14, 14
_LEFT_EDGE, _RIGHT_EDGE = theme.MARGIN, theme.WIDTH - theme.MARGIN
TABLE_SCALE, HAND_SCALE = 1.02, 1.28  # scale of cards on the table and in the hand
_PILE_CAPTIONS = ("discard pile, by depth", "by depth")  # beside the depths; the first one that fits
_NAME_HEIGHT, _HEAD_HEIGHT, _FOOT = 46, 39, 14  # below a meld; above cards; the frame below a hand
_STANDS_FOR_SCALE = theme.SMALL_SCALE / HAND_SCALE  # of the represented card, relative to the joker


def lay_pile_table(spec: PileTable, make_surface: SurfaceFactory[S]) -> S:
    """Lay both seats above, the piles in the middle, and the player's own cards below."""
    middle = _EDGE + plates_height(spec.plates) + _GAP
    pile = middle + _middle_height(spec) + _GAP
    hand = pile + _HEAD_HEIGHT + theme.CARD_SIZE[1] * TABLE_SCALE + _GAP
    height = hand + (_HEAD_HEIGHT + theme.CARD_SIZE[1] * HAND_SCALE + _NAME_HEIGHT + _FOOT if spec.hand else 0)
    surface = make_surface(table_pieces.felt_tray, round(height), CLOTH)
    lay_strip(surface, 0, middle - _GAP, lay_plates, _EDGE, spec.plates)
    lay_strip(surface, middle - _GAP, pile, _lay_middle, middle, *_middle_arguments(spec))
    reach = None if spec.turned is None else spec.reach
    lay_shared(surface, pile, hand, _lay_pile, pile, spec.pile, spec.below, reach)
    if spec.hand is not None:
        lay_strip(surface, hand, height, _lay_hand, hand, spec.hand)
    return surface


def _middle_arguments(spec: PileTable) -> tuple[Hashable, ...]:
    """The cache key of the middle: everything that it depends on."""
    return spec.draw, spec.said, spec.turned, spec.reach, spec.declared, spec.declarer


def _lay_middle(
    surface: DrawingSurface,
    y: float,
    draw: int,
    lines: Sequence[str],
    turned_card: str | None,
    reach: int,
    declared: Sequence[Group],
    declarer: int,
) -> None:
    _lay_draw_pile(surface, y, draw, lines, alone=not declared)
    if turned_card is not None:
        _lay_turned(surface, y, turned_card, reach)
    if declared:
        _lay_declared(
            surface, y, declared, declarer, _RIGHT_EDGE if turned_card is None else _room_beside_turned(reach)
        )


def _middle_height(spec: PileTable) -> float:
    return theme.CARD_SIZE[1] * TABLE_SCALE + (_NAME_HEIGHT if spec.declared else 0)


def _lay_hand(surface: DrawingSurface, y: float, hand: Hand) -> None:
    surface.text(_LEFT_EDGE, y + _HEAD_HEIGHT / 2, hand.said, theme.MIN_TYPE_SIZE, theme.MIST, theme.FELT, "l")
    surface.text(
        _RIGHT_EDGE,
        y + _HEAD_HEIGHT / 2,
        hand.worth,
        theme.NAME_TYPE_SIZE,
        theme.TONE_COLOURS[hand.tone],
        theme.FELT,
        "r",
    )
    _lay_groups(surface, hand.groups, HAND_SCALE, _LEFT_EDGE, _RIGHT_EDGE, y + _HEAD_HEIGHT, 34)


def _lay_groups(
    surface: DrawingSurface, groups: Sequence[Group], unit: float, left: float, right: float, top: float, gap: float
) -> None:
    """Lay groups in the middle of the room. Cards overlap only as far as they must."""
    width, height = (side * unit for side in theme.CARD_SIZE)
    overlaps = sum(len(group.cards) - 1 for group in groups)
    room = right - left - width * len(groups) - gap * (len(groups) - 1)
    step = min(width + 6, room / max(1, overlaps))
    x = (left + right - (right - left - room) - step * overlaps) / 2
    for group in groups:
        for i, card in enumerate(group.cards):
            _lay_card(surface, card, unit, x + step * i, top)
        span = step * (len(group.cards) - 1) + width
        _lay_name(surface, group, x, x + span, top + height + 4)
        x += span + gap


def _lay_card(surface: DrawingSurface, card: ShownCard, unit: float, x: float, y: float) -> None:
    surface.paste(x, y, card_faces.card, card.key, unit)
    if card.stands is not None:
        at = y + theme.CARD_SIZE[1] * unit * (1 - _STANDS_FOR_SCALE) - 5 * unit
        surface.paste(x + 3 * unit, at, table_pieces.card_glow, _STANDS_FOR_SCALE * unit)
        surface.paste(
            x + 3 * unit + 6 * _STANDS_FOR_SCALE * unit,
            at + 6 * _STANDS_FOR_SCALE * unit,
            card_faces.card,
            card.stands,
            _STANDS_FOR_SCALE * unit,
        )


def _lay_name(surface: DrawingSurface, group: Group, left: float, right: float, y: float) -> None:
    if group.meld:
        surface.paste(left, y, table_pieces.group_bar, round(right - left))
    ink = theme.GOLD if group.meld else theme.IVORY
    surface.text((left + right) / 2, y + 27, group.name, theme.MIN_TYPE_SIZE, ink, theme.FELT)


def _lay_draw_pile(surface: DrawingSurface, y: float, draw: int, lines: Sequence[str], *, alone: bool) -> None:
    """Lay the draw pile with its size, and the texts on the turn if there is room beside it."""
    depth = min(3, draw // 8)
    surface.paste(_LEFT_EDGE, y, table_pieces.empty_card_place, TABLE_SCALE)
    for i in range(depth + 1 if draw else 0):
        surface.paste(_LEFT_EDGE + 4 * i, y - 3 * i, card_faces.card, "back", TABLE_SCALE)
    if not alone:
        surface.paste(_LEFT_EDGE + 4 * depth + 14, y + 34 - 3 * depth, table_pieces.round_badge, str(draw), 72, False)
        return
    x = _LEFT_EDGE + theme.CARD_SIZE[0] * TABLE_SCALE + 34
    for i, line in enumerate((f"{draw} to draw", *lines)):
        size, ink = (theme.NAME_TYPE_SIZE, theme.IVORY) if i == 0 else (theme.MIN_TYPE_SIZE, theme.MIST)
        surface.text(x, y + 24 + 46 * i, line, size, ink, theme.FELT, "l")


def _lay_turned(surface: DrawingSurface, y: float, turned_card: str, reach: int) -> None:
    """Lay a safety card turned up, and its reach."""
    left = _RIGHT_EDGE - theme.CARD_SIZE[0] * TABLE_SCALE - 8
    surface.paste(left - 6 * TABLE_SCALE, y - 6 * TABLE_SCALE, table_pieces.card_glow, TABLE_SCALE)
    surface.paste(left, y, card_faces.card, turned_card, TABLE_SCALE)
    for i, line in enumerate(_turned_texts(reach)):
        ink = theme.MIST if i == 0 else theme.GOLD
        surface.text(left - 24, y + 48 + 44 * i, line, theme.MIN_TYPE_SIZE, ink, theme.FELT, "r")


def _turned_texts(reach: int) -> tuple[str, str]:
    return "safety card", f"reaches {reach}"


def _room_beside_turned(reach: int) -> float:
    """The room at the left of a safety card turned up."""
    text_room = max(text_width(line, theme.MIN_TYPE_SIZE) for line in _turned_texts(reach))
    return _RIGHT_EDGE - (theme.CARD_SIZE[0] * TABLE_SCALE + 8 + 24 + text_room + 24)


def _lay_declared(surface: DrawingSurface, y: float, declared: Sequence[Group], declarer: int, right: float) -> None:
    """Lay the declared hand in its melds, after the shape of its owner."""
    left = _LEFT_EDGE + theme.CARD_SIZE[0] * TABLE_SCALE + 30
    surface.paste(left, y + 4, table_pieces.seat_token, declarer, 50, False)
    _lay_groups(surface, declared, TABLE_SCALE, left + 62, right, y, 24)


def _lay_pile(surface: DrawingSurface, y: float, pile: Sequence[str], below: int, reach: int | None) -> None:
    """Lay the newest cards with their depths, the top one rightmost. Cards out of reach are dimmed."""
    width = theme.CARD_SIZE[0] * TABLE_SCALE
    if not pile:
        surface.paste(_RIGHT_EDGE - width, y + _HEAD_HEIGHT, table_pieces.empty_card_place, TABLE_SCALE)
        middle = y + _HEAD_HEIGHT + theme.CARD_SIZE[1] * TABLE_SCALE / 2
        text = "the discard pile is empty"
        surface.text(_RIGHT_EDGE - width - 20, middle, text, theme.MIN_TYPE_SIZE, theme.MIST, theme.FELT, "r")
        return
    more = 104 if below else 0
    step = min(96.0, (_RIGHT_EDGE - _LEFT_EDGE - more - width) / max(1, len(pile) - 1))
    for depth in range(len(pile), 0, -1):
        x = _RIGHT_EDGE - width - step * (depth - 1)
        far = reach is not None and depth > reach
        surface.paste(x, y + _HEAD_HEIGHT, card_faces.card, pile[depth - 1], TABLE_SCALE, dimmed=far)
        surface.text(
            x + 27 * TABLE_SCALE, y + _HEAD_HEIGHT / 2, str(depth), 34, theme.MIST if far else theme.IVORY, theme.FELT
        )
    x = _RIGHT_EDGE - width - step * (len(pile) - 1) - 24
    fitting = (text for text in _PILE_CAPTIONS if text_width(text, theme.MIN_TYPE_SIZE) <= x - _LEFT_EDGE)
    if text := next(fitting, ""):
        surface.text(x, y + _HEAD_HEIGHT / 2, text, theme.MIN_TYPE_SIZE, theme.MIST, theme.FELT, "r")
    if below:
        for i, line in enumerate((f"+{below}", "below")):
            surface.text(
                _LEFT_EDGE, y + _HEAD_HEIGHT + 52 + 42 * i, line, theme.MIN_TYPE_SIZE, theme.IVORY, theme.FELT, "l"
            )


LAYOUTS: Layouts = {PileTable: lay_pile_table, JokersSign: lay_sign, JokersLobby: lay_lobby}
