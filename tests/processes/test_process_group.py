"""A group of bots: it is told how one of them ended, and seen if one writes of what another looks after."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import pytest

from engines.store.partition import Partition
from engines.store.surface_storage import Mention, Surface
from playground.server import Playground
from storage.postgres import Database, Leases, MatchStore, SurfaceStore
from tests.postgres_server import PostgresServer
from tests.processes.bot_process import TAIL_LINES, BotProcess
from tests.processes.process_group import KNOWN_SQL, TRESPASSES_SQL, WATCH_SQL, BotProcessGroup, named_address
from tests.storage.samples import lobby_info

SAYS = "import sys; [print(f'line {n}', file=sys.stderr) for n in range(99)]; "
ENDS = {
    "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)": ("-11 (SIGSEGV)", "Segmentation fault"),
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)": ("-9 (SIGKILL)", "line 98"),
    "import os; os._exit(3)": ("3", "line 98"),
}


@pytest.fixture
async def group(tmp_path: Path) -> AsyncIterator[BotProcessGroup]:
    """One bot that is not started; no database is asked."""
    async with Playground(rate_limited=False) as playground:
        group = BotProcessGroup(
            PostgresServer(tmp_path, tmp_path), {"bot 1": BotProcess(playground, tmp_path / "unused.db")}
        )
        yield group
        await group.bots["bot 1"].end()
        group._loop.close()


@pytest.mark.parametrize("ends", ENDS)
async def test_a_bot_that_ends_before_it_is_told_to_is_noticed(group: BotProcessGroup, ends: str) -> None:
    bot, (status, word) = group.bots["bot 1"], ENDS[ends]
    bot.program = ["-c", SAYS + ends]
    await bot.start()
    await bot.wait_ended()
    for wait in (group.restart_bot("bot 1"), group.start_bot("bot 1")):
        with pytest.raises(AssertionError) as caught:
            await wait
        text = str(caught.value)
        assert f"has ended with {status}" in text
        assert word in text
        assert text.count("line ") <= TAIL_LINES + 1


async def test_a_bot_that_ends_otherwise_than_told_is_noticed(group: BotProcessGroup) -> None:
    bot = group.bots["bot 1"]
    bot.program = ["-c", SAYS + "print('Ready:', file=sys.stderr); import time; time.sleep(99)"]
    await bot.start()
    await asyncio.wait_for(group._wait_until_ready(bot), 20)
    with pytest.raises(AssertionError, match=r"was told to end. It has ended with -15 \(SIGTERM\)"):
        await group.restart_bot("bot 1")


HAND = Surface("m1", "hand", 0, 9, 11, "page", 1)


async def test_a_write_about_a_server_of_another_process_is_noticed(address: str) -> None:
    async with AsyncExitStack() as stack:
        raw = await asyncpg.connect(address)
        stack.push_async_callback(raw.close)
        await raw.execute(WATCH_SQL)
        databases = [
            await stack.enter_async_context(Database.open(named_address(address, name), clock=lambda: 7))
            for name in ("the-holder", "another")
        ]
        leases = [await stack.enter_async_context(Leases.hold(each)) for each in databases]
        stores = [SurfaceStore(each) for each in databases]
        info = lobby_info()
        await leases[0].claim_partitions(Partition.all_of(2), 2)
        async with asyncio.timeout(60):
            while not (epoch := leases[0].epoch(info.place.guild)):  # noqa: ASYNC110  # the beat tells nobody
                await asyncio.sleep(0.01)
        await MatchStore(databases[1]).insert(info, 5)
        holder, another = stores
        await holder.put(HAND, epoch)
        await holder.put_mention(Mention("m1", 0, 3, "n", 4), epoch)
        await another.put(Surface("m1", "lobby", -1, 9, 10, "page", 1))  # what a command was answered with
        await another.doubt("m1", "hand", 0)
        await another.put_reply(HAND)
        assert await raw.fetch(TRESPASSES_SQL) == []
        await another.put(HAND)
        await another.drop("m1", "hand", 0)
        await another.put_mention(Mention("m1", 0, 4, "n", 4))
        await holder.drop_mention("m1", 0, 4, epoch)
        found = [(kind, by, owner) for kind, _, by, owner in await raw.fetch(TRESPASSES_SQL)]
        assert await raw.fetchval(KNOWN_SQL) == 1
    assert found == [
        ("UPDATE surfaces", "another", "the-holder"),
        ("DELETE surfaces", "another", "the-holder"),
        ("INSERT mentions", "another", "the-holder"),
    ]
