"""Time that passes only when it is told to."""

from __future__ import annotations

import asyncio
from math import inf
from typing import Any, ClassVar, NamedTuple
from weakref import WeakSet


class Sleeper(NamedTuple):
    """A task that sleeps until then."""

    until: float
    wake_future: asyncio.Future[None]
    task: asyncio.Task[Any] | None


class ManualTime:
    """Seconds, and who sleeps until some of them have passed."""

    _instances: ClassVar[WeakSet[ManualTime]] = WeakSet()

    def __init__(self) -> None:
        self.seconds = 0.0
        self._sleepers: list[Sleeper] = []
        self._instances.add(self)

    @property
    def sleeping_tasks(self) -> set[asyncio.Task[Any] | None]:
        """The tasks that do nothing until time passes, here or in another world."""
        return {each.task for time in self._instances for each in time._sleepers}

    def now(self) -> float:
        """The time."""
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        """Sleep until so much has passed."""
        sleeper = Sleeper(self.seconds + seconds, asyncio.get_running_loop().create_future(), asyncio.current_task())
        self._sleepers.append(sleeper)
        try:
            await sleeper.wake_future
        finally:
            self._sleepers = [each for each in self._sleepers if each is not sleeper]

    def next_due(self) -> float:
        """When the next one wakes up; never, if nobody sleeps."""
        return min((each.until for each in self._sleepers), default=inf)

    def advance_to(self, seconds: float) -> None:
        """Let it be so late, and wake whoever is due by then."""
        self.seconds = seconds
        due = [each for each in self._sleepers if each.until <= seconds]
        self._sleepers = [each for each in self._sleepers if each.until > seconds]
        for each in due:
            if not each.wake_future.done():  # somebody may just have been told to sleep no longer
                each.wake_future.set_result(None)
