"""The layout of Wizard's picture: the seats, trump and round, the trick, the last trick, and the hand."""

from __future__ import annotations

from cogs.pictures import table_pieces
from cogs.pictures.plates import lay_plates, plates_height
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface, Layouts, S, SurfaceFactory
from cogs.pictures.raster.letters import fit_text
from cogs.pictures.raster.strips import lay_shared, lay_strip
from cogs.wizard.drawing import hand, trick
from cogs.wizard.drawing.cards import wizard_card
from cogs.wizard.drawing.sign import lay_lobby, lay_sign
from cogs.wizard.drawing.spec import CLOTH, WizardLobby, WizardPicture, WizardSign

_EDGE, _GAP = 14, 12
_TURNED_SCALE = 0.64
_INFO_HEIGHT = round(theme.CARD_SIZE[1] * _TURNED_SCALE)


def lay_wizard(spec: WizardPicture, make_surface: SurfaceFactory[S]) -> S:
    """Lay all parts from top to bottom. The picture is only as high as its parts."""
    parts = [
        plates_height(spec.plates),
        _INFO_HEIGHT,
        trick.trick_height(spec.trick),
        trick.last_trick_height(spec.last),
    ]
    parts.append(hand.hand_height(spec.hand))
    heights = [part for part in parts if part]
    surface = make_surface(table_pieces.felt_tray, 2 * _EDGE + sum(heights) + _GAP * (len(heights) - 1), CLOTH)
    y = _EDGE + parts[0] + _GAP
    lay_strip(surface, 0, y, lay_plates, _EDGE, spec.plates)
    below = y + _INFO_HEIGHT + _GAP
    lay_strip(surface, y, below, _lay_info, y, spec.turned, spec.trump, spec.counts)
    y, names = below, tuple(plate.name for plate in spec.plates)
    if spec.trick.cards:
        below = y + parts[2] + _GAP
        lay_shared(surface, y, below, trick.lay_trick, y, spec.trick, names)
        y = below
    if spec.last.cards:
        below = y + parts[3] + _GAP
        lay_strip(surface, y, below, trick.lay_last_trick, y, spec.last, names)
        y = below
    if spec.hand:
        lay_strip(surface, y, y + parts[4] + _EDGE, hand.lay_hand, y, spec.hand)
    return surface


def _lay_info(
    surface: DrawingSurface, y: float, turned_card: str | None, trump: tuple[str, str], counts: tuple[str, str]
) -> None:
    """Lay the trump beside the turned-up card, and the round and the bids on the right."""
    left = _EDGE + 8.0
    if turned_card is not None:
        surface.paste(left, y, wizard_card, turned_card, _TURNED_SCALE)
        left += theme.CARD_SIZE[0] * _TURNED_SCALE + 16
    middles = (y + 0.28 * _INFO_HEIGHT, y + 0.72 * _INFO_HEIGHT)
    right = theme.WIDTH - _EDGE - 10
    for i, middle in enumerate(middles):
        size, ink = ((38, theme.IVORY), (theme.MIN_TYPE_SIZE, theme.MIST))[i]
        text, size = fit_text(trump[i], 600 - left, size)
        surface.text(left, middle, text, size, ink, theme.FELT, "l")
        ink = (theme.MIST, theme.IVORY)[i]
        surface.text(right, middle, counts[i], 34, ink, theme.FELT, "r")


LAYOUTS: Layouts = {WizardPicture: lay_wizard, WizardSign: lay_sign, WizardLobby: lay_lobby}
