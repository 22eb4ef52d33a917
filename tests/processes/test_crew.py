"""A bot that ends otherwise than it was told to says how, and what it said last, whatever brought it down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from playground.server import Playground
from tests.cluster import Server
from tests.processes.bot_process import TAIL_LINES, BotProcess
from tests.processes.crew import BotCluster, end_bot

SAYS = "import sys; [print(f'line {n}', file=sys.stderr) for n in range(99)]; "
ENDS = {
    "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)": ("-11 (SIGSEGV)", "Segmentation fault"),
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)": ("-9 (SIGKILL)", "line 98"),
    "import os; os._exit(3)": ("3", "line 98"),
}


@pytest.fixture
async def crew(tmp_path: Path) -> AsyncIterator[BotCluster]:
    """One bot that is not started; no database is asked."""
    async with Playground(rate_limited=False) as playground:
        crew = BotCluster(Server(tmp_path, tmp_path), {"bot 1": BotProcess(playground, tmp_path / "unused.db")})
        yield crew
        await end_bot(crew.bots["bot 1"])
        crew._loop.close()


@pytest.mark.parametrize("ends", ENDS)
async def test_who_ends_by_itself_before_it_is_told_to_is_seen(crew: BotCluster, ends: str) -> None:
    bot, (status, word) = crew.bots["bot 1"], ENDS[ends]
    bot.program = ["-c", SAYS + ends]
    await bot.start()
    await bot.wait_ended()
    for wait in (crew.restart_bot("bot 1"), crew.start_bot("bot 1")):
        with pytest.raises(AssertionError) as caught:
            await wait
        told = str(caught.value)
        assert f"has ended with {status}" in told
        assert word in told
        assert told.count("line ") <= TAIL_LINES + 1


async def test_who_ends_otherwise_when_told_to_is_seen(crew: BotCluster) -> None:
    bot = crew.bots["bot 1"]
    bot.program = ["-c", SAYS + "print('Ready:', file=sys.stderr); import time; time.sleep(99)"]
    await bot.start()
    await asyncio.wait_for(crew._wait_up(bot), 20)
    with pytest.raises(AssertionError, match=r"was told to end. It has ended with -15 \(SIGTERM\)"):
        await crew.restart_bot("bot 1")
