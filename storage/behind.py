"""The matches of which not all may be shown as it is: marked with what makes it so, cleared when all is shown."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from engines.store import LIVE

_MARK = "INSERT OR IGNORE INTO behind (match) VALUES (?)"
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
# Only of the revision that was shown, and while nothing of it is half done.
_CLEAR = """
DELETE FROM behind WHERE match = :match
    AND (SELECT revision FROM matches WHERE match = :match) = :revision
    AND NOT EXISTS (SELECT 1 FROM surfaces WHERE match = :match AND (nonce <> '' OR old <> 0))
    AND NOT EXISTS (SELECT 1 FROM mentions WHERE match = :match AND state <> 'sent')
"""


def mark(raw: sqlite3.Connection, match: str) -> None:
    """Something of a match is to be shown."""
    raw.execute(_MARK, (match,))


def mark_of(raw: sqlite3.Connection, user: int) -> None:
    """Something of every live match of a person is."""
    raw.execute(_MARK_OF, (user,))


def mark_lobbies(raw: sqlite3.Connection, guild: int) -> None:
    """Something of every lobby of a server is."""
    raw.execute(_MARK_LOBBIES, (guild,))


def clear(shown: Mapping[str, int], raw: sqlite3.Connection) -> None:
    """All of these matches was shown as it is at these revisions."""
    raw.executemany(_CLEAR, [{"match": match, "revision": revision} for match, revision in shown.items()])


def find(raw: sqlite3.Connection) -> list[str]:
    """The matches that are marked."""
    return [match for (match,) in raw.execute("SELECT match FROM behind ORDER BY match")]
