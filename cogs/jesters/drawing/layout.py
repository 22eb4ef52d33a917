"""The layout of Jesters' table and hand: the seats above, then Performances, and what can be learned."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from cogs.jesters.drawing import cards, dice, icons
from cogs.jesters.drawing.attempt import attempt_height, lay_attempt
from cogs.jesters.drawing.hand import hand_height, lay_gift, lay_hand
from cogs.jesters.drawing.parts import lay_counts, lay_symbol, lay_task, symbol_width, task_height
from cogs.jesters.drawing.sign import lay_lobby, lay_sign
from cogs.jesters.drawing.spec import GiftFace, JestersLobby, JestersSign, Majority, Stage, Task
from cogs.pictures import table_pieces
from cogs.pictures.plates import lay_plates, plates_height
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface, Layouts, S, SurfaceFactory
from cogs.pictures.raster.strips import LayFunction, lay_shared, lay_strip

_EDGE, _GAP = 14, 8
_ROOM_WIDTH = theme.WIDTH - 2 * _EDGE
_THIRD_WIDTH = (_ROOM_WIDTH - 2 * _GAP) // 3
_STRIP_HEIGHT = 52  # of the middle and the majorities
_ART_HEIGHT, _ART_SIZE, _ART_GAP = 38, 36, 14  # of the symbols with their names: the row, the symbol, the gap after it
_CHOICE_HEIGHT = 176  # the Gifts to choose from
_MANY_CARDS = 10  # with more cards and Gifts, names of Performances stay on one line


def lay_stage(spec: Stage, make_surface: SurfaceFactory[S]) -> S:
    """Lay all parts from top to bottom. Each part has its own height."""
    lines = _name_lines(spec)
    heights = [
        plates_height(spec.plates),
        _middle_height(spec, lines),
        len(_art_rows(spec.arts)) * _ART_HEIGHT,
        _STRIP_HEIGHT if spec.majorities else 0,
        _STRIP_HEIGHT if spec.round else 0,
        hand_height(spec.own) if spec.own else 0,
    ]
    surface = make_surface(
        table_pieces.felt_tray, sum(height + _GAP for height in heights if height) + 2 * _GAP, "violet"
    )
    y = 12.0
    lay_strip(surface, 0, y + heights[0], lay_plates, y, spec.plates, dice.technique_mark)
    y += heights[0] + _GAP
    for height, lay, parts_of_lay in zip(heights[1:], *_stage_parts(spec, lines), strict=True):
        if height:
            into = lay_shared if lay is lay_attempt else lay_strip
            into(surface, y - _GAP / 2, y + height + _GAP / 2, lay, *parts_of_lay, y)
            y += height + _GAP
    return surface


def _stage_parts(spec: Stage, lines: int) -> tuple[list[LayFunction], list[tuple[Hashable, ...]]]:
    """The parts below the seats, with the functions that lay them."""
    if spec.choice:
        first: tuple[LayFunction, tuple[Hashable, ...]] = (_lay_choice, (spec.choice,))
    elif spec.attempt:
        first = lay_attempt, (spec.attempt,)
    else:
        first = _lay_tasks, (spec.tasks, lines)
    parts = [
        first,
        (_lay_arts, (spec.arts,)),
        (_lay_majorities, (spec.majorities,)),
        (_lay_middle, (spec.middle, spec.round)),
    ]
    parts.append((lay_hand, (spec.own,)))
    return [lay for lay, _ in parts], [arguments for _, arguments in parts]


def _name_lines(spec: Stage) -> int:
    """The number of lines for names of Performances: two if they are narrow and there is room."""
    crowd = spec.own is not None and len(spec.own.cards) + len(spec.own.gifts) > _MANY_CARDS
    return 1 if crowd or len(spec.tasks) in (1, 4) else 2


def _middle_height(spec: Stage, lines: int) -> int:
    if spec.choice:
        return _CHOICE_HEIGHT
    if spec.attempt:
        return attempt_height(spec.attempt)
    rows = -(-len(spec.tasks) // 3)
    return rows * (task_height(lines) + _GAP) - _GAP if rows else 0


def _lay_tasks(surface: DrawingSurface, tasks: Sequence[Task], lines: int, y: float) -> None:
    """Lay Performances three per row. Four make two rows of two, and a single one takes all the room."""
    columns = {1: 1, 4: 2}.get(len(tasks), 3)
    width = (_ROOM_WIDTH - (columns - 1) * _GAP) // columns
    for i, task in enumerate(tasks):
        x = _EDGE + (i % columns) * (width + _GAP)
        lay_task(surface, task, x, y + (i // columns) * (task_height(lines) + _GAP), width, lines)


def _lay_choice(surface: DrawingSurface, gifts: Sequence[GiftFace], y: float) -> None:
    """Lay the two Gifts to choose from."""
    surface.paste(_EDGE, y, table_pieces.panel, _ROOM_WIDTH, _CHOICE_HEIGHT, True)
    surface.text(_EDGE + 24, y + _CHOICE_HEIGHT / 2, "Keep one", 40, theme.GOLD, theme.PLATE, "l")
    for i, gift in enumerate(gifts):
        lay_gift(surface, gift, 360 + 210 * i, y + 20, 170, _CHOICE_HEIGHT - 40)


def _lay_arts(surface: DrawingSurface, arts: Sequence[int], y: float) -> None:
    """Lay the symbols with their names."""
    for i, row in enumerate(_art_rows(arts)):
        x = _EDGE + (_ROOM_WIDTH - _art_row_width(row)) / 2
        for symbol in row:
            lay_symbol(surface, symbol, x, y + _ART_HEIGHT * (i + 0.5), _ART_SIZE, theme.FELT)
            x += symbol_width(symbol, _ART_SIZE) + _ART_GAP


def _art_rows(arts: Sequence[int]) -> list[list[int]]:
    """Symbols in rows as even as possible: in one if they fit, otherwise in two."""
    if not arts:
        return []
    if _art_row_width(arts) <= _ROOM_WIDTH:
        return [[*arts]]
    halves = [([*arts[:i]], [*arts[i:]]) for i in range(1, len(arts))]
    return list(min(halves, key=lambda half: max(map(_art_row_width, half))))


def _art_row_width(arts: Sequence[int]) -> float:
    return sum(symbol_width(symbol, _ART_SIZE) + _ART_GAP for symbol in arts) - _ART_GAP


def _lay_middle(surface: DrawingSurface, middle: Sequence[int], caption: str, y: float) -> None:
    """Lay the dice in the middle, and the round."""
    surface.paste(_EDGE, y, cards.dark_panel, _ROOM_WIDTH, _STRIP_HEIGHT)
    surface.text(_EDGE + 14, y + _STRIP_HEIGHT / 2, "middle", theme.MIN_TYPE_SIZE, theme.MIST, theme.PLATE, "l")
    lay_counts(surface, middle, _EDGE + 138, y + _STRIP_HEIGHT / 2, 106)
    surface.text(
        theme.WIDTH - _EDGE - 14, y + _STRIP_HEIGHT / 2, caption, theme.MIN_TYPE_SIZE, theme.GOLD, theme.PLATE, "r"
    )


def _lay_majorities(surface: DrawingSurface, majorities: Sequence[Majority], y: float) -> None:
    """Lay the majorities side by side. A single one has an explanation of its numbers beside it."""
    for i, majority in enumerate(majorities):
        _lay_majority(surface, majority, _EDGE + i * (_THIRD_WIDTH + _GAP), y)
    if len(majorities) == 1:
        most, second = majorities[0].worth.split("/")
        text = f"at the end: most {most}, second {second}"
        surface.text(
            _EDGE + _THIRD_WIDTH + 2 * _GAP,
            y + _STRIP_HEIGHT / 2,
            text,
            theme.MIN_TYPE_SIZE,
            theme.MIST,
            theme.FELT,
            "l",
        )


def _lay_majority(surface: DrawingSurface, majority: Majority, x: float, y: float) -> None:
    """Lay a majority: its worth, its symbols, and how many of them each seat has."""
    surface.paste(x, y, cards.dark_panel, _THIRD_WIDTH, _STRIP_HEIGHT)
    middle = y + _STRIP_HEIGHT / 2
    ink = theme.GOLD if majority.now else theme.IVORY
    surface.text(x + 10, middle, majority.worth, theme.MIN_TYPE_SIZE, ink, theme.PLATE, "l")
    for i, symbol in enumerate(majority.symbols):
        surface.paste(x + 66 + 38 * i, middle - 18, icons.symbol_icon, symbol, 36)
    step = 42
    left = x + _THIRD_WIDTH - 6 - step * len(majority.counts)
    for seat, count in enumerate(majority.counts):
        surface.paste(left + step * seat, middle - 10, table_pieces.seat_token, seat, 20, False)
        surface.text(left + step * seat + 22, middle, str(count), theme.MIN_TYPE_SIZE, theme.IVORY, theme.PLATE, "l")


LAYOUTS: Layouts = {Stage: lay_stage, JestersSign: lay_sign, JestersLobby: lay_lobby}
