"""The layouts of Jokers: a hand in its melds; the table with its piles."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jokers.spec import Group, GroupedHand, Held, PileTable, SafetyPlate
from cogs.pictures import faces, theme, things
from cogs.pictures.canvas import Layouts, S, Start, Surface

_PLATE_WIDTH = theme.PLATE_SIZE[0]
_HAND, _HAND_GAP, _FOOT = theme.LARGE, 34.0, 56
_SAFETY, _PILE, _SHOWN = 0.74, 1.25, 1.04
_TOP, _MIDDLE, _FAN = 26, 170, 408
_TABLE_HEIGHT = _FAN + 199
_LEFT, _RIGHT = theme.MARGIN, theme.WIDTH - theme.MARGIN
_AS = 0.46  # the size of what a joker stands for, to the joker's own


def lay_groups(spec: GroupedHand, start: Start[S]) -> S:
    """Melds side by side, each with its name below; what is in none comes last."""
    surface = start(things.tray, round(2 * theme.MARGIN + theme.CARD[1] * _HAND + _FOOT))
    if spec.groups:
        _lay_groups(surface, spec.groups, _HAND, _LEFT, _RIGHT, theme.MARGIN, _HAND_GAP)
    return surface


def lay_pile_table(spec: PileTable, start: Start[S]) -> S:
    """Both seats above, the draw pile and what is shown in the middle, the discard pile below."""
    surface = start(things.tray, _TABLE_HEIGHT)
    for seat, plate in enumerate(spec.plates):
        _lay_plate(surface, seat, plate)
    for i, line in enumerate(spec.title):
        surface.text(500, _TOP + 40 + 38 * i, line, 28 if i == 0 else 26, theme.IVORY, theme.FELT)
    _lay_draw_pile(surface, spec.draw)
    if spec.turned is not None:
        _lay_turned(surface, spec.turned, spec.reach)
    if spec.declared:
        right = _RIGHT - (theme.CARD[0] * _PILE + 50 if spec.turned else 0)
        _lay_groups(surface, spec.declared, _SHOWN, 232, right, _MIDDLE + 4, 30)
        surface.paste(176, _MIDDLE + 4, things.token, spec.declarer, 50)
    else:
        _lay_words(surface, spec.middle)
    _lay_pile(surface, spec)
    return surface


def _lay_groups(
    surface: Surface, groups: Sequence[Group], unit: float, left: float, right: float, top: float, gap: float
) -> None:
    """Groups in the middle of that room; cards overlap as far as they must."""
    width, height = (side * unit for side in theme.CARD)
    overlaps = sum(len(group.cards) - 1 for group in groups)
    room = right - left - width * len(groups) - gap * (len(groups) - 1)
    step = min(width + 6, room / max(1, overlaps))
    x = (left + right - (right - left - room) - step * overlaps) / 2
    for group in groups:
        for i, held in enumerate(group.cards):
            _lay_held(surface, held, unit, x + step * i, top)
        span = step * (len(group.cards) - 1) + width
        _lay_name(surface, group, x, x + span, top + height + 10)
        x += span + gap


def _lay_held(surface: Surface, held: Held, unit: float, x: float, y: float) -> None:
    surface.paste(x, y, faces.card, held.key, unit)
    if held.stands is not None:
        height = theme.CARD[1] * unit
        surface.paste(x + 5 * unit, y + height * (1 - _AS) - 5 * unit, things.glow, _AS * unit)
        surface.paste(
            x + 5 * unit + 6 * _AS * unit,
            y + height * (1 - _AS) - 5 * unit + 6 * _AS * unit,
            faces.card,
            held.stands,
            _AS * unit,
        )


def _lay_name(surface: Surface, group: Group, left: float, right: float, y: float) -> None:
    if group.meld:
        surface.paste(left, y, things.brace, round(right - left))
        surface.paste((left + right) / 2 - (20 + 15 * len(group.name)) / 2, y + 6, things.tag, group.name)
    else:
        surface.text((left + right) / 2, y + 22, group.name, 30, theme.IVORY, theme.FELT)


def _lay_plate(surface: Surface, seat: int, plate: SafetyPlate) -> None:
    """A seat's plate at its side, the safety cards inwards of it."""
    left = _LEFT if seat == 0 else _RIGHT - _PLATE_WIDTH
    surface.paste(left, _TOP, things.plate, bool(plate.turn))
    surface.paste(left + 10, _TOP + 12, things.token, seat, 68)
    surface.paste(left + 18, _TOP + 84, faces.card, "back", 0.18)
    _text(surface, left + 58, _TOP + 98, str(plate.cards), 26, theme.MIST)
    _text(surface, left + 154, _TOP + 40, plate.points, 50, theme.GOLD)
    _text(surface, left + 154, _TOP + 92, plate.gained, 27, theme.IVORY)
    if plate.turn:
        surface.paste(left + 14, _TOP - 20, things.tag, plate.turn)
    width = theme.CARD[0] * _SAFETY + 8
    first = left + _PLATE_WIDTH + 12 if seat == 0 else left - 4 - 2 * width
    for i, down in enumerate(plate.safety):
        thing = (faces.card, "back", _SAFETY) if down else (things.place, _SAFETY)
        surface.paste(first + width * i, _TOP + 4, *thing)
        if down:
            surface.paste(first + width * i + width / 2 - 25, _TOP + 34, things.badge, str(i + 1), 42, True)


def _text(surface: Surface, x: float, y: float, text: str, size: int, ink: theme.Colour) -> None:
    if text:
        surface.text(x, y, text, size, ink, theme.PLATE)


def _lay_draw_pile(surface: Surface, cards: int) -> None:
    width = theme.CARD[0] * _PILE
    depth = min(3, cards // 8)
    surface.paste(_LEFT + 6, _MIDDLE, things.place, _PILE)
    for i in range(depth + 1 if cards else 0):
        surface.paste(_LEFT + 6 + 4 * i, _MIDDLE - 3 * i, faces.card, "back", _PILE)
    x = _LEFT + 6 + 4 * depth + width / 2 - 40
    surface.paste(x, _MIDDLE + 52 - 3 * depth, things.badge, str(cards), 78, False)


def _lay_turned(surface: Surface, turned: str, reach: int) -> None:
    left = _RIGHT - theme.CARD[0] * _PILE - 8
    surface.paste(left - 6 * _PILE, _MIDDLE - 6 * _PILE, things.glow, _PILE)
    surface.paste(left, _MIDDLE, faces.card, turned, _PILE)
    tag = f"reaches {reach}"
    middle = left + theme.CARD[0] * _PILE / 2 - (20 + 15 * len(tag)) / 2
    surface.paste(min(middle, _RIGHT - 20 - 15 * len(tag)), _MIDDLE + theme.CARD[1] * _PILE - 14, things.tag, tag)


def _lay_words(surface: Surface, lines: Sequence[str]) -> None:
    for i, line in enumerate(lines):
        size = 40 if i == 0 else 30
        surface.text(500, _MIDDLE + 62 + 52 * i, line, size, theme.IVORY, theme.FELT)


def _lay_pile(surface: Surface, spec: PileTable) -> None:
    """The newest cards, the top one rightmost; depths above them. What a safety card does not reach steps back."""
    width = theme.CARD[0] * _PILE
    if not spec.pile:
        surface.paste(_RIGHT - width, _FAN, things.place, _PILE)
        surface.text(_RIGHT - width - 20, _FAN + 90, "the discard pile is empty", 30, theme.IVORY, theme.FELT, "r")
        return
    more = 88 if spec.below else 0
    step = min(96.0, (_RIGHT - _LEFT - more - width) / max(1, len(spec.pile) - 1))
    for depth in range(len(spec.pile), 0, -1):
        x = _RIGHT - width - step * (depth - 1)
        far = spec.turned is not None and depth > spec.reach
        surface.paste(x, _FAN, faces.card, spec.pile[depth - 1], _PILE, dimmed=far)
        surface.text(x + step / 2 - (6 if depth > 1 else -10), _FAN - 22, str(depth), 34, theme.IVORY, theme.FELT)
    if spec.below:
        for i, line in enumerate((f"+{spec.below}", "below")):
            surface.text(_LEFT + 34, _FAN + 70 + 40 * i, line, 34 if i == 0 else 24, theme.IVORY, theme.FELT)


LAYOUTS: Layouts = {GroupedHand: lay_groups, PileTable: lay_pile_table}
