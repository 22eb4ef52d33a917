"""The scheduler: one task that sleeps until the next due time and hands out what is due."""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections.abc import Awaitable, Callable, Iterable, Mapping

from cogs.table.transport.background_tasks import BackgroundTasks, exponential_backoff
from engines.store.match_store import DueKind, DueTime, StoreFailure

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds
HEARTBEAT_SECONDS = 5 * 60  # the longest sleep, in seconds
AWAKE_NAME, ASLEEP_NAME = "alarm", "alarm, asleep"  # the names of its task


class Scheduler:
    """Hands out each due time once. It stays in the store until its handler marks it as done.

    So unfinished work is handed out again after a restart. The task ends if nothing will be due. Until then it calls
    `on_heartbeat` after every sleep.
    """

    def __init__(
        self,
        load_due: Callable[[], Awaitable[tuple[list[DueTime], int | None]]],
        handlers: Mapping[DueKind, Callable[[DueTime], None]],
        clock: Callable[[], int],
        tasks: BackgroundTasks,
        on_heartbeat: Callable[[], Awaitable[None]],
    ) -> None:
        self._on_heartbeat = on_heartbeat
        self._load_due = load_due
        self._handlers = handlers
        self._clock = clock
        self._tasks = tasks
        self._handed_out: set[DueTime] = set()
        self._new_due_at: int | None = None  # the earliest due time that was added since the last look
        self._sleeper: asyncio.Task[None] | None = None
        self._sleeps_until = 0

    def reschedule(self, at: int = 0) -> None:
        """Note a new due time in Unix seconds; 0 means that any due time may have changed. Returns at once."""
        if self._sleeper is not None:
            if at >= self._sleeps_until:
                return
            self._sleeper = None
            self._tasks.stop(AWAKE_NAME)
        self._new_due_at = at if self._new_due_at is None else min(self._new_due_at, at)
        self._tasks.start(AWAKE_NAME, self._run)

    def hand_out_again(self, due: Iterable[DueTime]) -> None:
        """Hand out these due times even if they were handed out before. Returns at once."""
        self._handed_out -= {*due}
        self.reschedule()

    async def _run(self) -> None:
        pauses = exponential_backoff(FIRST_PAUSE, LONGEST_PAUSE)
        then = self._take_new_due_at()
        while then is not None:
            if then > self._clock():
                await self._sleep(min(then, self._clock() + HEARTBEAT_SECONDS))
                await self._on_heartbeat()
            try:
                found, then = await self._load_due()
            except StoreFailure:
                log.error("Could not read the due times. Retrying.")
                await sleep(next(pauses))
                then = 0
                continue
            self._hand_out(set(found))
            then = min((each for each in (then, self._take_new_due_at()) if each is not None), default=None)

    def _take_new_due_at(self) -> int | None:
        """Return and clear the earliest new due time."""
        new, self._new_due_at = self._new_due_at, None
        return new

    def _hand_out(self, found: set[DueTime]) -> None:
        new, self._handed_out = found - self._handed_out, found
        for due in sorted(new, key=lambda due: due.at):
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
            await sleep(until - self._clock())
        finally:
            me.set_name(AWAKE_NAME)
            if self._sleeper is me:
                self._sleeper = None
