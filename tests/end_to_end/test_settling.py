"""Operations in simcord end by what happens, not by looking now and then."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest

from engines.store.match_store import Status
from storage.sqlite.file.connection import Connection
from tests.end_to_end import players
from tests.end_to_end.settling import RestWatcher, event_driven_settling
from tests.end_to_end.world import SimulatedServer

AN_HOUR = 3600.0
A_LONG_NAP = 0.5


async def test_a_nap_ends_when_the_loop_has_come_to_rest() -> None:
    turns: list[int] = []

    async def busy() -> None:
        for turn in range(50):
            await asyncio.sleep(0)
            turns.append(turn)

    async with event_driven_settling() as rest, asyncio.timeout(60), asyncio.TaskGroup() as working:
        working.create_task(busy())
        await rest.nap_until_rest(AN_HOUR)
        assert len(turns) == 50


async def test_a_nap_lasts_while_the_database_owes_an_answer(tmp_path: Path) -> None:
    begun, may = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def work(_: object) -> str:
        loop.call_soon_threadsafe(begun.set)
        assert may.wait(60)
        return "done"

    async with (
        event_driven_settling() as rest,
        asyncio.timeout(60),
        Connection.open(tmp_path / "a.db", lock_timeout=1) as connection,
    ):
        reading = asyncio.create_task(connection.run(work))
        await begun.wait()
        napping = asyncio.create_task(rest.nap_until_rest(AN_HOUR))
        await asyncio.sleep(0.01)  # the loop has nothing to do
        assert not napping.done()
        may.set()
        await napping
        assert reading.result() == "done"


async def test_hardly_any_nap_has_to_end_by_itself(inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    nap, by_itself = RestWatcher.nap_until_rest, list[bool]()

    async def timed(rest: RestWatcher, longest: float) -> None:
        begun = time.monotonic()
        await nap(rest, A_LONG_NAP)
        by_itself.append(time.monotonic() - begun >= A_LONG_NAP)

    monkeypatch.setattr(RestWatcher, "nap_until_rest", timed)
    match = await players.seat_and_start(inn)
    await inn.restart()
    await players.play_out(inn, match)
    assert (await players.load_snapshot(inn, match)).info.status is Status.OVER
    assert sum(by_itself) < len(by_itself) / 4
