"""A pool without processes: what it is asked is worked out on the spot, from what would arrive in a worker."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, TypeVar

from worker_pool.pool import WorkerPool

T = TypeVar("T")


class ImmediatePool(WorkerPool):
    """Answers at once."""

    async def run(self, function: Callable[..., T], *args: Any, seconds: float) -> T:
        """What the function says."""
        function, args = pickle.loads(pickle.dumps((function, args)))
        return function(*args)
