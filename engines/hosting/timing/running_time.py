"""Whether time runs for a match, and what a rest of it postpones. Pure functions.

Time rests while a request is open, and while people cannot reach the bot. Everything that ends a
decision by itself asks `time_runs`: deadlines, reminders, turn pings, computers, forced moves and those of features. A
rest for a request ends with the change that ends the request: it postpones everything due for a decision by its length,
in the same transaction, so that nobody loses time by it. An absence postpones the rest (`postpone_deadlines`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engines.store.match_store import DueTime, MatchInfo, Status


def time_runs(info: MatchInfo, *, is_reachable: bool = True) -> bool:
    """Whether time runs for the decisions of a match. `is_reachable`: the people of its server can reach the bot."""
    return info.status is Status.RUNNING and info.undoing.open_request is None and is_reachable


def clock_stopped(now: int, rest_began: int | None) -> int:
    """Return until when the clocks of a match ran: until now, or until its server's time began to rest.

    If a request ends during that rest, the deadlines were postponed by what came before it (`rest_seconds`).
    """
    return now if rest_began is None else min(now, rest_began)


def decision_start(info: MatchInfo) -> int:
    """Return from when a decision counts that comes up with this change of a match: from the start of a rest."""
    request = info.undoing.open_request
    return info.changed if request is None or not request.since else request.since


def rest_seconds(before: MatchInfo, after: MatchInfo, rest_began: int | None = None) -> int:
    """Return how long time rested for a request that ends with a change from one header to the other; 0 if none does.

    It is at least a second, so that whatever came due in the meantime comes due again. If the time of the server has
    rested since `rest_began`, the end of that rest gives back what came after. If that is 0, nobody knows since when;
    then this is the whole time.
    """
    old, new = before.undoing.open_request, after.undoing.open_request
    if old is None or (new is not None and new.move == old.move):
        return 0
    since = min(old.since or before.changed, before.changed)  # a wrong clock may have written a later one
    return max(1, (min(after.changed, rest_began) if rest_began else after.changed) - since)


def postponed_deadlines(deadlines: Mapping[int, DueTime], seconds: int) -> dict[int, DueTime]:
    """Return the deadlines after a rest of so many seconds."""
    return {seat: replace(due, at=due.at + seconds) for seat, due in deadlines.items()}
