"""Three unmodified bots on one PostgreSQL, in four servers over eight shards, while whatever can befall them does.

People and computers play all games, and a fifth of the clicks is told twice. After each fault nothing is lost, doubled,
falsely refused or posted twice, nobody has written of what another one looks after, and some seconds later everything
is as a fresh process would draw it. MOTLEY_MINUTES is how long (`make soak` asks for 30); without, each fault comes
once. MOTLEY_SEED repeats a run's choices.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from cogs.table.surfaces.stale_tracking import SAVE_DELAY
from playground.server import Playground
from tests.postgres_server import PostgresServer
from tests.processes.bot_process import wrong_lines
from tests.processes.process_group import DEAFEN_SQL, BotProcessGroup
from tests.processes.shared_tables import PostingWitness, SharedTables
from tests.processes.tables import SHOWS_TEXT

MINUTES = float(os.environ.get("MOTLEY_MINUTES", "0"))
PLAYED = 4.0  # seconds between two faults
STRUCK = 3.0  # seconds for which people go on after one
RIGHT = 30.0  # seconds after a fault until all is right on an idle machine; it takes 12 to 15, mostly for leases
LONGEST = 60.0  # the same on the busiest
UP = 120.0  # seconds for all to be there on a busy machine
DOUBLED = 20  # percent of what Discord tells
LONGEST_LISTED = 8

Fault = Callable[["GroupRun"], Awaitable[None]]


class GroupRun:
    def __init__(self, tables: SharedTables, group: BotProcessGroup) -> None:
        self.tables, self.group = tables, group
        self.right: list[tuple[float, str]] = []  # how long it took each time, after what
        self.struck: Counter[str] = Counter()

    async def wait_all_right(self, since: float, event: str) -> None:
        """Wait until all is as it should be, so long after what has happened at the most.

        That a message shows it may be stored some seconds later.
        """
        while found := await self.tables.find_faults():
            within = min(LONGEST, RIGHT * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))
            within += 2 * SAVE_DELAY * all(each.endswith(SHOWS_TEXT) for each in found)
            assert time.monotonic() - since < within, f"{within:.0f} s after {event}:\n" + "\n".join(found)
            await asyncio.sleep(0.3)
        self.right.append((time.monotonic() - since, event))
        self.tables.forget_ended()
        lost = self.tables.find_losses()
        assert not lost, f"after {event}:\n" + "\n".join(lost)

    async def cause_fault(self, fault: Fault) -> None:
        self.struck[fault.__name__] += 1
        await self.tables.play_tables(PLAYED)
        await fault(self)

    async def play_until_right(self, event: str) -> None:
        since = time.monotonic()
        await self.tables.play_tables(STRUCK)
        await self.wait_all_right(since, event)

    def random_bot(self) -> str:
        return self.tables.chance.choice(list(self.group.bots))


async def kill_one(run: GroupRun) -> None:
    name = run.random_bot()
    await run.group.bots[name].kill()
    await run.play_until_right(f"{name} was killed")
    await run.group.start_bot(name)
    await run.play_until_right(f"{name} came back")


async def freeze_one(run: GroupRun) -> None:
    name = run.random_bot()
    await run.group.freeze_bot(name)
    await run.play_until_right(f"{name} froze")
    await run.group.thaw_bot(name)
    await run.play_until_right(f"{name} thawed")


async def freeze_one_in_a_transaction(run: GroupRun) -> None:
    name = run.random_bot()
    catching = asyncio.create_task(run.group.freeze_in_a_transaction(name))
    while not catching.done():
        await run.tables.play_tables(0.5)
    run.struck["caught in it"] += catching.result()
    await run.play_until_right(f"{name} froze in a transaction")
    await run.group.thaw_bot(name)
    await run.play_until_right(f"{name} thawed")


async def crash_postgresql(run: GroupRun) -> None:
    server = run.group.server

    def crash() -> None:
        server.stop()
        server.start()

    crashing = asyncio.create_task(asyncio.to_thread(crash))
    await run.tables.play_tables(2)
    await crashing
    await run.play_until_right("PostgreSQL crashed")


async def nobody_hears_the_others(run: GroupRun) -> None:
    run.group.query(DEAFEN_SQL)
    await run.play_until_right("nobody heard")


async def each_is_updated(run: GroupRun) -> None:
    for name in run.group.bots:
        updating = asyncio.create_task(run.group.restart_bot(name))
        await run.tables.play_tables(STRUCK)
        await updating
        await run.play_until_right(f"{name} was updated")


FAULTS: tuple[Fault, ...] = (
    *(kill_one, freeze_one, freeze_one_in_a_transaction),
    *(crash_postgresql, nobody_hears_the_others, each_is_updated),
)


@pytest.mark.timeout(20_000)
async def test_nothing_is_lost_doubled_or_refused_whatever_happens_to_the_processes(
    tmp_path: Path, own_server: PostgresServer
) -> None:
    seed = int(os.environ.get("MOTLEY_SEED", random.randrange(10**6)))
    print(f"MOTLEY_SEED={seed}")
    start = time.monotonic()
    async with (
        Playground(rate_limited=False, guilds=4, shards=8, concurrency=8) as playground,
        PostingWitness.connect(playground.base_url) as visitor,
        BotProcessGroup.start_group(3, playground, own_server, tmp_path) as group,
    ):
        tables = SharedTables(playground, visitor, random.Random(seed), bot=group, witness=visitor)
        run = GroupRun(tables, group)
        try:
            await visitor.wait_until(lambda: visitor.bot_status == "online", "all shards", UP)
            await group.watch_trespasses()
            playground.simulation.faults.double_events(DOUBLED, path="INTERACTION_CREATE", seed=seed)
            await run.play_until_right("the start")
            while True:
                for fault in tables.chance.sample(FAULTS, len(FAULTS)):
                    await run.cause_fault(fault)
                if time.monotonic() - start >= 60 * MINUTES:
                    break
        except BaseException:
            for name, bot in group.bots.items():
                print(f"{name}: {bot.state_text()}")
            raise
        finally:
            print(_summary_text(run))
    for name, bot in group.bots.items():
        assert not (wrong := wrong_lines(bot.log_lines)), "\n".join((name, *wrong))


def _summary_text(run: GroupRun) -> str:
    tables, right = run.tables, sorted(run.right) or [(0.0, "")]
    longest = ", ".join(f"{seconds:.1f} s after {event}" for seconds, event in reversed(right[-LONGEST_LISTED:]))
    return (
        f"{dict(run.struck)}; {tables.clicks} clicks, {tables.acknowledged.total()} moves acknowledged, "
        f"{len(tables.sorry_moves)} told as not made, {len(tables.refused_moves)} falsely refused; "
        f"all right {len(right)} times, after {right[len(right) // 2][0]:.1f} s, at most {longest}"
    )
