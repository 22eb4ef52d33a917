"""The layout of a hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from cogs.pictures import theme, things
from cogs.pictures.canvas import S, Start, Surface
from cogs.wizard.drawing import cards
from cogs.wizard.spec import CardFace, HandPicture


def lay_hand(spec: HandPicture, start: Start[S]) -> S:
    """Cards side by side, overlapping where they must; two rows for more than ten."""
    rows = _rows(spec.cards)
    unit = theme.LARGE if len(rows) == 1 else theme.LARGE_IN_ROWS
    card_width, card_height = (side * unit for side in theme.CARD)
    surface = start(things.tray, round(2 * theme.MARGIN + theme.RAISE + card_height + theme.ROW_STEP * (len(rows) - 1)))
    room = theme.WIDTH - 2 * theme.MARGIN
    step = min(card_width + 10, (room - card_width) / max(1, len(rows[0]) - 1))
    if not spec.cards:
        surface.paste((theme.WIDTH - card_width) / 2, theme.MARGIN + theme.RAISE, things.place, unit)
    for i, row in enumerate(rows):
        _lay_row(surface, row, unit, step, theme.MARGIN + theme.ROW_STEP * i)
    return surface


def _rows(cards: Sequence[CardFace]) -> list[Sequence[CardFace]]:
    if len(cards) <= theme.MOST_IN_ROW:
        return [cards]
    half = ceil(len(cards) / 2)
    return [cards[:half], cards[half:]]


def _lay_row(surface: Surface, row: Sequence[CardFace], unit: float, step: float, top: int) -> None:
    left = (theme.WIDTH - (step * (len(row) - 1) + theme.CARD[0] * unit)) / 2
    for i, face in enumerate(row):
        x, y = left + step * i, top + (0 if face.raised else theme.RAISE)
        surface.paste(x, y, cards.card, face.key, unit, unit != theme.LARGE, dimmed=face.dimmed)
        if face.trump:
            surface.paste(x + 17 * unit - 17, y + 61 * unit, things.badge, "T", 34, True, dimmed=face.dimmed)
