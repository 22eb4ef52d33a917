"""A pool without processes: it runs jobs at once, in the form in which a worker would get them."""

from __future__ import annotations

import pickle
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from worker_pool.fair_queue import JobOwner
from worker_pool.pool import JobDropped, WorkerPool, always_wanted

T = TypeVar("T")


class ImmediatePool(WorkerPool):
    async def run(
        self,
        owner: JobOwner,
        function: Callable[..., T],
        *args: Any,
        seconds: float,
        is_wanted: Callable[[], Awaitable[bool]] = always_wanted,
    ) -> T:
        if not await is_wanted():
            raise JobDropped
        function, args = pickle.loads(pickle.dumps((function, args)))
        return function(*args)

    async def run_in_background(self, owner: JobOwner, function: Callable[..., T], *args: Any, seconds: float) -> T:
        return await self.run(owner, function, *args, seconds=seconds)
