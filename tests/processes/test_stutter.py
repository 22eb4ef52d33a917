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

from tests.processes.bot_process import BotProcess, running_bot, wrong_lines
from tests.processes.tables import GameTables

SOAK = bool(os.environ.get("MOTLEY_SOAK"))
PERCENT = 5
CUTS, MOVES = 12, 15  # at least
OUTAGES = (
    [(fault, seconds) for fault in ("503", "502", "cut") for seconds in (8, 33, 120)]
    if SOAK
    else [("503", 8), ("502", 5)]
)


@asynccontextmanager
async def playing_tables(folder: Path) -> AsyncIterator[tuple[GameTables, BotProcess]]:
    seed = int(os.environ.get("MOTLEY_SEED", random.randrange(10**6)))
    print(f"MOTLEY_SEED={seed}")
    async with running_bot(folder / "motley.db") as (bot, visitor):
        tables = GameTables(bot.playground, visitor, random.Random(seed))
        await tables.open_tables()
        yield tables, bot
    assert not wrong_lines(bot.log_lines)


async def wait_right(seconds: float, tables: GameTables, bot: BotProcess, folder: Path) -> float:
    """Wait until all is right, and a moment later still is; how long that took."""
    start = asyncio.get_running_loop().time()
    while found := await tables.find_wrong(bot.database, folder / "copy.db"):
        took_seconds = asyncio.get_running_loop().time() - start
        assert took_seconds < seconds, "\n".join(found)
        await asyncio.sleep(0.3)
    return asyncio.get_running_loop().time() - start


@pytest.mark.timeout(1500)
async def test_fifteen_seconds_after_the_last_cut_all_is_right(tmp_path: Path) -> None:
    async with playing_tables(tmp_path) as (tables, bot):
        faults = tables.playground.simulation.faults
        before = len(bot.load_moves())
        faults.cut_connections(PERCENT, seed=tables.chance.randrange(10**6))
        faults.lose_answers(PERCENT, seed=tables.chance.randrange(10**6))

        def enough() -> bool:
            return not SOAK and tables.count_cuts() >= CUTS and len(bot.load_moves()) - before >= MOVES

        await tables.play_tables(600 if SOAK else 60, enough)
        cuts, moves = tables.count_cuts(), len(bot.load_moves()) - before
        faults.clear()
        right_after = await wait_right(15, tables, bot, tmp_path)
        print(f"{moves} moves, {tables.clicks} clicks, {cuts} cuts; right after {right_after:.1f} s")
    assert cuts >= CUTS
    assert moves >= MOVES
    assert not [refusal for refusal in tables.refusals if "wrong" in refusal], tables.refusals


@pytest.mark.timeout(1500)
@pytest.mark.parametrize(("fault", "seconds"), OUTAGES)
async def test_fifteen_seconds_after_an_outage_all_is_right(tmp_path: Path, fault: str, seconds: int) -> None:
    async with playing_tables(tmp_path) as (tables, bot):
        faults = tables.playground.simulation.faults
        await tables.play_tables(1)
        if fault == "cut":
            faults.cut_connections(100)
        else:
            faults.start_server_errors(10**9, int(fault), "")
        await tables.play_tables(seconds)
        faults.clear()
        right_after = await wait_right(15, tables, bot, tmp_path)
        print(f"{fault} for {seconds} s; right after {right_after:.1f} s")
    assert any("Discord cannot be reached" in line for line in bot.log_lines)
