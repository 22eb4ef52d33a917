"""Time banks: what each seat has left if the clock gives it seconds for every move. Pure functions.

A bank is stored as the seconds it held when the seat's clock last started. While the clock runs, the deadline says how
much is left, also after an outage postponed it. The commit that stops the clock stores the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engines.hosting.timing.due_times import forced_seats, open_decisions
from engines.hosting.timing.running_time import clock_stopped
from engines.kit.contract import AnyGame
from engines.store.match_store import Change, DueTime, MatchInfo, Status


def settle_banks(
    game: AnyGame,
    before: MatchInfo,
    deadlines: Mapping[int, DueTime],
    change: Change,
    state: Any,
    rest_began: int | None = None,
) -> Change:
    """Return the change with the banks after it, if the match has banks. `state` is the game state after it.

    If time has rested since `rest_began`, nobody pays for what came after.
    """
    info = change.info
    if not info.table_options.move_seconds or info.status is Status.LOBBY:
        return change
    decisions = open_decisions(game, info, state) if info.status is Status.RUNNING else {}
    forced = forced_seats(game, info, state) if decisions else frozenset()  # their clocks do not run
    awaited = {
        seat: decision.number
        for seat, decision in decisions.items()
        if decision.due and info.seats[seat].owner_plays and seat not in forced
    }
    banks = banks_after(before.banks, deadlines, change, awaited, rest_began)
    return replace(change, info=replace(info, banks=banks), old_deadlines=frozenset(deadlines.values()))


def banks_after(
    banks: tuple[int, ...],
    deadlines: Mapping[int, DueTime],
    change: Change,
    awaited: Mapping[int, int],
    rest_began: int | None = None,
) -> tuple[int, ...]:
    """Return the seconds in each seat's bank after a change. Empty banks are new.

    `deadlines` are those of the clocks that ran before the change, `awaited` the decisions that people have to make
    after it, by seat. A clock that starts has at least the seconds of one move, so that anyone who takes a seat or
    returns after a pause can move.
    """
    table_options, move = change.info.table_options, change.move
    if move is not None and move.undo is not None:
        return _banks_after_undo(banks, deadlines, change, awaited, rest_began)
    after = [*banks] or [table_options.decision_seconds or 0] * len(change.info.seats)
    for seat, due in deadlines.items():
        if awaited.get(seat) != due.decision:
            left = max(0, due.at - change.info.changed)
            after[seat] = left if rest_began is None else max(left, min(after[seat], due.at - rest_began))
    if move is not None and move.user:  # a person's move, a forced one, or one after their deadline
        after[move.seat] += table_options.move_seconds
    for seat, decision in awaited.items():
        if seat not in deadlines or deadlines[seat].decision != decision:
            after[seat] = max(after[seat], table_options.move_seconds)
    return tuple(after)


def _banks_after_undo(
    banks: tuple[int, ...],
    deadlines: Mapping[int, DueTime],
    change: Change,
    awaited: Mapping[int, int],
    rest_began: int | None,
) -> tuple[int, ...]:
    """Return the banks as they were before the moves that are taken back. A decision that stays open keeps its clock.

    Nobody gains by taking moves back, however often they do: the seconds that the move gave them pay for
    the time since, and what it took beyond those is gone. Nobody else pays for that time.
    """
    seconds, move = change.info.table_options.move_seconds, change.move
    assert move is not None
    stopped = clock_stopped(change.info.changed, rest_began)
    gains = Counter(undone.seat for undone in change.undone if undone.user)
    after = []
    for seat, bank in enumerate(banks):
        due = deadlines.get(seat)
        if due is not None and awaited.get(seat) == due.decision:
            after.append(bank)
            continue
        left = bank - gains[seat] * seconds
        if seat == move.seat:
            after.append(max(1, left if due is None else min(left, due.at - stopped)))
        else:
            after.append(max(left, seconds if seat in awaited else 0))
    return tuple(after)
