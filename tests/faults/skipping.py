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
STEP = 0.5  # seconds that are skipped at a time, at most
LOOKS, PAUSE = 2, 0.00005  # how often, and after how many real seconds, sockets are looked at before that
PATIENCE = 0.01  # real seconds in which one looks anew at what threads do


class _Selector(selectors.DefaultSelector):
    """Tells of sockets at once, and where there is nothing to tell and no thread at work, lets time pass."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0
        self.working = 0  # threads that something is waited for from

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready; nothing, once time has passed."""
        found = super().select(0)
        if found or (timeout is not None and timeout <= 0):
            return found
        while self.working and not found:
            found = super().select(PATIENCE)
        for _ in range(LOOKS):
            if not found:
                time.sleep(PAUSE)  # what was sent to ourselves may be on its way
                found = super().select(0)
        if found or timeout is None:
            return found or super().select(None)
        self.skipped += min(timeout, STEP)
        return []


class Skipping(asyncio.SelectorEventLoop):
    """All that talk to each other have to be in it: people, the playground, and the bot."""

    def __init__(self) -> None:
        self._patient = _Selector()
        super().__init__(self._patient)

    def time(self) -> float:
        """Seconds that were skipped."""
        return self._patient.skipped

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """As ever; time stands still meanwhile."""
        return self.waited_for(super().run_in_executor(executor, func, *args))

    def waited_for(self, future: asyncio.Future[T]) -> asyncio.Future[T]:
        """What a thread brings; time stands still until then."""
        self._patient.working += 1
        future.add_done_callback(self._done)
        return future

    def _done(self, future: object) -> None:
        self._patient.working -= 1

    async def queried(self, ask: Callable[..., Any], *args: Any, **more: Any) -> Any:
        """Wait for the thread of a database; time stands still meanwhile."""
        self._patient.working += 1
        try:
            return await ask(*args, **more)
        finally:
            self._patient.working -= 1


def run(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What that comes to, in such a loop."""
    execute, connect, stop = aiosqlite.Connection._execute, aiosqlite.Connection._connect, aiosqlite.Connection.stop

    async def executed(connection: aiosqlite.Connection, *args: Any, **more: Mapping[str, Any]) -> Any:
        return await _loop().queried(execute, connection, *args, **more)

    async def connected(connection: aiosqlite.Connection) -> Any:
        return await _loop().queried(connect, connection)

    def stopped(connection: aiosqlite.Connection) -> asyncio.Future[Any] | None:
        future = stop(connection)
        return future and _loop().waited_for(future)

    with pytest.MonkeyPatch.context() as patched, asyncio.Runner(loop_factory=Skipping) as runner:
        patched.setattr(aiosqlite.Connection, "_execute", executed)
        patched.setattr(aiosqlite.Connection, "_connect", connected)
        patched.setattr(aiosqlite.Connection, "stop", stopped)
        return runner.run(main())


def _loop() -> Skipping:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Skipping)
    return loop
