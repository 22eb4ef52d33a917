"""What melds score, line by line (K12–K15)."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

RUN_POINTS = (0, 0, 0, 20, 20, 40, 40, 40, 75)  # K13, by length
SET_POINTS = (0, 0, 0, 10, 30)
SECOND_SET = 35  # the second set of four
EXTRA = 5
WIN, COLOUR, BOTH_JOKERS = 20, 15, 5

LineKind = Literal["win", "full run", "two sets", "two runs", "set and run", "run", "set", "extras", "colour", "jokers"]
Shape = tuple[tuple[Literal["run", "set"], int], ...]
"""The melds of a split, by kind and number of cards: runs first, the longest first."""


class Line(NamedTuple):
    """Points for one thing, and how many cards it is about; of a `set and run`, how many the set has."""

    kind: LineKind
    points: int
    cards: int


@cache
def lines_of(shape: Shape, extras: int, colour: bool, both: bool, declared: bool) -> tuple[tuple[Line, ...], int]:
    """The score of melds of that shape line by line, and its sum."""
    lines = [Line("win", WIN, 8), _full_line(shape)] if declared else _lost_lines(shape, extras)
    if colour:
        lines.append(Line("colour", COLOUR, 8))  # K14
    if both:
        lines.append(Line("jokers", BOTH_JOKERS, 2))  # K15
    return tuple(lines), sum(line.points for line in lines)


def _full_line(shape: Shape) -> Line:
    """K12: what kind of full hand it is."""
    kinds = [kind for kind, _ in shape]
    if len(kinds) == 1:
        return Line("full run", 100, 8)
    if "set" not in kinds:
        return Line("two runs", 60, 8)
    if "run" not in kinds:
        return Line("two sets", 65, 8)
    return Line("set and run", 55, 3) if shape[1][1] == 3 else Line("set and run", 50, 4)


def _lost_lines(shape: Shape, extras: int) -> list[Line]:
    """K13: each meld, then the extras."""
    lines: list[Line] = []
    for kind, size in shape:
        second = kind == "set" and size == 4 and Line("set", SET_POINTS[4], 4) in lines
        points = RUN_POINTS[size] if kind == "run" else SECOND_SET if second else SET_POINTS[size]
        lines.append(Line("run" if kind == "run" else "set", points, size))
    if extras:
        lines.append(Line("extras", -EXTRA * extras, extras))
    return lines
