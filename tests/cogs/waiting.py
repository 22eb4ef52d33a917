"""Waiting in tests without a real clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


async def let_tasks_run(turns: int = 20) -> None:
    """Let all ready tasks run, and those that they make ready, for this many turns of the loop."""
    for _ in range(turns):
        await asyncio.sleep(0)


async def wait_until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110  # there is no event to wait for
            await asyncio.sleep(0.001)
