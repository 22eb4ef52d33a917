"""Until when people rest: a change moves what is due for them, in every match in which they have a seat."""

from __future__ import annotations

import sqlite3

from engines.store.match_store import LIVE
from storage.shared.rest_rows import PENDING_COLUMNS, moved_due_rows

_LIVE = ", ".join(f"'{status}'" for status in sorted(LIVE))
_MATCHES = f"""
SELECT match, seat, status FROM seats JOIN matches USING (match)
WHERE user = ? AND gone = '' AND status IN ({_LIVE}) ORDER BY match
"""
_PUT = "INSERT INTO breaks (user, until) VALUES (?, ?) ON CONFLICT (user) DO UPDATE SET until = excluded.until"
_PENDING = f"""
SELECT {PENDING_COLUMNS} FROM due JOIN matches USING (match)
WHERE due.match = ? AND due.seat = ? AND due.kind IN ('call', 'reminder', 'clock') AND NOT due.done
ORDER BY due.kind
"""
_MOVE = "UPDATE due SET since = ?, at = ? WHERE match = ? AND kind = ? AND seat = ?"
_PUT_END = """
INSERT INTO due (match, kind, seat, decision, since, at) VALUES (?, 'break', ?, ?, ?, ?)
ON CONFLICT (match, kind, seat) DO UPDATE SET decision = excluded.decision, since = excluded.since, at = excluded.at,
    done = 0
"""
_DROP_END = "DELETE FROM due WHERE match = ? AND kind = 'break' AND seat = ?"


def read_rest(user: int, raw: sqlite3.Connection) -> int:
    """Return until when that person rests; 0 if they do not."""
    found = raw.execute("SELECT until FROM breaks WHERE user = ?", (user,)).fetchone()
    return int(found[0]) if found else 0


def change_rest(user: int, until: int, now: int, raw: sqlite3.Connection) -> list[str]:
    """Change until when a person rests, and return their live matches; 0 ends it."""
    old = read_rest(user, raw)
    if until:
        raw.execute(_PUT, (user, until))
    else:
        raw.execute("DELETE FROM breaks WHERE user = ?", (user,))
    matches = []
    for match, seat, status in raw.execute(_MATCHES, (user,)).fetchall():
        pending = raw.execute(_PENDING, (match, seat)).fetchall()
        raw.executemany(_MOVE, moved_due_rows(pending, old, until or min(old, now), now))
        if until and status != "paused":
            raw.execute(_PUT_END, (match, seat, until, until, until))
        else:
            raw.execute(_DROP_END, (match, seat))
        raw.execute("UPDATE matches SET revision = revision + 1 WHERE match = ?", (match,))
        raw.execute("INSERT OR IGNORE INTO behind (match) VALUES (?)", (match,))
        matches.append(match)
    return matches


def end_expired_rests(now: int, raw: sqlite3.Connection) -> list[str]:
    """End the rests that were to end by that second, and return the live matches of these people."""
    over = [user for (user,) in raw.execute("SELECT user FROM breaks WHERE until <= ? ORDER BY user", (now,))]
    return sorted({match for user in over for match in change_rest(user, 0, now, raw)})
