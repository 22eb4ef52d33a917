"""The matches of which not all may be shown as it is: marked with what makes it so, cleared when all is shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from engines.store.match_store import LIVE
from engines.store.partition import SHIFT, Part
from storage.postgres.connection.connection import Raw
from storage.postgres.connection.text import columns, texts
from storage.shared.partition_queries import of_match

LIVE_ONES = ", ".join(f"'{status}'" for status in sorted(LIVE))
_MARK = """
INSERT INTO behind (match) SELECT DISTINCT match FROM unnest($1::text[]) AS n (match) ORDER BY match
ON CONFLICT DO NOTHING
"""
CHANNEL = "motley"  # on which it is told that a match has changed; what is told only hastens, and may be lost
TELL = f"pg_notify('{CHANNEL}', n.match || ' -1')"
# Whoever holds the match's server is called, whether it is marked already or not.
_CALL = f"""
WITH n AS (
    INSERT INTO behind (match, others) SELECT DISTINCT match, TRUE FROM ({{found}}) AS found ORDER BY match
    ON CONFLICT (match) DO UPDATE SET others = TRUE RETURNING match
)
SELECT {TELL} FROM n
"""
_CALL_KNOWN = _CALL.format(found="SELECT match FROM matches WHERE match = ANY($1::text[])")
_OF = f"""
SELECT match FROM seats JOIN matches USING (match) WHERE "user" = $1 AND gone = '' AND status IN ({LIVE_ONES})
"""
_LOBBIES = "SELECT match FROM matches WHERE guild = $1 AND status = 'lobby'"
_CALL_OF, _CALL_LOBBIES = _CALL.format(found=_OF), _CALL.format(found=_LOBBIES)
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
    SELECT FROM leases WHERE holder = $3 AND part = (matches.guild >> {SHIFT}) % parts
)
"""


async def mark(raw: Raw, matches: Iterable[str]) -> None:
    """Something of these matches is to be shown."""
    await raw.execute(_MARK, texts(matches))


async def call(raw: Raw, matches: Collection[str]) -> None:
    """Have these looked at by whoever holds their servers, as far as there are such."""
    await raw.execute(_CALL_KNOWN, texts(sorted(matches)))


async def of(user: int, raw: Raw) -> list[str]:
    """Every live match of a person."""
    return [row[0] for row in await raw.fetch(_OF, user)]


async def lobbies(guild: int, raw: Raw) -> list[str]:
    """Every lobby of a server."""
    return [row[0] for row in await raw.fetch(_LOBBIES, guild)]


async def call_of(raw: Raw, user: int) -> None:
    """Have every live match of a person looked at."""
    await raw.execute(_CALL_OF, user)


async def call_lobbies(raw: Raw, guild: int) -> None:
    """Have every lobby of a server looked at."""
    await raw.execute(_CALL_LOBBIES, guild)


async def clear(shown: Mapping[str, int], process: int, raw: Raw) -> None:
    """All of these matches was shown as it is at these revisions, by that process; 0: it is the only one."""
    if process:
        await raw.execute(_CLEAR_HELD, *columns(shown.items(), 2), process)
    else:
        await raw.execute(_CLEAR, *columns(shown.items(), 2))


async def find(part: Part, raw: Raw) -> list[str]:
    """The matches of these servers that are marked."""
    sql = f"SELECT match FROM behind WHERE TRUE{of_match(part, 'behind.match')} ORDER BY match"
    return [row[0] for row in await raw.fetch(sql)]
