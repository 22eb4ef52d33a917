"""Workers, the pool and the bot killed while a hard computer thinks: nothing is lost, and the match goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from playground.page.client import PlaygroundClient, RequestRejected
from tests.processes.bot_process import BotProcess, query_file, running_bot, wrong_lines
from tests.processes.playing import click_first

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds workers in /proc")
ENTRY = b"worker_pool.worker_process"


def find_workers(group: int) -> list[int]:
    """The workers whose bot has that id, or had before it was killed."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_child = f"PPid:\t{group}\n" in (path / "status").read_text()
            if is_child and ENTRY in (path / "cmdline").read_bytes():
                found.append(int(path.name))
    return found


def is_running(pid: int) -> bool:
    with suppress(OSError):
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


def move_levels(bot: BotProcess) -> list[str]:
    """Who made each move of the match: the computer's level, empty for a person."""
    return [level for (level,) in query_file(bot.database, "SELECT level FROM moves ORDER BY number")]


async def wait_until(
    condition: Callable[[], bool], visitor: PlaygroundClient, meanwhile: Callable[[], None] = lambda: None
) -> None:
    ada = visitor.player("Ada")
    async with asyncio.timeout(60):
        while not condition():  # nothing tells of other processes
            with suppress(RequestRejected, KeyError):
                await click_first(ada)
            meanwhile()
            await asyncio.sleep(0.005)


async def wait_computer_move(
    bot: BotProcess, visitor: PlaygroundClient, meanwhile: Callable[[], None] = lambda: None
) -> None:
    before = move_levels(bot).count("hard")
    await wait_until(lambda: move_levels(bot).count("hard") > before, visitor, meanwhile)


@pytest.mark.timeout(300)
async def test_the_match_goes_on_if_a_process_is_killed_in_the_middle_of_a_search(tmp_path: Path) -> None:
    async with running_bot(tmp_path / "motley.db") as (bot, visitor):
        ada = visitor.player("Ada")
        lobby = (await ada.run_command("wizard new", "games", rounds=3)).reply
        match = next(each.custom_id for each in lobby.buttons if each.custom_id.startswith("t:")).split(":")[1]
        for action in ("computer-hard", "start"):
            await ada.forge_click(lobby, f"t:{match}:{action}")
        for act in (kill_one_worker, kill_all_workers, kill_the_bot):
            await act(bot, visitor)
        left = find_workers(bot.pid)
        assert await bot.kill(signal.SIGTERM) == 0
        assert not any(map(is_running, left)), "a worker outlives the bot's end"
    moves = bot.load_moves()
    assert [move.number for move in moves] == list(range(1, len(moves) + 1))
    for seat in range(3):
        decisions = [move.decision for move in moves if move.seat == seat]
        assert decisions == list(range(len(decisions)))
    assert not wrong_lines(bot.log_lines)


async def kill_one_worker(bot: BotProcess, visitor: PlaygroundClient) -> None:
    """A worker is killed that has begun to think: another one thinks instead."""
    await wait_until(lambda: bool(find_workers(bot.pid)), visitor)
    (worker,) = find_workers(bot.pid)
    os.kill(worker, signal.SIGSTOP)  # so that it surely is in the middle of it
    before = move_levels(bot)
    await asyncio.sleep(2.5)  # more than the pause
    assert move_levels(bot) == before
    os.kill(worker, signal.SIGKILL)
    await wait_computer_move(bot, visitor)
    assert sum("A worker was lost" in line for line in bot.log_lines) == 1
    assert not any("without a search" in line for line in bot.log_lines)


async def kill_all_workers(bot: BotProcess, visitor: PlaygroundClient) -> None:
    """Whatever worker begins is killed: the computer plays by its policy."""

    def kill() -> None:
        for worker in find_workers(bot.pid):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)

    await wait_until(lambda: any("without a search" in line for line in bot.log_lines), visitor, kill)
    await wait_computer_move(bot, visitor, kill)


async def kill_the_bot(bot: BotProcess, visitor: PlaygroundClient) -> None:
    """The bot is killed with a worker that thinks: that ends as well, and the match goes on after a restart."""
    await wait_until(lambda: bool(find_workers(bot.pid)), visitor)
    left = find_workers(bot.pid)
    before = bot.load_moves()
    await bot.kill()
    while any(map(is_running, left)):  # noqa: ASYNC110  # nothing tells of other processes
        await asyncio.sleep(0.01)
    assert bot.load_moves()[: len(before)] == before
    await bot.start()
    await visitor.wait_until(lambda: visitor.bot_status == "online", "the bot after a kill", 30)
    await wait_computer_move(bot, visitor)
