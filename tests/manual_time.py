"""Time that passes only when it is told to."""

from __future__ import annotations

import asyncio
from math import inf
from typing import Any, ClassVar, NamedTuple
from weakref import WeakSet


class Sleeper(NamedTuple):
    until: float
    wake_future: asyncio.Future[None]
    task: asyncio.Task[Any] | None


class ManualTime:
    _instances: ClassVar[WeakSet[ManualTime]] = WeakSet()

    def __init__(self) -> None:
        self.seconds = 0.0
        self._sleepers: list[Sleeper] = []
        self._instances.add(self)

    @property
    def sleeping_tasks(self) -> set[asyncio.Task[Any] | None]:
        return {each.task for time in self._instances for each in time._sleepers}

    def now(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        sleeper = Sleeper(self.seconds + seconds, asyncio.get_running_loop().create_future(), asyncio.current_task())
        self._sleepers.append(sleeper)
        try:
            await sleeper.wake_future
        finally:
            self._sleepers = [each for each in self._sleepers if each is not sleeper]

    def next_due(self) -> float:
        return min((each.until for each in self._sleepers), default=inf)

    def advance_to(self, seconds: float) -> None:
        self.seconds = seconds
        due = [each for each in self._sleepers if each.until <= seconds]
        self._sleepers = [each for each in self._sleepers if each.until > seconds]
        for each in due:
            if not each.wake_future.done():  # somebody may just have been told to sleep no longer
                each.wake_future.set_result(None)
