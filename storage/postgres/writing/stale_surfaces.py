"""Matches with stale surfaces: marked when something changes, cleared when everything is shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from engines.store.partition import GUILD_SHIFT
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.text import encode_texts, to_columns
from storage.shared.stores.statements import LIVE_STATUSES, MARK_STALE, Dialect

_MARK = """
INSERT INTO behind (match) SELECT DISTINCT match FROM unnest($1::text[]) AS n (match) ORDER BY match
ON CONFLICT DO NOTHING
"""
CHANNEL = "motley"  # notifies processes that a match has changed; a lost notification only costs time
NOTIFY_SQL = f"pg_notify('{CHANNEL}', n.match || ' -1')"
# Notify the holder of the match's server, even if it is already marked.
_NOTIFY_HOLDERS = f"""
WITH n AS (
    INSERT INTO behind (match, others) SELECT DISTINCT match, TRUE FROM ({{found}}) AS found ORDER BY match
    ON CONFLICT (match) DO UPDATE SET others = TRUE RETURNING match
)
SELECT {NOTIFY_SQL} FROM n
"""
_NOTIFY_HOLDERS_KNOWN = _NOTIFY_HOLDERS.format(found="SELECT match FROM matches WHERE match = ANY($1::text[])")
DIALECT = Dialect(
    insertion_order="number",
    greatest="GREATEST",
    least="LEAST",
    lock_rows="FOR UPDATE",
    unindexed="",
    lobbies_by_guild="",
    tables_by_guild="",
    tables_by_host="",
    closed="closed < $1 ORDER BY closed",
    announce=f"""
    WITH marked AS ({MARK_STALE})
    SELECT pg_notify('{CHANNEL}', match || ' ' || revision) FROM matches WHERE match = $1
    """,
    mark_hand=_NOTIFY_HOLDERS.format(found="SELECT match FROM matches WHERE match = $1"),
    mark_lobbies=_NOTIFY_HOLDERS.format(found="SELECT match FROM matches WHERE guild = $1 AND status = 'lobby'"),
    mark_user_matches=_NOTIFY_HOLDERS.format(
        found=f"""
        SELECT match FROM seats JOIN matches USING (match)
        WHERE "user" = $1 AND gone = '' AND status IN ({LIVE_STATUSES})
        """
    ),
)
# Clear only the shown revision, and only if nothing is half done. The update waits for changes in progress.
_CLEAR = """
DELETE FROM behind USING unnest($1::text[], $2::bigint[]) AS shown (match, revision), matches
WHERE behind.match = shown.match AND matches.match = shown.match AND matches.revision = shown.revision
    AND NOT EXISTS (SELECT FROM surfaces WHERE surfaces.match = shown.match AND (nonce <> '' OR old <> 0))
    AND NOT EXISTS (SELECT FROM mentions WHERE mentions.match = shown.match AND state <> 'sent')
"""
# Only for servers that this process holds, and only if others have not written since it asked.
_CLEAR_OWNED = f"""
{_CLEAR} AND NOT behind.others AND EXISTS (
    SELECT FROM leases WHERE holder = $3 AND part = (matches.guild >> {GUILD_SHIFT}) % parts
)
"""


async def mark_stale(raw: RawConnection, matches: Iterable[str]) -> None:
    """Mark these matches as stale."""
    await raw.execute(_MARK, encode_texts(matches))


async def notify_holders(raw: RawConnection, matches: Collection[str]) -> None:
    """Notify the holders of these matches' servers, if there are any."""
    await raw.execute(_NOTIFY_HOLDERS_KNOWN, encode_texts(sorted(matches)))


async def clear_stale(revisions: Mapping[str, int], process: int, raw: RawConnection) -> None:
    """Clear the marks of matches that `process` has shown at these revisions; 0: it is the only process."""
    if process:
        await raw.execute(_CLEAR_OWNED, *to_columns(revisions.items(), 2), process)
    else:
        await raw.execute(_CLEAR, *to_columns(revisions.items(), 2))
