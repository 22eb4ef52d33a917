"""A cache of recent results that take a while to compute."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class TaskCache(Generic[T]):
    """A cache of recent results. Concurrent callers with the same key share one task."""

    def __init__(self, name: str, size: int) -> None:
        self._name = name
        self._size = size
        self._tasks: OrderedDict[Hashable, asyncio.Task[T]] = OrderedDict()

    def task(self, key: Hashable, work_out: Callable[[], Coroutine[Any, Any, T]]) -> asyncio.Task[T]:
        """Return the task that computes or has computed the result."""
        if key not in self._tasks:
            self._tasks[key] = task = asyncio.create_task(work_out(), name=self._name)
            task.add_done_callback(_consume_result)
            if len(self._tasks) > self._size:
                self._tasks.popitem(last=False)
        self._tasks.move_to_end(key)
        return self._tasks[key]

    async def result_of(self, key: Hashable, work_out: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the cached result, or compute it."""
        task = self.task(key, work_out)
        try:
            return await asyncio.shield(task)
        except BaseException:
            if task.done():  # it failed: let the next caller retry
                self.forget(key)
            raise

    def forget(self, key: Hashable) -> None:
        """Drop a result, so that it is computed again."""
        self._tasks.pop(key, None)


def _consume_result(done: asyncio.Task[Any]) -> None:
    """Mark a task's exception as retrieved: callers that still wait have received it."""
    if not done.cancelled():
        done.exception()
