"""A pool without processes: it runs jobs at once, in the form in which a worker would get them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, TypeVar

from worker_pool.pool import WorkerPool

T = TypeVar("T")


class ImmediatePool(WorkerPool):
    async def run(self, function: Callable[..., T], *args: Any, seconds: float) -> T:
        function, args = pickle.loads(pickle.dumps((function, args)))
        return function(*args)

    async def run_in_background(self, function: Callable[..., T], *args: Any, seconds: float) -> T:
        return await self.run(function, *args, seconds=seconds)
