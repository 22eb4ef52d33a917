"""Sealed deals, and counts of a server's matches: implements parts of engines.store.match_store."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from functools import partial

from engines.store.match_store import SavedDeal, Status
from storage.shared.match_rows import count_by_status
from storage.sqlite.writer import FileAccess

_COUNT = "SELECT status, COUNT(*) FROM matches WHERE guild = ? GROUP BY status"
_NEWEST = """
SELECT match FROM matches
WHERE guild = :guild AND status IN (SELECT value FROM json_each(:statuses)) AND (:game = '' OR game = :game)
ORDER BY changed DESC, rowid DESC LIMIT :limit
"""


class DealStore:
    """The part of the match store that knows deals, and the matches of a server by status."""

    _database: FileAccess

    async def load_deal(self, match: str) -> SavedDeal | None:
        """Return the sealed deal of a match, or None if it has none."""
        return await self._database.read(partial(_load_deal, match), what=f"match {match}, deal")

    async def count_matches(self, guild: int) -> Mapping[Status, int]:
        """Return how many matches of a server are stored, by status."""
        return await self._database.read(partial(_count_matches, guild), what="the matches of a server")

    async def newest_matches(self, guild: int, statuses: frozenset[Status], limit: int, game: str = "") -> list[str]:
        """Return the ids of a server's matches with one of the statuses, the last changed first, up to a limit."""
        values = {"guild": guild, "statuses": json.dumps(sorted(statuses)), "limit": limit, "game": game}

        def load(raw: sqlite3.Connection) -> list[str]:
            return [match for (match,) in raw.execute(_NEWEST, values)]

        return await self._database.read(load, what="the matches of a server")


def insert_secret(raw: sqlite3.Connection, match: str, secret: str) -> None:
    """Store the secret of a new match."""
    raw.execute("INSERT INTO deals (match, secret) VALUES (?, ?)", (match, secret))


def write_cuts(raw: sqlite3.Connection, match: str, cuts: str) -> None:
    """Store the cuts with which a match starts."""
    raw.execute("UPDATE deals SET cuts = ? WHERE match = ?", (cuts, match))


def _load_deal(match: str, raw: sqlite3.Connection) -> SavedDeal | None:
    row = raw.execute("SELECT secret, cuts FROM deals WHERE match = ?", (match,)).fetchone()
    return None if row is None else SavedDeal(*row)


def _count_matches(guild: int, raw: sqlite3.Connection) -> dict[Status, int]:
    return count_by_status(raw.execute(_COUNT, (guild,)))
