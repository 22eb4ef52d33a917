"""Until when people rest: a change moves what is due for them, in every match in which they have a seat."""

from __future__ import annotations

from engines.store.match_store import LIVE
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.text import to_columns
from storage.postgres.writing import due_times, stale_surfaces
from storage.shared.rest_rows import PENDING_COLUMNS, moved_due_rows

_LIVE = ", ".join(f"'{status}'" for status in sorted(LIVE))
_MATCHES = f"""
SELECT match, seat, status FROM seats JOIN matches USING (match)
WHERE "user" = $1 AND gone = '' AND status IN ({_LIVE}) ORDER BY match
"""
_OVER = 'SELECT "user" FROM breaks WHERE until <= $1 ORDER BY "user"'
_PUT = """
INSERT INTO breaks ("user", until) VALUES ($1, $2) ON CONFLICT ("user") DO UPDATE SET until = excluded.until
"""
_PENDING = f"""
SELECT {PENDING_COLUMNS} FROM due JOIN matches USING (match)
WHERE due.match = $1 AND due.seat = $2 AND due.kind IN ('call', 'reminder', 'clock') AND NOT due.done
ORDER BY due.kind
"""
_MOVE = """
UPDATE due SET since = n.since, at = n.at
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[]) AS n (since, at, match, kind, seat)
WHERE due.match = n.match AND due.kind = n.kind AND due.seat = n.seat
"""
_PUT_END = f"""
INSERT INTO due (match, kind, seat, decision, since, at) VALUES ($1, 'break', $2, $3, $3, $3) {due_times.AGAIN}
"""
_DROP_END = "DELETE FROM due WHERE match = $1 AND kind = 'break' AND seat = $2"
_NEW_REVISION = "UPDATE matches SET revision = revision + 1 WHERE match = $1 RETURNING revision"


async def read_rest(user: int, raw: RawConnection) -> int:
    """Return until when that person rests; 0 if they do not."""
    found: int | None = await raw.fetchval('SELECT until FROM breaks WHERE "user" = $1', user)
    return found or 0


async def user_matches(user: int, raw: RawConnection) -> list[str]:
    """Return the live matches of a person."""
    return [row[0] for row in await raw.fetch(_MATCHES, user)]


async def change_rest(user: int, until: int, now: int, raw: RawConnection) -> list[str]:
    """Change until when a person rests, and return their live matches; 0 ends it. The matches are locked already."""
    old = await read_rest(user, raw)
    if until:
        await raw.execute(_PUT, user, until)
    else:
        await raw.execute('DELETE FROM breaks WHERE "user" = $1', user)
    matches = []
    for match, seat, status in await raw.fetch(_MATCHES, user):
        pending = [tuple(row) for row in await raw.fetch(_PENDING, match, seat)]
        moved = moved_due_rows(pending, old, until or min(old, now), now)
        await raw.execute(_MOVE, *to_columns(moved, 5))
        if until and status != "paused":
            await raw.execute(_PUT_END, match, seat, until)
        else:
            await raw.execute(_DROP_END, match, seat)
        await announce_revision(match, await raw.fetchval(_NEW_REVISION, match), raw)
        matches.append(match)
    return matches


class ExpiredRests:
    """The rests that were to end by a second. Only those found before the matches were locked are ended then.

    The matches of others are not locked, and locking them later could make two processes wait for each other.
    """

    def __init__(self, now: int) -> None:
        self._now = now
        self._users: list[int] = []

    async def find_matches(self, raw: RawConnection) -> list[str]:
        """Find the people, and return their live matches."""
        self._users = await self._find_users(raw)
        return sorted({match for user in self._users for match in await user_matches(user, raw)})

    async def end(self, raw: RawConnection) -> list[str]:
        """End the rests, and return the live matches of these people."""
        still_over = set(await self._find_users(raw))
        over = [user for user in self._users if user in still_over]
        return sorted({match for user in over for match in await change_rest(user, 0, self._now, raw)})

    async def _find_users(self, raw: RawConnection) -> list[int]:
        return [row[0] for row in await raw.fetch(_OVER, self._now)]


async def announce_revision(match: str, revision: int, raw: RawConnection) -> None:
    """Announce a match's new revision, so that all processes load it again."""
    await stale_surfaces.mark_stale(raw, [match])
    await raw.execute("SELECT pg_notify($1, $2)", stale_surfaces.CHANNEL, f"{match} {revision}")
