"""Time banks: what each seat has left if the clock gives it seconds for every move. Pure functions.

A bank is stored as the seconds it held when the seat's clock last started. While the clock runs, the deadline says how
much is left, also after an outage postponed it. The commit that stops the clock stores the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engines.hosting.timing.due_times import forced_seats, open_decisions
from engines.kit.contract import AnyGame
from engines.store.match_store import Change, DueTime, MatchInfo, Status


def settle_banks(
    game: AnyGame, before: MatchInfo, deadlines: Mapping[int, DueTime], change: Change, state: Any
) -> Change:
    """Return the change with the banks after it, if the match has banks. `state` is the game state after it."""
    info = change.info
    if not info.house.move_seconds or info.status is Status.LOBBY:
        return change
    decisions = open_decisions(game, info, state) if info.status is Status.RUNNING else {}
    forced = forced_seats(game, info, state) if decisions else frozenset()  # their clocks do not run
    awaited = {
        seat: decision.number
        for seat, decision in decisions.items()
        if decision.due and info.seats[seat].owner_plays and seat not in forced
    }
    banks = banks_after(before.banks, deadlines, change, awaited)
    return replace(change, info=replace(info, banks=banks), old_deadlines=frozenset(deadlines.values()))


def banks_after(
    banks: tuple[int, ...], deadlines: Mapping[int, DueTime], change: Change, awaited: Mapping[int, int]
) -> tuple[int, ...]:
    """Return the seconds in each seat's bank after a change. Empty banks are new.

    `deadlines` are those of the clocks that ran before the change, `awaited` the decisions that people have to make
    after it, by seat. A clock that starts has at least the seconds of one move, so that anyone who takes a seat or
    returns after a pause can move.
    """
    house = change.info.house
    after = [*banks] or [house.decision_seconds or 0] * len(change.info.seats)
    for seat, due in deadlines.items():
        if awaited.get(seat) != due.decision:
            after[seat] = max(0, due.at - change.info.changed)
    move = change.move
    if move is not None and move.take_back is not None:  # nobody gains time by it, however often they do it
        for undone in change.undone:
            after[undone.seat] = max(0, after[undone.seat] - (house.move_seconds if undone.user else 0))
        return tuple(after)
    if move is not None and move.user:  # a person's move, a forced one, or one after their deadline
        after[move.seat] += house.move_seconds
    for seat, decision in awaited.items():
        if seat not in deadlines or deadlines[seat].decision != decision:
            after[seat] = max(after[seat], house.move_seconds)
    return tuple(after)
