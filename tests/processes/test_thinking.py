"""Workers, the pool and the bot killed while a hard computer thinks: nothing is lost, and the match goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from playground.page.client import SeenMessage, TurnedDown, Visitor
from playground.server import Playground
from tests.processes.bot_process import BotProcess
from tests.processes.script import hand_of, offered

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds workers in /proc")
ENTRY = b"worker_pool.worker_process"


def workers(group: int) -> list[int]:
    """The workers whose bot has that id, or had before it was killed."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            mine = f"PPid:\t{group}\n" in (path / "status").read_text()
            if mine and ENTRY in (path / "cmdline").read_bytes():
                found.append(int(path.name))
    return found


def there(pid: int) -> bool:
    """Whether it runs still."""
    with suppress(OSError):
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


def levels(bot: BotProcess) -> list[str]:
    """Who made each move of the match: the computer's level, empty for a person."""
    with closing(sqlite3.connect(f"file:{bot.database}?mode=ro", uri=True)) as raw:
        return [level for (level,) in raw.execute("SELECT level FROM moves ORDER BY number")]


async def opened(visitor: Visitor) -> SeenMessage:
    """Ada alone with two hard computers, at a match that has begun."""
    ada = visitor.player("Ada")
    lobby = (await ada.command("wizard new", "games", rounds=3)).shown
    match = next(each.custom_id for each in lobby.buttons if each.custom_id.startswith("t:")).split(":")[1]
    for action in ("computer-hard", "start"):
        await ada.forge(lobby, f"t:{match}:{action}")
    return lobby


async def until(said: Callable[[], bool], visitor: Visitor, meanwhile: Callable[[], None] = lambda: None) -> None:
    """Wait for that, while Ada plays whenever she can."""
    ada = visitor.player("Ada")
    async with asyncio.timeout(60):
        while not said():  # nothing tells of other processes
            hand = hand_of(ada)
            with suppress(TurnedDown, KeyError):
                if hand and (found := offered(hand)):
                    custom_id, value = found[0]
                    await (ada.select(hand, custom_id, value) if value else ada.click(hand, custom_id))
            meanwhile()
            await asyncio.sleep(0.005)


async def further(bot: BotProcess, visitor: Visitor, meanwhile: Callable[[], None] = lambda: None) -> None:
    """Wait until a computer has made a further move."""
    before = levels(bot).count("hard")
    await until(lambda: levels(bot).count("hard") > before, visitor, meanwhile)


@pytest.mark.timeout(300)
async def test_whatever_is_killed_in_the_middle_of_a_search_the_match_goes_on(tmp_path: Path) -> None:
    async with Playground(paced=False) as playground, Visitor.to(playground.base) as visitor:
        bot = BotProcess(playground, tmp_path / "motley.db")
        await bot.start()
        try:
            await visitor.bot_ready()
            await opened(visitor)
            for act in (one_worker, all_workers, the_bot):
                await act(bot, visitor)
            left = workers(bot.pid)
            assert await bot.kill(signal.SIGTERM) == 0
            assert not any(map(there, left)), "a worker outlives the bot's end"
        finally:
            await bot.kill()
    moves = bot.moves()
    assert [move.number for move in moves] == list(range(1, len(moves) + 1))
    for seat in range(3):
        decisions = [move.decision for move in moves if move.seat == seat]
        assert decisions == list(range(len(decisions)))
    assert not [line for line in bot.said if "cogs.table.transport.error_reports" in line or "Traceback" in line], (
        bot.said[-20:]
    )


async def one_worker(bot: BotProcess, visitor: Visitor) -> None:
    """A worker is killed that has begun to think: another one thinks instead."""
    await until(lambda: bool(workers(bot.pid)), visitor)
    (worker,) = workers(bot.pid)
    os.kill(worker, signal.SIGSTOP)  # so that it surely is in the middle of it
    before = levels(bot)
    await asyncio.sleep(2.5)  # more than the pause
    assert levels(bot) == before
    os.kill(worker, signal.SIGKILL)
    await further(bot, visitor)
    assert sum("A worker was lost" in line for line in bot.said) == 1
    assert not any("without thinking" in line for line in bot.said)


async def all_workers(bot: BotProcess, visitor: Visitor) -> None:
    """Whatever worker begins is killed: the computer plays by its policy."""

    def kill() -> None:
        for worker in workers(bot.pid):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)

    await until(lambda: any("without thinking" in line for line in bot.said), visitor, kill)
    await further(bot, visitor, kill)


async def the_bot(bot: BotProcess, visitor: Visitor) -> None:
    """The bot is killed with a worker that thinks: that ends as well, and the match goes on after a restart."""
    await until(lambda: bool(workers(bot.pid)), visitor)
    left = workers(bot.pid)
    before = bot.moves()
    await bot.kill()
    while any(map(there, left)):  # noqa: ASYNC110  # nothing tells of other processes
        await asyncio.sleep(0.01)
    assert bot.moves()[: len(before)] == before
    await bot.start()
    await visitor.until(lambda: visitor.bot_status == "online", "the bot after a kill", 30)
    await further(bot, visitor)
