"""Downtime: by how much deadlines are postponed, and from when downtime counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.table.channels.table_services import TableServices
from cogs.table.scheduling import downtime
from cogs.table.scheduling.discord_time import DiscordTime
from cogs.table.scheduling.downtime import Downtime
from cogs.table.state.server_lease import ServerLease
from cogs.table.transport.background_tasks import BackgroundTasks
from engines.hosting.match_changes import MatchEditor
from engines.store.listeners import Listeners
from engines.store.match_store import StoreFailure
from engines.store.partition import ALL_SERVERS, GUILD_SHIFT, Partition
from tests.cogs.waiting import let_tasks_run
from tests.engines.memory_store import MemoryStore
from tests.manual_time import ManualTime


class RecordingMatches:
    """Matches that record their calls. They first fail a given number of times."""

    def __init__(self) -> None:
        self.records: list[Any] = []
        self.failing = 0
        self.due_times = self
        self.editor = MatchEditor(MemoryStore(), {}, lambda: 0, ())

    async def postpone_deadlines(self, since: int | None = None, partition: Partition = ALL_SERVERS) -> None:
        if self.failing:
            self.failing -= 1
            raise StoreFailure("No room.")
        self.records.append(since if partition == ALL_SERVERS else (since, *sorted(partition.numbers)))

    async def put_times_right(self, partition: Partition = ALL_SERVERS) -> None:
        pass

    async def record_alive(self, partition: Partition = ALL_SERVERS) -> None:
        self.records.append("alive" if partition == ALL_SERVERS else ("alive", *sorted(partition.numbers)))


class BenchClock(ManualTime):
    """A clock that a test sets. Pauses before a retry are over at once."""

    def __init__(self) -> None:
        super().__init__(1000)

    @property
    def at(self) -> int:
        return self.now()

    @at.setter
    def at(self, seconds: int) -> None:
        self.seconds = seconds - self.start

    async def sleep(self, seconds: float) -> None:
        task = asyncio.current_task()
        is_heartbeat = task is not None and task.get_name() == "heartbeat"
        await (super().sleep(seconds) if is_heartbeat else asyncio.sleep(0))


class DowntimeBench:
    def __init__(self) -> None:
        self.clock = BenchClock()
        self.tasks = BackgroundTasks()
        self.discord_time = DiscordTime(self.clock)
        self.discord_time.note_date(self.clock.at, self.discord_time.moment())
        self.noted = RecordingMatches()
        connectivity: Any = SimpleNamespace(start_probing=lambda: None, on_changed=Listeners[[bool]]())
        matches: Any = self.noted
        nothing: Any = None
        services = TableServices(nothing, matches, nothing, self.clock, self.tasks, ServerLease())
        self.absence = Downtime(services, self.discord_time, connectivity)

    @property
    def is_running(self) -> bool:
        """Whether time runs in all partitions that are watched."""
        active = [number for number, each in self.absence._downtimes.items() if each.is_active]
        return bool(active) and set(active) == self.absence.running_partition().numbers

    def reachable_partitions(self, number: int) -> list[bool]:
        """Return for each of these partitions whether its servers can reach the bot."""
        return [self.absence.time_runs_for(each << GUILD_SHIFT) for each in range(number)]

    async def catch_up(self) -> tuple[bool, list[Any]]:
        """Return whether the bot can be reached once all is made good, and what was recorded."""
        await let_tasks_run()
        return self.is_running, self.noted.records


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> DowntimeBench:
    """A bench without heartbeats, so that a test may let time pass at once."""
    monkeypatch.setattr(downtime, "LATE_SECONDS", inf)
    return DowntimeBench()


async def test_it_is_there_once_it_has_begun_and_what_was_before_is_made_good(bench: DowntimeBench) -> None:
    assert not bench.is_running
    await bench.absence.record_alive()
    assert bench.noted.records == [], "before its start is made good, nothing may be noted"
    await bench.absence.start_watching()
    assert bench.is_running
    await bench.absence.record_alive()
    assert bench.noted.records == [None, "alive"]


async def test_several_reasons_at_once_are_one_absence_from_the_first_to_the_last(bench: DowntimeBench) -> None:
    await bench.absence.start_watching()
    bench.absence.mark_unreachable("gateway")
    bench.clock.at = 1100
    bench.absence.mark_unreachable("discord")
    bench.absence.mark_reachable("gateway")
    await let_tasks_run()
    assert not bench.is_running
    await bench.absence.record_alive()
    bench.clock.at = 1200
    bench.absence.mark_reachable("discord")
    assert not bench.is_running, "it is not made good yet"
    assert await bench.catch_up() == (True, [None, 1000])


async def test_an_outage_before_the_watch_began_is_no_absence(bench: DowntimeBench) -> None:
    bench.absence.mark_unreachable("gateway")
    bench.absence.mark_reachable("gateway")
    await bench.absence.start_watching()
    assert await bench.catch_up() == (True, [None])


async def test_a_start_while_it_cannot_be_reached_is_made_good_when_it_can(bench: DowntimeBench) -> None:
    bench.absence.mark_unreachable("gateway")
    bench.clock.at = 1500
    await bench.absence.start_watching()
    assert not bench.is_running
    bench.clock.at = 1700
    bench.absence.mark_reachable("gateway")
    assert await bench.catch_up() == (True, [None, 1500])


async def test_it_is_away_until_the_store_has_saved_it(bench: DowntimeBench) -> None:
    await bench.absence.start_watching()
    bench.absence.mark_unreachable("discord")
    bench.noted.failing = 2
    bench.absence.mark_reachable("discord")
    await let_tasks_run()
    assert await bench.catch_up() == (True, [None, 1000])


async def test_parts_of_the_servers_are_away_and_back_by_themselves(bench: DowntimeBench) -> None:
    bench.absence.assign_partitions(Partition.all_of(4), {})
    await bench.absence.start_watching()
    bench.clock.at += 10
    bench.absence.mark_unreachable("gateway", 2)
    assert bench.reachable_partitions(8) == [True, True, False, True] * 2
    assert not bench.is_running
    await bench.absence.record_alive()
    assert bench.noted.records.pop() == ("alive", 0, 1, 3), "that it is there is noted for those for whom it is"
    bench.clock.at += 10
    bench.absence.mark_unreachable("discord")
    bench.absence.mark_reachable("gateway", 2)
    assert not bench.absence.time_runs_for(0)
    bench.clock.at += 10
    bench.absence.mark_reachable("discord")
    await let_tasks_run()
    assert bench.is_running
    assert bench.noted.records == [(None, 0, 1, 2, 3), (1020, 0), (1020, 1), (1010, 2), (1020, 3)]


async def test_servers_of_parts_that_others_look_after_are_none_of_its_own(bench: DowntimeBench) -> None:
    bench.absence.assign_partitions(Partition.parse("0-1/4"), {})
    await bench.absence.start_watching()
    bench.absence.mark_unreachable("gateway", 3)
    assert bench.is_running
    assert bench.reachable_partitions(4) == [True, True, False, False]


async def test_a_part_is_made_good_when_it_is_gained_whatever_was_before(bench: DowntimeBench) -> None:
    bench.absence.assign_partitions(Partition.all_of(2), {})
    bench.absence.mark_unreachable("gateway", 1)
    await bench.absence.start_watching(Partition.all_of(2).only_number(0))
    assert bench.reachable_partitions(2) == [True, False]
    bench.clock.at = 9000
    await bench.absence.start_watching(Partition.all_of(2).only_number(1))
    bench.clock.at = 9010
    bench.absence.mark_reachable("gateway", 1)
    await let_tasks_run()
    assert bench.noted.records == [(None, 0), (None, 1), (9000, 1)]
    bench.absence.mark_unreachable("gateway", 1)
    bench.absence.stop_watching(Partition.all_of(2).only_number(1))
    bench.absence.mark_reachable("gateway", 1)
    await let_tasks_run()
    assert bench.noted.records[3:] == [], "another process makes that good"
    assert not bench.absence.time_runs_for(1 << GUILD_SHIFT)


async def test_a_part_that_is_lost_while_it_begins_is_none_of_its_own(bench: DowntimeBench) -> None:
    """Otherwise the bot would record that people can reach it although no process looks after the partition."""
    both = Partition.parse("0-1/2")
    bench.absence.assign_partitions(both, {})
    absent = bench.noted.postpone_deadlines

    async def lost(since: int | None = None, partition: Partition = ALL_SERVERS) -> None:
        await absent(since, partition)
        bench.absence.stop_watching(both.only_number(1))

    bench.noted.postpone_deadlines = lost  # type: ignore[method-assign]
    await bench.absence.start_watching(both)
    assert bench.absence.running_partition() == both.only_number(0)
    bench.noted.postpone_deadlines = absent  # type: ignore[method-assign]
    await bench.absence.start_watching(both.only_number(1))
    assert bench.absence.running_partition() == both


# A process that was absent, and a clock that is wrong


@pytest.fixture
async def watching_bench() -> DowntimeBench:
    """A bench that notices absences, watches its servers, and has been there for a while."""
    bench = DowntimeBench()
    await bench.absence.start_watching()
    await let_tasks_run()
    bench.clock.advance_to(downtime.BEAT_SECONDS)
    await let_tasks_run()
    assert bench.is_running
    return bench


def answer(bench: DowntimeBench, ahead: int = 0) -> None:
    """Have Discord answer, by whose time the clock is ahead."""
    bench.discord_time.note_date(bench.clock.at - ahead, bench.discord_time.moment())


ASKED_FIRST: dict[str, Callable[[DowntimeBench], bool]] = {
    "whether time runs in a server": lambda bench: not bench.absence.time_runs_for(0),
    "since when it rests in a server": lambda bench: bench.absence.rest_began(0) == 1001,
    "where it runs": lambda bench: not bench.absence.running_partition().numbers,
    "whether the clock is right": lambda bench: not bench.absence.is_clock_right,
}


@pytest.mark.parametrize("ask_first", ASKED_FIRST)
@pytest.mark.parametrize(("monotonic", "wall"), [(600, 600), (0, 600), (0, -600), (600, 0)])
async def test_the_first_request_after_an_absence_notices_it(
    watching_bench: DowntimeBench, monotonic: int, wall: int, ask_first: str
) -> None:
    """A stopped process sees it by both clocks, a machine that slept by the wall clock alone."""
    watching_bench.clock.seconds += monotonic
    watching_bench.clock.start += wall - monotonic
    assert ASKED_FIRST[ask_first](watching_bench)
    back = watching_bench.clock.at
    await let_tasks_run()
    assert watching_bench.noted.records == [None], "Discord has not answered yet"
    answer(watching_bench)
    await let_tasks_run()
    assert watching_bench.noted.records == [None, 1001]
    assert watching_bench.is_running
    assert watching_bench.clock.at == back


@pytest.mark.parametrize(
    ("monotonic", "wall", "ahead"), [(600, 600, 0), (0, 600, 600), (0, -600, -600), (600, 0, -600), (5, 5, 0)]
)
async def test_after_a_jump_the_time_that_counts_goes_on_as_before(
    watching_bench: DowntimeBench, monotonic: int, wall: int, ahead: int
) -> None:
    """Whatever is written before Discord has answered would have a wrong time for good."""
    watching_bench.clock.seconds += monotonic
    watching_bench.clock.start += wall - monotonic
    assert watching_bench.absence.seconds_ahead() == ahead
    watching_bench.clock.seconds += 1
    assert watching_bench.absence.seconds_ahead() == ahead
    answer(watching_bench)
    assert watching_bench.absence.seconds_ahead() == 0, "the machine slept"
    answer(watching_bench, 600)
    assert watching_bench.absence.seconds_ahead() == 600, "somebody set the clock"


async def test_a_connection_that_was_lost_in_an_absence_is_lost_since_its_beginning(
    watching_bench: DowntimeBench,
) -> None:
    """The socket may report it before any timer runs."""
    watching_bench.clock.seconds += 300
    watching_bench.absence.mark_unreachable("gateway")
    assert watching_bench.absence.rest_began(0) == 1001
    watching_bench.clock.seconds += 2
    answer(watching_bench)
    watching_bench.absence.mark_reachable("gateway")
    assert await watching_bench.catch_up() == (True, [None, 1001])


async def test_a_nap_of_a_few_seconds_is_an_absence(watching_bench: DowntimeBench) -> None:
    """Otherwise somebody with a live clock would lose the last seconds of it."""
    watching_bench.clock.seconds += 5
    assert not watching_bench.absence.time_runs_for(0)
    answer(watching_bench)
    assert await watching_bench.catch_up() == (True, [None, 1001])


async def test_nobody_pays_for_the_time_before_the_start_is_made_good(bench: DowntimeBench) -> None:
    assert bench.absence.rest_began(0) == 0
    await bench.absence.start_watching()
    assert bench.absence.rest_began(0) is None


async def test_a_late_heartbeat_alone_notices_an_absence(watching_bench: DowntimeBench) -> None:
    doubts = list[int]()
    watching_bench.discord_time.on_doubt.append(lambda: doubts.append(watching_bench.clock.at))
    watching_bench.clock.advance_to(300)
    await let_tasks_run()
    assert doubts == [1300]
    assert not watching_bench.discord_time.is_right


async def test_heartbeats_in_time_are_no_absence(watching_bench: DowntimeBench) -> None:
    for second in range(4, 400):
        watching_bench.clock.advance_to(second)
        await let_tasks_run()
        assert watching_bench.is_running
    assert watching_bench.noted.records == [None]


async def test_an_answer_to_what_was_asked_before_the_absence_proves_nothing(watching_bench: DowntimeBench) -> None:
    before = watching_bench.discord_time.moment()
    watching_bench.clock.seconds += 300
    assert not watching_bench.absence.is_clock_right
    watching_bench.discord_time.note_date(1001, before)
    assert watching_bench.discord_time.seconds_ahead is None
    assert not watching_bench.absence.time_runs_for(0)


async def test_an_absence_during_the_postponement_is_made_good_as_well(watching_bench: DowntimeBench) -> None:
    watching_bench.clock.seconds += 300
    assert not watching_bench.absence.is_clock_right
    postpone = watching_bench.noted.postpone_deadlines

    async def postpone_slowly(since: int | None = None, partition: Partition = ALL_SERVERS) -> None:
        watching_bench.noted.postpone_deadlines = postpone  # type: ignore[method-assign]
        await postpone(since, partition)
        watching_bench.clock.seconds += 200
        assert not watching_bench.absence.is_clock_right
        answer(watching_bench)

    watching_bench.noted.postpone_deadlines = postpone_slowly  # type: ignore[method-assign]
    answer(watching_bench)
    await let_tasks_run()
    assert watching_bench.noted.records == [None, 1001, 1301]
    assert watching_bench.is_running


async def test_time_rests_until_discord_has_answered_after_a_start() -> None:
    bench = DowntimeBench()
    bench.discord_time.doubt()
    await bench.absence.start_watching()
    await bench.absence.record_alive()
    assert not bench.is_running
    assert bench.absence.rest_began(0) == 0, "nobody pays for a time of which nothing is known"
    assert bench.noted.records == [], "deadlines are postponed by the right time only"
    answer(bench)
    assert await bench.catch_up() == (True, [None])


async def test_a_wrong_clock_rests_time_until_it_is_right(
    watching_bench: DowntimeBench, caplog: pytest.LogCaptureFixture
) -> None:
    doubts = list[int]()
    watching_bench.discord_time.on_doubt.append(lambda: doubts.append(watching_bench.clock.at))
    wrong = 400 * 24 * 60 * 60
    watching_bench.clock.start += wrong
    for _ in range(2):
        answer(watching_bench, wrong)
        await let_tasks_run()
        assert not watching_bench.absence.is_clock_right
    assert watching_bench.absence.seconds_ahead() == wrong
    await watching_bench.absence.record_alive()
    assert watching_bench.noted.records == [None]
    watching_bench.clock.seconds += 5
    watching_bench.clock.start -= wrong
    answer(watching_bench)
    assert watching_bench.absence.seconds_ahead() == 0, "it has just jumped, so how wrong it was is of no use"
    assert not watching_bench.absence.is_clock_right
    answer(watching_bench)
    assert watching_bench.absence.seconds_ahead() == 0
    assert await watching_bench.catch_up() == (True, [None, 1001])
    errors = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(errors) == 1
    assert errors[0].startswith("This machine's clock is 400 days ahead of Discord's. Until it is right, no time")
    assert len(doubts) == 2
