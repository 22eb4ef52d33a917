"""That it is seen where a process writes of a message that another one looks after."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import asyncpg

from engines.store.partition import Partition
from engines.store.surface_storage import Mention, Surface
from storage.postgres import Database, Leases, MatchStore, SurfaceStore
from tests.processes import trespass
from tests.storage.samples import lobby_info

HAND = Surface("m1", "hand", 0, 9, 11, "page", 1)


async def test_whoever_writes_of_what_another_process_looks_after_is_seen(address: str) -> None:
    async with AsyncExitStack() as stack:
        raw = await asyncpg.connect(address)
        stack.push_async_callback(raw.close)
        await raw.execute(trespass.WATCH_SQL)
        databases = [
            await stack.enter_async_context(Database.open(trespass.named_address(address, name), clock=lambda: 7))
            for name in ("the-holder", "another")
        ]
        leases = [await stack.enter_async_context(Leases.hold(each)) for each in databases]
        stores = [SurfaceStore(each) for each in databases]
        info = lobby_info()
        await leases[0].claim_partitions(Partition.all_of(2), 2)
        async with asyncio.timeout(10):
            while not (epoch := leases[0].epoch(info.place.guild)):  # noqa: ASYNC110  # the beat tells nobody
                await asyncio.sleep(0.01)
        await MatchStore(databases[1]).insert(info, 5)
        holder, another = stores
        await holder.put(HAND, epoch)
        await holder.put_mention(Mention("m1", 0, 3, "n", 4), epoch)
        await another.put(Surface("m1", "lobby", -1, 9, 10, "page", 1))  # what a command was answered with
        await another.doubt("m1", "hand", 0)
        await another.put_reply(HAND)
        assert await raw.fetch(trespass.TRESPASSES_SQL) == []
        await another.put(HAND)
        await another.drop("m1", "hand", 0)
        await another.put_mention(Mention("m1", 0, 4, "n", 4))
        await holder.drop_mention("m1", 0, 4, epoch)
        found = [(what, by, held) for what, _, by, held in await raw.fetch(trespass.TRESPASSES_SQL)]
        assert await raw.fetchval(trespass.KNOWN_SQL) == 1
    assert found == [
        ("UPDATE surfaces", "another", "the-holder"),
        ("DELETE surfaces", "another", "the-holder"),
        ("INSERT mentions", "another", "the-holder"),
    ]
