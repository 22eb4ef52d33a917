"""Downtime: by how much deadlines are postponed, and from when downtime counts."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cogs.table.scheduling.downtime import Downtime
from cogs.table.transport.background_tasks import BackgroundTasks
from engines.store.match_store import StoreFailure
from engines.store.partition import ALL_SERVERS, GUILD_SHIFT, Partition
from tests.cogs.waiting import let_tasks_run


class RecordingMatches:
    """Matches that record their calls. They first fail a given number of times."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.failing = 0

    async def postpone_deadlines(self, since: int | None = None, partition: Partition = ALL_SERVERS) -> None:
        if self.failing:
            self.failing -= 1
            raise StoreFailure("No room.")
        self.told.append(since if partition == ALL_SERVERS else (since, *sorted(partition.numbers)))

    async def record_alive(self, partition: Partition = ALL_SERVERS) -> None:
        self.told.append("alive" if partition == ALL_SERVERS else ("alive", *sorted(partition.numbers)))


class DowntimeBench:
    def __init__(self) -> None:
        self.now = 1000
        self.noted = RecordingMatches()
        self.absence = Downtime(self.noted, lambda: self.now, BackgroundTasks())  # type: ignore[arg-type]  # all that it uses

    def reachable_partitions(self, number: int) -> list[bool]:
        """Return for each of these partitions whether its servers can reach the bot."""
        return [self.absence.is_reachable_for(each << GUILD_SHIFT) for each in range(number)]

    async def made_good(self) -> tuple[bool, list[Any]]:
        """Return whether the bot can be reached once all is made good, and what was recorded."""
        await let_tasks_run()
        return self.absence.is_reachable, self.noted.told


@pytest.fixture
def bench() -> DowntimeBench:
    return DowntimeBench()


async def test_it_is_there_once_it_has_begun_and_what_was_before_is_made_good(bench: DowntimeBench) -> None:
    assert not bench.absence.is_reachable
    await bench.absence.record_alive()
    assert bench.noted.told == [], "before its start is made good, nothing may be noted"
    await bench.absence.start_watching()
    assert bench.absence.is_reachable
    await bench.absence.record_alive()
    assert bench.noted.told == [None, "alive"]


async def test_several_reasons_at_once_are_one_absence_from_the_first_to_the_last(bench: DowntimeBench) -> None:
    await bench.absence.start_watching()
    bench.absence.mark_unreachable("gateway")
    bench.now = 1100
    bench.absence.mark_unreachable("discord")
    bench.absence.mark_reachable("gateway")
    await let_tasks_run()
    assert not bench.absence.is_reachable
    await bench.absence.record_alive()
    bench.now = 1200
    bench.absence.mark_reachable("discord")
    assert not bench.absence.is_reachable, "it is not made good yet"
    assert await bench.made_good() == (True, [None, 1000])


async def test_what_befell_it_before_it_began_is_no_absence_of_its_own(bench: DowntimeBench) -> None:
    bench.absence.mark_unreachable("gateway")
    bench.absence.mark_reachable("gateway")
    await bench.absence.start_watching()
    assert await bench.made_good() == (True, [None])


async def test_a_start_while_it_cannot_be_reached_is_made_good_when_it_can(bench: DowntimeBench) -> None:
    bench.absence.mark_unreachable("gateway")
    bench.now = 1500
    await bench.absence.start_watching()
    assert not bench.absence.is_reachable
    bench.now = 1700
    bench.absence.mark_reachable("gateway")
    assert await bench.made_good() == (True, [None, 1500])


async def test_it_is_away_until_the_store_has_kept_it(bench: DowntimeBench, monkeypatch: pytest.MonkeyPatch) -> None:
    await bench.absence.start_watching()
    monkeypatch.setattr("cogs.table.scheduling.downtime.sleep", lambda seconds: asyncio.sleep(0))
    bench.absence.mark_unreachable("discord")
    bench.noted.failing = 2
    bench.absence.mark_reachable("discord")
    await let_tasks_run()
    assert await bench.made_good() == (True, [None, 1000])


async def test_parts_of_the_servers_are_away_and_back_by_themselves(bench: DowntimeBench) -> None:
    bench.absence.assign_partitions(Partition.all_of(4))
    await bench.absence.start_watching()
    bench.now += 10
    bench.absence.mark_unreachable("gateway", 2)
    assert bench.reachable_partitions(8) == [True, True, False, True] * 2
    assert not bench.absence.is_reachable
    await bench.absence.record_alive()
    assert bench.noted.told.pop() == ("alive", 0, 1, 3), "that it is there is noted for those for whom it is"
    bench.now += 10
    bench.absence.mark_unreachable("discord")
    bench.absence.mark_reachable("gateway", 2)
    assert not bench.absence.is_reachable_for(0)
    bench.now += 10
    bench.absence.mark_reachable("discord")
    await let_tasks_run()
    assert bench.absence.is_reachable
    assert bench.noted.told == [(None, 0, 1, 2, 3), (1020, 0), (1020, 1), (1010, 2), (1020, 3)]


async def test_servers_of_parts_that_others_look_after_are_none_of_its_own(bench: DowntimeBench) -> None:
    bench.absence.assign_partitions(Partition.parse("0-1/4"))
    await bench.absence.start_watching()
    bench.absence.mark_unreachable("gateway", 3)
    assert bench.absence.is_reachable
    assert bench.reachable_partitions(4) == [True, True, False, False]


async def test_a_part_is_made_good_when_it_is_gained_whatever_was_before(bench: DowntimeBench) -> None:
    bench.absence.assign_partitions(Partition.all_of(2))
    bench.absence.mark_unreachable("gateway", 1)
    await bench.absence.start_watching(Partition.all_of(2).only_number(0))
    assert bench.reachable_partitions(2) == [True, False]
    bench.now = 9000
    await bench.absence.start_watching(Partition.all_of(2).only_number(1))
    bench.now = 9010
    bench.absence.mark_reachable("gateway", 1)
    await let_tasks_run()
    assert bench.noted.told == [(None, 0), (None, 1), (9000, 1)]
    bench.absence.mark_unreachable("gateway", 1)
    bench.absence.stop_watching(Partition.all_of(2).only_number(1))
    bench.absence.mark_reachable("gateway", 1)
    await let_tasks_run()
    assert bench.noted.told[3:] == [], "another process makes that good"
    assert not bench.absence.is_reachable_for(1 << GUILD_SHIFT)


async def test_a_part_that_is_lost_while_it_begins_is_none_of_its_own(bench: DowntimeBench) -> None:
    """Otherwise the bot would record that people can reach it although no process looks after the partition."""
    both = Partition.parse("0-1/2")
    bench.absence.assign_partitions(both)
    absent = bench.noted.postpone_deadlines

    async def lost(since: int | None = None, partition: Partition = ALL_SERVERS) -> None:
        await absent(since, partition)
        bench.absence.stop_watching(both.only_number(1))

    bench.noted.postpone_deadlines = lost  # type: ignore[method-assign]
    await bench.absence.start_watching(both)
    assert bench.absence.reachable_partition() == both.only_number(0)
    bench.noted.postpone_deadlines = absent  # type: ignore[method-assign]
    await bench.absence.start_watching(both.only_number(1))
    assert bench.absence.reachable_partition() == both
