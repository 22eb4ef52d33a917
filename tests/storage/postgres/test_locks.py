"""Whatever is written of matches is written under their locks, which are taken first and in their order, so that two
processes never wait both ways.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from copy import copy
from dataclasses import replace
from typing import Any, TypeAlias

import asyncpg
import pytest

from engines.store.match_store import Awaited, Change, Conflict, Due, Info, NotHeld, Place
from engines.store.surface_storage import Mention, Surface
from storage.postgres import Database, Leases, MatchStore, SurfaceStore
from tests.cluster import Server
from tests.storage.postgres.test_leases import number, until
from tests.storage.samples import lobby

MANY = 12
NOW = 7
STORM = 1.5  # seconds
BELOW = ("surfaces", "mentions", "due", "behind", "answering")
FIRST = "SELECT FROM matches WHERE match = 'm00' FOR NO KEY UPDATE"
MARKED = "INSERT INTO behind (match) VALUES ('m00') ON CONFLICT (match) DO UPDATE SET others = behind.others"
FREE = "SELECT COUNT(*) FROM (SELECT FROM {table} {which} FOR UPDATE SKIP LOCKED) AS free"
DEADLOCKS = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class Process:
    """One of those on the database, and its matches in no order."""

    def __init__(self, database: Database, leases: Leases, rng: random.Random) -> None:
        self.leases = leases
        self.matches = MatchStore(database)
        self.surfaces = SurfaceStore(database)
        infos = [replace(lobby(), id=f"m{each:02}", place=Place(number(each), 2)) for each in range(MANY)]
        self.infos = rng.sample(infos, MANY)

    @property
    def ids(self) -> list[str]:
        return [info.id for info in self.infos]

    def held(self) -> list[tuple[Info, int]]:
        """Those that it looks after, each with the epoch."""
        return [(info, epoch) for info in self.infos if (epoch := self.leases.epoch(info.place.guild))]

    def some(self, rng: random.Random) -> Process:
        """The same with a few of its matches, in another order."""
        other = copy(self)
        other.infos = rng.sample(self.infos, 5)
        return other


Work: TypeAlias = Callable[[Process], Coroutine[Any, Any, Any]]


@asynccontextmanager
async def running(address: str, of: int, chance: int = 1) -> AsyncIterator[Process]:
    async with Database.open(address, clock=lambda: NOW) as database, Leases.watched(database) as leases:
        await leases.divide(None, of)
        await until(lambda: leases.part.numbers, 3)
        yield Process(database, leases, random.Random(chance))


@pytest.fixture
async def process(address: str) -> AsyncIterator[Process]:
    """It holds all servers. Of each match there is something that was shown, and something that is due."""
    async with running(address, 1) as process:
        await prepare(process)
        yield process


async def prepare(process: Process) -> None:
    awaited = (Awaited("call", NOW, 0, 1), Awaited("clock", NOW, 0, 1, 60))
    await asyncio.gather(*(process.matches.insert(info, by=5, awaited=awaited) for info in process.infos))
    for work in (post, call, commit):
        await work(process)


def hand(info: Info, **changes: Any) -> Surface:
    return Surface(info.id, "hand", 0, 3, **changes)


# What there is to write


async def commit(process: Process) -> None:
    now = [info for each in process.infos if (info := await process.matches.info(each.id))]
    awaited = (Awaited("call", NOW, 1, now[0].revision), Awaited("clock", NOW, 0, 1, 60))
    changes = [
        Change(replace(info, revision=info.revision + 1), "options", 5, awaited=awaited, holds=("hand", 0))
        for info in now
    ]
    await asyncio.gather(*map(process.matches.commit, changes))


async def mark(process: Process) -> None:
    await process.surfaces.mark(process.ids)


async def post(process: Process) -> None:
    held = process.held()
    await asyncio.gather(*(process.surfaces.put(hand(info, nonce="n"), epoch) for info, epoch in held))


async def edit(process: Process) -> None:
    await process.surfaces.edited([hand(info, digest="x", shown=9) for info in process.infos])


async def call(process: Process) -> None:
    begun = [(Mention(info.id, 0, 3, "n", 3), epoch) for info, epoch in process.held()]
    await asyncio.gather(*(process.surfaces.put_mention(mention, epoch) for mention, epoch in begun))


async def done(process: Process) -> None:
    past = [(Due("call", info.id, 0, 1, 0), epoch) for info, epoch in process.held()]
    await asyncio.gather(*(process.matches.done(due, epoch) for due, epoch in past))


async def answer(process: Process) -> None:
    await asyncio.gather(*(process.surfaces.answer(hand(info, digest="x", shown=3)) for info in process.infos))


async def doubt(process: Process) -> None:
    await asyncio.gather(*(process.surfaces.doubt(info.id, "hand", 0) for info in process.infos))


async def settle(process: Process) -> None:
    await process.surfaces.settled(dict.fromkeys(process.ids, 0))


async def like(process: Process) -> None:
    await process.surfaces.prefer(5, lambda old: replace(old, call=(old.call or 0) + 60))


async def busy(process: Process) -> None:
    await asyncio.gather(*(process.matches.active(info.id, 0, NOW) for info in process.infos))


async def late(process: Process) -> None:
    await process.matches.absent(NOW, NOW + 60, process.leases.part)


async def all_of_it(process: Process) -> None:
    await asyncio.gather(*(work(process) for work in WORKS))


async def hear(process: Process) -> None:
    await process.leases.news()


WORKS: list[Work] = [commit, mark, post, edit, call, done, answer, doubt, settle, like, busy, late]


@pytest.mark.parametrize("work", [*WORKS, all_of_it])
async def test_who_waits_for_a_match_holds_nothing_of_any(process: Process, address: str, work: Work) -> None:
    async with waiting(process, address, work, FIRST) as (third, waits):
        assert not waits.done()
        assert await third.fetchval(FREE.format(table="matches", which="WHERE match > 'm00'")) == MANY - 1
        for table in BELOW:
            rows = await third.fetchval(f"SELECT COUNT(*) FROM {table}")
            assert await third.fetchval(FREE.format(table=table, which="")) == rows > 0, table


async def test_who_hears_of_others_waits_for_nobody_and_hears_it_again(process: Process, address: str) -> None:
    await mark(process)
    raw = await asyncpg.connect(address)
    async with raw.transaction():
        await raw.execute(MARKED)
        assert set((await asyncio.wait_for(process.leases.news(), 1)).values()) == {-1}
    await raw.close()
    assert [match for match, revision in (await process.leases.news()).items() if revision == -1] == ["m00"]
    assert -1 not in (await process.leases.news()).values()


@pytest.mark.parametrize("chance", [1, 2])
async def test_no_two_processes_ever_wait_both_ways(postgres: Server, address: str, chance: int) -> None:
    postgres.sql(f"ALTER DATABASE {address.partition('@/')[2].partition('?')[0]} SET deadlock_timeout = '10ms'")
    async with running(address, 2, chance) as first, running(address, 2, chance + 1) as second:
        await until(lambda: [len(each.leases.part.numbers) for each in (first, second)] == [1, 1], 10)
        await prepare(first)
        await asyncio.gather(post(second), call(second))
        ended = time.monotonic() + STORM
        await asyncio.gather(
            *(_storm(each, ended, random.Random(chance)) for each in (first, second) for _ in range(6))
        )
    raw = await asyncpg.connect(address)
    assert await raw.fetchval(DEADLOCKS) == 0
    await raw.close()


async def _storm(process: Process, ended: float, rng: random.Random) -> None:
    while time.monotonic() < ended:
        with suppress(NotHeld, Conflict):  # each answers for its own
            await rng.choice([*WORKS, hear])(process.some(rng))


@asynccontextmanager
async def waiting(
    process: Process, address: str, work: Work, before: str
) -> AsyncIterator[tuple[Connection, asyncio.Task[None]]]:
    """That work, while somebody else has locked something; and another connection."""
    async with AsyncExitStack() as stack:
        other, third = await asyncpg.connect(address), await asyncpg.connect(address)
        stack.push_async_callback(other.close)
        stack.push_async_callback(third.close)
        begun = other.transaction()
        await begun.start()
        await other.execute(before)
        waits: asyncio.Task[None] = asyncio.create_task(work(process))
        sql = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted"
        while not waits.done() and not await third.fetchval(sql):  # noqa: ASYNC110  # it is PostgreSQL that tells
            await asyncio.sleep(0.01)
        yield third, waits
        await begun.rollback()
        with suppress(Conflict):
            await asyncio.wait_for(waits, 5)
