"""What is due in matches, and how outages and wrong clocks move it."""

from __future__ import annotations

import logging
from contextlib import suppress

from engines.hosting.match_changes import MatchEditor
from engines.hosting.matches.activity import PlayerActivity
from engines.store.match_store import DueTime, StoreFailure
from engines.store.partition import ALL_SERVERS, Partition

log = logging.getLogger(__name__)


class DueTimes:
    """Reads and moves due times. Activity that is not saved yet is saved first."""

    def __init__(self, editor: MatchEditor, activity: PlayerActivity) -> None:
        self._editor = editor
        self._activity = activity

    async def load_due(self, partition: Partition = ALL_SERVERS) -> tuple[list[DueTime], int | None]:
        """Return what is due now in these servers, oldest first, and the time of the next due item."""
        with suppress(StoreFailure):
            await self._activity.save_activity()
        return await self._editor.store.load_due(self._editor.clock(), partition)

    async def is_due(self, due: DueTime) -> bool:
        """Return whether an item is still stored as due now; it may have been postponed, or done."""
        return due in (await self._editor.store.load_due(self._editor.clock()))[0]

    async def mark_done(self, due: DueTime, epoch: int | None = None) -> None:
        """Mark an item as done, so that nobody is pinged twice for it. Raises NotLeaseHolder under an old epoch."""
        await self._editor.store.mark_done(due, epoch)

    async def record_alive(self, partition: Partition = ALL_SERVERS) -> None:
        """Record that people in these servers can reach the bot now."""
        await self._editor.store.record_alive(self._editor.clock(), partition)

    async def put_times_right(self, partition: Partition = ALL_SERVERS) -> None:
        """Put times right that a wrong clock has written in these servers. Call this only if the clock is right."""
        found = await self._editor.store.put_times_right(self._editor.clock(), partition)
        self._editor.reload_matches(found)
        if found:
            log.warning("A wrong clock wrote times in the future. They were put right in %d matches.", len(found))

    async def postpone_deadlines(self, since: int | None = None, partition: Partition = ALL_SERVERS) -> None:
        """Postpone the deadlines in these servers by the length of an outage that has just ended.

        `since` is its start; None means the last time that the bot was recorded as reachable, for each partition.
        """
        for match, was_running in (
            await self._editor.store.postpone_deadlines(since, self._editor.clock(), partition)
        ).items():
            if (current := self._editor.cache.find_cached(match)) is not None:
                async with current.lock_for_change():
                    current.deadlines = {due.seat: due for due in await self._editor.store.load_deadlines(match)}
                    current.lapse = await self._editor.store.load_lapse(match)
            if was_running:
                self._editor.on_changed(match)
        self._editor.on_due(0)
