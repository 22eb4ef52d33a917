"""Due times: written with the change that causes them, read by the scheduler."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from engines.hosting.timing.due_times import (
    BRIEF_ABSENCE_SECONDS,
    FUTURE_SECONDS,
    LONG_DECISION_SECONDS,
    REMINDER_FRACTION,
    RETURN_SECONDS,
    delayed_call_time,
    is_noticeable,
    stays,
)
from engines.store.match_store import DECISION_KINDS, LAPSE, PING_KINDS, DueRule, DueTime, MatchInfo
from engines.store.partition import Partition
from engines.store.surface_storage import Preferences
from storage.shared.partition_queries import (
    ALIVE_KEY,
    ALIVE_KEY_END,
    group_by_time,
    last_alive_times,
    match_partition_condition,
    partition_condition,
)
from storage.shared.partition_queries import alive_note_keys as alive_keys
from storage.sqlite import stale_surfaces
from storage.sqlite.rows import put_rows_right

NOTHING = -1  # the decision of a row that awaits nothing while its match is paused
_PUT = f"""
INSERT INTO due (match, kind, seat, decision, since, at) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (match, kind, seat) DO UPDATE SET decision = excluded.decision, since = excluded.since, at = excluded.at,
    done = 0, way = CASE WHEN due.decision = {NOTHING} THEN due.way ELSE '' END
"""
_PAUSE = f"UPDATE due SET decision = {NOTHING}, at = NULL, done = 1 WHERE match = ? AND kind = ? AND seat = ?"
_CHANGE_CALL_DELAY = """
UPDATE due SET at = since + :call WHERE kind = 'call' AND NOT done AND (match, seat) IN (
    SELECT match, seat FROM seats WHERE user = :user AND gone = ''
)
"""
_PENDING_CALLS = """
SELECT call.at, seats.user, matches.changed, clock.since, clock.at
FROM due AS call JOIN matches ON matches.match = call.match
    JOIN seats ON seats.match = call.match AND seats.seat = call.seat
    LEFT JOIN due AS clock ON clock.match = call.match AND clock.kind = 'clock' AND clock.seat = call.seat
WHERE call.match = ? AND call.kind = 'call' AND call.seat = ? AND call.at IS NOT NULL
"""
# A ping that rests counts from the end of the rest.
_POSTPONE_CALL = (
    "UPDATE due SET since = MAX(since, ?), at = ? WHERE match = ? AND kind = 'call' AND seat = ? AND at IS NOT NULL"
)
_GO = "UPDATE due SET way = ? WHERE match = ? AND kind = 'call' AND seat = ?"
_MOVE_STEPS = "SELECT seat, way FROM due WHERE match = ? AND kind = 'call' AND way <> ''"
_PUT_ALIVE = "INSERT INTO notes (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
# While a request is open, no clock runs: its own end gives back the time since it was made.
_ASKED_AT = f"""(SELECT asked.since FROM due AS asked
    WHERE asked.match = due.match AND asked.kind = '{LAPSE}' AND asked.at IS NOT NULL)"""
_POSTPONE_DEADLINES = """
UPDATE due SET at = MAX(at + {end} - MAX(since, :from), IIF(kind <> 'reminder', {end} + :least, 0)),
    since = since + {end} - MAX(since, :from)
WHERE kind IN ({kinds}) AND at IS NOT NULL AND MAX(since, :from) < {end}
    AND ({end} - MAX(since, :from) >= :brief OR at - since < :long)
"""
_POSTPONE_CLOCKS = _POSTPONE_DEADLINES.format(
    kinds="'clock', 'reminder', 'expiry'", end=f"MIN(:until, COALESCE({_ASKED_AT}, :until))"
)
_POSTPONE_REQUESTS = _POSTPONE_DEADLINES.format(kinds=f"'{LAPSE}'", end=":until")  # after the clocks
_REST = f"""
UPDATE due SET since = since + :rest, at = at + :rest
WHERE match = :match AND kind IN ({", ".join(f"'{kind}'" for kind in DECISION_KINDS)}) AND at IS NOT NULL
"""
# The rest of its player explains a ping that counts from a later time.
_PUT_DUE_RIGHT = """
UPDATE due SET at = at - since + :now, since = :now
WHERE since > :latest AND kind <> 'break' AND NOT (kind = 'call' AND EXISTS (
    SELECT 1 FROM seats JOIN breaks USING (user)
    WHERE seats.match = due.match AND seats.seat = due.seat AND until >= due.since
))"""
_FUTURE_MATCHES = "SELECT match FROM matches WHERE (created > :latest OR changed > :latest)"
_PUT_MATCH_RIGHT = """
UPDATE matches SET created = MIN(created, :now), changed = MIN(changed, :now), revision = revision + 1
WHERE match = :match
"""
_PUT_ALIVE_RIGHT = """
UPDATE notes SET value = (SELECT COALESCE(MAX(changed), :now) FROM matches WHERE changed <= :now)
WHERE key >= :key AND key < :end AND CAST(value AS INTEGER) > :latest"""
_MARK_DONE = "UPDATE due SET at = NULL, done = 1 WHERE match = ? AND kind = ? AND seat = ? AND decision = ?"


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
    times = []
    for key, each in wanted.items():
        if stored.get(key) != each.decision:
            at = _due_at(raw, info, each)
            raw.execute(_PUT, (info.id, each.kind, each.seat, each.decision, each.since, at))
            times += [] if at is None else [at]
    return min(times, default=None)


def postpone_after_rest(raw: sqlite3.Connection, match: str, rest: int) -> None:
    """Postpone everything that is due for a match's decisions by the seconds for which its time rested."""
    raw.execute(_REST, {"match": match, "rest": rest})


def change_call_delay(raw: sqlite3.Connection, user: int, call_delay: int | None) -> None:
    """Reschedule a person's pending reminders to their new preference."""
    raw.execute(_CHANGE_CALL_DELAY, {"user": user, "call": call_delay})


def postpone_call(match: str, seat: int, since: int, step_text: str | None, raw: sqlite3.Connection) -> int | None:
    """Postpone a pending reminder because the player is active, and return when it comes."""
    if step_text is not None:
        raw.execute(_GO, (step_text, match, seat))
    for at, user, changed, started, deadline in raw.execute(_PENDING_CALLS, (match, seat)).fetchall():
        call = preferred_call_delay(raw, user)
        if call is not None:
            later = delayed_call_time(at, since, call, changed, (started, deadline))
            raw.execute(_POSTPONE_CALL, (since, later, match, seat))
            return later
    return None


def read_move_steps(match: str, raw: sqlite3.Connection) -> dict[int, str]:
    """Return the unfinished move steps of each seat."""
    return dict(raw.execute(_MOVE_STEPS, (match,)).fetchall())


def mark_done(due: DueTime, raw: sqlite3.Connection) -> None:
    """Mark a due time as done."""
    raw.execute(_MARK_DONE, (due.match, due.kind, due.seat, due.decision))


def find_due(until: int, partition: Partition, raw: sqlite3.Connection) -> tuple[list[DueTime], int | None]:
    """Return the due times of these servers up to that second, oldest first, and the next one."""
    there = match_partition_condition(partition, "due.match")
    sql = f"SELECT kind, match, seat, decision, at FROM due WHERE at <= ?{there} ORDER BY at, match, seat"
    then = raw.execute(f"SELECT at FROM due WHERE at > ?{there} ORDER BY at LIMIT 1", (until,)).fetchone()
    return [DueTime(*row) for row in raw.execute(sql, (until,))], then[0] if then else None


def find_deadlines(match: str, raw: sqlite3.Connection) -> list[DueTime]:
    """Return the deadlines of a match's open decisions."""
    sql = "SELECT kind, match, seat, decision, at FROM due WHERE match = ? AND kind = 'clock' ORDER BY seat"
    return [DueTime(*row) for row in raw.execute(sql, (match,))]


def find_lapse(match: str, raw: sqlite3.Connection) -> DueTime | None:
    """Return when a match's open request lapses."""
    sql = f"SELECT kind, match, seat, decision, at FROM due WHERE match = ? AND kind = '{LAPSE}' AND at IS NOT NULL"
    row = raw.execute(sql, (match,)).fetchone()
    return DueTime(*row) if row else None


def record_alive(at: int, partition: Partition, raw: sqlite3.Connection) -> None:
    """Record that the bot was alive at that second for these servers."""
    raw.executemany(_PUT_ALIVE, [(key, str(at)) for key in alive_keys(partition).values()])


def postpone_deadlines(since: int | None, until: int, partition: Partition, raw: sqlite3.Connection) -> dict[str, bool]:
    """Postpone deadlines by the part of a span in which they ran but nobody could move.

    Each of them leaves at least some seconds, because an outage may be noticed after it began. Return the matches, and
    for each whether the change is large enough to show.
    """
    times = _last_alive(raw, partition, until) if since is None else dict.fromkeys(partition.numbers, since)
    record_alive(until, partition, raw)
    later: dict[str, bool] = {}
    for then, there in group_by_time(times, partition.count).items():
        if then < until:
            those = f"{match_partition_condition(there, 'due.match')} RETURNING match, at - since"
            values = {
                "from": then,
                "until": until,
                "least": RETURN_SECONDS,
                "brief": BRIEF_ABSENCE_SECONDS,
                "long": LONG_DECISION_SECONDS - LONG_DECISION_SECONDS // REMINDER_FRACTION,
            }
            for sql in (_POSTPONE_CLOCKS, _POSTPONE_REQUESTS):
                for match, time in raw.execute(f"{sql}{those}", values).fetchall():
                    later[match] = later.get(match, False) or is_noticeable(until - then, time)
    for match, seen in later.items():
        if seen:
            stale_surfaces.mark_stale(raw, match)
    return later


def put_times_right(now: int, partition: Partition, raw: sqlite3.Connection) -> list[str]:
    """Put times right that lie in the future, because a wrong clock wrote them, and return the matches."""
    values = {"now": now, "latest": now + FUTURE_SECONDS, "key": ALIVE_KEY, "end": ALIVE_KEY_END}
    raw.execute(_PUT_ALIVE_RIGHT, values)
    for table in ("departed", "first_contacts"):
        raw.execute(f"UPDATE {table} SET at = :now WHERE at > :latest", values)
    put_rows_right(now, now + FUTURE_SECONDS, raw)
    due = f"{_PUT_DUE_RIGHT}{match_partition_condition(partition, 'due.match')} RETURNING match"
    written = f"{_FUTURE_MATCHES}{partition_condition(partition)}"
    found = sorted({match for sql in (due, written) for (match,) in raw.execute(sql, values).fetchall()})
    for match in found:
        raw.execute(_PUT_MATCH_RIGHT, {"match": match, "now": now})
        stale_surfaces.mark_stale(raw, match)
    return found


def _last_alive(raw: sqlite3.Connection, partition: Partition, until: int) -> dict[int, int]:
    """Return when the bot was last alive for each of these partitions."""
    notes = dict(
        raw.execute("SELECT key, value FROM notes WHERE key >= ? AND key < ?", (ALIVE_KEY, ALIVE_KEY_END)).fetchall()
    )
    times, filled = last_alive_times(notes, partition, until)
    if filled:
        raw.executemany("DELETE FROM notes WHERE key = ?", [(key,) for key in notes])
        raw.executemany(_PUT_ALIVE, list(filled.items()))
    return times


def preferred_call_delay(raw: sqlite3.Connection, user: int) -> int | None:
    """Return after how many seconds a person wants a reminder; None: never."""
    found = raw.execute("SELECT call FROM preferences WHERE user = ?", (user,)).fetchone()
    call: int | None = found[0] if found else Preferences().call
    return call


def _due_at(raw: sqlite3.Connection, info: MatchInfo, due_rule: DueRule) -> int | None:
    if due_rule.kind not in PING_KINDS:
        return due_rule.since + (due_rule.delay or 0)
    call = preferred_call_delay(raw, info.seats[due_rule.seat].user)
    if call is None:
        return None
    return due_rule.since + (max(call, due_rule.min_delay) if due_rule.delay is None else due_rule.delay)
