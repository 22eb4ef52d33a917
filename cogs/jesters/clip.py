"""Jesters in clips: what matters, and how dice roll."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from cogs.features.clips.steps import ALWAYS, DETAIL, MOTION_MILLISECONDS, UNSEEN, ClipStep
from cogs.jesters.drawing.spec import Stage
from cogs.jesters.pictures import table_picture
from cogs.screens.screen import Context
from engines.jesters.events import (
    AnyEvent,
    AttemptFailed,
    AttemptStarted,
    CardsDrawn,
    DiceRerolled,
    DieMarked,
    FameGained,
    FavoritePlaced,
    GiftKept,
    GiftsDrawn,
    GiftsSeen,
    GiftUsed,
    MatchScored,
    PerformanceRevealed,
    PileRefilled,
    RerollBought,
    RoundBegan,
    SeatPassed,
    TaskCompleted,
    TechniqueAdded,
    TechniquesLearned,
    WentOut,
)
from engines.jesters.view import View

WEIGHTS: Mapping[type[AnyEvent], int] = {
    TaskCompleted: ALWAYS,
    WentOut: ALWAYS,
    MatchScored: ALWAYS,
    TechniquesLearned: DETAIL,
    RerollBought: DETAIL,
    GiftUsed: DETAIL,
    GiftKept: DETAIL,
    FameGained: DETAIL,
    SeatPassed: DETAIL,
    FavoritePlaced: DETAIL,
    DieMarked: UNSEEN,
    PerformanceRevealed: UNSEEN,
    GiftsDrawn: UNSEEN,
    GiftsSeen: UNSEEN,
    CardsDrawn: UNSEEN,
    PileRefilled: UNSEEN,
    RoundBegan: UNSEEN,
}
"""How much the kinds of events matter, if not as usual."""
TURNS = (1, 2, 3)  # the pictures of a rolling die


def clip_steps(before: View, events: Sequence[AnyEvent], after: View, context: Context) -> Sequence[ClipStep]:
    """Return the table after a move. Dice roll before they lie, and an attempt that ends is seen again."""
    table = ClipStep(_stage(after, context))
    if any(isinstance(event, TaskCompleted | AttemptFailed) for event in events):
        return (ClipStep(_stage(before, context)), table)
    rolling = {number for event in events for number in _rolled_dice(event)}
    rolled = [_roll(table.spec, rolling, turn) for turn in TURNS] if rolling else []
    return (*(ClipStep(spec, MOTION_MILLISECONDS, silent=True) for spec in rolled), table)


def _stage(view: View, context: Context) -> Stage:
    spec = table_picture(view, context).spec
    assert isinstance(spec, Stage)
    return spec


def _rolled_dice(event: AnyEvent) -> Collection[int]:
    """Return the numbers of the dice that an event rolls."""
    match event:
        case AttemptStarted():
            return range(1, len(event.dice) + 1)
        case DiceRerolled():
            return event.dice
        case TechniqueAdded():
            return (event.die,)
        case _:
            return ()


def _roll(stage: object, rolling: Collection[int], turn: int) -> Stage:
    """Return the picture in which these dice roll, and nothing says yet what they will show."""
    assert isinstance(stage, Stage)
    attempt = stage.attempt
    assert attempt is not None, "dice roll only in an attempt"
    dice = tuple(
        replace(die, turn=turn + number % 2) if number in rolling else die for number, die in enumerate(attempt.dice, 1)
    )
    return replace(stage, attempt=replace(attempt, dice=dice, said="", quiet="", met=False))
