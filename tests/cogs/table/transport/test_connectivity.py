"""Connectivity: a hanging request starts a probe, and ends with the outage."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest

from cogs.system_clock import SystemClock
from cogs.table.transport import connectivity
from cogs.table.transport.application_access import ApplicationAccess
from cogs.table.transport.background_tasks import BackgroundTasks
from cogs.table.transport.connectivity import Connectivity
from tests.cogs.waiting import wait_until


class ShortPauses(SystemClock):
    """Pauses that are noted, and a thousand times shorter."""

    def __init__(self, pauses: list[float]) -> None:
        self._pauses = pauses

    async def sleep(self, seconds: float) -> None:
        self._pauses.append(seconds)
        await asyncio.sleep(seconds / 1000)


class OutageBench:
    def __init__(self) -> None:
        self.there = False
        self.probed = 0
        self.woken: list[str] = []
        self.pauses: list[float] = []
        self.tasks = BackgroundTasks()
        clock = ShortPauses(self.pauses)
        self.access = ApplicationAccess({}, clock, lambda: None)
        self.outage = Connectivity(self.probe, self.woken.append, self.tasks, self.access, clock)

    async def probe(self) -> None:
        self.probed += 1
        if not self.there:
            raise aiohttp.ServerDisconnectedError

    async def hang(self) -> None:
        async with self.outage.watch_request():
            await asyncio.sleep(60)

    async def until_down(self) -> None:
        await wait_until(lambda: self.outage.is_down)

    async def until_idle(self) -> None:
        await wait_until(lambda: not self.tasks._running)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> OutageBench:
    """A bench with pauses that are a thousand times shorter."""

    monkeypatch.setattr(connectivity, "HANG_SECONDS", 0.01)
    return OutageBench()


async def test_requests_that_hang_during_an_outage_end_with_it(bench: OutageBench) -> None:
    hanging = asyncio.create_task(bench.hang())
    await bench.until_down()
    bench.there = True
    finished, _ = await asyncio.wait({hanging}, timeout=60)
    assert finished
    assert isinstance(hanging.exception(), TimeoutError)
    assert not bench.outage.is_down


async def test_slow_work_goes_on_while_discord_answers(bench: OutageBench) -> None:
    bench.there = True
    hanging = asyncio.create_task(bench.hang())
    await wait_until(lambda: bool(bench.probed))
    await asyncio.sleep(0.02)
    assert not hanging.done()
    assert bench.probed == 1
    hanging.cancel()


async def test_a_probe_that_hangs_has_not_got_through(bench: OutageBench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench.outage, "_probe", bench.hang)
    bench.outage.note_failure("aaaaaaaa")
    await bench.until_down()
    assert bench.woken == []
    bench.outage.note_contact()
    assert bench.woken == ["aaaaaaaa"]


async def test_an_unforeseen_error_keeps_nobody_waiting(bench: OutageBench, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken() -> None:
        raise ValueError("unforeseen")

    monkeypatch.setattr(bench.outage, "_probe", broken)
    bench.outage.note_failure("aaaaaaaa")
    await wait_until(lambda: bool(bench.woken))
    assert bench.woken == ["aaaaaaaa"]


async def test_nothing_goes_on_when_nobody_waits(bench: OutageBench) -> None:
    bench.outage.note_failure("aaaaaaaa")
    bench.there = True
    await bench.until_idle()
    assert bench.probed == 1
    assert bench.woken == ["aaaaaaaa"]


async def test_only_its_own_probes_make_the_pause_longer_and_contact_ends_it(bench: OutageBench) -> None:
    bench.outage.note_failure("aaaaaaaa")
    await wait_until(lambda: bench.probed == 4)
    for _ in range(26):
        bench.outage.note_failure("bbbbbbbb")
    await wait_until(lambda: bench.probed == 6)
    assert bench.pauses[:6] == [1, 2, 4, 4, 4, 4]
    bench.outage.note_contact()
    assert sorted(bench.woken) == ["aaaaaaaa", "bbbbbbbb"]
    await bench.until_idle()
    bench.pauses.clear()
    bench.outage.note_failure("aaaaaaaa")
    await wait_until(lambda: len(bench.pauses) >= 2)
    assert bench.pauses[:2] == [1, 2]
    await bench.tasks.close()


async def test_a_cancelled_task_that_still_cleans_up_is_left_alone_by_the_next_outage(bench: OutageBench) -> None:
    cleaned = asyncio.Event()

    async def hang() -> None:
        async with bench.outage.watch_request():
            try:
                await asyncio.sleep(60)
            finally:
                await cleaned.wait()

    hanging = asyncio.create_task(hang())
    await bench.until_down()
    bench.outage.note_contact()
    await asyncio.sleep(0.01)
    bench.outage.hold_until_up("a")
    await bench.until_down()
    bench.outage.note_contact()
    assert bench.woken == ["a"]
    cleaned.set()
    with pytest.raises(TimeoutError):
        await hanging


async def test_an_outage_that_is_certain_counts_at_once_and_ends_with_a_probe(bench: OutageBench) -> None:
    changes: list[bool] = []
    bench.outage.on_changed.append(changes.append)
    bench.outage.note_outage("m1")
    bench.outage.note_outage("m2")
    assert (bench.outage.is_down, changes, bench.probed) == (True, [True], 0)
    bench.there = True
    await bench.until_idle()
    assert (bench.outage.is_down, changes, sorted(bench.woken)) == (False, [True, False], ["m1", "m2"])


async def test_the_probe_goes_on_after_an_unforeseen_error(bench: OutageBench) -> None:
    changes: list[bool] = []

    def tell(is_down: bool) -> None:
        changes.append(is_down)
        if len(changes) == 1:
            raise KeyError("unforeseen")

    bench.outage.on_changed.append(tell)
    bench.outage.note_failure("aaaaaaaa")
    await wait_until(lambda: bench.probed == 3)
    bench.there = True
    await bench.until_idle()
    assert (changes, bench.woken) == ([True, False], ["aaaaaaaa"])
