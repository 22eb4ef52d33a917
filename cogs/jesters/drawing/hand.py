"""The layout of a player's Jest cards and Gifts, side by side, smaller if there are many."""

from __future__ import annotations

from cogs.jesters.drawing import cards, dice, icons
from cogs.jesters.drawing.spec import NO_SYMBOL, GiftFace, JestFace, Own
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface
from cogs.pictures.raster.letters import text_width
from cogs.pictures.raster.pen import DrawFunction
from cogs.pictures.raster.theme import MIN_TYPE_SIZE

EDGE, GAP = 14, 8
_MOST_IN_ROW, _HEIGHT, _CROWDED_HEIGHT = 10, 146, 120  # cards in one row, their height, and in two rows
_MAX_CARD_WIDTH = 155
_TECHNIQUE_SIZE, _EFFECT_SIZE = 46, 48

_SMALL_SYMBOL = 38  # of a Gift whose symbol stands beside its Fame
_FAME_OF_EFFECT = {"opposite": "", "recolour": "+1 ★", "extra": "", "reroll": ""}  # of the others +2 ★

EffectSign = tuple[float, DrawFunction, tuple[str | int, ...]]


def hand_height(own: Own) -> int:
    """Return the height of the layout."""
    rows, height, _ = _hand_layout(own)
    return rows * (height + GAP) - GAP


def lay_hand(surface: DrawingSurface, own: Own, top: float) -> None:
    """Lay Jest cards, then Gifts."""
    rows, height, width = _hand_layout(own)
    things: list[JestFace | GiftFace] = [*own.cards, *own.gifts]
    if not things:
        surface.text(theme.WIDTH / 2, top + height / 2, "no Jest cards, no Gifts", 36, theme.IVORY, theme.FELT)
    across = max(1, -(-len(things) // rows))
    for i in range(0, len(things), across):
        line = things[i : i + across]
        left = (theme.WIDTH - len(line) * (width + GAP) + GAP) / 2
        for j, thing in enumerate(line):
            x, y = left + j * (width + GAP), top + i // across * (height + GAP)
            if isinstance(thing, JestFace):
                _lay_card(surface, thing, x, y, width, height)
            else:
                lay_gift(surface, thing, x, y, width, height)


def _hand_layout(own: Own) -> tuple[int, int, int]:
    """The number of rows, and the height and width of a card."""
    number = len(own.cards) + len(own.gifts)
    rows, height = (1, _HEIGHT) if number <= _MOST_IN_ROW else (2, _CROWDED_HEIGHT)
    across = max(1, -(-number // rows))
    return rows, height, min(_MAX_CARD_WIDTH, int((theme.WIDTH - 2 * EDGE + GAP) / across) - GAP)


def _lay_card(surface: DrawingSurface, card: JestFace, x: float, y: float, width: int, height: int) -> None:
    """Lay a Jest card: the dice that it teaches above, its change of a die below."""
    surface.paste(x, y, cards.jest_card, width, height)
    low = min(80, height - 62)
    size = min(_TECHNIQUE_SIZE, (width - 16) // 2, (height - low - 18) // 2)
    rows = [card.learn] if len(card.learn) * (size + 4) <= width - 6 else [card.learn[:2], card.learn[2:]]
    size = min(
        _TECHNIQUE_SIZE, (height - low - 14 - 4 * (len(rows) - 1)) // len(rows), (width - 12) // len(rows[0]) - 4
    )
    top = y + (height - low - 4 - len(rows) * (size + 4) + 4) / 2
    for i, row in enumerate(rows):
        left = x + (width - len(row) * (size + 4) + 4) / 2
        for j, colour in enumerate(row):
            surface.paste(left + j * (size + 4), top + i * (size + 4), dice.technique_die, colour, size)
    wide = min(width - 12, 100)
    surface.paste(x + (width - wide) / 2, y + height - low - 6, dice.change_sign, card.change, card.colour, wide, low)


def lay_gift(surface: DrawingSurface, gift: GiftFace, x: float, y: float, width: int, height: int) -> None:
    """Lay a Gift: its effect above, its symbol below."""
    surface.paste(x, y, cards.gift_card, width, height, gift.used, dimmed=gift.used)
    fame_text = _FAME_OF_EFFECT.get(gift.effect, "+2 ★")
    beside = _SMALL_SYMBOL + 8 + text_width(fame_text, MIN_TYPE_SIZE)  # the width of Fame and symbol in one line
    in_line = height <= _CROWDED_HEIGHT and beside <= width - 24
    size = min(_EFFECT_SIZE, (width - 20) // 2, _EFFECT_SIZE if in_line or not fame_text else height - 86)
    signs = _effect_signs(gift, size)
    left = x + (width - sum(wide * size for wide, _, _ in signs)) / 2
    is_alone = gift.symbol == NO_SYMBOL and not fame_text
    for wide, draw, arguments in signs:
        surface.paste(left, y + (height - size) / 2 if is_alone else y + 12, draw, *arguments, dimmed=gift.used)
        left += wide * size
    symbol = _SMALL_SYMBOL if in_line else min(44, height - size - 58)
    left, top, anchor = x + width / 2, y + 14 + size + 16, "m"
    if in_line:
        left, top, anchor = x + (width - beside) / 2, y + height - 12 - symbol / 2, "l"
    if fame_text:
        ink = theme.MIST if gift.used else theme.GOLD
        surface.text(left, top, fame_text, MIN_TYPE_SIZE, ink, theme.PLATE, anchor)
    at = x + (width + beside) / 2 - symbol if in_line and fame_text else x + (width - symbol) / 2
    if gift.symbol != NO_SYMBOL:
        surface.paste(at, y + height - symbol - 12, icons.symbol_icon, gift.symbol, symbol, dimmed=gift.used)


def _effect_signs(gift: GiftFace, size: int) -> tuple[EffectSign, ...]:
    """The signs of an effect, each with its width relative to a die."""
    match gift.effect:
        case "opposite":
            return ((1, dice.technique_die, (gift.of, size)), (0.9, icons.flip_arrows, (size,)))
        case "recolour":
            return ((0.8, icons.arrow, (size,)), (1, dice.technique_die, (gift.of, size)))
        case "extra":
            return ((0.7, icons.plus_icon, (size,)), (1, dice.technique_die, (dice.ANY_COLOUR, size)))
        case "reroll":
            return ((1, dice.technique_die, (dice.ANY_COLOUR, size)), (1, icons.reroll_icon, (size,)))
        case "symbol":
            return ((1, icons.symbol_icon, (gift.of, size)),)
        case _:
            return ((1, dice.technique_die, (gift.of, size)),)
