"""Whether Discord is reachable: one timer and one probe request for all matches."""

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
FIRST_PAUSE, LONGEST_PAUSE = 1, 4  # seconds before the next probe
HANG_SECONDS = 3  # seconds after which a request counts as hanging; discord.py may retry for 25


class Connectivity:
    """Holds matches while Discord is unreachable, and wakes them all once it answers.

    The pause grows only after a probe. While Discord is down, only probes and replies to clicks are sent, and a reply
    that gets through ends the wait at once. So the delay is the length of the outage plus a few seconds.
    """

    def __init__(
        self, probe: Callable[[], Awaitable[object]], wake: Callable[[str], None], tasks: BackgroundTasks
    ) -> None:
        self._probe = probe
        self._wake = wake
        self._tasks = tasks
        self.is_down = False
        self.on_changed: Callable[[bool], None] = lambda is_down: None  # called when `is_down` changes
        self._is_suspected = False  # whether a probe is needed
        self._pause = FIRST_PAUSE
        self._waiting: set[str] = set()
        self._failing: set[str] = set()  # matches that failed and have not succeeded since
        self._timeouts: set[asyncio.Timeout] = set()

    def hold_until_up(self, match: str) -> None:
        """Hold the match until Discord answers."""
        self._waiting.add(match)
        self._start_probing()

    def note_failure(self, match: str) -> None:
        """Note that a request of the match failed, and hold the match."""
        self._failing.add(match)
        self.hold_until_up(match)

    def note_outage(self, match: str) -> None:
        """Count Discord as down without waiting for a probe, and hold the match."""
        if not self.is_down:
            self.is_down = True
            self.on_changed(True)
        self.hold_until_up(match)

    def note_success(self, match: str) -> None:
        """Note that all messages of the match are shown."""
        self._failing.discard(match)
        if not self._failing and not self.is_down:
            self._pause = FIRST_PAUSE

    def note_contact(self) -> None:
        """Note that a request got through."""
        if self.is_down:
            self._recover()

    @asynccontextmanager
    async def watch_request(self) -> AsyncIterator[None]:
        """Watch a request: start a probe if it takes long, and end it if it hung during an outage.

        Raises TimeoutError in that case.
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
            if not self._is_suspected:  # a request got through during the pause
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
        except Exception as error:  # noqa: BLE001  # a boundary: every match depends on this timer
            if is_transient(error):
                log.warning("Discord cannot be reached (%s); retrying in %d s", describe_error(error), self._pause)
                return False
            report_unexpected(error)
        return True

    def _recover(self) -> None:
        """Wake all held matches, because Discord answers."""
        if self.is_down:
            self.on_changed(False)
            self._pause = FIRST_PAUSE
            for limit in self._timeouts:
                if not limit.expired():  # an expired one may still be cleaning up
                    limit.reschedule(asyncio.get_running_loop().time())
        self.is_down = self._is_suspected = False
        waiting, self._waiting = self._waiting, set()
        for match in waiting:
            self._wake(match)
