"""Named background tasks, and retries after store failures."""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from cogs.table.state.server_lease import context_without_permit
from cogs.table.transport.error_reports import report_unexpected
from engines.store.match_store import NotLeaseHolder, StoreFailure

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds before a retry after a store failure


def exponential_backoff(first: float, longest: float) -> Iterator[float]:
    """Yield pauses between retries, each twice as long as the last, up to `longest`."""
    while True:
        yield first
        first = min(2 * first, longest)


async def retry_on_store_failure(work: Callable[..., Awaitable[None]], *args: Any) -> None:
    """Do the work, and retry until the store works. Stops if another process holds the lease."""
    for pause in exponential_backoff(FIRST_PAUSE, LONGEST_PAUSE):
        try:
            await work(*args)
        except NotLeaseHolder:
            return
        except StoreFailure as error:
            log.warning("Retrying in %d s: %s", pause, error)
            await sleep(pause)
        else:
            return


class BackgroundTasks:
    """Runs at most one task per name at a time."""

    def __init__(self) -> None:
        self._running: dict[str, asyncio.Task[None]] = {}
        self._is_closed = False

    def start(self, name: str, work: Callable[..., Awaitable[None]], *args: Any) -> None:
        """Run the work in the background, unless a task of that name already does."""
        if self._is_closed or name in self._running:
            return
        self._running[name] = asyncio.create_task(
            self._run(name, work, *args), name=name, context=context_without_permit()
        )

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
