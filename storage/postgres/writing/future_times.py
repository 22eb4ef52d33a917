"""Puts times right that lie in the future, because a wrong clock wrote them."""

from __future__ import annotations

from engines.hosting.timing.due_times import FUTURE_SECONDS
from engines.store.partition import Partition
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.text import encode_texts
from storage.postgres.writing.rests import announce_revision
from storage.postgres.writing.row_writes import put_rows_right
from storage.shared.partition_queries import (
    ALIVE_KEY,
    ALIVE_KEY_END,
    match_partition_condition,
    partition_condition,
)

# The rest of its player explains a ping that counts from a later time.
_FUTURE_DUE = """since > $1 AND kind <> 'break' AND NOT (kind = 'call' AND EXISTS (
    SELECT 1 FROM seats JOIN breaks USING ("user")
    WHERE seats.match = due.match AND seats.seat = due.seat AND until >= due.since
))"""
_FUTURE_MATCH = "(created > $1 OR changed > $1)"
_PUT_DUE_RIGHT = f"UPDATE due SET at = at - since + $2, since = $2 WHERE match = ANY($3::text[]) AND {_FUTURE_DUE}"
_PUT_MATCH_RIGHT = """
UPDATE matches SET created = LEAST(created, $2), changed = LEAST(changed, $2), revision = revision + 1
WHERE match = $1 RETURNING revision
"""
_PUT_ALIVE_RIGHT = """
UPDATE notes SET value = (SELECT COALESCE(MAX(changed), $2)::text FROM matches WHERE changed <= $2)
WHERE key >= $3 AND key < $4 AND CASE WHEN value ~ '^[0-9]{1,15}$' THEN value::bigint ELSE 0 END > $1
"""


class FutureTimes:
    """The times of these servers that lie over a minute after `now`. Only matches that were locked are changed."""

    def __init__(self, now: int, partition: Partition) -> None:
        self._now, self._latest = now, now + FUTURE_SECONDS
        self._partition = partition
        self._matches: list[str] = []

    async def find_matches(self, raw: RawConnection) -> list[str]:
        """Find the matches."""
        due = f"SELECT match FROM due WHERE {_FUTURE_DUE}{match_partition_condition(self._partition, 'due.match')}"
        written = f"SELECT match FROM matches WHERE {_FUTURE_MATCH}{partition_condition(self._partition)}"
        self._matches = sorted({row[0] for sql in (due, written) for row in await raw.fetch(sql, self._latest)})
        return self._matches

    async def put_right(self, raw: RawConnection) -> list[str]:
        """Put the times right, and return the matches."""
        await raw.execute(_PUT_ALIVE_RIGHT, self._latest, self._now, ALIVE_KEY, ALIVE_KEY_END)
        for table in ("departed", "first_contacts"):
            await raw.execute(f"UPDATE {table} SET at = $2 WHERE at > $1", self._latest, self._now)
        await put_rows_right(self._now, self._latest, raw)
        await raw.execute(_PUT_DUE_RIGHT, self._latest, self._now, encode_texts(self._matches))
        for match in self._matches:
            await announce_revision(match, await raw.fetchval(_PUT_MATCH_RIGHT, match, self._now), raw)
        return self._matches
