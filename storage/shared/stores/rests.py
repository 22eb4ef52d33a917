"""Until when people rest: a change moves what is due for them, in every match in which they have a seat."""

from __future__ import annotations

from functools import partial

from engines.features.registry import TABLE_OPTIONS, UNKNOWN_OPTIONS
from engines.hosting.timing.due_times import PendingDue, due_after_rest
from engines.store.table_options import parse_table_options
from storage.shared.stores.statements import LIVE_STATUSES, Dialect, SharedStore, Statements

_MATCHES = f"""
SELECT match, seat, status, house FROM seats JOIN matches USING (match)
WHERE "user" = $1 AND gone = '' AND status IN ({LIVE_STATUSES}) ORDER BY match
"""
_READ = 'SELECT until FROM breaks WHERE "user" = $1'
_OVER = 'SELECT "user" FROM breaks WHERE until <= $1 ORDER BY "user"'
_PUT = """
INSERT INTO breaks ("user", until) VALUES ($1, $2) ON CONFLICT ("user") DO UPDATE SET until = excluded.until
"""
_PENDING = """
SELECT kind, since, at FROM due
WHERE match = $1 AND seat = $2 AND kind IN ('call', 'reminder', 'clock') AND NOT done ORDER BY kind
"""
_MOVE = "UPDATE due SET since = $1, at = $2 WHERE match = $3 AND kind = $4 AND seat = $5"
_PUT_END = """
INSERT INTO due (match, kind, seat, decision, since, at) VALUES ($1, 'break', $2, $3, $3, $3)
ON CONFLICT (match, kind, seat) DO UPDATE SET decision = excluded.decision, since = excluded.since, at = excluded.at,
    done = FALSE
"""
_NEW_REVISION = "UPDATE matches SET revision = revision + 1 WHERE match = $1"
_DROP_END = "DELETE FROM due WHERE match = $1 AND kind = 'break' AND seat = $2"


class RestStore(SharedStore):
    """The part of the match store that knows until when people rest."""

    async def rest_until(self, user: int) -> int:
        """Return the second until which a person rests, or 0 if they do not."""
        return await self._read(partial(_read_rest, user), "a rest")

    async def change_rest(self, user: int, until: int, now: int) -> list[str]:
        """Store until when a person rests (0 ends it), move what is due, and return their live matches."""
        work = partial(_change_rest, user, until, now, self._dialect)
        return await self._write(work, "a rest", find=partial(user_matches, user))

    async def end_expired_rests(self, now: int) -> list[str]:
        """End the rests that were to end by that second, and return the live matches of these people."""
        expired = _ExpiredRests(now, self._dialect)
        return await self._write(expired.end, "rests that are over", find=expired.find_matches)


class _ExpiredRests:
    """The rests that were to end by a second. Only those found before the matches were locked are ended then.

    The matches of others are not locked, and locking them later could make two processes wait for each other.
    """

    def __init__(self, now: int, dialect: Dialect) -> None:
        self._now = now
        self._dialect = dialect
        self._users: list[int] = []

    async def find_matches(self, raw: Statements) -> list[str]:
        """Find the people, and return their live matches."""
        self._users = await self._find_users(raw)
        return sorted({match for user in self._users for match in await user_matches(user, raw)})

    async def end(self, raw: Statements) -> list[str]:
        """End the rests, and return the live matches of these people."""
        still_over = set(await self._find_users(raw))
        rested = [user for user in self._users if user in still_over]
        return sorted(
            {match for user in rested for match in await _change_rest(user, 0, self._now, self._dialect, raw)}
        )

    async def _find_users(self, raw: Statements) -> list[int]:
        return [row[0] for row in await raw.fetch(_OVER, self._now)]


async def _read_rest(user: int, raw: Statements) -> int:
    return await raw.fetchval(_READ, user) or 0


async def user_matches(user: int, raw: Statements) -> list[str]:
    """Return the live matches of a person."""
    return [row[0] for row in await raw.fetch(_MATCHES, user)]


async def _change_rest(user: int, until: int, now: int, dialect: Dialect, raw: Statements) -> list[str]:
    """Change until when a person rests, and return their live matches; 0 ends it. The matches are locked already."""
    old = await _read_rest(user, raw)
    if until:
        await raw.execute(_PUT, user, until)
    else:
        await raw.execute('DELETE FROM breaks WHERE "user" = $1', user)
    seated = await raw.fetch(_MATCHES, user)
    for match, seat, status, options_json in seated:
        options = parse_table_options(options_json, TABLE_OPTIONS)[0] or UNKNOWN_OPTIONS
        pending = [PendingDue(*row) for row in await raw.fetch(_PENDING, match, seat)]
        for each in due_after_rest(pending, options, old, until or min(old, now), now):
            await raw.execute(_MOVE, each.since, each.at, match, each.kind, seat)
        if until and status != "paused":
            await raw.execute(_PUT_END, match, seat, until)
        else:
            await raw.execute(_DROP_END, match, seat)
        await raw.execute(_NEW_REVISION, match)
        await raw.execute(dialect.announce, match)
    return [match for match, *_ in seated]
