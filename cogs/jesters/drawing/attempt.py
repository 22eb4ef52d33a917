"""An attempt of Jesters: the Performance, the dice large with their numbers, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.drawing import dice
from cogs.jesters.drawing.dice import DEEP
from cogs.jesters.drawing.parts import lay_task, task_height
from cogs.jesters.spec import Attempt, Roll
from cogs.pictures import table_pieces
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import Surface
from cogs.pictures.raster.letters import fitted

EDGE, TASK, LINES = 14, 317, 2
SAID = 44  # a line below
BADGE = 50
_ROLLED = ((4, 108, 1), (8, 84, 2), (12, 78, 2), (21, 72, 3))  # up to how many dice, how large, in how many rows


def attempt_height(attempt: Attempt) -> int:
    """How high it is laid."""
    _, size, rows = _plan(attempt.dice)
    return max(task_height(LINES), rows * _row(size)) + 2 * SAID + 16


def lay_attempt(surface: Surface, attempt: Attempt, top: float) -> None:
    """The Performance at the left, the dice at the right with their numbers, words below them."""
    height = attempt_height(attempt)
    surface.paste(EDGE - 4, top, table_pieces.panel, theme.WIDTH - 2 * EDGE + 8, height, False)
    lay_task(surface, attempt.task, EDGE + 4, top + 8, TASK, LINES)
    _lay_rolled(surface, attempt.dice, top + 4, height - 2 * SAID - 12)
    tone = theme.LIME if attempt.met else theme.ROSE
    for i, (line, ink) in enumerate(((attempt.said, tone), (attempt.quiet, theme.MIST))):
        said, size = fitted(line, theme.WIDTH - 2 * EDGE - 32, 36)
        y = top + height - 8 - SAID * (1.5 - i)
        surface.text(EDGE + 16, y, said or " ", size, ink, theme.PLATE, "l")


def _plan(rolls: Sequence[Roll]) -> tuple[int, int, int]:
    return next((plan for plan in _ROLLED if len(rolls) <= plan[0]), _ROLLED[-1])


def _row(size: int) -> int:
    return round((1 + DEEP) * size) + BADGE + 2


def _lay_rolled(surface: Surface, rolls: Sequence[Roll], top: float, room: float) -> None:
    most, size, rows = _plan(rolls)
    across = max(most // rows, -(-len(rolls) // rows))
    left, right = EDGE + TASK + 24, theme.WIDTH - EDGE - 12
    gap = min(22.0, (right - left - across * size) / max(across - 1, 1))
    lines = [rolls[i : i + across] for i in range(0, len(rolls), across)]
    first = top + (room - len(lines) * _row(size)) / 2
    for i, line in enumerate(lines):
        x, y = left + (right - left - len(line) * (size + gap) + gap) / 2, first + i * _row(size)
        for j, die in enumerate(line):
            _lay_die(surface, die, across * i + j + 1, x + j * (size + gap), y, size)


def _lay_die(surface: Surface, die: Roll, number: int, x: float, y: float, size: int) -> None:
    height = (1 + DEEP) * size
    surface.paste(x, y, dice.rolled, die.colour, die.face, size, die.marked)
    if die.was is not None:
        surface.paste(x + 0.64 * size, y - 0.06 * size, dice.tech, die.was, round(0.42 * size))
    surface.paste(x + size / 2 - BADGE / 2, y + height, table_pieces.badge, str(number), BADGE, die.marked)
