"""The one clock of the bot: a task that sleeps until something is due."""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections.abc import Awaitable, Callable, Iterable, Mapping

from cogs.table.transport.background_tasks import Tasks, growing
from engines.store.match_store import Due, DueKind, StoreFailure

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds
BEAT = 5 * 60  # seconds; it never sleeps for longer
AWAKE, ASLEEP = "alarm", "alarm, asleep"  # what its task is called


class Alarm:
    """Hands out what is due, each once; it stays due until whoever does it notes that it is done.

    So after a restart, what was not done is handed out again. The task ends where nothing will ever be due. As long as
    something will be, `beat` is called now and then.
    """

    def __init__(
        self,
        due: Callable[[], Awaitable[tuple[list[Due], int | None]]],
        act: Mapping[DueKind, Callable[[Due], None]],
        clock: Callable[[], int],
        tasks: Tasks,
        beat: Callable[[], Awaitable[None]],
    ) -> None:
        self._beat = beat
        self._due = due
        self._act = act
        self._clock = clock
        self._tasks = tasks
        self._handed: set[Due] = set()
        self._new: int | None = None  # from when on something is due that nobody has looked at
        self._sleeper: asyncio.Task[None] | None = None
        self._until = 0

    def look(self, at: int = 0) -> None:
        """Something is due from that second on that was not before; 0: anything may be. Returns at once."""
        if self._sleeper is not None:
            if at >= self._until:
                return
            self._sleeper = None
            self._tasks.stop(AWAKE)
        self._new = at if self._new is None else min(self._new, at)
        self._tasks.start(AWAKE, self._run)

    def anew(self, due: Iterable[Due]) -> None:
        """These are to be handed out, whether they were before or not. Returns at once."""
        self._handed -= {*due}
        self.look()

    async def _run(self) -> None:
        pauses = growing(FIRST_PAUSE, LONGEST_PAUSE)
        then = self._taken()
        while then is not None:
            if then > self._clock():
                await self._sleep(min(then, self._clock() + BEAT))
                await self._beat()
            try:
                found, then = await self._due()
            except StoreFailure:
                log.error("What is due cannot be read: trying again")
                await sleep(next(pauses))
                then = 0
                continue
            self._hand_out(set(found))
            then = min((each for each in (then, self._taken()) if each is not None), default=None)

    def _taken(self) -> int | None:
        """From when on something new is due since this was last asked."""
        new, self._new = self._new, None
        return new

    def _hand_out(self, found: set[Due]) -> None:
        new, self._handed = found - self._handed, found
        for due in sorted(new, key=lambda due: due.at):
            if act := self._act.get(due.kind):
                act(due)
            else:
                log.warning("Match %s: %s is due, which I do not know", due.match, due.kind)

    async def _sleep(self, until: int) -> None:
        me, self._until = asyncio.current_task(), until
        assert me is not None
        self._sleeper = me
        me.set_name(ASLEEP)
        try:
            await sleep(until - self._clock())
        finally:
            me.set_name(AWAKE)
            if self._sleeper is me:
                self._sleeper = None
