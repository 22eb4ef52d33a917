"""Whether Discord is reachable: one timer and one probe request for all matches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from cogs.table.transport.application_access import ApplicationAccess
from cogs.table.transport.background_tasks import BackgroundTasks
from cogs.table.transport.error_reports import report_unexpected
from cogs.table.transport.network_errors import describe_error, is_transient
from engines.store.clock import Clock
from engines.store.listeners import Listeners

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 4  # seconds before the next probe
HANG_SECONDS = 3  # seconds after which a request counts as hanging; discord.py may retry for 25


class Connectivity:
    """Holds matches while Discord is unreachable, and wakes them all once it answers.

    The pause grows only after a probe. While Discord is down, only probes and replies to clicks are sent, and a reply
    that gets through ends the wait at once. So the delay is the length of the outage plus a few seconds.
    """

    def __init__(
        self,
        probe: Callable[[], Awaitable[object]],
        wake: Callable[[str], None],
        tasks: BackgroundTasks,
        access: ApplicationAccess,
        clock: Clock,
    ) -> None:
        self._probe = probe
        self._access = access
        access.on_stopped.append(self._note_stop)
        self._wake = wake
        self._tasks = tasks
        self._clock = clock
        self.is_down = False
        self.on_changed = Listeners[[bool]]()  # called when `is_down` changes
        self._is_suspected = False  # whether a probe is needed
        self._pause = FIRST_PAUSE
        self._waiting: set[str] = set()
        self._failing: set[str] = set()  # matches that failed and have not succeeded since
        self._timeouts: set[asyncio.Timeout] = set()

    def hold_until_up(self, match: str) -> None:
        """Hold the match until Discord answers."""
        self._waiting.add(match)
        self.start_probing()

    def note_failure(self, match: str) -> None:
        """Note that a request of the match failed, and hold the match."""
        self._failing.add(match)
        self.hold_until_up(match)

    def note_outage(self, match: str) -> None:
        """Count Discord as down without waiting for a probe, and hold the match."""
        self._mark_down()
        self.hold_until_up(match)

    def _note_stop(self) -> None:
        """Count Discord as down until a probe is accepted, because it refuses the whole application."""
        self._mark_down()
        self.start_probing()

    def _mark_down(self) -> None:
        if not self.is_down:
            self.is_down = True
            self.on_changed(True)

    def note_success(self, match: str) -> None:
        """Note that all messages of the match are shown."""
        self._failing.discard(match)
        if not self._failing and not self.is_down:
            self._pause = FIRST_PAUSE

    def note_contact(self) -> None:
        """Note that a request got through."""
        if self.is_down and self._access.refusal is None:
            self._recover()

    @asynccontextmanager
    async def watch_request(self) -> AsyncIterator[None]:
        """Watch a request: start a probe if it takes long, and end it if it hung during an outage.

        Raises TimeoutError in that case.
        """
        async with asyncio.timeout(None) as limit:
            self._timeouts.add(limit)
            asking = asyncio.get_running_loop().call_later(HANG_SECONDS, self.start_probing)
            try:
                yield
            finally:
                asking.cancel()
                self._timeouts.discard(limit)

    def start_probing(self) -> None:
        """Probe until Discord answers. Returns at once."""
        self._is_suspected = True
        self._tasks.start_loop(self._clock, "outage", self._probe_until_up)

    async def _probe_until_up(self) -> None:
        while self._is_suspected:
            block_pause = self._access.next_pause()
            await self._clock.sleep(self._pause if block_pause is None else block_pause)
            if not self._is_suspected:  # a request got through during the pause
                return
            if block_pause is None:
                self._pause = min(2 * self._pause, LONGEST_PAUSE)
            if await self._is_answering():
                self._recover()
            else:
                self._mark_down()

    async def _is_answering(self) -> bool:
        try:
            with self._access.probing():
                async with asyncio.timeout(HANG_SECONDS):
                    await self._probe()
        except Exception as error:  # noqa: BLE001  # a boundary: every match depends on this timer
            if is_transient(error):
                if self._access.refusal is None:  # else it was logged, once
                    log.warning("Discord cannot be reached (%s); retrying in %d s", describe_error(error), self._pause)
                return False
            report_unexpected(error)
        return True

    def _recover(self) -> None:
        self._access.resume()
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
