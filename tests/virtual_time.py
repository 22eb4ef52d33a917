"""An event loop whose time tests move: it stands still while anything is done."""

from __future__ import annotations

import asyncio
import heapq
import selectors
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from weakref import WeakSet

import aiosqlite
import discord
import pytest

from playground.world.clock import Timer

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)  # when it begins
SHORT_SECONDS = 0.5  # a timer as short as this passes by itself; a longer one only if a test moves the time
THREAD_SECONDS = 0.001  # real seconds that threads have which nobody has told of, before the time skips

Events = list[tuple[selectors.SelectorKey, int]]


class VirtualTime:
    """The time of the running event loop, and so of all that sleeps in it or sets a timer; and discord.py's.

    While a test waits for rest, the time stands still but for short timers. If it waits for anything else and nothing
    else is left to do, the time skips to the next timer.
    """

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._selector: Any = getattr(self.loop, "_selector", None)
        assert isinstance(self._selector, selectors.BaseSelector), "asyncio has changed: the loop waits otherwise"
        self._wait: Callable[[float | None], Events] = self._selector.select
        self._call_at = self.loop.call_at
        self.seconds = 0.0  # since the epoch
        self._resting: list[asyncio.Future[None]] = []
        self._owed = 0  # answers of threads and processes
        self._short: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = count()
        self._lasting: WeakSet[asyncio.TimerHandle] = WeakSet()
        self.failed_tasks: list[asyncio.Task[Any]] = []

    @contextmanager
    def governing(self) -> Iterator[None]:
        """Be the loop's time, from now on until the end."""
        execute: Any
        execute, connect, stop = aiosqlite.Connection._execute, aiosqlite.Connection._connect, aiosqlite.Connection.stop
        run_in_executor, create_task = self.loop.run_in_executor, self.loop.create_task

        async def executed(connection: Any, *args: Any, **more: Any) -> Any:
            with self.owing():
                return await execute(connection, *args, **more)

        async def connected(connection: Any) -> Any:
            with self.owing():
                return await connect(connection)

        def stopped(connection: Any) -> Any:
            return self._owe(stop(connection))

        def created(coroutine: Any, **how: Any) -> asyncio.Task[Any]:
            task = create_task(coroutine, **how)
            task.add_done_callback(self._note_end)
            return task

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(aiosqlite.Connection, "_execute", executed)
            patched.setattr(aiosqlite.Connection, "_connect", connected)
            patched.setattr(aiosqlite.Connection, "stop", stopped)
            patched.setattr(self._selector, "select", self._select)
            patched.setattr(self.loop, "_clock_resolution", 1e-6)
            patched.setattr(self.loop, "time", lambda: self.seconds)
            patched.setattr(self.loop, "call_at", self._set_timer)
            patched.setattr(self.loop, "create_task", created)
            patched.setattr(self.loop, "run_in_executor", lambda *how: self._owe(run_in_executor(*how)))
            patched.setattr(discord.utils, "utcnow", self.now)
            yield

    def now(self) -> datetime:
        return EPOCH + timedelta(seconds=self.seconds)

    # Waiting

    async def rest(self) -> None:
        """Return when all that there is to do has been done, and no thread owes an answer."""
        resting = self.loop.create_future()
        self._resting.append(resting)
        await resting

    async def advance(self, seconds: float) -> None:
        """Let so many seconds pass, and all happen that happens meanwhile."""
        until = self.seconds + seconds
        await self.rest()
        while (due := self._next_timer()) is not None and due <= until:
            self.seconds = max(self.seconds, due)
            await self.rest()
        self.seconds = max(self.seconds, until)
        await self.rest()

    def skip(self, seconds: float) -> None:
        """Have so many seconds passed, of which nobody has seen anything."""
        self.seconds += seconds

    @contextmanager
    def owing(self) -> Iterator[None]:
        """Somebody outside the loop works on an answer, and time stands still."""
        self._owed += 1
        try:
            yield
        finally:
            self._owed -= 1

    # Timers

    def lasting_timer(self, seconds: float, act: Callable[[], None]) -> Timer:
        """A timer that `cancel_timers` leaves alone."""
        timer = self.loop.call_later(seconds, act)
        self._lasting.add(timer)
        return timer

    def cancel_timers(self, *, lasting: bool = False) -> None:
        """Cancel every timer, but of those that last none unless that is wanted."""
        for timer in [*self._timers()]:
            if lasting or timer not in self._lasting:
                timer.cancel()

    # Inside

    def _select(self, timeout: float | None = None) -> Events:
        """What the loop waits by: with a timeout of 0 it has more to run, and only asks what has come in meanwhile."""
        if timeout is not None and timeout <= 0:
            return self._wait(0)
        if self._owed:
            return self._wait(None)
        if events := self._wait(0):
            return events
        if self._resting:
            self._end_rest()
        elif events := self._wait(None if timeout is None else THREAD_SECONDS):
            return events
        else:
            self.seconds += timeout or 0
        return []

    def _end_rest(self) -> None:
        """Let the next short timer pass, or else tell those who wait for rest that there is nothing left to do."""
        while self._short:
            when, _, timer = heapq.heappop(self._short)
            if when > self.seconds and not timer.cancelled():
                self.seconds = when
                return
        for resting in self._resting:
            if not resting.done():
                resting.set_result(None)
        self._resting.clear()

    def _set_timer(self, when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        timer = self._call_at(when, callback, *args, context=context)
        if when - self.seconds <= SHORT_SECONDS:
            heapq.heappush(self._short, (when, next(self._numbers), timer))
        return timer

    def _timers(self) -> list[asyncio.TimerHandle]:
        timers: list[asyncio.TimerHandle] = getattr(self.loop, "_scheduled")  # noqa: B009
        return timers

    def _next_timer(self) -> float | None:
        timers = self._timers()
        return timers[0].when() if timers else None

    def _owe(self, future: Any) -> Any:
        if future is not None:
            self._owed += 1
            future.add_done_callback(self._note_answer)
        return future

    def _note_answer(self, future: object) -> None:
        self._owed -= 1

    def _note_end(self, task: asyncio.Task[Any]) -> None:
        if not task.cancelled() and _is_unread(task):
            self.failed_tasks.append(task)

    def unread_errors(self) -> list[BaseException]:
        """The errors in which tasks have ended, and that nobody has read."""
        found = [task.exception() for task in self.failed_tasks if _is_unread(task)]
        return [error for error in found if error is not None]


def _is_unread(task: asyncio.Task[Any]) -> bool:
    return bool(getattr(task, "_log_traceback", False))


class VirtualClock:
    """The playground's clock: that time, and timers that outlive the bot."""

    def __init__(self, time: VirtualTime) -> None:
        self._time = time

    def now(self) -> float:
        return self._time.now().timestamp()

    def call_later(self, delay: float, action: Callable[[], None]) -> Timer:
        return self._time.lasting_timer(delay, action)
