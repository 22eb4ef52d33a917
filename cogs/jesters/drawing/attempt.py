"""An attempt of Jesters: the Performance, the dice large with their numbers, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.drawing import dice
from cogs.jesters.drawing.dice import BAND, WIDE
from cogs.jesters.drawing.parts import CARD_HEIGHT, fitted, lay_task
from cogs.jesters.spec import Attempt, Roll
from cogs.pictures import theme, things
from cogs.pictures.canvas import Surface

HEIGHT = 2 * CARD_HEIGHT + 12
_LEFT, _RIGHT = theme.MARGIN, theme.WIDTH - theme.MARGIN
_WIDTH = 309  # of the Performance
_ROLLED = ((5, 92, 2), (7, 70, 2), (10, 47, 3))  # how many dice in a row, their size, how many rows


def lay_attempt(surface: Surface, attempt: Attempt, top: float) -> None:
    """The Performance at the left with words below it, the dice at the right with their numbers."""
    lay_task(surface, attempt.task, _LEFT, top, _WIDTH, CARD_HEIGHT, chosen=True)
    y = top + CARD_HEIGHT + 24
    surface.paste(_LEFT, y - 2, things.token, attempt.seat, 56)
    said, ink = ("met!", theme.LIME) if attempt.met else ("not met yet", theme.ROSE)
    surface.text(_LEFT + 72, y + 26, said, 36, ink, theme.PLATE, "l")
    for i, line in enumerate(attempt.lines):
        size = fitted(line, _WIDTH - 6, (27, 25, 23, 21, 19))
        surface.text(_LEFT + 4, y + 80 + 36 * i, line, size, theme.IVORY, theme.PLATE, "l")
    _lay_rolled(surface, attempt.dice, top)


def _lay_rolled(surface: Surface, rolls: Sequence[Roll], top: float) -> None:
    across, size, rows = next((plan for plan in _ROLLED if len(rolls) <= plan[0] * plan[2]), _ROLLED[-1])
    left = _LEFT + _WIDTH + 28
    width, height = WIDE * size, (WIDE + BAND) * size
    step = HEIGHT / rows
    lines = [rolls[i : i + across] for i in range(0, len(rolls), across)]
    first = top + (step * rows - step * len(lines)) / 2
    gap = min(14.0, (_RIGHT - left - across * width) / (across - 1))
    for i, line in enumerate(lines):
        y = first + step * i + (step - height - 0.52 * size) / 2
        x = left + (_RIGHT - left - len(line) * width - (len(line) - 1) * gap) / 2
        for j, die in enumerate(line):
            at = x + j * (width + gap)
            surface.paste(at, y, dice.rolled, die.colour, die.face, size, die.marked)
            if die.was is not None:
                surface.paste(at + width - 0.5 * size, y - 0.06 * size, dice.tech, die.was, round(0.46 * size))
            number = round(0.48 * size)
            surface.paste(
                at + width / 2 - number / 2, y + height + 3, things.badge, str(across * i + j + 1), number, True
            )
