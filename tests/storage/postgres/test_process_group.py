"""What processes on one database do together: turns, shares, and who is there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from itertools import pairwise
from typing import Any

import pytest

from engines.store.match_store import StoreFailure
from engines.store.process_group import FLOOR, Sign
from storage.postgres import Database, Together, process_group

APART, MARGIN = 0.2, 0.1


def now() -> float:
    return asyncio.get_running_loop().time()


@pytest.fixture
async def crew(address: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[Together]]:
    """Four processes, each with connections of its own, in which time is short."""
    monkeypatch.setattr(process_group, "APART", APART)
    monkeypatch.setattr(process_group, "MARGIN", MARGIN)
    monkeypatch.setattr(process_group, "LINGER", 0.3)
    monkeypatch.setattr(process_group, "GONE", 1.0)
    monkeypatch.setattr(process_group, "LOOK", 0.01)
    async with AsyncExitStack() as stack:
        yield [Together(await stack.enter_async_context(Database.open(address, clock=lambda: 7.0))) for _ in range(4)]


async def test_of_a_bucket_nobodys_turn_is_near_another(crew: list[Together]) -> None:
    taken: dict[int, list[float]] = {0: [], 1: []}

    async def take(one: Together) -> None:
        for bucket in (0, 1, 0):
            await one.turn(bucket)
            taken[bucket].append(now())

    began = now()
    await asyncio.gather(*map(take, crew))
    for times in taken.values():
        assert min(late - early for early, late in pairwise(times)) >= APART
    assert now() - began < 9 * (APART + MARGIN) + 1, "they are no further apart than need be"


async def test_a_turn_comes_no_sooner_than_it_is_wanted(crew: list[Together]) -> None:
    began = now()
    await crew[0].turn(3, 0.4)
    assert 0.4 <= now() - began < 0.7


async def test_whoever_is_late_for_their_turn_takes_another(
    crew: list[Together], monkeypatch: pytest.MonkeyPatch
) -> None:
    await crew[0].turn(0)
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await asyncio.sleep(seconds + (2 * MARGIN if len(slept) == 1 else 0))

    monkeypatch.setattr(process_group, "sleep", sleep)
    await crew[1].turn(0)
    assert len(slept) == 2


async def test_shares_follow_needs_and_are_never_more_than_all(crew: list[Together]) -> None:
    first, second, third, _ = crew
    assert (await first.beat(Sign("1", 0.0))).share == 1
    found = await second.beat(Sign("1", 0.0))
    assert (found.share, found.alive) == (0, 2), "the first has all until it hears of the second"
    assert (await first.beat(Sign("1", 0.0))).share == 0.5
    assert (await second.beat(Sign("1", 0.0))).share == 0, "what the first has just sent still counts"
    await asyncio.sleep(0.35)
    assert (await second.beat(Sign("1", 0.0))).share == 0.5
    await first.beat(Sign("1", 0.1))
    await second.beat(Sign("1", 3.0))
    await third.beat(Sign("1", 0.1))
    for _ in range(8):
        await asyncio.sleep(0.1)
        held = [await one.beat(Sign("1", need)) for one, need in zip(crew, (0.1, 3.0, 0.1), strict=False)]
        assert sum(each.share for each in held) <= 1.0001
    assert held[1].share == pytest.approx(FLOOR / 3 + (1 - FLOOR) / 1.2, abs=0.01)
    assert held[0].share == pytest.approx(held[2].share)
    assert held[0].share > FLOOR / 3


async def test_what_becomes_less_bit_by_bit_is_free_for_others_soon(crew: list[Together]) -> None:
    first, second, *_ = crew
    await first.beat(Sign("1", 0.0))
    for number in range(10):
        await first.beat(Sign("1", 0.5 - number / 50))
        found = await second.beat(Sign("1", 1.0))
        await asyncio.sleep(0.1)
    assert found.share > 0.6


async def test_whoever_is_silent_or_leaves_is_not_counted(crew: list[Together]) -> None:
    first, second, third, _ = crew
    await second.beat(Sign("1.3", 0.0, frozenset({4, 5}), frozenset({4, 5})))
    await third.beat(Sign("1.2", 0.0, frozenset({6})))
    found = await first.beat(Sign("1.1", 0.0, frozenset({1})))
    assert (found.alive, found.heard, found.newer("1.1")) == (3, frozenset({4, 5, 6}), "1.3")
    await second.leave()
    found = await first.beat(Sign("1.1"))
    assert (found.alive, found.heard, found.newer("1.1")) == (2, frozenset({6}), "1.2")
    await asyncio.sleep(1.05)
    found = await first.beat(Sign("1.1"))
    assert (found.alive, found.heard, found.newer("1.1"), found.share) == (1, frozenset(), "", 1)


async def test_it_is_told_who_keeps_a_shard_and_who_gives_it_up(crew: list[Together]) -> None:
    first, second, third, _ = crew
    await second.beat(Sign("1", 0.0, frozenset({0, 1, 4}), frozenset({0})))
    await third.beat(Sign("1", 0.0, frozenset({4, 5}), frozenset({4})))
    found = await first.beat(Sign("1", 0.0, frozenset({7}), frozenset({7})))
    assert found.heard == {0, 1, 4, 5}
    assert found.kept == {0, 4}


async def test_one_at_a_time_is_alone_with_a_deed_whatever_goes_wrong_in_it(crew: list[Together]) -> None:
    within: list[int] = []

    async def deed(number: int, one: Together) -> None:
        async with one.alone("a deed"):
            assert not within
            within.append(number)
            await asyncio.sleep(0.03)
            within.clear()
            if number % 2:
                raise ConnectionResetError

    done = await asyncio.gather(*(deed(number, one) for number, one in enumerate(crew)), return_exceptions=True)
    assert [type(each) for each in done] == [type(None), ConnectionResetError] * 2
    async with crew[0].alone("a deed"), crew[1].alone("another"):
        pass


async def test_whoever_is_cancelled_as_they_come_to_be_alone_keeps_nobody_out(
    crew: list[Together], monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = Together._lock

    async def cancelled(*args: Any) -> None:
        await lock(*args)
        raise asyncio.CancelledError

    with monkeypatch.context() as patched:
        patched.setattr(Together, "_lock", cancelled)
        with pytest.raises(asyncio.CancelledError):
            async with crew[0].alone("a deed"):
                pass
    async with asyncio.timeout(2), crew[1].alone("a deed"):
        pass


async def test_where_it_takes_too_long_nobody_waits_for_ever(
    crew: list[Together], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_group, "LONGEST", 0.1)
    async with crew[0].alone("a deed"), asyncio.timeout(2), crew[1].alone("a deed"):
        pass


async def test_where_the_database_is_away_it_is_a_failure_of_the_store(address: str) -> None:
    async with Database.open(address, clock=lambda: 7.0) as database:
        one = Together(database)
        await one.beat(Sign())
        await database._pool.close()
        with pytest.raises(StoreFailure):
            await one.beat(Sign())
        with pytest.raises(StoreFailure):
            await one.turn(0)
        with pytest.raises(StoreFailure):
            async with one.alone("a deed"):
                pass
