"""Named background tasks, and the error boundary of those that must not end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any

from cogs.table.state.person_shares import current_request
from cogs.table.state.server_lease import context_without_permit
from cogs.table.transport.error_reports import report_unexpected
from cogs.table.transport.network_errors import describe_error, is_transient
from engines.store.clock import Clock
from engines.store.match_store import NotLeaseHolder, StoreFailure

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds before work that failed begins again


def exponential_backoff(first: float = FIRST_PAUSE, longest: float = LONGEST_PAUSE) -> Iterator[float]:
    """Yield pauses between retries in seconds, each twice as long as the last, up to `longest`."""
    while True:
        yield first
        first = min(2 * first, longest)


async def keep_running(clock: Clock, work: Callable[..., Awaitable[None]], *args: Any) -> None:
    """Do work that no error may end: the error boundary of every loop. After an error the work begins again.

    An error is logged once until another one follows. The pauses grow while the work keeps failing. Only a
    cancellation of the loop itself ends it; if something that the work awaited was cancelled, that is an error.
    """
    logged, pauses = "", exponential_backoff()
    while True:
        start = clock.monotonic()
        try:
            await work(*args)
        except (Exception, asyncio.CancelledError) as error:  # the boundary
            if isinstance(error, asyncio.CancelledError) and _is_being_cancelled():
                raise
            if clock.monotonic() - start > LONGEST_PAUSE:  # it had worked for a while
                logged, pauses = "", exponential_backoff()
            if (text := describe_error(error)) != logged:
                _report(error)
                logged = text
            await clock.sleep(next(pauses))
        else:
            return


def _is_being_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _report(error: BaseException) -> None:
    if isinstance(error, StoreFailure) or is_transient(error):
        log.warning("Retrying after a failure: %s", error if isinstance(error, StoreFailure) else describe_error(error))
    else:
        report_unexpected(error)


async def retry_until_done(clock: Clock, work: Callable[..., Awaitable[None]], *args: Any) -> None:
    """Do work once, with retries after any error. Stops if another process holds the lease."""

    async def attempt() -> None:
        with suppress(NotLeaseHolder):
            await work(*args)

    await keep_running(clock, attempt)


class BackgroundTasks:
    """Runs at most one task per name at a time."""

    def __init__(self) -> None:
        self._running: dict[str, asyncio.Task[None]] = {}
        self._is_closed = False

    def start(self, name: str, work: Callable[..., Awaitable[None]], *args: Any) -> None:
        """Run the work in the background, unless a task of that name already does."""
        if self._is_closed or name in self._running:
            return
        context = context_without_permit()
        context.run(current_request.set, None)  # a click may have started it
        self._running[name] = asyncio.create_task(self._run(name, work, *args), name=name, context=context)

    def start_loop(self, clock: Clock, name: str, work: Callable[..., Awaitable[None]], *args: Any) -> None:
        """Start work that no error may end: a loop, or work that retries until it is done. See `keep_running`."""
        self.start(name, keep_running, clock, work, *args)

    def is_running(self, name: str) -> bool:
        """Whether a task of that name is running."""
        return name in self._running

    def stop(self, name: str) -> None:
        """Stop the task of that name, if there is one; a new one may start at once."""
        if task := self._running.pop(name, None):
            task.cancel()

    async def _run(self, name: str, work: Callable[..., Awaitable[None]], *args: Any) -> None:
        try:
            await work(*args)
        except NotLeaseHolder:
            log.info("%s: another process has taken over", name)
        except Exception as error:  # noqa: BLE001  # a task's boundary
            report_unexpected(error)
        finally:
            if self._running.get(name) is asyncio.current_task():
                del self._running[name]

    async def __aenter__(self) -> BackgroundTasks:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Stop all tasks, and start no more."""
        self._is_closed = True
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
