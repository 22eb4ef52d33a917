"""Matches with stale surfaces: marked when something changes, cleared when everything is shown."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping

from engines.store.match_store import LIVE
from engines.store.partition import Partition
from storage.shared.partition_queries import match_partition_condition

_MARK = "INSERT OR IGNORE INTO behind (match) VALUES (?)"
_MARK_KNOWN = "INSERT OR IGNORE INTO behind (match) SELECT match FROM matches WHERE match = ?"
_LIVE = ", ".join(f"'{status}'" for status in sorted(LIVE))
_MARK_OF = f"""
INSERT OR IGNORE INTO behind (match)
SELECT match FROM seats JOIN matches USING (match)
WHERE user = ? AND gone = '' AND status IN ({_LIVE})
"""
_MARK_LOBBIES = """
INSERT OR IGNORE INTO behind (match)
SELECT match FROM matches INDEXED BY lobbies_by_guild WHERE guild = ? AND status = 'lobby'
"""
# Clear only the shown revision, and only if nothing is half done.
_CLEAR = """
DELETE FROM behind WHERE match = :match
    AND (SELECT revision FROM matches WHERE match = :match) = :revision
    AND NOT EXISTS (SELECT 1 FROM surfaces WHERE match = :match AND (nonce <> '' OR old <> 0))
    AND NOT EXISTS (SELECT 1 FROM mentions WHERE match = :match AND state <> 'sent')
"""


def mark_stale(raw: sqlite3.Connection, match: str) -> None:
    """Mark a match as stale."""
    raw.execute(_MARK, (match,))


def mark_all_stale(matches: Collection[str], raw: sqlite3.Connection) -> None:
    """Mark those of these matches that exist as stale."""
    raw.executemany(_MARK_KNOWN, [(match,) for match in matches])


def mark_user_matches(raw: sqlite3.Connection, user: int) -> None:
    """Mark every live match of a person as stale."""
    raw.execute(_MARK_OF, (user,))


def mark_server_lobbies(raw: sqlite3.Connection, guild: int) -> None:
    """Mark every lobby of a server as stale."""
    raw.execute(_MARK_LOBBIES, (guild,))


def clear_stale(revisions: Mapping[str, int], raw: sqlite3.Connection) -> None:
    """Clear the marks of matches that were shown at these revisions."""
    raw.executemany(_CLEAR, [{"match": match, "revision": revision} for match, revision in revisions.items()])


def find_stale(partition: Partition, raw: sqlite3.Connection) -> list[str]:
    """Return the marked matches of these servers."""
    sql = f"SELECT match FROM behind WHERE TRUE{match_partition_condition(partition, 'behind.match')} ORDER BY match"
    return [match for (match,) in raw.execute(sql)]
