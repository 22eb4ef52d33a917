"""Keeps the recent matches in memory, and loads others from the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from engines.hosting.match import Match, MatchSnapshot
from engines.hosting.match_loading import MatchLoader
from engines.kit.contract import AnyGame
from engines.store.match_store import LIVE, MatchInfo, MatchStorage
from engines.store.partition import Partition

IDLE_SECONDS = 60 * 60  # seconds that a match nobody requests stays in memory
FINISHED_SECONDS = 20  # seconds that a finished match stays in memory, because showing its result reads it often
MAX_CACHED = 500  # matches in memory, about ten kilobytes each; loading one takes milliseconds


class MatchCache:
    """The matches of one store, the recent ones in memory.

    Other processes may change the same store: `get_fresh_snapshot` looks for their changes, `get_snapshot` does not.
    `clock` returns the time that counts, with which matches are stored. `idle_clock` costs less, and need not be right.
    """

    def __init__(
        self,
        store: MatchStorage,
        games: Mapping[str, AnyGame],
        clock: Callable[[], int],
        idle_clock: Callable[[], int],
    ) -> None:
        self._store = store
        self._loader = MatchLoader(store, games, clock)
        self._clock, self._idle_clock = clock, idle_clock
        self._matches: dict[str, Match] = {}  # least recently used first
        self._load_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def __len__(self) -> int:
        """Return the number of matches in memory."""
        return len(self._matches)

    async def get_snapshot(self, match: str) -> MatchSnapshot:
        """Return the match as cached. Raises RequestRefused if there is none."""
        known = self._matches.get(match)
        if known is not None and self._is_finished(known):
            self.evict(match)  # this process gets no news of changes that others make to it
        current = await self.get_match(match)
        if self._is_finished(current):
            self.evict(match)
        return current.take_snapshot()

    async def get_fresh_snapshot(self, match: str) -> MatchSnapshot:
        """Return the match as stored, no matter who changed it. Raises RequestRefused if there is none."""
        await self.drop_if_outdated(match)
        return await self.get_snapshot(match)

    async def drop_if_outdated(self, match: str) -> bool:
        """Drop the cached match if the store has another revision. Return whether it was dropped."""
        current = self._matches.get(match)
        if current is None:
            return True
        if not self._store.is_shared:
            return False
        revision = await self._store.revision(match)
        if is_newer_revision(revision, current) and self._matches.get(match) is current:
            del self._matches[match]
        return self._matches.get(match) is not current

    def drop_if_older(self, match: str, revision: int) -> bool:
        """Drop the cached match if the store has a newer revision than the cache. Return whether it was dropped."""
        current = self._matches.get(match)
        if current is not None and current.info.revision >= revision:
            return False
        self._matches.pop(match, None)
        return True

    def evict_partition(self, partition: Partition) -> None:
        """Evict all matches of a partition from the cache."""
        for match in [
            match for match, current in self._matches.items() if partition.has_server(current.info.place.guild)
        ]:
            del self._matches[match]

    def server_of(self, match: str) -> int | None:
        """Return the server of a cached match, or None."""
        current = self._matches.get(match)
        return None if current is None else current.info.place.guild

    def seated_people(self, match: str) -> frozenset[int] | None:
        """Return the people seated in a cached match."""
        current = self._matches.get(match)
        return None if current is None else frozenset(seat.user for seat in current.info.seats if seat.has_owner)

    def needs_people(self, match: str) -> bool:
        """Whether nothing happens in a cached match without people: no computer plays, and no move is forced."""
        current = self._matches.get(match)
        if current is None or any(seat.level for seat in current.info.seats):
            return False
        return not current.take_snapshot().forced_seats()

    def started_game(self, match: str) -> AnyGame | None:
        """Return the game of a cached match that has started."""
        current = self._matches.get(match)
        return None if current is None or current.state is None else current.game

    async def was_changed_by(self, match: str, click: int) -> bool:
        """Whether this click has already changed the cached match."""
        return click in (await self.get_match(match)).clicks

    def evict(self, match: str) -> None:
        """Evict a match from the cache, unless a change is in progress."""
        current = self._matches.get(match)
        if current is not None and not current.pending_changes:
            del self._matches[match]

    # For changes

    def find_cached(self, match: str) -> Match | None:
        """Return a match if it is in memory."""
        return self._matches.get(match)

    def cached_matches_of(self, user: int) -> list[str]:
        """Return the ids of the matches in memory in which a person has a seat."""
        return [match for match, current in self._matches.items() if current.info.seat_of(user) is not None]

    def drop(self, match: str) -> None:
        """Drop a match from memory, so that it is loaded again."""
        self._matches.pop(match, None)

    @asynccontextmanager
    async def exclusive_match(self, match: str) -> AsyncIterator[Match]:
        """Return the match with its change lock held. Load it again if it was evicted in the meantime."""
        while True:
            current = await self.get_match(match)
            async with current.lock_for_change():
                if self._matches.get(match) is current:
                    yield current
                    return

    def evict_if_outdated(self, info: MatchInfo) -> None:
        """Evict a match if the store has a newer revision."""
        current = self._matches.get(info.id)
        if current is not None and is_newer_revision(info.revision, current):
            del self._matches[info.id]

    async def get_match(self, match: str) -> Match:
        """Return the match from the cache or from the store. Concurrent callers share one load."""
        if match not in self._matches:
            async with self._load_locks.setdefault(match, asyncio.Lock()):
                if match not in self._matches:
                    self._matches[match] = await self._loader.load(match)
        return self.put(self._matches.pop(match))

    def put(self, current: Match) -> Match:
        """Cache the match as the most recent one, and evict those that nobody requested lately.

        This is safe: snapshots stay valid, and later callers load the match again.
        """
        current.last_requested = now = self._idle_clock()
        if self._matches and self._is_evictable(next(iter(self._matches.values())), now):
            self._evict_idle(now)
        self._matches[current.info.id] = current
        return current

    def _is_finished(self, current: Match) -> bool:
        """Whether nothing more will happen in a match and its ending is no longer on display."""
        return current.info.status not in LIVE and self._clock() >= current.info.changed + FINISHED_SECONDS

    def _evict_idle(self, now: int) -> None:
        for match, oldest in list(self._matches.items()):
            if not self._is_evictable(oldest, now):
                break
            self.evict(match)

    def _is_evictable(self, oldest: Match, now: int) -> bool:
        """Whether the least recently used match should be evicted."""
        return len(self._matches) >= MAX_CACHED or now >= oldest.last_requested + IDLE_SECONDS


def is_newer_revision(revision: int | None, current: Match) -> bool:
    """Whether the store has a newer revision, or no longer has the match."""
    return revision is None or revision > current.info.revision
