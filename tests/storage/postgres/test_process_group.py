"""What processes on one database share: turns, shares, and status."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from itertools import pairwise
from typing import Any

import pytest

from engines.store.match_store import StoreFailure
from engines.store.process_group import MIN_SHARE, ProcessStatus
from storage.postgres import Database, PostgresGroup, process_group

APART, MARGIN = 0.2, 0.1


def loop_time() -> float:
    return asyncio.get_running_loop().time()


@pytest.fixture
async def processes(address: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[PostgresGroup]]:
    """Four processes with their own connections, and short times."""
    short = {"TURN_SPACING": APART, "TURN_MARGIN": MARGIN, "LINGER_SECONDS": 0.3, "GONE_SECONDS": 1.0}
    for name, seconds in {**short, "LOCK_POLL_SECONDS": 0.01}.items():
        monkeypatch.setattr(process_group, name, seconds)
    async with AsyncExitStack() as stack:
        databases = [Database.open(address, clock=lambda: 7.0) for _ in range(4)]
        yield [PostgresGroup(await stack.enter_async_context(each)) for each in databases]


async def test_turns_of_a_bucket_are_apart_and_never_sooner_than_wanted(processes: list[PostgresGroup]) -> None:
    taken: dict[int, list[float]] = {0: [], 1: []}

    async def take(one: PostgresGroup) -> None:
        for bucket in (0, 1, 0):
            await one.wait_for_turn(bucket)
            taken[bucket].append(loop_time())

    start = loop_time()
    await asyncio.gather(*map(take, processes))
    for times in taken.values():
        assert min(late - early for early, late in pairwise(times)) >= APART
    assert loop_time() - start < 9 * (APART + MARGIN) + 1, "they are no further apart than need be"
    start = loop_time()
    await processes[0].wait_for_turn(3, 0.4)
    assert 0.4 <= loop_time() - start < 0.7


async def test_a_process_that_is_late_for_a_turn_takes_another(
    processes: list[PostgresGroup], monkeypatch: pytest.MonkeyPatch
) -> None:
    await processes[0].wait_for_turn(0)
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await asyncio.sleep(seconds + (2 * MARGIN if len(slept) == 1 else 0))

    monkeypatch.setattr(process_group, "sleep", sleep)
    await processes[1].wait_for_turn(0)
    assert len(slept) == 2


async def test_shares_follow_needs_and_are_never_more_than_all(processes: list[PostgresGroup]) -> None:
    first, second, third, _ = processes
    idle, needs = ProcessStatus("1", 0.0), (0.1, 3.0, 0.1)
    assert (await first.send_heartbeat(idle)).share == 1
    found = await second.send_heartbeat(idle)
    assert (found.share, found.process_count) == (0, 2), "the first has all until it hears of the second"
    assert (await first.send_heartbeat(idle)).share == 0.5
    assert (await second.send_heartbeat(idle)).share == 0, "what the first has just sent still counts"
    await asyncio.sleep(0.35)
    assert (await second.send_heartbeat(idle)).share == 0.5
    for one, need in zip((first, second, third), needs, strict=True):
        await one.send_heartbeat(ProcessStatus("1", need))
    for _ in range(8):
        await asyncio.sleep(0.1)
        answers = [
            await one.send_heartbeat(ProcessStatus("1", need)) for one, need in zip(processes, needs, strict=False)
        ]
        assert sum(each.share for each in answers) <= 1.0001
    assert answers[1].share == pytest.approx(MIN_SHARE / 3 + (1 - MIN_SHARE) / 1.2, abs=0.01)
    assert answers[0].share == pytest.approx(answers[2].share)
    assert answers[0].share > MIN_SHARE / 3


async def test_a_share_that_shrinks_bit_by_bit_is_free_for_others_soon(processes: list[PostgresGroup]) -> None:
    first, second, *_ = processes
    await first.send_heartbeat(ProcessStatus("1", 0.0))
    for number in range(10):
        await first.send_heartbeat(ProcessStatus("1", 0.5 - number / 50))
        found = await second.send_heartbeat(ProcessStatus("1", 1.0))
        await asyncio.sleep(0.1)
    assert found.share > 0.6


async def test_a_process_that_is_silent_or_leaves_is_not_counted_and_keeps_no_shard(
    processes: list[PostgresGroup],
) -> None:
    first, second, third, _ = processes
    await second.send_heartbeat(ProcessStatus("1.3", 0.0, frozenset({0, 1, 4}), frozenset({0})))
    await third.send_heartbeat(ProcessStatus("1.2", 0.0, frozenset({4, 5}), frozenset({4})))
    found = await first.send_heartbeat(ProcessStatus("1.1", 0.0, frozenset({7}), frozenset({7})))
    assert (found.process_count, found.newer_version("1.1")) == (3, "1.3")
    assert (found.shards, found.lasting_shards) == (frozenset({0, 1, 4, 5}), frozenset({0, 4}))
    await second.leave_group()
    found = await first.send_heartbeat(ProcessStatus("1.1"))
    assert (found.process_count, found.shards, found.newer_version("1.1")) == (2, frozenset({4, 5}), "1.2")
    await asyncio.sleep(1.05)
    found = await first.send_heartbeat(ProcessStatus("1.1"))
    assert (found.process_count, found.shards, found.newer_version("1.1"), found.share) == (1, frozenset(), "", 1)


async def test_one_process_at_a_time_is_in_a_section_whatever_goes_wrong_in_it(processes: list[PostgresGroup]) -> None:
    within: list[int] = []

    async def enter_section(number: int, one: PostgresGroup) -> None:
        async with one.exclusive_section("one"):
            assert not within
            within.append(number)
            await asyncio.sleep(0.03)
            within.clear()
            if number % 2:
                raise ConnectionResetError

    results = await asyncio.gather(
        *(enter_section(number, one) for number, one in enumerate(processes)), return_exceptions=True
    )
    assert [type(each) for each in results] == [type(None), ConnectionResetError] * 2
    async with processes[0].exclusive_section("one"), processes[1].exclusive_section("another"):
        pass


async def test_a_cancelled_section_keeps_nobody_out(
    processes: list[PostgresGroup], monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = PostgresGroup._acquire_lock

    async def cancelled(*args: Any) -> None:
        await lock(*args)
        raise asyncio.CancelledError

    with monkeypatch.context() as patched:
        patched.setattr(PostgresGroup, "_acquire_lock", cancelled)
        with pytest.raises(asyncio.CancelledError):
            async with processes[0].exclusive_section("one"):
                pass
    async with asyncio.timeout(60), processes[1].exclusive_section("one"):
        pass


async def test_nobody_waits_for_ever_to_be_alone(
    processes: list[PostgresGroup], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_group, "MAX_LOCK_WAIT", 0.1)
    async with (
        processes[0].exclusive_section("one"),
        asyncio.timeout(60),
        processes[1].exclusive_section("one"),
    ):
        pass


async def test_a_closed_database_is_a_failure_of_the_store(processes: list[PostgresGroup]) -> None:
    one = processes[0]
    await one.send_heartbeat(ProcessStatus())
    await one._database._pool.close()
    for refused in (one.send_heartbeat(ProcessStatus()), one.wait_for_turn(0)):
        with pytest.raises(StoreFailure):
            await refused
    with pytest.raises(StoreFailure):
        async with one.exclusive_section("one"):
            pass
