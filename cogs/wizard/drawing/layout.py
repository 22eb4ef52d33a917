"""The one picture, from top to bottom: the seats, trump and round, the trick, the last one, and the reader's hand."""

from __future__ import annotations

from cogs.pictures import table_pieces
from cogs.pictures.plates import lay_plates, plates_height
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import S, Start, Surface
from cogs.pictures.raster.letters import fitted
from cogs.pictures.raster.strips import lay_shared, lay_strip
from cogs.wizard.drawing import hand, trick
from cogs.wizard.drawing.cards import card
from cogs.wizard.spec import WizardPicture

_EDGE, _GAP = 14, 12
_TURNED = 0.64
_INFO = round(theme.CARD[1] * _TURNED)


def lay_wizard(spec: WizardPicture, start: Start[S]) -> S:
    """One below the other, only as high as what there is."""
    parts = [plates_height(spec.plates), _INFO, trick.height(spec.trick), trick.last_height(spec.last)]
    parts.append(hand.height(spec.hand))
    there = [part for part in parts if part]
    surface = start(table_pieces.tray, 2 * _EDGE + sum(there) + _GAP * (len(there) - 1))
    y = _EDGE + parts[0] + _GAP
    lay_strip(surface, 0, y, lay_plates, _EDGE, spec.plates)
    below = y + _INFO + _GAP
    lay_strip(surface, y, below, _lay_info, y, spec.turned, spec.trump, spec.counts)
    y, names = below, tuple(plate.name for plate in spec.plates)
    if spec.trick.cards:
        below = y + parts[2] + _GAP
        lay_shared(surface, y, below, trick.lay_trick, y, spec.trick, names)
        y = below
    if spec.last.cards:
        below = y + parts[3] + _GAP
        lay_strip(surface, y, below, trick.lay_last, y, spec.last, names)
        y = below
    if spec.hand:
        lay_strip(surface, y, y + parts[4] + _EDGE, hand.lay_hand, y, spec.hand)
    return surface


def _lay_info(surface: Surface, y: float, turned: str | None, trump: tuple[str, str], counts: tuple[str, str]) -> None:
    """What is trump, beside the card that was turned up; and at the right the round and the bids."""
    left = _EDGE + 4.0
    if turned is not None:
        surface.paste(left, y, card, turned, _TURNED)
        left += theme.CARD[0] * _TURNED + 16
    middles = (y + 0.28 * _INFO, y + 0.72 * _INFO)
    right = theme.WIDTH - _EDGE - 4
    for i, middle in enumerate(middles):
        size, ink = ((38, theme.IVORY), (theme.LEAST_TYPE, theme.MIST))[i]
        said, size = fitted(trump[i], 600 - left, size)
        surface.text(left, middle, said, size, ink, theme.FELT, "l")
        ink = (theme.MIST, theme.IVORY)[i]
        surface.text(right, middle, counts[i], 34, ink, theme.FELT, "r")
