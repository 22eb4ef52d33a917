"""The clocks of decisions that are open again because moves were undone. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines.hosting.timing.due_times import own_number
from engines.hosting.timing.running_time import clock_stopped
from engines.kit.contract import AnyGame
from engines.store.match_store import Change, DueTime, MatchInfo
from engines.store.undoing import ClockRest, UnchangedDecision


def clocks_after(
    game: AnyGame,
    info: MatchInfo,
    state: Any,
    after: Any,
    deadlines: Mapping[int, DueTime],
    unchanged: Sequence[UnchangedDecision],
    now: int,
) -> tuple[ClockRest, ...]:
    """Return how long the open decisions have after an undo from one state to another.

    The clocks ran until `now`. A decision that was open keeps its time; those in `unchanged` have their deadlines.
    One that comes back has all its time, but only once: after that it has what was left when it was made again. Clocks
    with move seconds have banks instead, see `time_banks`.
    """
    seconds = info.table_options.decision_seconds
    if seconds is None or info.table_options.move_seconds:
        return ()
    before, found = game.decisions(state), []
    for seat, decision in game.decisions(after).items():
        old, earlier = before.get(seat), info.undoing.clock_of(seat, decision.number)
        if any((each.seat, each.number) == (seat, decision.number) for each in unchanged):
            found += [earlier] if earlier else []
        elif old is not None and old.number == decision.number and seat in deadlines:
            left = _seconds_left(deadlines[seat], earlier.seconds if earlier else seconds, now)
            found.append(ClockRest(seat, decision.number, left))
        elif decision.due:
            found.append(earlier or ClockRest(seat, decision.number, seconds))
    return tuple(found)


def _seconds_left(due: DueTime, seconds: int, now: int) -> int:
    """Return what is left of a clock of so many seconds, whose deadline may be later because of a rest. At least one
    second, because a clock without any would run out before anybody sees it."""
    return max(1, min(seconds, due.at - now))


def settle_restarted_clocks(
    before: MatchInfo, deadlines: Mapping[int, DueTime], change: Change, rest_began: int | None = None
) -> Change:
    """Return the change with the time that a move leaves of a deadline that an undo restarted."""
    move, info = change.move, change.info
    if move is None or move.undo is not None:
        return change
    clock = info.undoing.clock_of(move.seat, own_number(before, move.seat, move.decision))
    due = deadlines.get(move.seat)
    if clock is None or due is None:
        return change
    stopped = clock_stopped(info.changed, rest_began)
    left = replace(clock, seconds=_seconds_left(due, clock.seconds, stopped))
    clocks = tuple(left if each is clock else each for each in info.undoing.clocks)
    return replace(change, info=replace(info, undoing=replace(info.undoing, clocks=clocks)))
