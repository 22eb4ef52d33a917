"""Parts of several pictures of Jesters: Performances, requirements, Gifts, symbols, rows of dice."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.drawing import cards, dice, icons
from cogs.jesters.drawing.cards import GIFT
from cogs.jesters.drawing.dice import BAND
from cogs.jesters.drawing.icons import SYMBOLS
from cogs.jesters.spec import GiftFace, Sign, Task
from cogs.pictures import theme
from cogs.pictures.canvas import Drawer, Surface
from cogs.pictures.pen import font
from cogs.pictures.theme import PIXELS, Colour

CARD_HEIGHT = 252  # of a Performance

_SMALL_SIGN = 38  # smaller ones are broken in two lines
_SIGN_SIZES = (54, 50, 46, 42, 38, 34, 30, 26)
_NAME_SIZES = (30, 27, 24, 22)
_EFFECT = 46


def fitted(text: str, width: float, sizes: Sequence[int]) -> int:
    """The largest of these sizes at which the words fit; else the smallest."""
    return next((size for size in sizes if length(text, size) <= width), sizes[-1])


def length(text: str, size: int) -> float:
    """How long words are, in layout units."""
    return font(round(size * PIXELS)).getlength(text) / PIXELS


def lay_task(surface: Surface, task: Task, x: float, y: float, width: int, height: int, chosen: bool = False) -> None:
    """A Performance as a card: name, requirement, symbols by sign and word, Fame."""
    surface.paste(x, y, cards.task_card, width, height, task.favorite, chosen)
    inside = width - 44
    ink = theme.GOLD if task.favorite else theme.IVORY
    lines = _in_lines(task.name, inside)
    size = min(fitted(line, inside, _NAME_SIZES[len(lines) - 1 :]) for line in lines)
    for i, line in enumerate(lines):
        surface.text(x + 22, y + 44 + 28 * i - 14 * (len(lines) - 1), line, size, ink, theme.PLATE, "l")
    lay_signs(surface, task.signs, x + 20, y + 78, inside + 6)
    for i, symbol in enumerate(task.symbols):
        lay_symbol(surface, symbol, x + 18, y + height - 54 - 42 * (len(task.symbols) - 1 - i))
    if task.fame:
        surface.paste(x + width - 90, y + height - 88, icons.fame, task.fame, 76)
    elif task.favorite:
        surface.paste(x + width - 94, y + height - 84, icons.gift_sign, 76)


def _in_lines(name: str, room: float) -> list[str]:
    """A name in one line if it fits, else in two of about the same length."""
    words = name.split()
    if length(name, _NAME_SIZES[1]) <= room or len(words) == 1:
        return [name]
    parts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return list(min(parts, key=lambda part: max(map(len, part))))


def lay_symbol(surface: Surface, symbol: int, x: float, y: float, size: int = 38) -> None:
    """A symbol's sign, and its word after it."""
    surface.paste(x, y, icons.symbol, symbol, size)
    surface.text(x + size + 8, y + size / 2, SYMBOLS[symbol], 23, theme.IVORY, theme.PLATE, "l")


def lay_signs(surface: Surface, signs: Sequence[Sign], x: float, y: float, room: float) -> None:
    """A requirement as dice, as large as they go; what comes after “with” on a line of its own if it must."""
    size = _size(signs, room)
    breaks = next((i for i, sign in enumerate(signs) if sign.text == "with"), 0)
    if breaks and size < _SMALL_SIGN:
        lines = (signs[:breaks], signs[breaks:])
        for i, line in enumerate(lines):
            _lay_line(surface, line, x, y - 5 + 41 * i, min(36, _size(line, room)))
    else:
        _lay_line(surface, signs, x, y, size)


def _size(signs: Sequence[Sign], room: float) -> int:
    return next((size for size in _SIGN_SIZES if _span(signs, size) <= room), _SIGN_SIZES[-1])


def _lay_line(surface: Surface, signs: Sequence[Sign], x: float, y: float, size: int) -> None:
    """Signs side by side; dice without a band stand in the middle of those with one."""
    down = BAND * size / 2
    for sign in signs:
        if sign.die and not sign.text:
            surface.paste(x, y + down, dice.tech, sign.colour, size)
        elif sign.die:
            surface.paste(x, y + (0 if sign.colour >= 0 else down), dice.sign, sign.text, sign.colour, size)
        elif sign.text[0] in "≥≤":
            surface.paste(x + 0.1 * size, y + down, dice.relation, sign.text, size)
        else:
            ink = theme.IVORY if sign.text in "+…" else theme.MIST
            middle = x + _width(sign, size) / 2
            surface.text(middle, y + down + size / 2, sign.text, round(0.56 * size), ink, theme.PLATE)
        x += _width(sign, size)


def _span(signs: Sequence[Sign], size: int) -> float:
    return sum(_width(sign, size) for sign in signs)


def _width(sign: Sign, size: int) -> float:
    if sign.die:
        return size + 4
    if sign.text[0] in "≥≤":
        return (0.75 + 0.36 * (len(sign.text) - 1)) * size
    return length(sign.text, round(0.56 * size)) + 8


def lay_dice(
    surface: Surface, counts: Sequence[int], x: float, y: float, size: int, step: float, ground: Colour, all_of: bool
) -> None:
    """Dice by colour with how many there are; with `all_of` also of the colours of which there are none."""
    for colour, count in enumerate(counts):
        if count or all_of:
            surface.paste(x, y, dice.tech, colour, size, dimmed=not count)
            ink = theme.IVORY if count else theme.MIST
            surface.text(x + size + 8, y + size / 2, str(count), round(0.74 * size), ink, ground, "l")
            x += step


def lay_gift(surface: Surface, gift: GiftFace, x: float, y: float, unit: float) -> None:
    """A Gift: what it does above, its symbol below."""
    surface.paste(x, y, cards.gift_card, unit, gift.used, dimmed=gift.used)
    width = GIFT[0] * unit
    lay_effect(surface, gift, x + width / 2, y + 16 * unit, unit)
    size = round(40 * unit)
    surface.paste(x + width / 2 - size / 2, y + 76 * unit, icons.symbol, gift.symbol, size, dimmed=gift.used)


def lay_effect(surface: Surface, gift: GiftFace, middle: float, y: float, unit: float) -> None:
    """What a Gift does, in signs."""
    size = round(_EFFECT * unit)
    signs = _effect(gift, size)
    width = sum(wide * size for wide, _, _ in signs)
    x = middle - width / 2
    for wide, draw, arguments in signs:
        surface.paste(x, y, draw, *arguments, dimmed=gift.used)
        x += wide * size


def _effect(gift: GiftFace, size: int) -> tuple[tuple[float, Drawer, tuple[str | int, ...]], ...]:
    """The signs of an effect, each with its width to that of a die."""
    match gift.effect:
        case "opposite":
            return ((1, dice.tech, (gift.of, size)), (0.9, icons.flip, (size,)))
        case "recolour":
            return ((0.75, icons.arrow, (size,)), (1, dice.tech, (gift.of, size)), (0.9, icons.fame, ("+1", size)))
        case "extra":
            return ((0.7, icons.plus, (size,)), (1, dice.tech, (-1, size)))
        case "reroll":
            return ((1, dice.sign, ("?", -1, size)), (1, icons.again, (size,)))
        case "symbol":
            return ((1.1, icons.symbol, (gift.of, size)), (1, icons.fame, ("+2", size)))
        case _:
            return ((1.1, dice.tech, (gift.of, size)), (1, icons.fame, ("+2", size)))


def ink_of(points: str) -> Colour:
    """The colour in which points are written."""
    return theme.LIME if points.startswith("+") else theme.ROSE if points.startswith("−") else theme.MIST
