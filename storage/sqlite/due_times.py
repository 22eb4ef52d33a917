"""Writes what a match awaits with the change that causes it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from engines.hosting.timing.due_times import stays
from engines.store.match_store import DueRule, MatchInfo
from storage.shared.stores.due_times import NO_DECISION, called_people, due_time_of, preferred_call_delay
from storage.sqlite.statements import FileStatements, finish

_PUT = f"""
INSERT INTO due (match, kind, seat, decision, since, at) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (match, kind, seat) DO UPDATE SET decision = excluded.decision, since = excluded.since, at = excluded.at,
    done = 0, way = CASE WHEN due.decision = {NO_DECISION} THEN due.way ELSE '' END
"""
_PAUSE = f"UPDATE due SET decision = {NO_DECISION}, at = NULL, done = 1 WHERE match = ? AND kind = ? AND seat = ?"


def write_due_times(raw: sqlite3.Connection, info: MatchInfo, due_rules: Sequence[DueRule]) -> int | None:
    """Write what the match awaits now, and return when its first new due time comes.

    Rules that were awaited before keep their time.
    """
    stored = {
        (kind, seat): decision
        for kind, seat, decision in raw.execute("SELECT kind, seat, decision FROM due WHERE match = ?", (info.id,))
    }
    wanted = {(each.kind, each.seat): each for each in due_rules}
    for kind, seat in stored.keys() - wanted.keys():
        past = _PAUSE if stays(info, kind, seat) else "DELETE FROM due WHERE match = ? AND kind = ? AND seat = ?"
        raw.execute(past, (info.id, kind, seat))
    if not (new := [each for key, each in wanted.items() if stored.get(key) != each.decision]):
        return None
    people = called_people(info, new)
    call_delays = {user: finish(preferred_call_delay(user, FileStatements(raw))) for user in people}
    times = [due_time_of(info, each, call_delays) for each in new]
    for each, at in zip(new, times, strict=True):
        raw.execute(_PUT, (info.id, each.kind, each.seat, each.decision, each.since, at))
    return min((at for at in times if at is not None), default=None)
