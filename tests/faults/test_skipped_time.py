"""Time stands still while anything is done, and only then."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiosqlite

from tests.faults.skipped_time import run_skipping

SLOW = 0.1  # real seconds


class SlowQueue:
    """A connection's way to its thread, on which everything takes longer."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._queue = connection._tx

    def put_nowait(self, job: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        answer, do = job

        def slowly() -> Any:
            time.sleep(SLOW)
            return do()

        self._queue.put_nowait((answer, slowly))


def test_time_stands_still_until_a_database_is_closed_and_its_thread_has_ended(tmp_path: Path) -> None:
    async def closed() -> float:
        waiting = asyncio.create_task(asyncio.sleep(1000))
        async with aiosqlite.connect(tmp_path / "some.db") as connection:
            start = asyncio.get_running_loop().time()
            connection._tx = SlowQueue(connection)  # type: ignore[assignment]
        waiting.cancel()
        return asyncio.get_running_loop().time() - start

    assert run_skipping(closed) == 0


def test_time_passes_at_once_if_nothing_is_done() -> None:
    async def slept() -> float:
        start = time.monotonic()
        await asyncio.sleep(100)
        return time.monotonic() - start

    assert run_skipping(slept) < 50
