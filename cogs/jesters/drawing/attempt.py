"""The layout of an attempt: the Performance, large dice with their numbers, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.drawing import dice
from cogs.jesters.drawing.dice import EXTRA_HEIGHT
from cogs.jesters.drawing.parts import lay_task, named_task_height
from cogs.jesters.drawing.spec import Attempt, Roll
from cogs.pictures import table_pieces
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface
from cogs.pictures.raster.letters import fit_text

EDGE, TASK_WIDTH, NAME_LINES = 14, 340, 2
TEXT_HEIGHT = 40  # a line below
BADGE_SIZE = 50
_DICE_LAYOUTS = ((4, 108, 1), (8, 84, 2), (12, 78, 2), (21, 72, 3))  # maximum number of dice, size, rows


def attempt_height(attempt: Attempt) -> int:
    """Return the height of the layout."""
    _, size, rows = _dice_layout(attempt.dice)
    return max(named_task_height(attempt.task, NAME_LINES), rows * _row_height(size)) + 2 * TEXT_HEIGHT + 16


def lay_attempt(surface: DrawingSurface, attempt: Attempt, top: float) -> None:
    """Lay the Performance on the left, the dice with their numbers on the right, and texts below."""
    height = attempt_height(attempt)
    surface.paste(EDGE, top, table_pieces.panel, theme.WIDTH - 2 * EDGE, height, False)
    lay_task(surface, attempt.task, EDGE + 8, top + 8, TASK_WIDTH, NAME_LINES, has_names=True)
    _lay_dice(surface, attempt.dice, top + 4, height - 2 * TEXT_HEIGHT - 12)
    tone = theme.LIME if attempt.met else theme.ROSE
    for i, (line, ink) in enumerate(((attempt.said, tone), (attempt.quiet, theme.MIST))):
        fitted, size = fit_text(line, theme.WIDTH - 2 * EDGE - 32, 36)
        y = top + height - 8 - TEXT_HEIGHT * (1.5 - i)
        surface.text(EDGE + 18, y, fitted or " ", size, ink, theme.PLATE, "l")


def _dice_layout(rolls: Sequence[Roll]) -> tuple[int, int, int]:
    return next((plan for plan in _DICE_LAYOUTS if len(rolls) <= plan[0]), _DICE_LAYOUTS[-1])


def _row_height(size: int) -> int:
    return round((1 + EXTRA_HEIGHT) * size) + BADGE_SIZE + 2


def _lay_dice(surface: DrawingSurface, rolls: Sequence[Roll], top: float, room: float) -> None:
    most, size, rows = _dice_layout(rolls)
    across = max(most // rows, -(-len(rolls) // rows))
    left, right = EDGE + TASK_WIDTH + 24, theme.WIDTH - EDGE - 12
    gap = min(22.0, (right - left - across * size) / max(across - 1, 1))
    lines = [rolls[i : i + across] for i in range(0, len(rolls), across)]
    first = top + (room - len(lines) * _row_height(size)) / 2
    for i, line in enumerate(lines):
        x, y = left + (right - left - len(line) * (size + gap) + gap) / 2, first + i * _row_height(size)
        for j, die in enumerate(line):
            _lay_die(surface, die, across * i + j + 1, x + j * (size + gap), y, size)


def _lay_die(surface: DrawingSurface, die: Roll, number: int, x: float, y: float, size: int) -> None:
    height = (1 + EXTRA_HEIGHT) * size
    if die.turn:
        shift = (dice.ROLLING_WIDTH - 1) / 2 * size
        surface.paste(x - shift, y - shift / 2, dice.rolling_die, die.colour, die.turn, size)
        return
    surface.paste(x, y, dice.rolled_die, die.colour, die.face, size, die.marked)
    if die.was is not None:
        surface.paste(x + 0.64 * size, y - 0.06 * size, dice.technique_die, die.was, round(0.42 * size))
    surface.paste(
        x + size / 2 - BADGE_SIZE / 2, y + height, table_pieces.round_badge, str(number), BADGE_SIZE, die.marked
    )
