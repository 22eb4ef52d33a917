"""PostgreSQL restarts, connections break, processes come and go: no partition ever has two holders."""

from __future__ import annotations

import asyncio
import os
import random
import time
from contextlib import suppress

import asyncpg

from storage.postgres import Leases
from tests.postgres_server import PostgresServer
from tests.storage.postgres.test_leases import OF, count_partitions, open_pair, open_process, wait_until
from tests.storage.postgres.test_opening import query

SECONDS = 300 if os.environ.get("MOTLEY_SOAK") else 20
MOST = 5  # processes at once
CUT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE pid <> pg_backend_pid() AND application_name = 'motley' AND random() < {share}
"""


async def test_a_start_of_postgresql_takes_nothing_from_anybody(own_server: PostgresServer) -> None:
    """All sessions end then, but the processes continue."""
    async with open_pair(own_server.address()) as (first, second, changes):
        own_server.stop()
        await asyncio.sleep(1)
        own_server.start()
        await asyncio.sleep(3)
        assert count_partitions(first, second) == [4, 4]
        assert changes == []


async def _hold_share(address: str, holders: set[Leases], stop: asyncio.Event) -> None:
    async with open_process(address) as leases:
        await leases.claim_partitions(None, OF)
        holders.add(leases)
        await stop.wait()
        holders.discard(leases)


async def _watch_holders(holders: set[Leases]) -> None:
    while True:
        count_partitions(*holders)
        await asyncio.sleep(0.005)


async def test_no_part_is_ever_held_by_two(own_server: PostgresServer) -> None:
    rng, holders, ends, tasks = random.Random(5), set[Leases](), list[asyncio.Event](), list[asyncio.Task[None]]()
    looking = asyncio.create_task(_watch_holders(holders))
    ended = time.monotonic() + SECONDS
    while time.monotonic() < ended:
        action = rng.choices(("comes", "goes", "some", "all", "start"), (8, 6, 6, 1, 1))[0]
        if action == "comes" and len(ends) < MOST:
            ends.append(asyncio.Event())
            tasks.append(asyncio.create_task(_hold_share(own_server.address(), holders, ends[-1])))
        elif action == "goes" and len(ends) > 1:
            ends.pop(rng.randrange(len(ends))).set()
        elif action in ("some", "all"):
            with suppress(asyncpg.PostgresConnectionError):
                await query(own_server.address(), CUT.format(share=0.4 if action == "some" else 1))
        elif action == "start":
            await asyncio.to_thread(own_server.stop)
            await asyncio.sleep(rng.random())
            await asyncio.to_thread(own_server.start)
        assert not looking.done(), looking.exception()
        await asyncio.sleep(rng.random())
    await wait_until(lambda: sum(count_partitions(*holders)) == OF, 10)
    for end in ends:
        end.set()
    looking.cancel()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)  # one that started during a cut got an error
    assert sum(outcome is None for outcome in outcomes) > len(outcomes) // 2
