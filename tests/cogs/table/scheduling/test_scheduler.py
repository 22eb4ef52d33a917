"""The scheduler sleeps until the next due time and hands out each one once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.table.scheduling import scheduler
from cogs.table.scheduling.scheduler import HEARTBEAT_SECONDS, Scheduler
from cogs.table.state.server_lease import ServerLease
from cogs.table.transport.background_tasks import BackgroundTasks
from engines.store.listeners import Listeners
from engines.store.match_store import DueTime, StoreFailure
from engines.store.partition import Partition
from tests.cogs.waiting import let_tasks_run
from tests.manual_time import SetClock


class MovedClock(SetClock):
    """A clock that a test moves; what sleeps looks at it all the time."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        until = self.at + seconds
        while self.at < until:  # noqa: ASYNC110  # a test sets the time
            await asyncio.sleep(0)


class SchedulerBench:
    """Due times, a clock that moves while the scheduler sleeps, and the due times that were handed out."""

    def __init__(self) -> None:
        self.clock = MovedClock()
        self.reads, self.failing = 0, 0
        self.due: list[DueTime] = []
        self.handed: list[tuple[int, str]] = []
        self.tasks = BackgroundTasks()
        self.beats = 0
        act = self._act
        matches = SimpleNamespace(
            due_times=SimpleNamespace(load_due=self.find), editor=SimpleNamespace(on_due=Listeners[[int]]())
        )
        services: Any = SimpleNamespace(matches=matches, lease=ServerLease(), clock=self.clock, tasks=self.tasks)
        downtime: Any = SimpleNamespace(record_alive=self.beat, is_clock_right=True, on_back=Listeners[[]]())
        self.alarm = Scheduler(services, {"call": act, "expiry": act}, downtime)

    def add(self, match: str, at: int) -> None:
        self.due.append(DueTime("call", match, 0, 0, at))
        self.alarm.reschedule(at)

    async def find(self, partition: Partition) -> tuple[list[DueTime], int | None]:
        self.reads += 1
        if self.failing:
            self.failing -= 1
            raise StoreFailure("not now")
        later = sorted(due.at for due in self.due if due.at > self.clock.at)
        return [due for due in self.due if due.at <= self.clock.at], next(iter(later), None)

    async def beat(self) -> None:
        self.beats += 1

    async def run(self, *times: int) -> list[tuple[int, str]]:
        """Let the scheduler run, now and at these times, and return what was handed out so far, and when."""
        await let_tasks_run()
        for self.clock.at in times:
            await let_tasks_run()
        return self.handed

    def _act(self, due: DueTime) -> None:
        self.handed.append((self.clock.at, due.match))


@pytest.fixture
async def bench() -> AsyncIterator[SchedulerBench]:
    bench = SchedulerBench()
    yield bench
    await bench.tasks.close()


async def test_due_work_is_handed_out_on_time_and_once(bench: SchedulerBench) -> None:
    bench.add("a", 1060)
    bench.add("b", 1100)
    assert await bench.run() == []
    assert await bench.run(1059, 1060, 1099, 1100, 1200) == [(1060, "a"), (1100, "b")]
    assert bench.clock.slept == [60, 40]


async def test_only_an_earlier_due_time_wakes_it(bench: SchedulerBench) -> None:
    bench.add("late", 1500)
    await bench.run()
    for name, at in (("later", 1600), ("soon", 1010), ("now", 1000)):
        bench.add(name, at)
    assert await bench.run() == [(1000, "now")]
    assert await bench.run(1010) == [(1000, "now"), (1010, "soon")]
    assert [match for _, match in await bench.run(1600)] == ["now", "soon", "late", "later"]


async def test_a_move_of_which_something_is_due_later_reads_nothing(bench: SchedulerBench) -> None:
    for at in range(1060, 1090):
        bench.add(f"m{at}", at)
        await bench.run()
    assert bench.reads == 0


async def test_in_a_long_sleep_it_beats_now_and_then_and_misses_nothing_new(bench: SchedulerBench) -> None:
    end = 1000 + 3 * HEARTBEAT_SECONDS + 10
    bench.add("a", end)
    await bench.run()
    for beats in (1, 2):
        await bench.run(bench.clock.at + HEARTBEAT_SECONDS)
        assert bench.beats == beats
    bench.add("b", end - 5)  # later than the next heartbeat, but before the awaited due time
    await bench.run(1000 + 3 * HEARTBEAT_SECONDS, end - 5, end)
    assert bench.handed == [(end - 5, "b"), (end, "a")]


async def test_it_ends_if_nothing_is_due_and_begins_again(bench: SchedulerBench) -> None:
    bench.alarm.reschedule()
    await bench.run()
    assert not bench.tasks.is_running(scheduler.AWAKE_NAME)
    bench.add("a", 1000)
    assert await bench.run() == [(1000, "a")]
    assert not bench.tasks.is_running(scheduler.AWAKE_NAME)


async def test_work_moved_to_a_later_time_is_handed_out_then(bench: SchedulerBench) -> None:
    bench.add("a", 1060)
    await bench.run()
    bench.due = [DueTime("call", "a", 0, 0, 1090)]
    assert await bench.run(1060) == []
    assert await bench.run(1090) == [(1090, "a")]


async def test_a_store_that_fails_is_asked_again(bench: SchedulerBench) -> None:
    bench.failing = 3
    bench.add("a", 1000)
    assert [match for _, match in await bench.run(*range(1000, 1020))] == ["a"]
    assert bench.clock.slept[:3] == [1, 2, 4]


async def test_unknown_due_times_do_not_hold_up_others(bench: SchedulerBench) -> None:
    bench.due.append(DueTime("gong", "x", 0, 0, 999))  # type: ignore[arg-type]  # as in a damaged file
    bench.add("a", 1000)
    assert await bench.run() == [(1000, "a")]
