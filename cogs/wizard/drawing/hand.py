"""The layout of a hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import Surface
from cogs.wizard.drawing import cards
from cogs.wizard.spec import CardFace

_UNIT, _UNIT_IN_ROWS = 1.5, 1.26
_RAISE = 20
_ROW_STEP = 120  # how far the second row lies below the first
_MOST_IN_ROW = 10
_MARGIN = 20


def height(hand: Sequence[CardFace]) -> int:
    """How high a hand is; nothing without cards."""
    if not hand:
        return 0
    rows = _rows(hand)
    return round(_RAISE + theme.CARD[1] * _unit(rows) + _ROW_STEP * (len(rows) - 1))


def lay_hand(surface: Surface, y: float, hand: Sequence[CardFace]) -> None:
    """Cards side by side, overlapping where they must; two rows for more than ten."""
    rows = _rows(hand)
    unit, room = _unit(rows), theme.WIDTH - 2 * _MARGIN
    width = theme.CARD[0] * unit
    step = min(width + 12, (room - width) / max(1, len(rows[0]) - 1))
    for i, row in enumerate(rows):
        _lay_row(surface, row, unit, step, y + _ROW_STEP * i)


def _unit(rows: Sequence[Sequence[CardFace]]) -> float:
    return _UNIT if len(rows) == 1 else _UNIT_IN_ROWS


def _rows(hand: Sequence[CardFace]) -> list[Sequence[CardFace]]:
    if len(hand) <= _MOST_IN_ROW:
        return [hand]
    half = ceil(len(hand) / 2)
    return [hand[:half], hand[half:]]


def _lay_row(surface: Surface, row: Sequence[CardFace], unit: float, step: float, top: float) -> None:
    left = (theme.WIDTH - (step * (len(row) - 1) + theme.CARD[0] * unit)) / 2
    for i, face in enumerate(row):
        covered = i < len(row) - 1 and step < theme.CARD[0] * unit
        y = top + (0 if face.raised else _RAISE)
        surface.paste(left + step * i, y, cards.card, face.key, unit, covered, dimmed=face.dimmed)
