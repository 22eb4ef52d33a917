"""What parts and plans are worth at each stage of a round: tuned numbers, read from a file beside this one."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any, NamedTuple

from engines.jokers.deck import HAND
from engines.jokers.scoring import COLOUR, EXTRA, RUN_POINTS, SET_POINTS, WIN
from players.jokers.parts import KINDS, run_kind, set_kind

Row = tuple[float, ...]
PILES = (1, 5, 9, 14, 20, 27, 34)
"""Sizes of the draw pile that the numbers are for; between two of them they are mixed."""
NEVER = -1000.0


class Worths(NamedTuple):
    """At one stage, in points: each kind of part; jokers in no part, by number; plans, by parts and cards kept; and a

    plan all of one colour, by cards kept.
    """

    kinds: Row
    jokers: Row
    parts: tuple[Row, ...]
    colour: Row


class _Read(NamedTuple):
    """A stage as the file has it, in one row; `empties` is for a plan after which the draw pile is empty."""

    worths: Row
    empties: float


@cache
def worths(trades: int, draw: int, last: bool) -> Worths:
    """What things are worth to who has so many trades left in this turn; `last`: no other turn of theirs follows."""
    if not draw or (last and not trades):
        return _scored()
    if last:
        row, empties = _read()[f"last{trades}"]
    else:
        row, empties = _mixed(trades, draw)
    kinds, jokers, parts, colour = row[:KINDS], row[KINDS : KINDS + 3], row[KINDS + 3 : -HAND - 1], row[-HAND - 1 :]
    shapes = [parts[at : at + HAND + 1] for at in range(0, len(parts), HAND + 1)]
    if trades:
        shapes = [_limited(shape, draw, empties) for shape in shapes]
    return Worths(kinds, jokers, tuple(shapes), colour)


def _limited(shape: Row, draw: int, empties: float) -> Row:
    """Plans by cards kept, where no more can be traded than are left to draw (K3)."""
    return tuple(
        [shape[max(kept, HAND - draw)] + (empties if HAND - kept >= draw else 0.0) for kept in range(HAND + 1)]
    )


def _mixed(trades: int, draw: int) -> _Read:
    """The numbers between two sizes of the draw pile."""
    above = next((at for at, pile in enumerate(PILES) if pile >= draw and at), len(PILES) - 1)
    low, high = PILES[above - 1], PILES[above]
    part = (draw - low) / (high - low)
    one, other = _read()[f"trades{trades}draw{low}"], _read()[f"trades{trades}draw{high}"]
    row = [mine + (yours - mine) * part for mine, yours in zip(one.worths, other.worths, strict=True)]
    return _Read(tuple(row), one.empties + (other.empties - one.empties) * part)


@cache
def _scored() -> Worths:
    """What the rules say of the hand as it is (K12, K13)."""
    kinds = [NEVER] * KINDS
    for helping in range(4):
        for length in range(3, HAND + 1):
            kinds[run_kind(length, 0, helping)] = RUN_POINTS[length]
        for size in (3, 4):
            kinds[set_kind(size, helping)] = SET_POINTS[size]
    extras = tuple([-float(EXTRA * (HAND - kept)) for kept in range(HAND + 1)])
    full = (*extras[:HAND], float(WIN))
    return Worths(tuple(kinds), (0.0, -EXTRA, -EXTRA), (extras, full, full, full), (0.0,) * HAND + (float(COLOUR),))


@cache
def _read() -> dict[str, _Read]:
    text = files(__package__).joinpath("numbers.toml").read_text("utf-8")
    return {stage: _one(row) for stage, row in tomllib.loads(text).items()}


def _one(read: dict[str, Any]) -> _Read:
    runs = chain.from_iterable(chain.from_iterable(read["runs"]))
    sets, parts = chain.from_iterable(read["sets"]), chain.from_iterable(read["parts"])
    return _Read(tuple(map(float, (*runs, *sets, *read["jokers"], *parts, *read["colour"]))), float(read["empties"]))
