"""Whatever locks several marks of what is behind does so in their order, so that two processes never wait both ways."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

import asyncpg
import pytest

from engines.shown import Mention, Surface
from engines.store import Change, Info, Place
from storage.postgres import Database, Leases, MatchStore, SurfaceStore
from tests.storage.postgres.test_leases import number, until
from tests.storage.samples import lobby

MANY = 40
FIRST = "INSERT INTO behind (match) VALUES ('m00') ON CONFLICT (match) DO UPDATE SET others = behind.others"
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class Process:
    """One of those on the database, which holds all servers, and its matches in no order."""

    def __init__(self, database: Database, leases: Leases) -> None:
        self.leases = leases
        self.matches = MatchStore(database)
        self.surfaces = SurfaceStore(database)
        self.infos = [
            replace(lobby(), id=f"m{each:02}", place=Place(number(each), 2))
            for each in Random(1).sample(range(MANY), MANY)
        ]

    @property
    def ids(self) -> list[str]:
        return [info.id for info in self.infos]

    def epoch(self, info: Info) -> int:
        return self.leases.epoch(info.place.guild)


Work: TypeAlias = Callable[[Process], Coroutine[Any, Any, None]]


@pytest.fixture
async def process(address: str) -> AsyncIterator[Process]:
    async with Database.open(address, clock=lambda: 7) as database, Leases.watched(database) as leases:
        await leases.divide(None, 1)
        await until(lambda: leases.part.numbers, 3)
        process = Process(database, leases)
        for info in process.infos:
            await process.matches.insert(info, by=5)
        yield process


async def commit(process: Process) -> None:
    changes = [Change(replace(info, revision=1), "options", 5) for info in process.infos]
    await asyncio.gather(*map(process.matches.commit, changes))


async def mark(process: Process) -> None:
    await process.surfaces.mark(process.ids)


async def post(process: Process) -> None:
    begun = [(Surface(info.id, "lobby", -1, 3, nonce="n"), process.epoch(info)) for info in process.infos]
    await asyncio.gather(*(process.surfaces.put(surface, epoch) for surface, epoch in begun))


async def call(process: Process) -> None:
    begun = [(Mention(info.id, 0, 3, "n", 3), process.epoch(info)) for info in process.infos]
    await asyncio.gather(*(process.surfaces.put_mention(mention, epoch) for mention, epoch in begun))


async def settle(process: Process) -> None:
    await process.surfaces.settled(dict.fromkeys(process.ids, 0))


async def hear(process: Process) -> None:
    assert set((await process.leases.news()).values()) == {-1}


@pytest.mark.parametrize("work", [commit, mark, post, call])
async def test_who_waits_to_put_the_first_mark_has_put_no_other(process: Process, address: str, work: Work) -> None:
    async with waiting(process, address, work, "DELETE FROM behind") as (third, waits):
        assert not waits.done()
        for match in sorted(process.ids)[1:]:  # nobody else is about to put it
            await asyncio.wait_for(third.execute("INSERT INTO behind (match) VALUES ($1)", match), 1)


@pytest.mark.parametrize("work", [mark, settle, hear])
async def test_who_waits_to_change_the_first_mark_holds_no_other(process: Process, address: str, work: Work) -> None:
    marked = f"UPDATE behind SET others = {work is hear}"
    async with waiting(process, address, work, marked) as (third, waits):
        assert not waits.done()
        free = await third.fetch("SELECT match FROM behind ORDER BY match FOR UPDATE SKIP LOCKED")
        assert [row[0] for row in free] == sorted(process.ids)[1:]


@asynccontextmanager
async def waiting(
    process: Process, address: str, work: Work, before: str
) -> AsyncIterator[tuple[Connection, asyncio.Task[None]]]:
    """That work, while somebody else has the first mark; and another connection."""
    async with AsyncExitStack() as stack:
        other, third = await asyncpg.connect(address), await asyncpg.connect(address)
        stack.push_async_callback(other.close)
        stack.push_async_callback(third.close)
        await other.execute(before)
        begun = other.transaction()
        await begun.start()
        await other.execute(FIRST)
        waits: asyncio.Task[None] = asyncio.create_task(work(process))
        sql = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted"
        while not waits.done() and not await third.fetchval(sql):  # noqa: ASYNC110  # it is PostgreSQL that tells
            await asyncio.sleep(0.01)
        yield third, waits
        await begun.rollback()
        await asyncio.wait_for(waits, 5)
