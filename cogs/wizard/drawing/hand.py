"""The layout of a hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface
from cogs.wizard.drawing import cards
from cogs.wizard.drawing.spec import CardFace

_ONE_ROW_SCALE, _TWO_ROW_SCALE = 1.5, 1.26
_RAISE = 20
_ROW_STEP = 120  # from the first row to the second
_MAX_IN_ROW = 10
_MARGIN = 20


def hand_height(hand: Sequence[CardFace]) -> int:
    """Return the height of a hand, or 0 without cards."""
    if not hand:
        return 0
    rows = _hand_rows(hand)
    return round(_RAISE + theme.CARD_SIZE[1] * _card_scale(rows) + _ROW_STEP * (len(rows) - 1))


def lay_hand(surface: DrawingSurface, y: float, hand: Sequence[CardFace]) -> None:
    """Lay cards side by side, overlapping if they must. More than ten cards make two rows."""
    rows = _hand_rows(hand)
    unit, room = _card_scale(rows), theme.WIDTH - 2 * _MARGIN
    width = theme.CARD_SIZE[0] * unit
    step = min(width + 12, (room - width) / max(1, len(rows[0]) - 1))
    for i, row in enumerate(rows):
        _lay_row(surface, row, unit, step, y + _ROW_STEP * i)


def _card_scale(rows: Sequence[Sequence[CardFace]]) -> float:
    return _ONE_ROW_SCALE if len(rows) == 1 else _TWO_ROW_SCALE


def _hand_rows(hand: Sequence[CardFace]) -> list[Sequence[CardFace]]:
    if len(hand) <= _MAX_IN_ROW:
        return [hand]
    half = ceil(len(hand) / 2)
    return [hand[:half], hand[half:]]


def _lay_row(surface: DrawingSurface, row: Sequence[CardFace], unit: float, step: float, top: float) -> None:
    left = (theme.WIDTH - (step * (len(row) - 1) + theme.CARD_SIZE[0] * unit)) / 2
    for i, face in enumerate(row):
        covered = i < len(row) - 1 and step < theme.CARD_SIZE[0] * unit
        y = top + (0 if face.raised else _RAISE)
        surface.paste(left + step * i, y, cards.wizard_card, face.key, unit, covered, dimmed=face.dimmed)
