"""Finds matches in the store."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping

from engines.hosting.match import RequestRefused
from engines.hosting.match_changes import MatchEditor
from engines.store.match_store import LIVE, Action, MatchInfo, Status, StoreFailure
from engines.store.partition import ALL_SERVERS, Partition

log = logging.getLogger(__name__)
PAGE_SIZE = 100  # matches per batch of ids


class MatchLookup:
    """Finds matches, and reads what everyone may know of them."""

    def __init__(self, editor: MatchEditor) -> None:
        self._editor = editor

    def game_title(self, game: str) -> str:
        """Return the title of a game, by its key. A game of a newer version is unknown here."""
        games = self._editor.games
        return games[game].title if game in games else "a game that I do not know yet"

    async def find(
        self, *, statuses: frozenset[Status] = LIVE, guild: int | None = None, user: int | None = None
    ) -> list[MatchInfo]:
        """Return the matches with one of the statuses, newest first: of a guild, of a user with a seat, or all."""
        found = await self._editor.store.find(statuses=statuses, guild=guild, user=user)
        for info in found:
            self._editor.cache.evict_if_outdated(info)
        return found

    async def count_matches(self, guild: int) -> Mapping[Status, int]:
        """Return how many matches of a server are stored, by status."""
        return await self._editor.store.count_matches(guild)

    async def newest_matches(self, guild: int, statuses: frozenset[Status], limit: int, game: str = "") -> list[str]:
        """Return the ids of a server's matches with one of the statuses, the last changed first, up to a limit."""
        return await self._editor.store.newest_matches(guild, statuses, limit, game)

    async def load_header(self, match: str) -> MatchInfo:
        """Return the header of a match as stored, without its game. Raises RequestRefused if there is none."""
        info = await self._editor.store.load_info(match)
        if info is None:
            raise RequestRefused("There is no such match any more.")
        return info

    async def load_history(self, match: str) -> list[Action]:
        """Return all actions of a match, oldest first; of its moves, only those that everyone may know."""
        return await self._editor.store.load_history(match)

    async def matches_awaiting_computers(self, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return the ids of running matches of these servers that may wait only for computers or forced moves."""
        return await self._editor.store.matches_awaiting_computers(partition)

    async def verify_matches(self, partition: Partition = ALL_SERVERS) -> AsyncIterator[MatchInfo]:
        """Return every live match of these servers, one after the other, loaded as after a restart.

        A damaged match is logged and set aside. A match of a newer version is logged and left out.
        """
        aside = await self._editor.store.find(statuses=frozenset({Status.ASIDE}))
        for info in (each for each in aside if partition.has_server(each.place.guild)):
            log.warning("Match %s is still set aside: %s", info.id, info.reason)
        last = ""
        # A damaged id may seem to follow itself.
        while (found := await self._editor.store.live_matches_after(last, PAGE_SIZE, partition)) and max(found) > last:
            for last in found:
                wanted = self._editor.cache.find_cached(last) is not None
                try:
                    info = (await self._editor.cache.get_match(last)).info
                except (RequestRefused, StoreFailure) as why:
                    log.warning("Match %s is left as it is: %s", last, why)
                    continue
                if not wanted:
                    self._editor.cache.evict(last)
                yield info
