"""A bot of several processes tells a second bot with its token from the hand-overs among its own processes."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from cogs.table.transport.application_access import SECOND_BOT_LOG
from playground.page.client import PlaygroundClient
from playground.server import Playground
from tests.processes.bot_process import BotProcess, visited_playground
from tests.processes.test_several import SERVERS, count_sessions, make_process, session_starts, wait_until

SHARDS = 4
SIBLING_SECONDS = 8  # in place of two minutes
PROGRAM = f"import bot, cogs.sharded_client as client; client.SIBLING_SECONDS = {SIBLING_SECONDS}; exit(bot.main())"
PAUSE = 0.2  # seconds between two rounds of requests, so that the processes have time to restart
MAX_SECONDS = 120.0


def has_warned(bot: BotProcess) -> bool:
    return any(SECOND_BOT_LOG in line for line in bot.log_lines)


async def ask_everywhere(visitor: PlaygroundClient) -> None:
    """Somebody asks for help in each server."""
    requests = (
        visitor.player(name).run_command("motley help", f"{server}/games")
        for name, server in zip(("Ada", "Bela", "Chidi", "Dora"), SERVERS, strict=True)
    )
    await asyncio.gather(*requests)


async def ask_until(visitor: PlaygroundClient, stop: asyncio.Event) -> None:
    while not stop.is_set():
        await ask_everywhere(visitor)
        await asyncio.sleep(PAUSE)


async def restart_in_turn(playground: Playground, bots: Sequence[BotProcess]) -> None:
    for name, bot in enumerate(bots):
        before = count_sessions(playground, str(name))
        assert await bot.kill(signal.SIGTERM) == 0
        await bot.start()
        share = before + SHARDS // 2
        await wait_until(lambda: count_sessions(playground, f"{name}") >= share, "its share", MAX_SECONDS)  # noqa: B023
        await asyncio.sleep(SIBLING_SECONDS / 2)


@pytest.mark.timeout(600)
async def test_hand_overs_tell_of_no_second_bot_and_a_second_bot_is_noticed(tmp_path: Path, address: str) -> None:
    async with visited_playground(guilds=4, shards=SHARDS, concurrency=SHARDS) as (playground, visitor):
        bots = [await make_process(playground, tmp_path, address, f"{number}") for number in range(2)]
        for bot in bots:
            bot.program = ["-c", PROGRAM]
            await bot.start()
        await wait_until(lambda: len(session_starts(playground)) == SHARDS, "a session of each shard")
        await visitor.wait_bot_ready()
        ended = asyncio.Event()
        asking = asyncio.create_task(ask_until(visitor, ended), name="ask")
        await restart_in_turn(playground, bots)
        await asyncio.sleep(2 * SIBLING_SECONDS)
        assert not [bot.log_lines for bot in bots if has_warned(bot)]
        second = await make_process(playground, tmp_path, str(tmp_path / "second.db"), "second")
        await second.start()
        try:
            await wait_until(lambda: any(map(has_warned, bots)), "a warning", MAX_SECONDS)
        finally:
            ended.set()
            await asking
            for bot in (*bots, second):
                await bot.end()
