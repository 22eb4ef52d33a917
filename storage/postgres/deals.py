"""Sealed deals, and counts of a server's matches: implements parts of engines.store.match_store."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from engines.store.match_store import SavedDeal, Status
from storage.postgres.connection.connection import RawConnection
from storage.postgres.database import Database
from storage.shared.match_rows import count_by_status

_DEAL = "SELECT secret, cuts FROM deals WHERE match = $1"
_COUNT = "SELECT status, COUNT(*) FROM matches WHERE guild = $1 GROUP BY status"
_NEWEST = """
SELECT match FROM matches WHERE guild = $1 AND status = ANY($2::text[]) AND ($4::text = '' OR game = $4)
ORDER BY changed DESC, number DESC LIMIT $3
"""


class DealStore:
    """The part of the match store that knows deals, and the matches of a server by status."""

    _database: Database

    async def load_deal(self, match: str) -> SavedDeal | None:
        """Return the sealed deal of a match, or None if it has none."""
        return await self._database.read(partial(_load_deal, match), what=f"match {match}, deal")

    async def count_matches(self, guild: int) -> Mapping[Status, int]:
        """Return how many matches of a server are stored, by status."""
        return await self._database.read(partial(_count_matches, guild), what="the matches of a server")

    async def newest_matches(self, guild: int, statuses: frozenset[Status], limit: int, game: str = "") -> list[str]:
        """Return the ids of a server's matches with one of the statuses, the last changed first, up to a limit."""

        async def load(raw: RawConnection) -> list[str]:
            return [row[0] for row in await raw.fetch(_NEWEST, guild, sorted(statuses), limit, game)]

        return await self._database.read(load, what="the matches of a server")


async def _load_deal(match: str, raw: RawConnection) -> SavedDeal | None:
    row = await raw.fetchrow(_DEAL, match)
    return None if row is None else SavedDeal(*row)


async def _count_matches(guild: int, raw: RawConnection) -> dict[Status, int]:
    return count_by_status(map(tuple, await raw.fetch(_COUNT, guild)))
