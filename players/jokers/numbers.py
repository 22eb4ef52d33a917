"""The values of parts and plans at each stage of a round: tuned numbers from the file beside this module."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any, NamedTuple

from engines.jokers.deck import HAND_SIZE
from engines.jokers.scoring import COLOUR_POINTS, EXTRA_CARD_PENALTY, RUN_POINTS, SET_POINTS, WIN_POINTS
from players.jokers.parts import KINDS, run_kind, set_kind

ValueRow = tuple[float, ...]
PILE_SIZES = (1, 5, 9, 14, 20, 27, 34)
"""The draw pile sizes that have numbers; sizes in between are interpolated."""
IMPOSSIBLE = -1000.0


class StageValues(NamedTuple):
    """The values at one stage, in points: each kind of part; jokers in no part, by number; plans, by parts and kept
    cards; and a plan of one colour, by kept cards."""

    kinds: ValueRow
    jokers: ValueRow
    parts: tuple[ValueRow, ...]
    colour: ValueRow


class _StageRow(NamedTuple):
    """A stage as one row of the file; `empties` is for a plan that empties the draw pile."""

    values: ValueRow
    empty_pile_value: float


@cache
def stage_values(trades: int, draw: int, is_last_turn: bool) -> StageValues:
    """Return the values with this many trades left in the turn; `last`: the player has no further turn."""
    if not draw or (is_last_turn and not trades):
        return _final_values()
    if is_last_turn:
        row, empties = _load_stages()[f"last{trades}"]
    else:
        row, empties = _interpolate_stage(trades, draw)
    kinds, jokers, parts, colour = (
        row[:KINDS],
        row[KINDS : KINDS + 3],
        row[KINDS + 3 : -HAND_SIZE - 1],
        row[-HAND_SIZE - 1 :],
    )
    shapes = [parts[at : at + HAND_SIZE + 1] for at in range(0, len(parts), HAND_SIZE + 1)]
    if trades:
        shapes = [_limit_trades(shape, draw, empties) for shape in shapes]
    return StageValues(kinds, jokers, tuple(shapes), colour)


def _limit_trades(shape: ValueRow, draw: int, empties: float) -> ValueRow:
    """Return plans by kept cards, if no more can be traded than are left to draw (K3)."""
    return tuple(
        [
            shape[max(kept, HAND_SIZE - draw)] + (empties if HAND_SIZE - kept >= draw else 0.0)
            for kept in range(HAND_SIZE + 1)
        ]
    )


def _interpolate_stage(trades: int, draw: int) -> _StageRow:
    """Interpolate the numbers between two sizes of the draw pile."""
    above = next((at for at, pile in enumerate(PILE_SIZES) if pile >= draw and at), len(PILE_SIZES) - 1)
    low, high = PILE_SIZES[above - 1], PILE_SIZES[above]
    part = (draw - low) / (high - low)
    one, other = _load_stages()[f"trades{trades}draw{low}"], _load_stages()[f"trades{trades}draw{high}"]
    row = [mine + (yours - mine) * part for mine, yours in zip(one.values, other.values, strict=True)]
    return _StageRow(tuple(row), one.empty_pile_value + (other.empty_pile_value - one.empty_pile_value) * part)


@cache
def _final_values() -> StageValues:
    """Return the values by the rules for the hand as it is (K12, K13)."""
    kinds = [IMPOSSIBLE] * KINDS
    for helping in range(4):
        for length in range(3, HAND_SIZE + 1):
            kinds[run_kind(length, 0, helping)] = RUN_POINTS[length]
        for size in (3, 4):
            kinds[set_kind(size, helping)] = SET_POINTS[size]
    extras = tuple([-float(EXTRA_CARD_PENALTY * (HAND_SIZE - kept)) for kept in range(HAND_SIZE + 1)])
    full = (*extras[:HAND_SIZE], float(WIN_POINTS))
    return StageValues(
        tuple(kinds),
        (0.0, -EXTRA_CARD_PENALTY, -EXTRA_CARD_PENALTY),
        (extras, full, full, full),
        (0.0,) * HAND_SIZE + (float(COLOUR_POINTS),),
    )


@cache
def _load_stages() -> dict[str, _StageRow]:
    text = files(__package__).joinpath("numbers.toml").read_text("utf-8")
    return {stage: _parse_stage(row) for stage, row in tomllib.loads(text).items()}


def _parse_stage(read: dict[str, Any]) -> _StageRow:
    runs = chain.from_iterable(chain.from_iterable(read["runs"]))
    sets, parts = chain.from_iterable(read["sets"]), chain.from_iterable(read["parts"])
    return _StageRow(
        tuple(map(float, (*runs, *sets, *read["jokers"], *parts, *read["colour"]))), float(read["empties"])
    )
