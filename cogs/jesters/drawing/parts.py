"""Parts of several pictures of Jesters: Performances and what they ask for."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.drawing import cards, dice, icons
from cogs.jesters.drawing.dice import BAND, SIGN
from cogs.jesters.spec import Sign, Task
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import Surface
from cogs.pictures.raster.letters import breadth, fitted
from cogs.pictures.raster.theme import LEAST_TYPE

INSET = 12
LINE = 38  # of a name
SIGNS = SIGN + BAND + 6  # how high a requirement is
FOOT = 50  # symbols, chance and Fame
SYMBOL, STAR, GAP = 42, 58, 4


def task_height(lines: int) -> int:
    """How high a Performance is, with its name in so many lines."""
    return INSET + LINE * lines + SIGNS + FOOT + 6


def lay_task(surface: Surface, task: Task, x: float, y: float, width: int, lines: int) -> None:
    """A Performance as a card: name, requirement, symbols, how likely it is, Fame."""
    surface.paste(x, y, cards.task_card, width, task_height(lines), task.favorite, task.chosen)
    inside, left = width - 2 * INSET, x + INSET
    ink = theme.GOLD if task.favorite else theme.IVORY
    name = _in_lines(task.name, inside, lines)
    for i, line in enumerate(name):
        said, size = fitted(line, inside, LEAST_TYPE)
        surface.text(left, y + INSET + LINE * (i + 0.5 + (lines - len(name)) / 2), said, size, ink, theme.PLATE, "l")
    lay_signs(surface, task.signs, left, y + INSET + LINE * lines + 2, inside)
    foot = y + INSET + LINE * lines + SIGNS
    for i, symbol in enumerate(task.symbols):
        surface.paste(left + (SYMBOL + GAP) * i, foot + 4, icons.symbol, symbol, SYMBOL)
    if task.chance:
        surface.text(x + width - INSET - STAR - 10, foot + 26, task.chance, 36, theme.LIME, theme.PLATE, "r")
    if task.fame:
        surface.paste(x + width - INSET - STAR + 4, foot - 5, icons.fame, task.fame, STAR)
    else:
        surface.paste(x + width - INSET - STAR + 8, foot - 4, icons.gift_sign, STAR - 8)


def _in_lines(name: str, room: float, most: int) -> list[str]:
    """A name in one line if it fits or must, else in two of about the same length."""
    words = name.split()
    if most == 1 or breadth(name, LEAST_TYPE) <= room or len(words) == 1:
        return [name]
    parts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return list(min(parts, key=lambda part: max(map(len, part))))


def lay_signs(surface: Surface, signs: Sequence[Sign], x: float, y: float, room: float) -> None:
    """A requirement as dice; what only joins them goes where there is no room for it."""
    if sum(map(_width, signs)) - GAP > room:
        signs = [Sign("", die=False) if sign.text == "with" else sign for sign in signs]
    for sign in signs:
        width = _width(sign)
        if sign.die and not sign.text:
            surface.paste(x, y + 1, dice.tech, sign.colour, SIGN - 2)
        elif sign.die:
            surface.paste(x, y, dice.sign, sign.text, sign.colour, width - GAP)
        elif sign.text:
            ink = theme.MIST if sign.text == "with" else theme.IVORY
            surface.text(x + (width - GAP) / 2, y + SIGN / 2, sign.text, LEAST_TYPE, ink, theme.PLATE)
        x += width


def _width(sign: Sign) -> int:
    """How wide it is, with what parts it from the next one."""
    if sign.die:
        return max(SIGN, round(breadth(sign.text or "x", LEAST_TYPE)) + 12) + GAP
    return (round(breadth(sign.text, LEAST_TYPE)) + 6 if sign.text else 8) + GAP


def lay_counts(surface: Surface, counts: Sequence[int], x: float, y: float, step: float) -> None:
    """How many dice there are of each colour; y is the middle."""
    for colour, count in enumerate(counts):
        surface.paste(x + step * colour, y - 21, dice.tech, colour, 42, dimmed=not count)
        ink = theme.IVORY if count else theme.MIST
        surface.text(x + step * colour + 52, y, str(count), 36, ink, theme.PLATE, "l")
