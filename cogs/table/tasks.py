"""Background tasks that are kept, named, and started only while there is something to do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from cogs.table.faults import unexpected


def growing(first: float, longest: float) -> Iterator[float]:
    """Pauses between tries, each twice as long as the one before, up to the longest."""
    while True:
        yield first
        first = min(2 * first, longest)


class Tasks:
    """At most one task a name runs at a time."""

    def __init__(self) -> None:
        self._running: dict[str, asyncio.Task[None]] = {}
        self._closed = False

    def start(self, name: str, work: Callable[..., Awaitable[None]], *args: Any) -> None:
        """Run the work in the background, unless a task of that name already does."""
        if self._closed or name in self._running:
            return
        self._running[name] = asyncio.create_task(self._run(name, work, *args), name=name)

    def runs(self, name: str) -> bool:
        """Whether a task of that name runs."""
        return name in self._running

    def stop(self, name: str) -> None:
        """Stop the task of that name, if there is one; another may be started at once."""
        if task := self._running.pop(name, None):
            task.cancel()

    async def _run(self, name: str, work: Callable[..., Awaitable[None]], *args: Any) -> None:
        try:
            await work(*args)
        except Exception as error:  # noqa: BLE001  # a task's boundary
            unexpected(error)
        finally:
            if self._running.get(name) is asyncio.current_task():
                del self._running[name]

    async def __aenter__(self) -> Tasks:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Stop them all, and start no more."""
        self._closed = True
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
