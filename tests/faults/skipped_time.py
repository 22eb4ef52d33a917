"""An event loop whose time stands still while anything is done, and skips to what comes next when nothing is."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple, Unpack

import aiosqlite
import pytest

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
MAX_SKIP = 0.5  # seconds that are skipped at a time, at most
POLL_COUNT, POLL_SECONDS = 2, 0.00005  # how often, and after how many real seconds, sockets are looked at before that
THREAD_WAIT_SECONDS = 0.01  # real seconds in which one looks anew at what threads do


class _SkippingSelector(selectors.DefaultSelector):
    """Tells of sockets at once; lets time pass if there is nothing to tell and no thread is at work."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0
        self.working = 0  # threads that something is waited for from

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if found or (timeout is not None and timeout <= 0):
            return found
        while self.working and not found:
            found = super().select(THREAD_WAIT_SECONDS)
        for _ in range(POLL_COUNT):
            if not found:
                time.sleep(POLL_SECONDS)  # what was sent to ourselves may be on its way
                found = super().select(0)
        if found or timeout is None:
            return found or super().select(None)
        self.skipped += min(timeout, MAX_SKIP)
        return []


class SkippingLoop(asyncio.SelectorEventLoop):
    """All that talk to each other have to be in it: people, the playground, and the bot."""

    def __init__(self) -> None:
        self._selector = _SkippingSelector()
        super().__init__(self._selector)

    def time(self) -> float:
        return self._selector.skipped

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """As ever; time stands still meanwhile."""
        return self.wait_for_thread(super().run_in_executor(executor, func, *args))

    def wait_for_thread(self, future: asyncio.Future[T]) -> asyncio.Future[T]:
        self._selector.working += 1
        future.add_done_callback(self._finish_work)
        return future

    def _finish_work(self, future: object) -> None:
        self._selector.working -= 1

    async def wait_for_query(self, ask: Callable[..., Any], *args: Any, **more: Any) -> Any:
        self._selector.working += 1
        try:
            return await ask(*args, **more)
        finally:
            self._selector.working -= 1


def run_skipping(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    execute, connect, stop = aiosqlite.Connection._execute, aiosqlite.Connection._connect, aiosqlite.Connection.stop

    async def executed(connection: aiosqlite.Connection, *args: Any, **more: Mapping[str, Any]) -> Any:
        return await _current_loop().wait_for_query(execute, connection, *args, **more)

    async def connected(connection: aiosqlite.Connection) -> Any:
        return await _current_loop().wait_for_query(connect, connection)

    def stopped(connection: aiosqlite.Connection) -> asyncio.Future[Any] | None:
        future = stop(connection)
        return future and _current_loop().wait_for_thread(future)

    with pytest.MonkeyPatch.context() as patched, asyncio.Runner(loop_factory=SkippingLoop) as runner:
        patched.setattr(aiosqlite.Connection, "_execute", executed)
        patched.setattr(aiosqlite.Connection, "_connect", connected)
        patched.setattr(aiosqlite.Connection, "stop", stopped)
        return runner.run(main())


def _current_loop() -> SkippingLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SkippingLoop)
    return loop
