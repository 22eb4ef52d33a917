"""Requests that the players at a table have to settle: how long they stay open, and what ends them. Pure functions.

Time rests while one is open. A feature makes them, and says what they are about.
"""

from __future__ import annotations

from dataclasses import replace

from engines.store.match_store import Change, MatchInfo, Status
from engines.store.undoing import NOTHING_UNDONE, TableRequest

DAY = 24 * 60 * 60
LAPSE_SECONDS = 60  # seconds after which a request lapses, unless players have a day or longer for a decision


def lapse_seconds(info: MatchInfo) -> int:
    """Return for how many seconds a request stays open."""
    seconds = info.table_options.decision_seconds
    return DAY if seconds is None or seconds >= DAY else LAPSE_SECONDS


def lapse_time(request: TableRequest, info: MatchInfo) -> int:
    """Return when a request lapses, also if a wrong clock wrote that: no later than if it was made with the newest
    change, whose time was put right."""
    return min(request.until, info.changed + lapse_seconds(info))


def settle_requests(before: MatchInfo, change: Change) -> Change:
    """Return the change with what becomes of requests through it.

    A request lapses with the next move, with a pause, and if somebody whom it concerns changes. Somebody new at a seat
    has asked nothing yet.
    """
    old = change.info.undoing
    if old == NOTHING_UNDONE:
        return change
    new, info = old, change.info
    if old.request is not None and (_is_past(before, change) or info.status is not Status.RUNNING):
        new = replace(new, request=None)
    if any(was.user != now.user for was, now in zip(before.seats, info.seats, strict=False)) and old.asked:
        users = [(was.user == now.user) for was, now in zip(before.seats, info.seats, strict=True)]
        new = replace(new, asked=tuple(moves if same else () for moves, same in zip(old.asked, users, strict=True)))
    return change if new == old else replace(change, info=replace(info, undoing=new))


def _is_past(before: MatchInfo, change: Change) -> bool:
    request, seats = change.info.undoing.request, change.info.seats
    if change.move is not None and change.move.undo is None:
        return True
    assert request is not None
    return any(
        (before.seats[seat].user, before.seats[seat].owner_plays) != (seats[seat].user, seats[seat].owner_plays)
        for seat in (request.seat, *request.seats)
    )
