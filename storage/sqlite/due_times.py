"""The due times: written with the change that brings them, and read by the one who waits for the next."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from engines.hosting.due_times import BRIEF, LEFT, LONG, put_off, stays
from engines.store.match_store import Awaited, Due, Info
from engines.store.partition import Part
from engines.store.surface_storage import Preferences
from storage.shared.partition_queries import AFTER, ALIVE, by_time, last, of_match
from storage.shared.partition_queries import alive as alive_keys
from storage.sqlite import stale_surfaces

NOTHING = -1  # the decision of a row that awaits nothing while its match is paused
_PUT = f"""
INSERT INTO due (match, kind, seat, decision, since, at) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (match, kind, seat) DO UPDATE SET decision = excluded.decision, since = excluded.since, at = excluded.at,
    done = 0, way = CASE WHEN due.decision = {NOTHING} THEN due.way ELSE '' END
"""
_PAUSE = f"UPDATE due SET decision = {NOTHING}, at = NULL, done = 1 WHERE match = ? AND kind = ? AND seat = ?"
_PREFER = """
UPDATE due SET at = since + :call WHERE kind = 'call' AND NOT done AND (match, seat) IN (
    SELECT match, seat FROM seats WHERE user = :user AND gone = ''
)
"""
_PENDING = """
SELECT call.at, seats.user, matches.changed, clock.at
FROM due AS call JOIN matches ON matches.match = call.match
    JOIN seats ON seats.match = call.match AND seats.seat = call.seat
    LEFT JOIN due AS clock ON clock.match = call.match AND clock.kind = 'clock' AND clock.seat = call.seat
WHERE call.match = ? AND call.kind = 'call' AND call.seat = ? AND call.at IS NOT NULL
"""
_ACTIVE = "UPDATE due SET since = ?, at = ? WHERE match = ? AND kind = 'call' AND seat = ? AND at IS NOT NULL"
_GO = "UPDATE due SET way = ? WHERE match = ? AND kind = 'call' AND seat = ?"
_WAYS = "SELECT seat, way FROM due WHERE match = ? AND kind = 'call' AND way <> ''"
SEEN = 20  # a part of the time for a decision; of less, nobody needs to know that they have it besides
_PUT_ALIVE = "INSERT INTO notes (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_LATER = """
UPDATE due SET at = at + :until - MAX(since, :from), since = since + :until - MAX(since, :from)
WHERE kind IN ('clock', 'reminder') AND at IS NOT NULL AND since < :until
    AND (:until - MAX(since, :from) >= :brief OR at - since < :long)
"""
_DONE = "UPDATE due SET at = NULL, done = 1 WHERE match = ? AND kind = ? AND seat = ? AND decision = ?"


def write(raw: sqlite3.Connection, info: Info, awaited: Sequence[Awaited]) -> int | None:
    """Keep that the match awaits this and nothing else. What it awaited before goes on, with its own time.

    When the first of the new things is due.
    """
    kept = {
        (kind, seat): decision
        for kind, seat, decision in raw.execute("SELECT kind, seat, decision FROM due WHERE match = ?", (info.id,))
    }
    wanted = {(each.kind, each.seat): each for each in awaited}
    for kind, seat in kept.keys() - wanted.keys():
        past = _PAUSE if stays(info, kind, seat) else "DELETE FROM due WHERE match = ? AND kind = ? AND seat = ?"
        raw.execute(past, (info.id, kind, seat))
    times = []
    for key, each in wanted.items():
        if kept.get(key) != each.decision:
            at = _at(raw, info, each)
            raw.execute(_PUT, (info.id, each.kind, each.seat, each.decision, each.since, at))
            times += [] if at is None else [at]
    return min(times, default=None)


def prefer(raw: sqlite3.Connection, user: int, call: int | None) -> None:
    """Have somebody's pending calls come when they like them."""
    raw.execute(_PREFER, {"user": user, "call": call})


def active(match: str, seat: int, since: int, way: str | None, raw: sqlite3.Connection) -> int | None:
    """Somebody is at it: a call that is pending comes as long after this; when it does."""
    if way is not None:
        raw.execute(_GO, (way, match, seat))
    for at, user, changed, runs_out in raw.execute(_PENDING, (match, seat)).fetchall():
        call = liked_call(raw, user)
        if call is not None:
            later = put_off(at, since, call, changed, runs_out)
            raw.execute(_ACTIVE, (since, later, match, seat))
            return later
    return None


def ways(match: str, raw: sqlite3.Connection) -> dict[int, str]:
    """How far each seat has come on the way to a move."""
    return dict(raw.execute(_WAYS, (match,)).fetchall())


def done(due: Due, raw: sqlite3.Connection) -> None:
    """What was due has happened."""
    raw.execute(_DONE, (due.match, due.kind, due.seat, due.decision))


def find(by: int, part: Part, raw: sqlite3.Connection) -> tuple[list[Due], int | None]:
    """What is due by that second in these servers, the oldest first, and when the next is."""
    there = of_match(part, "due.match")
    sql = f"SELECT kind, match, seat, decision, at FROM due WHERE at <= ?{there} ORDER BY at, match, seat"
    then = raw.execute(f"SELECT at FROM due WHERE at > ?{there} ORDER BY at LIMIT 1", (by,)).fetchone()
    return [Due(*row) for row in raw.execute(sql, (by,))], then[0] if then else None


def clocks(match: str, raw: sqlite3.Connection) -> list[Due]:
    """When the time of a match's open decisions runs out."""
    sql = "SELECT kind, match, seat, decision, at FROM due WHERE match = ? AND kind = 'clock' ORDER BY seat"
    return [Due(*row) for row in raw.execute(sql, (match,))]


def alive(at: int, part: Part, raw: sqlite3.Connection) -> None:
    """The bot was there at that second for these servers."""
    raw.executemany(_PUT_ALIVE, [(key, str(at)) for key in alive_keys(part).values()])


def absent(since: int | None, until: int, part: Part, raw: sqlite3.Connection) -> dict[str, bool]:
    """Nobody could move in that time in these servers: what runs out comes later by as much of it as it had run for.

    Those matches, and whether it is so much later that people have to see it.
    """
    times = _last(raw, part, until) if since is None else dict.fromkeys(part.numbers, since)
    alive(until, part, raw)
    later: dict[str, bool] = {}
    for then, there in by_time(times, part.of).items():
        if then < until:
            sql = f"{_LATER}{of_match(there, 'due.match')} RETURNING match, at - since"
            values = {"from": then, "until": until, "brief": BRIEF, "long": LONG - LONG // LEFT}
            for match, time in raw.execute(sql, values).fetchall():
                later[match] = later.get(match, False) or (until - then) * SEEN > time
    for match, seen in later.items():
        if seen:
            stale_surfaces.mark(raw, match)
    return later


def _last(raw: sqlite3.Connection, part: Part, until: int) -> dict[int, int]:
    """When the bot was last there for each of these parts."""
    notes = dict(raw.execute("SELECT key, value FROM notes WHERE key >= ? AND key < ?", (ALIVE, AFTER)).fetchall())
    times, anew = last(notes, part, until)
    if anew:
        raw.executemany("DELETE FROM notes WHERE key = ?", [(key,) for key in notes])
        raw.executemany(_PUT_ALIVE, list(anew.items()))
    return times


def liked_call(raw: sqlite3.Connection, user: int) -> int | None:
    """How many seconds after they became due a person likes to be called; None: never."""
    found = raw.execute("SELECT call FROM preferences WHERE user = ?", (user,)).fetchone()
    call: int | None = found[0] if found else Preferences().call
    return call


def _at(raw: sqlite3.Connection, info: Info, awaited: Awaited) -> int | None:
    if awaited.kind != "call":
        return awaited.since + (awaited.wait or 0)
    call = liked_call(raw, info.seats[awaited.seat].user)
    if call is None:
        return None
    return awaited.since + (max(call, awaited.least) if awaited.wait is None else awaited.wait)
