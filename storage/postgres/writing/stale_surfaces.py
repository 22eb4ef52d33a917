"""The matches of which not all may be shown as it is: marked with what makes it so, cleared when all is shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from engines.store.match_store import LIVE
from engines.store.partition import GUILD_SHIFT, Partition
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.text import encode_texts, to_columns
from storage.shared.partition_queries import match_partition_condition

LIVE_STATUSES = ", ".join(f"'{status}'" for status in sorted(LIVE))
_MARK = """
INSERT INTO behind (match) SELECT DISTINCT match FROM unnest($1::text[]) AS n (match) ORDER BY match
ON CONFLICT DO NOTHING
"""
CHANNEL = "motley"  # on which it is told that a match has changed; what is told only hastens, and may be lost
NOTIFY_SQL = f"pg_notify('{CHANNEL}', n.match || ' -1')"
# Whoever holds the match's server is called, whether it is marked already or not.
_NOTIFY_HOLDERS = f"""
WITH n AS (
    INSERT INTO behind (match, others) SELECT DISTINCT match, TRUE FROM ({{found}}) AS found ORDER BY match
    ON CONFLICT (match) DO UPDATE SET others = TRUE RETURNING match
)
SELECT {NOTIFY_SQL} FROM n
"""
_NOTIFY_HOLDERS_KNOWN = _NOTIFY_HOLDERS.format(found="SELECT match FROM matches WHERE match = ANY($1::text[])")
_MATCHES_OF_USER = f"""
SELECT match FROM seats JOIN matches USING (match) WHERE "user" = $1 AND gone = '' AND status IN ({LIVE_STATUSES})
"""
_LOBBIES_OF_SERVER = "SELECT match FROM matches WHERE guild = $1 AND status = 'lobby'"
_NOTIFY_USER_MATCHES, _NOTIFY_LOBBIES = (
    _NOTIFY_HOLDERS.format(found=_MATCHES_OF_USER),
    _NOTIFY_HOLDERS.format(found=_LOBBIES_OF_SERVER),
)
# Only of the revision that was shown, and while nothing of it is half done. What was being made was waited for.
_CLEAR = """
DELETE FROM behind USING unnest($1::text[], $2::bigint[]) AS shown (match, revision), matches
WHERE behind.match = shown.match AND matches.match = shown.match AND matches.revision = shown.revision
    AND NOT EXISTS (SELECT FROM surfaces WHERE surfaces.match = shown.match AND (nonce <> '' OR old <> 0))
    AND NOT EXISTS (SELECT FROM mentions WHERE mentions.match = shown.match AND state <> 'sent')
"""
# Of the servers that this process holds, and unless others have written of it since the holder asked.
_CLEAR_HELD = f"""
{_CLEAR} AND NOT behind.others AND EXISTS (
    SELECT FROM leases WHERE holder = $3 AND part = (matches.guild >> {GUILD_SHIFT}) % parts
)
"""


async def mark_stale(raw: RawConnection, matches: Iterable[str]) -> None:
    """Something of these matches is to be shown."""
    await raw.execute(_MARK, encode_texts(matches))


async def notify_holders(raw: RawConnection, matches: Collection[str]) -> None:
    """Have these looked at by whoever holds their servers, as far as there are such."""
    await raw.execute(_NOTIFY_HOLDERS_KNOWN, encode_texts(sorted(matches)))


async def user_matches(user: int, raw: RawConnection) -> list[str]:
    """Every live match of a person."""
    return [row[0] for row in await raw.fetch(_MATCHES_OF_USER, user)]


async def server_lobbies(guild: int, raw: RawConnection) -> list[str]:
    """Every lobby of a server."""
    return [row[0] for row in await raw.fetch(_LOBBIES_OF_SERVER, guild)]


async def notify_user_matches(raw: RawConnection, user: int) -> None:
    """Have every live match of a person looked at."""
    await raw.execute(_NOTIFY_USER_MATCHES, user)


async def notify_lobbies(raw: RawConnection, guild: int) -> None:
    """Have every lobby of a server looked at."""
    await raw.execute(_NOTIFY_LOBBIES, guild)


async def clear_stale(revisions: Mapping[str, int], process: int, raw: RawConnection) -> None:
    """All of these matches was shown as it is at these revisions, by that process; 0: it is the only one."""
    if process:
        await raw.execute(_CLEAR_HELD, *to_columns(revisions.items(), 2), process)
    else:
        await raw.execute(_CLEAR, *to_columns(revisions.items(), 2))


async def find_stale(partition: Partition, raw: RawConnection) -> list[str]:
    """The matches of these servers that are marked."""
    sql = f"SELECT match FROM behind WHERE TRUE{match_partition_condition(partition, 'behind.match')} ORDER BY match"
    return [row[0] for row in await raw.fetch(sql)]
