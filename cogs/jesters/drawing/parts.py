"""Shared parts of Jesters' pictures: Performances and requirements."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.drawing import cards, dice, icons
from cogs.jesters.drawing.dice import PATTERN_HEIGHT, SIGN_HEIGHT
from cogs.jesters.drawing.spec import SYMBOL_NAMES, Sign, Task
from cogs.pictures.names import lay_name
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface
from cogs.pictures.raster.letters import text_width
from cogs.pictures.raster.theme import MIN_TYPE_SIZE

INSET = 12
LINE_HEIGHT = 38  # of a name
SIGNS_HEIGHT = SIGN_HEIGHT + PATTERN_HEIGHT + 6  # of a requirement
FOOT_HEIGHT = 50  # symbols, chance and Fame
SYMBOL_SIZE, STAR_SIZE, GAP = 42, 58, 4
SYMBOL_STEP = 42  # from a symbol with its name to the next
NAME_GAP = 6  # between a symbol and its name


def task_height(lines: int) -> int:
    """Return the height of a Performance with this many lines for its name."""
    return INSET + LINE_HEIGHT * lines + SIGNS_HEIGHT + FOOT_HEIGHT + 6


def named_task_height(task: Task, lines: int) -> int:
    """Return the height of a Performance whose symbols have their names beside them."""
    return task_height(lines) + SYMBOL_STEP * (len(task.symbols) - 1)


def lay_task(
    surface: DrawingSurface, task: Task, x: float, y: float, width: int, lines: int, has_names: bool = False
) -> None:
    """Lay a Performance as a card: name, requirement, symbols, chance, Fame.

    If its symbols have names, each has a line of its own.
    """
    height = named_task_height(task, lines) if has_names else task_height(lines)
    surface.paste(x, y, cards.task_card, width, height, task.favorite, task.chosen)
    inside, left = width - 2 * INSET, x + INSET
    ink = theme.GOLD if task.favorite else theme.IVORY
    name = _split_name(task.name, inside, lines)
    for i, line in enumerate(name):
        middle = y + INSET + LINE_HEIGHT * (i + 0.5 + (lines - len(name)) / 2)
        lay_name(surface, left, middle, line, inside, ink, theme.PLATE, "l", MIN_TYPE_SIZE)
    lay_signs(surface, task.signs, left, y + INSET + LINE_HEIGHT * lines + 2, inside)
    foot = y + INSET + LINE_HEIGHT * lines + SIGNS_HEIGHT
    for i, symbol in enumerate(task.symbols):
        if has_names:
            lay_symbol(surface, symbol, left, foot + 4 + SYMBOL_STEP * i + SYMBOL_SIZE / 2, SYMBOL_SIZE, theme.PLATE)
        else:
            surface.paste(left + (SYMBOL_SIZE + GAP) * i, foot + 4, icons.symbol_icon, symbol, SYMBOL_SIZE)
    foot = y + height - FOOT_HEIGHT - 6
    if task.chance:
        surface.text(x + width - INSET - STAR_SIZE - 10, foot + 26, task.chance, 36, theme.LIME, theme.PLATE, "r")
    if task.fame:
        surface.paste(x + width - INSET - STAR_SIZE + 4, foot - 5, icons.fame_star, task.fame, STAR_SIZE)
    else:
        surface.paste(x + width - INSET - STAR_SIZE + 8, foot - 4, icons.gift_icon, STAR_SIZE - 8)


def lay_symbol(surface: DrawingSurface, symbol: int, x: float, y: float, size: int, ground: theme.Colour) -> None:
    """Lay a symbol and its name around the height y."""
    surface.paste(x, y - size / 2, icons.symbol_icon, symbol, size)
    surface.text(x + size + NAME_GAP, y, SYMBOL_NAMES[symbol], MIN_TYPE_SIZE, theme.IVORY, ground, "l")


def symbol_width(symbol: int, size: int) -> float:
    """Return the width of a symbol and its name."""
    return size + NAME_GAP + text_width(SYMBOL_NAMES[symbol], MIN_TYPE_SIZE)


def _split_name(name: str, room: float, most: int) -> list[str]:
    """A name in one line if it fits or must, or in two lines of similar length."""
    words = name.split()
    if most == 1 or text_width(name, MIN_TYPE_SIZE) <= room or len(words) == 1:
        return [name]
    parts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return list(min(parts, key=lambda part: max(map(len, part))))


def lay_signs(surface: DrawingSurface, signs: Sequence[Sign], x: float, y: float, room: float) -> None:
    """Lay a requirement as dice. Connecting signs are dropped if there is no room."""
    if sum(map(_sign_width, signs)) - GAP > room:
        signs = [Sign("", die=False) if sign.text == "with" else sign for sign in signs]
    for sign in signs:
        width = _sign_width(sign)
        if sign.die and not sign.text:
            surface.paste(x, y + 1, dice.technique_die, sign.colour, SIGN_HEIGHT - 2)
        elif sign.die:
            surface.paste(x, y, dice.requirement_die, sign.text, sign.colour, width - GAP)
        elif sign.text:
            ink = theme.MIST if sign.text == "with" else theme.IVORY
            surface.text(x + (width - GAP) / 2, y + SIGN_HEIGHT / 2, sign.text, MIN_TYPE_SIZE, ink, theme.PLATE)
        x += width


def _sign_width(sign: Sign) -> int:
    """The width of a sign with the gap to the next one."""
    if sign.die:
        return max(SIGN_HEIGHT, round(text_width(sign.text or "x", MIN_TYPE_SIZE)) + 12) + GAP
    return (round(text_width(sign.text, MIN_TYPE_SIZE)) + 6 if sign.text else 8) + GAP


def lay_counts(surface: DrawingSurface, counts: Sequence[int], x: float, y: float, step: float) -> None:
    """Lay the number of dice of each colour around the height y."""
    for colour, count in enumerate(counts):
        surface.paste(x + step * colour, y - 21, dice.technique_die, colour, 42, dimmed=not count)
        ink = theme.IVORY if count else theme.MIST
        surface.text(x + step * colour + 52, y, str(count), 36, ink, theme.PLATE, "l")
