"""The points of melds, line by line (K12–K15)."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

RUN_POINTS = (0, 0, 0, 20, 20, 40, 40, 40, 75)  # K13, by length
SET_POINTS = (0, 0, 0, 10, 30)
SECOND_SET_POINTS = 35  # the second set of four
EXTRA_CARD_PENALTY = 5
WIN_POINTS, COLOUR_POINTS, BOTH_JOKERS_POINTS = 20, 15, 5

LineKind = Literal["win", "full run", "two sets", "two runs", "set and run", "run", "set", "extras", "colour", "jokers"]
MeldShape = tuple[tuple[Literal["run", "set"], int], ...]
"""The melds of a split, by kind and number of cards: runs first, longest first."""


class ScoreLine(NamedTuple):
    """Points for one thing, and the number of cards involved; for a `set and run`, the size of the set."""

    kind: LineKind
    points: int
    cards: int


@cache
def score_lines(
    shape: MeldShape, extras: int, is_one_colour: bool, has_both_jokers: bool, declared: bool
) -> tuple[tuple[ScoreLine, ...], int]:
    """Return the score of melds of that shape line by line, and its sum."""
    lines = [ScoreLine("win", WIN_POINTS, 8), _full_hand_line(shape)] if declared else _lost_hand_lines(shape, extras)
    if is_one_colour:
        lines.append(ScoreLine("colour", COLOUR_POINTS, 8))  # K14
    if has_both_jokers:
        lines.append(ScoreLine("jokers", BOTH_JOKERS_POINTS, 2))  # K15
    return tuple(lines), sum(line.points for line in lines)


def _full_hand_line(shape: MeldShape) -> ScoreLine:
    """K12: return the line for the kind of full hand."""
    kinds = [kind for kind, _ in shape]
    if len(kinds) == 1:
        return ScoreLine("full run", 100, 8)
    if "set" not in kinds:
        return ScoreLine("two runs", 60, 8)
    if "run" not in kinds:
        return ScoreLine("two sets", 65, 8)
    return ScoreLine("set and run", 55, 3) if shape[1][1] == 3 else ScoreLine("set and run", 50, 4)


def _lost_hand_lines(shape: MeldShape, extras: int) -> list[ScoreLine]:
    """K13: return a line for each meld, then one for the extra cards."""
    lines: list[ScoreLine] = []
    for kind, size in shape:
        second = kind == "set" and size == 4 and ScoreLine("set", SET_POINTS[4], 4) in lines
        points = RUN_POINTS[size] if kind == "run" else SECOND_SET_POINTS if second else SET_POINTS[size]
        lines.append(ScoreLine("run" if kind == "run" else "set", points, size))
    if extras:
        lines.append(ScoreLine("extras", -EXTRA_CARD_PENALTY * extras, extras))
    return lines
