"""The one picture, from top to bottom: the seats, trump and round, the trick, the last one, and the reader's hand."""

from __future__ import annotations

from cogs.pictures import theme, things
from cogs.pictures.canvas import S, Start, Surface
from cogs.pictures.pen import fitted
from cogs.pictures.plates import lay_plates, plates_height
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
    surface = start(things.tray, 2 * _EDGE + sum(there) + _GAP * (len(there) - 1))
    y = _EDGE + lay_plates(surface, _EDGE, spec.plates) + _GAP
    _lay_info(surface, y, spec)
    y += _INFO + _GAP
    names = tuple(plate.name for plate in spec.plates)
    if spec.trick.cards:
        trick.lay_trick(surface, y, spec.trick, names)
        y += trick.height(spec.trick) + _GAP
    if spec.last.cards:
        trick.lay_last(surface, y, spec.last, names)
        y += trick.last_height(spec.last) + _GAP
    hand.lay_hand(surface, y, spec.hand)
    return surface


def _lay_info(surface: Surface, y: float, spec: WizardPicture) -> None:
    """What is trump, beside the card that was turned up; and at the right the round and the bids."""
    left = _EDGE + 4.0
    if spec.turned is not None:
        surface.paste(left, y, card, spec.turned, _TURNED)
        left += theme.CARD[0] * _TURNED + 16
    middles = (y + 0.28 * _INFO, y + 0.72 * _INFO)
    right = theme.WIDTH - _EDGE - 4
    for i, middle in enumerate(middles):
        size, ink = ((38, theme.IVORY), (theme.LEAST_TYPE, theme.MIST))[i]
        said, size = fitted(spec.trump[i], 600 - left, size)
        surface.text(left, middle, said, size, ink, theme.FELT, "l")
        ink = (theme.MIST, theme.IVORY)[i]
        surface.text(right, middle, spec.counts[i], 34, ink, theme.FELT, "r")
