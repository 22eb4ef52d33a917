"""Virtual time stands still while anything is done, and passes when a test says so."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiosqlite
import discord
import pytest

from tests.virtual_time import EPOCH, SHORT_SECONDS, VirtualTime

AN_HOUR = 3600.0


@pytest.fixture
async def virtual() -> AsyncIterator[VirtualTime]:
    virtual_time = VirtualTime()
    with virtual_time.governing():
        yield virtual_time
        virtual_time.cancel_timers(lasting=True)


async def test_rest_comes_when_everything_is_done(virtual: VirtualTime) -> None:
    turns: list[int] = []

    async def busy() -> None:
        for turn in range(50):
            await asyncio.sleep(0)
            turns.append(turn)

    working = asyncio.create_task(busy())
    await virtual.rest()
    assert working.done()
    assert len(turns) == 50
    assert virtual.seconds == 0


async def test_rest_waits_for_a_thread_and_no_time_passes(virtual: VirtualTime) -> None:
    rung: list[str] = []
    asyncio.get_running_loop().call_later(SHORT_SECONDS, rung.append, "rung")
    working = asyncio.create_task(asyncio.to_thread(time.sleep, 0.05))
    await working
    assert rung == []
    await virtual.rest()
    assert rung == ["rung"]


async def test_rest_waits_for_a_database(virtual: VirtualTime, tmp_path: Path) -> None:
    running = threading.Event()

    def work() -> str:
        running.set()
        time.sleep(0.05)
        return "done"

    async with aiosqlite.connect(tmp_path / "a.db") as connection:
        execute: Any = connection._execute
        reading = asyncio.create_task(execute(work))
        await virtual.rest()
        assert running.is_set()
        assert reading.result() == "done"
    assert virtual.seconds == 0


async def test_short_timers_pass_by_themselves_and_longer_ones_when_they_are_due(virtual: VirtualTime) -> None:
    rung: list[float] = []
    loop = asyncio.get_running_loop()
    for seconds in (SHORT_SECONDS, SHORT_SECONDS * 2, AN_HOUR):
        loop.call_later(seconds, rung.append, seconds)
    await virtual.rest()
    assert (rung, virtual.seconds) == ([SHORT_SECONDS], SHORT_SECONDS)
    await virtual.advance(AN_HOUR)
    assert rung == [SHORT_SECONDS, SHORT_SECONDS * 2, AN_HOUR]
    assert (discord.utils.utcnow() - EPOCH).total_seconds() == AN_HOUR + SHORT_SECONDS


async def test_each_timer_rings_at_its_own_time(virtual: VirtualTime) -> None:
    at: list[float] = []

    async def sleep_twice() -> None:
        for _ in range(2):
            await asyncio.sleep(100)
            at.append(virtual.seconds)

    sleeping = asyncio.create_task(sleep_twice())
    await virtual.advance(AN_HOUR)
    assert sleeping.done()
    assert at == [100, 200]


async def test_somebody_who_waits_for_a_timer_alone_skips_to_it(virtual: VirtualTime) -> None:
    began = time.monotonic()
    await asyncio.sleep(AN_HOUR)
    assert virtual.seconds == AN_HOUR
    assert time.monotonic() - began < 60


async def test_cancelled_timers_never_ring_and_lasting_ones_do(virtual: VirtualTime) -> None:
    rung: list[str] = []
    asyncio.get_running_loop().call_later(10, rung.append, "bot")
    virtual.lasting_timer(10, lambda: rung.append("discord"))
    virtual.cancel_timers()
    await virtual.advance(20)
    assert rung == ["discord"]


async def test_an_error_that_nobody_reads_is_told_and_one_that_is_read_is_not(virtual: VirtualTime) -> None:
    async def fail(how: str) -> None:
        raise ValueError(how)

    tasks = [asyncio.create_task(fail(how)) for how in ("read", "unread")]
    await virtual.rest()
    with pytest.raises(ValueError, match="read"):
        await tasks[0]
    assert [str(error) for error in virtual.unread_errors()] == ["unread"]
