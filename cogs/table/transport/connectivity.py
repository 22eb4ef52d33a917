"""Whether Discord can be reached: one owner of that, one timer, one request that probes for all matches."""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from cogs.table.transport.background_tasks import BackgroundTasks
from cogs.table.transport.error_reports import report_unexpected
from cogs.table.transport.network_errors import describe_error, is_transient

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 4  # seconds before the next try
HANG_SECONDS = 3  # seconds after which a request may be hanging; discord.py itself tries some for 25


class Connectivity:
    """Matches that Discord did not take wait here, and all are woken together once it answers.

    The pause before the next probe grows only when this timer has fired. While Discord is down nothing else is sent,
    and a click whose answer gets through ends the waiting at once: an outage costs its own length and a few seconds.
    """

    def __init__(
        self, probe: Callable[[], Awaitable[object]], wake: Callable[[str], None], tasks: BackgroundTasks
    ) -> None:
        self._probe = probe
        self._wake = wake
        self._tasks = tasks
        self.is_down = False
        self.on_changed: Callable[[bool], None] = lambda down: (
            None
        )  # told when Discord is found to be down, and when up
        self._is_suspected = False  # somebody wants to know whether Discord answers
        self._pause = FIRST_PAUSE
        self._waiting: set[str] = set()
        self._failing: set[str] = set()  # those that did not succeed since they failed
        self._timeouts: set[asyncio.Timeout] = set()

    def hold_until_up(self, match: str) -> None:
        """Have the match wait until Discord answers."""
        self._waiting.add(match)
        self._start_probing()

    def note_failure(self, match: str) -> None:
        """Discord did not take what the match had to show."""
        self._failing.add(match)
        self.hold_until_up(match)

    def note_success(self, match: str) -> None:
        """All that the match had to show is shown."""
        self._failing.discard(match)
        if not self._failing and not self.is_down:
            self._pause = FIRST_PAUSE

    def note_contact(self) -> None:
        """Something got through."""
        if self.is_down:
            self._recover()

    @asynccontextmanager
    async def watch_request(self) -> AsyncIterator[None]:
        """Try something in here: what takes long makes us ask, and what hung during an outage ends with that.

        It ends in a TimeoutError then.
        """
        async with asyncio.timeout(None) as limit:
            self._timeouts.add(limit)
            asking = asyncio.get_running_loop().call_later(HANG_SECONDS, self._start_probing)
            try:
                yield
            finally:
                asking.cancel()
                self._timeouts.discard(limit)

    def _start_probing(self) -> None:
        self._is_suspected = True
        self._tasks.start("outage", self._probe_until_up)

    async def _probe_until_up(self) -> None:
        """Probe until Discord answers."""
        while self._is_suspected:
            await sleep(self._pause)
            if not self._is_suspected:  # something got through meanwhile
                return
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            if await self._is_answering():
                self._recover()
            elif not self.is_down:
                self.is_down = True
                self.on_changed(True)

    async def _is_answering(self) -> bool:
        try:
            async with asyncio.timeout(HANG_SECONDS):
                await self._probe()
        except Exception as error:  # noqa: BLE001  # the boundary of the one timer that all depend on
            if is_transient(error):
                log.warning("Discord cannot be reached (%s); trying again in %d s", describe_error(error), self._pause)
                return False
            report_unexpected(error)
        return True

    def _recover(self) -> None:
        """Discord answers: have everybody try again who waits for that."""
        if self.is_down:
            self.on_changed(False)
            self._pause = FIRST_PAUSE
            for limit in self._timeouts:
                if not limit.expired():  # what was cut short before may still be cleaning up
                    limit.reschedule(asyncio.get_running_loop().time())
        self.is_down = self._is_suspected = False
        waiting, self._waiting = self._waiting, set()
        for match in waiting:
            self._wake(match)
