"""The scheduler: one task that sleeps until the next due time and hands out what is due."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping

from cogs.table.channels.table_services import TableServices
from cogs.table.scheduling.downtime import Downtime
from engines.store.match_store import DueKind, DueTime

log = logging.getLogger(__name__)
HEARTBEAT_SECONDS = 5 * 60  # the longest sleep, in seconds
AWAKE_NAME, ASLEEP_NAME = "alarm", "alarm, asleep"  # the names of its task


class Scheduler:
    """Hands out each due time once. It stays in the store until its handler marks it as done.

    So unfinished work is handed out again after a restart. The task ends if nothing will be due. Until then it records
    after every sleep that the bot is alive. While the clock is wrong, it hands out nothing and ends; `hand_out_all`
    continues.
    """

    def __init__(
        self,
        services: TableServices,
        handlers: Mapping[DueKind, Callable[[DueTime], None]],
        downtime: Downtime,
    ) -> None:
        self._services = services
        self._handlers = handlers
        self._downtime = downtime
        self._handed_out: set[DueTime] = set()
        self._new_due_at: int | None = None  # the earliest due time that was added since the last look
        self._sleeper: asyncio.Task[None] | None = None
        self._sleeps_until = 0
        services.matches.editor.on_due.append(self.reschedule)
        downtime.on_back.append(self.hand_out_all)

    def reschedule(self, at: int = 0) -> None:
        """Note a new due time in Unix seconds; 0 means that any due time may have changed. Returns at once."""
        if self._sleeper is not None:
            if at >= self._sleeps_until:
                return
            self._sleeper = None
            self._services.tasks.stop(AWAKE_NAME)
        self._new_due_at = at if self._new_due_at is None else min(self._new_due_at, at)
        self._services.tasks.start_loop(self._services.clock, AWAKE_NAME, self._run)

    def hand_out_again(self, due: Iterable[DueTime]) -> None:
        """Hand out these due times even if they were handed out before. Returns at once."""
        self._handed_out -= {*due}
        self.reschedule()

    def hand_out_all(self) -> None:
        """Hand out everything that is due, even what was handed out before. Returns at once."""
        self._handed_out.clear()
        self.reschedule()

    async def _run(self) -> None:
        try:
            await self._hand_out_when_due()
        except Exception:  # the loop begins again, and anything may be due then
            self._new_due_at = 0
            raise

    async def _hand_out_when_due(self) -> None:
        then = self._take_new_due_at()
        while then is not None:
            if then > self._services.clock.now():
                await self._sleep(min(then, self._services.clock.now() + HEARTBEAT_SECONDS))
                await self._downtime.record_alive()
            if not self._downtime.is_clock_right:
                return
            found, then = await self._services.matches.due_times.load_due(self._services.lease.holding.partition)
            self._hand_out(set(found))
            then = min((each for each in (then, self._take_new_due_at()) if each is not None), default=None)

    def _take_new_due_at(self) -> int | None:
        new, self._new_due_at = self._new_due_at, None
        return new

    def _hand_out(self, found: set[DueTime]) -> None:
        self._handed_out &= found
        for due in sorted(found - self._handed_out, key=lambda due: due.at):
            self._handed_out.add(due)
            if act := self._handlers.get(due.kind):
                act(due)
            else:
                log.warning("Match %s: ignored a due time of the unknown kind %s", due.match, due.kind)

    async def _sleep(self, until: int) -> None:
        me, self._sleeps_until = asyncio.current_task(), until
        assert me is not None
        self._sleeper = me
        me.set_name(ASLEEP_NAME)
        try:
            await self._services.clock.sleep(until - self._services.clock.now())
        finally:
            me.set_name(AWAKE_NAME)
            if self._sleeper is me:
                self._sleeper = None
