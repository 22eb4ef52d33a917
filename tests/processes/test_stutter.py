"""Five games at once while connections break or Discord is out: some seconds later everything is right again.

The long form is MOTLEY_SOAK's; MOTLEY_SEED repeats a run's choices.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from playground.page.client import Visitor
from playground.server import Playground
from tests.processes.bot_process import BotProcess
from tests.processes.tables import Tables

SOAK = bool(os.environ.get("MOTLEY_SOAK"))
PERCENT = 5
CUTS, MOVES = 12, 15  # at least
OUTAGES = (
    [(how, seconds) for how in ("503", "502", "cut") for seconds in (8, 33, 120)] if SOAK else [("503", 8), ("502", 5)]
)


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[tuple[Tables, BotProcess]]:
    """Five games that have begun, on a bot of its own."""
    seed = int(os.environ.get("MOTLEY_SEED", random.randrange(10**6)))
    print(f"MOTLEY_SEED={seed}")
    async with Playground(paced=False) as playground, Visitor.to(playground.base) as visitor:
        bot = BotProcess(playground, folder / "motley.db")
        await bot.start()
        try:
            await visitor.bot_ready()
            tables = Tables(playground, visitor, random.Random(seed))
            await tables.open()
            yield tables, bot
        finally:
            await bot.kill()
    amiss = ("cogs.table.transport.error_reports", "is set aside", "Traceback", "never retrieved")
    assert not [line for line in bot.said if any(mark in line for mark in amiss)], bot.said[-20:]


async def right_within(seconds: float, tables: Tables, bot: BotProcess, folder: Path) -> float:
    """Wait until all is right, and a moment later still is; how long that took."""
    began = asyncio.get_running_loop().time()
    while found := await tables.wrong(bot.database, folder / "copy.db"):
        took = asyncio.get_running_loop().time() - began
        assert took < seconds, "\n".join(found)
        await asyncio.sleep(0.3)
    return asyncio.get_running_loop().time() - began


@pytest.mark.timeout(1500)
async def test_fifteen_seconds_after_the_last_cut_all_is_right(tmp_path: Path) -> None:
    async with playing(tmp_path) as (tables, bot):
        faults = tables.playground.house.faults
        before = len(bot.moves())
        faults.cut_connections(PERCENT, seed=tables.chance.randrange(10**6))
        faults.lose_answers(PERCENT, seed=tables.chance.randrange(10**6))

        def enough() -> bool:
            return not SOAK and tables.cuts() >= CUTS and len(bot.moves()) - before >= MOVES

        await tables.play(600 if SOAK else 60, enough)
        cuts, moves = tables.cuts(), len(bot.moves()) - before
        faults.clear()
        took = await right_within(15, tables, bot, tmp_path)
        print(f"{moves} moves, {tables.clicks} clicks, {cuts} cuts; right after {took:.1f} s")
    assert cuts >= CUTS
    assert moves >= MOVES
    assert not [said for said in tables.told if "wrong" in said], tables.told


@pytest.mark.timeout(1500)
@pytest.mark.parametrize(("how", "seconds"), OUTAGES)
async def test_fifteen_seconds_after_an_outage_all_is_right(tmp_path: Path, how: str, seconds: int) -> None:
    async with playing(tmp_path) as (tables, bot):
        faults = tables.playground.house.faults
        await tables.play(1)
        if how == "cut":
            faults.cut_connections(100)
        else:
            faults.break_down(10**9, int(how), "")
        await tables.play(seconds)
        faults.clear()
        took = await right_within(15, tables, bot, tmp_path)
        print(f"{how} for {seconds} s; right after {took:.1f} s")
    assert any("Discord cannot be reached" in line for line in bot.said)
