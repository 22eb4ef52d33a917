"""Clocks for tests: one that passes only when it is told to, one that is set, and one whose sleeps are short."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import inf
from typing import Any, ClassVar, NamedTuple
from weakref import WeakSet

from cogs.system_clock import SystemClock
from engines.store.clock import Timer


class Sleeper(NamedTuple):
    until: float
    wake_future: asyncio.Future[None]
    task: asyncio.Task[Any] | None


class ManualTime:
    """A clock that passes only when it is told to. Its wall clock begins at `start`."""

    _instances: ClassVar[WeakSet[ManualTime]] = WeakSet()

    def __init__(self, start: int = 0) -> None:
        self.start = start
        self.seconds = 0.0
        self._sleepers: list[Sleeper] = []
        self._instances.add(self)

    @property
    def sleeping_tasks(self) -> set[asyncio.Task[Any] | None]:
        return {each.task for time in self._instances for each in time._sleepers}

    def now(self) -> int:
        return self.start + int(self.seconds)

    def monotonic(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        sleeper = Sleeper(self.seconds + seconds, asyncio.get_running_loop().create_future(), asyncio.current_task())
        self._sleepers.append(sleeper)
        try:
            await sleeper.wake_future
        finally:
            self._sleepers = [each for each in self._sleepers if each is not sleeper]

    def call_later(self, seconds: float, act: Callable[[], object]) -> Timer:
        async def wait() -> None:
            await self.sleep(seconds)
            act()

        return asyncio.create_task(wait(), name="later")

    def next_due(self) -> float:
        return min((each.until for each in self._sleepers), default=inf)

    def advance_to(self, seconds: float) -> None:
        self.seconds = seconds
        due = [each for each in self._sleepers if each.until <= seconds]
        self._sleepers = [each for each in self._sleepers if each.until > seconds]
        for each in due:
            if not each.wake_future.done():  # somebody may just have been told to sleep no longer
                each.wake_future.set_result(None)


class SetClock(SystemClock):
    """A wall clock that stands where a test sets it."""

    def __init__(self, at: int = 1000) -> None:
        self.at = at

    def now(self) -> int:
        return self.at


class HastyClock(SetClock):
    """A wall clock that stands where a test sets it. A sleep is noted, and lasts one turn of the event loop."""

    def __init__(self, at: int = 1000) -> None:
        super().__init__(at)
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)
