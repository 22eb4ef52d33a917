"""The layout of a trick: its cards fanned towards the plates of their seats, and the seat that takes it."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from cogs.pictures import table_pieces
from cogs.pictures.names import lay_name
from cogs.pictures.plates import MAX_IN_ROW, plate_middles
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface
from cogs.pictures.raster.letters import fit_text
from cogs.pictures.raster.pen import tilted_size
from cogs.wizard.drawing.cards import wizard_card
from cogs.wizard.drawing.spec import Laid, Trick

_TRICK_SCALE, _LAST_SCALE = 1.2, 0.72
_COLUMN_WIDTH, _SMALL_COLUMN_WIDTH = 156, 104  # two of the wide ones fit under one of three plates in a row
_HEAD, _LIFT, _FOOT = 14, 8, 10  # above a card that is lifted and glows, the lift, and below a card
_LINE, _TOKEN, _SMALL_TOKEN = 37, 50, 40
_GATHER = 0.84  # how far cards lie from the middle, as a share of how far their seats' plates do
_STEEP_TILT, _SLIGHT_TILT = 8, 4  # degrees; few angles, because each sprite is drawn once per angle
_CAPTION_WIDTH = 180


def trick_height(trick: Trick) -> int:
    """Return the height of a trick: cards, names, and captions on the first and the best card."""
    return round(theme.CARD_SIZE[1] * _TRICK_SCALE) + _HEAD + _LIFT + _FOOT + 2 * _LINE if trick.cards else 0


def last_trick_height(trick: Trick) -> int:
    """Return the height of the small last trick."""
    return round(theme.CARD_SIZE[1] * _LAST_SCALE) + 24 if trick.cards else 0


def lay_trick(surface: DrawingSurface, y: float, trick: Trick, names: Sequence[str]) -> None:
    """Lay each card under its seat's plate and tilted towards it, with crest and name. The best card is lifted.

    If the trick is being gathered, the other cards lie on their way below the taker's, without names.
    """
    high = theme.CARD_SIZE[1] * _TRICK_SCALE
    places = fan_places(len(names))
    numbered = list(enumerate(trick.cards))
    if trick.gathered:  # the taker's card lies on top
        numbered.sort(key=lambda each: each[1].seat == trick.taker)
    for i, laid in numbered:
        middle, tilt = places[laid.seat]
        is_best = laid.seat == trick.taker
        wins = is_best and not trick.vanishes
        centre = y + _HEAD + (0 if wins else _LIFT) + high / 2
        if trick.gathered and trick.taker is not None:
            middle += (places[trick.taker][0] - middle) * trick.gathered / 100
        _lay_card(surface, middle, centre, laid, tilt, is_lifted=wins, is_dimmed=trick.over and not wins)
        if trick.gathered and not is_best:
            continue
        ink = theme.GOLD if wins else theme.IVORY
        below = y + _HEAD + _LIFT + high + _FOOT + _LINE / 2
        name, room = names[laid.seat], _COLUMN_WIDTH - 4
        lay_name(surface, middle, below, name, room, ink, theme.FELT, size=theme.MIN_TYPE_SIZE + 2)
        caption = _card_caption(trick, is_led=i == 0, is_best=is_best)
        surface.text(middle, below + _LINE - 4, caption, theme.MIN_TYPE_SIZE, ink if wins else theme.MIST, theme.FELT)


def fan_places(seats: int) -> list[tuple[float, int]]:
    """Return for each seat how far to the right its card lies, and its tilt in degrees.

    Under two rows of plates, the card of the upper plate lies at the left of the card of the lower one.
    """
    plates = plate_middles(seats)
    if seats > MAX_IN_ROW:
        return [_place_below_rows(plates, seat) for seat in range(seats)]
    middle = theme.WIDTH / 2
    farthest = max(abs(x - middle) for x in plates)
    return [(middle + (x - middle) * _GATHER, _outward_tilt((x - middle) / farthest)) for x in plates]


def _place_below_rows(plates: Sequence[float], seat: int) -> tuple[float, int]:
    """Return the place of a card under two rows of plates. Two cards under the same plates lean together."""
    x = plates[seat]
    if plates.count(x) == 1:
        return x, 0
    side = -1 if plates.index(x) == seat else 1
    return x + side * _COLUMN_WIDTH / 2, -side * _SLIGHT_TILT


def _outward_tilt(share: float) -> int:
    """Return the tilt of a card at this share of the way to the outermost card, from -1 to 1."""
    size = 0 if abs(share) < 0.1 else _SLIGHT_TILT if abs(share) < 0.9 else _STEEP_TILT
    return size if share > 0 else -size


def _lay_card(
    surface: DrawingSurface, x: float, y: float, laid: Laid, tilt: int, *, is_lifted: bool, is_dimmed: bool
) -> None:
    """Lay a card with its crest around a point. A card that is lifted glows."""
    width, height = (side * _TRICK_SCALE for side in theme.CARD_SIZE)
    if is_lifted:
        wide, high = tilted_size(width + 12 * _TRICK_SCALE, height + 12 * _TRICK_SCALE, tilt)
        surface.paste(x - wide / 2, y - high / 2, table_pieces.card_glow, _TRICK_SCALE, tilt)
    wide, high = tilted_size(width, height, tilt)
    surface.paste(x - wide / 2, y - high / 2, wizard_card, laid.card, _TRICK_SCALE, False, tilt, dimmed=is_dimmed)
    right, down = _TOKEN / 2 + 4 - width / 2, height / 2 - _TOKEN / 2 - 6
    across, along = cos(tilt * pi / 180), sin(tilt * pi / 180)
    x, y = x + right * across - down * along, y + right * along + down * across
    surface.paste(x - _TOKEN / 2, y - _TOKEN / 2, table_pieces.seat_token, laid.seat, _TOKEN, False)


def _card_caption(trick: Trick, is_led: bool, is_best: bool) -> str:
    """The captions of a card: whether it was led, and whether it is the best."""
    if trick.vanishes:
        best = "leads next" if trick.over else "would lead"
    else:
        best = "took it" if trick.over else "best" if is_led else "best so far"
    return ", ".join(["led"] * is_led + [best] * is_best)


def lay_last_trick(surface: DrawingSurface, y: float, trick: Trick, names: Sequence[str]) -> None:
    """Lay the small last trick with its taker. The winning card stands out."""
    assert trick.taker is not None
    width, high = (side * _LAST_SCALE for side in theme.CARD_SIZE)
    middle = y + 12 + high / 2
    title = f"end of round {trick.ended_round}" if trick.ended_round else "last trick"
    for i, caption in enumerate((title, "nobody" if trick.vanishes else names[trick.taker], "took it")):
        fitted, size = fit_text(caption, _CAPTION_WIDTH, theme.MIN_TYPE_SIZE)
        ink = theme.IVORY if i == 1 else theme.MIST
        surface.text(22, middle + 38 * (i - 1), fitted, size, ink, theme.FELT, "l")
    for i, laid in enumerate(trick.cards):
        x, wins = 18 + _CAPTION_WIDTH + 20 + (_SMALL_COLUMN_WIDTH + 20) * i, laid.seat == trick.taker
        wins = wins and not trick.vanishes
        if wins:
            surface.paste(x - 6 * _LAST_SCALE, y + 12 - 6 * _LAST_SCALE, table_pieces.card_glow, _LAST_SCALE)
        surface.paste(x, y + 12, wizard_card, laid.card, _LAST_SCALE, dimmed=not wins)
        surface.paste(x + width - 12, y + 4, table_pieces.seat_token, laid.seat, _SMALL_TOKEN, False)
