"""Writes lock their matches first and in order, so that two processes never wait for each other in a deadlock."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from copy import copy
from dataclasses import replace
from typing import Any, TypeAlias

import asyncpg
import pytest

from engines.store.match_store import Change, DueRule, DueTime, MatchInfo, NotLeaseHolder, Place, WriteConflict
from engines.store.surface_storage import Mention, Surface
from storage.postgres import Database, Leases, MatchStore, SurfaceStore
from tests.storage.postgres.test_leases import guild_in, wait_until
from tests.storage.postgres.test_opening import query
from tests.storage.samples import lobby_info

MANY = 12
NOW = 7
STORM = 1.5  # seconds
BELOW = ("surfaces", "mentions", "due", "behind", "answering")
FIRST = "SELECT FROM matches WHERE match = 'm00' FOR NO KEY UPDATE"
MARKED = "INSERT INTO behind (match) VALUES ('m00') ON CONFLICT (match) DO UPDATE SET others = behind.others"
FREE = "SELECT COUNT(*) FROM (SELECT FROM {table} {which} FOR UPDATE SKIP LOCKED) AS free"
DEADLOCKS = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
WAITING = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted"


class LockingProcess:
    """One process on the database, with its matches in any order."""

    def __init__(self, database: Database, leases: Leases, rng: random.Random) -> None:
        self.leases = leases
        self.matches = MatchStore(database)
        self.surfaces = SurfaceStore(database)
        infos = [lobby_info(f"m{each:02}", place=Place(guild_in(each), 2)) for each in range(MANY)]
        self.infos = rng.sample(infos, MANY)

    @property
    def ids(self) -> list[str]:
        return [info.id for info in self.infos]

    def own_matches(self) -> list[tuple[MatchInfo, int]]:
        return [(info, epoch) for info in self.infos if (epoch := self.leases.epoch(info.place.guild))]

    def some_matches(self, rng: random.Random) -> LockingProcess:
        """The same process with a few of its matches, in another order."""
        other = copy(self)
        other.infos = rng.sample(self.infos, 5)
        return other


Work: TypeAlias = Callable[[LockingProcess], Awaitable[Any]]


@asynccontextmanager
async def open_locking(address: str, of: int, chance: int = 1) -> AsyncIterator[LockingProcess]:
    async with Database.open(address, clock=lambda: NOW) as database, Leases.hold(database) as leases:
        await leases.claim_partitions(None, of)
        await wait_until(lambda: leases.partition.numbers, 3)
        yield LockingProcess(database, leases, random.Random(chance))


@pytest.fixture
async def process(address: str) -> AsyncIterator[LockingProcess]:
    """A process that holds all servers; each match has a surface and a due time."""
    async with open_locking(address, 1) as process:
        await prepare(process)
        yield process


async def prepare(process: LockingProcess) -> None:
    awaited = (DueRule("call", NOW, 0, 1), DueRule("clock", NOW, 0, 1, 60))
    await asyncio.gather(*(process.matches.insert(info, by=5, due_rules=awaited) for info in process.infos))
    await process.matches.change_rest(6, NOW + 1, NOW)
    for work in (post_all, call_all, commit_all):
        await work(process)


def hand_surface(info: MatchInfo, **changes: Any) -> Surface:
    return Surface(info.id, "hand", 0, 3, **changes)


# Kinds of writes


async def commit_all(process: LockingProcess) -> None:
    now = [info for each in process.infos if (info := await process.matches.load_info(each.id))]
    awaited = (DueRule("call", NOW, 1, now[0].revision), DueRule("clock", NOW, 0, 1, 60))
    changes = [
        Change(replace(info, revision=info.revision + 1), "options", 5, due_rules=awaited, reply_surface=("hand", 0))
        for info in now
    ]
    await asyncio.gather(*map(process.matches.commit, changes))


async def post_all(process: LockingProcess) -> None:
    own_matches = process.own_matches()
    await asyncio.gather(*(process.surfaces.put(hand_surface(info, nonce="n"), epoch) for info, epoch in own_matches))


async def call_all(process: LockingProcess) -> None:
    mentions = [(Mention(info.id, 0, 3, "n", 3), epoch) for info, epoch in process.own_matches()]
    await asyncio.gather(*(process.surfaces.put_mention(mention, epoch) for mention, epoch in mentions))


async def do_everything(process: LockingProcess) -> None:
    await asyncio.gather(*(work(process) for work in WORKS.values()))


WORKS: dict[str, Work] = {
    "commit": commit_all,
    "post": post_all,
    "call": call_all,
    "mark": lambda process: process.surfaces.mark_stale(process.ids),
    "edit": lambda process: process.surfaces.put_edits(
        [hand_surface(info, digest="x", shown=9) for info in process.infos]
    ),
    "finish": lambda process: asyncio.gather(
        *(process.matches.mark_done(DueTime("call", each.id, 0, 1, 0), epoch) for each, epoch in process.own_matches())
    ),
    "answer": lambda process: asyncio.gather(
        *(process.surfaces.put_reply(hand_surface(info, digest="x", shown=3)) for info in process.infos)
    ),
    "doubt": lambda process: asyncio.gather(*(process.surfaces.doubt(match, "hand", 0) for match in process.ids)),
    "settle": lambda process: process.surfaces.mark_current(dict.fromkeys(process.ids, 0)),
    "prefer": lambda process: process.surfaces.change_preferences(
        5, lambda old: replace(old, call=(old.call or 0) + 60)
    ),
    "postpone": lambda process: asyncio.gather(*(process.matches.postpone_call(m, 0, NOW) for m in process.ids)),
    "break": lambda process: process.matches.change_rest(5, NOW + 999, NOW),
    "breaks that are over": lambda process: process.matches.end_expired_rests(NOW + 9999),
    "deadlines": lambda process: process.matches.postpone_deadlines(NOW, NOW + 60, process.leases.partition),
}


@pytest.mark.parametrize("work", [*WORKS.values(), do_everything], ids=[*WORKS, "everything"])
async def test_a_caller_that_waits_for_a_match_holds_no_lock(process: LockingProcess, address: str, work: Work) -> None:
    other = await asyncpg.connect(address)
    async with other.transaction():
        await other.execute(FIRST)
        waits = asyncio.ensure_future(work(process))
        while not waits.done() and await query(address, WAITING) == [(0,)]:  # noqa: ASYNC110  # it is PostgreSQL that tells
            await asyncio.sleep(0.01)
        assert not waits.done()
        assert await query(address, FREE.format(table="matches", which="WHERE match > 'm00'")) == [(MANY - 1,)]
        for table in BELOW:
            ((rows,),) = await query(address, f"SELECT COUNT(*) FROM {table}")
            assert rows > 0
            assert await query(address, FREE.format(table=table, which="")) == [(rows,)], table
    with suppress(WriteConflict):
        await asyncio.wait_for(waits, 5)
    await other.close()


async def test_a_process_that_hears_of_others_waits_for_nobody_and_hears_it_again(
    process: LockingProcess, address: str
) -> None:
    await WORKS["mark"](process)
    raw = await asyncpg.connect(address)
    async with raw.transaction():
        await raw.execute(MARKED)
        assert set((await asyncio.wait_for(process.leases.changed_matches(), 1)).values()) == {-1}
    await raw.close()
    assert [match for match, revision in (await process.leases.changed_matches()).items() if revision == -1] == ["m00"]
    assert -1 not in (await process.leases.changed_matches()).values()


@pytest.mark.parametrize("chance", [1, 2])
async def test_no_two_processes_ever_wait_both_ways(address: str, chance: int) -> None:
    await query(address, f"ALTER DATABASE {address.partition('@/')[2].partition('?')[0]} SET deadlock_timeout = '10ms'")
    async with open_locking(address, 2, chance) as first, open_locking(address, 2, chance + 1) as second:
        await wait_until(lambda: [len(each.leases.partition.numbers) for each in (first, second)] == [1, 1], 10)
        await prepare(first)
        await asyncio.gather(post_all(second), call_all(second))
        ended = time.monotonic() + STORM
        works = [_work_until(each, ended, random.Random(chance)) for each in (first, second) for _ in range(6)]
        await asyncio.gather(*works)
    assert await query(address, DEADLOCKS) == [(0,)]


async def _work_until(process: LockingProcess, ended: float, rng: random.Random) -> None:
    async def read_changes(some: LockingProcess) -> None:
        await some.leases.changed_matches()

    while time.monotonic() < ended:
        with suppress(NotLeaseHolder, WriteConflict):  # each answers for its own
            await rng.choice([*WORKS.values(), read_changes])(process.some_matches(rng))
