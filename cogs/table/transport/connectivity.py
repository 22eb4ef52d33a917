"""Whether Discord can be reached: one owner of that, one timer, one request that probes for all matches."""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from cogs.table.transport.background_tasks import Tasks
from cogs.table.transport.error_reports import unexpected
from cogs.table.transport.network_errors import named, passing

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 4  # seconds before the next try
PATIENCE = 3  # seconds after which a request may be hanging; discord.py itself tries some for 25


class Outage:
    """Matches that Discord did not take wait here, and all are woken together once it answers.

    The pause before the next probe grows only when this timer has fired. While Discord is down nothing else is sent,
    and a click whose answer gets through ends the waiting at once: an outage costs its own length and a few seconds.
    """

    def __init__(self, probe: Callable[[], Awaitable[object]], wake: Callable[[str], None], tasks: Tasks) -> None:
        self._probe = probe
        self._wake = wake
        self._tasks = tasks
        self.down = False
        self.changed: Callable[[bool], None] = lambda down: None  # told when Discord is found to be down, and when up
        self._asked = False  # somebody wants to know whether Discord answers
        self._pause = FIRST_PAUSE
        self._waiting: set[str] = set()
        self._failing: set[str] = set()  # those that did not succeed since they failed
        self._limits: set[asyncio.Timeout] = set()

    def wait(self, match: str) -> None:
        """Have the match wait until Discord answers."""
        self._waiting.add(match)
        self._suspect()

    def failed(self, match: str) -> None:
        """Discord did not take what the match had to show."""
        self._failing.add(match)
        self.wait(match)

    def succeeded(self, match: str) -> None:
        """All that the match had to show is shown."""
        self._failing.discard(match)
        if not self._failing and not self.down:
            self._pause = FIRST_PAUSE

    def reached(self) -> None:
        """Something got through."""
        if self.down:
            self._over()

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Try something in here: what takes long makes us ask, and what hung during an outage ends with that.

        It ends in a TimeoutError then.
        """
        async with asyncio.timeout(None) as limit:
            self._limits.add(limit)
            asking = asyncio.get_running_loop().call_later(PATIENCE, self._suspect)
            try:
                yield
            finally:
                asking.cancel()
                self._limits.discard(limit)

    def _suspect(self) -> None:
        self._asked = True
        self._tasks.start("outage", self._watch)

    async def _watch(self) -> None:
        """Probe until Discord answers."""
        while self._asked:
            await sleep(self._pause)
            if not self._asked:  # something got through meanwhile
                return
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            if await self._answers():
                self._over()
            elif not self.down:
                self.down = True
                self.changed(True)

    async def _answers(self) -> bool:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._probe()
        except Exception as error:  # noqa: BLE001  # the boundary of the one timer that all depend on
            if passing(error):
                log.warning("Discord cannot be reached (%s); trying again in %d s", named(error), self._pause)
                return False
            unexpected(error)
        return True

    def _over(self) -> None:
        """Discord answers: have everybody try again who waits for that."""
        if self.down:
            self.changed(False)
            self._pause = FIRST_PAUSE
            for limit in self._limits:
                if not limit.expired():  # what was cut short before may still be cleaning up
                    limit.reschedule(asyncio.get_running_loop().time())
        self.down = self._asked = False
        waiting, self._waiting = self._waiting, set()
        for match in waiting:
            self._wake(match)
