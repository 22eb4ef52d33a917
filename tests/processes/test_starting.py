"""The bot is started before Discord can be reached, as after a reboot: it says so, and goes on trying."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from bot import FIRST_RETRY_PAUSE
from playground.page.client import PlaygroundClient
from playground.server import Playground
from tests.processes.bot_process import BotProcess

NO_SUCH_HOST = "http://discord.invalid/api/v10"
TOKEN = "the-same-at-every-start"
LOOK = 0.02  # seconds between two looks at what a process does


async def wait_log_line(bot: BotProcess, words: str, seconds: float = 30) -> str:
    """The line of the bot's log that has these words, once it is there."""
    async with asyncio.timeout(seconds):
        while True:
            if found := [line for line in bot.said if words in line]:
                return found[0]
            await asyncio.sleep(0.05)


def has_only_sentences(bot: BotProcess) -> bool:
    """Whether the log has sentences only."""
    return not [line for line in bot.said if "Traceback" in line or line.startswith("  File ")]


@asynccontextmanager
async def waiting_bot(folder: Path, api: str) -> AsyncIterator[BotProcess]:
    """A bot that was pointed at this address."""
    playground = Playground(rate_limited=False, token=TOKEN)
    bot = BotProcess(playground, folder / "motley.db")
    await playground.stop()
    bot.environment |= {"MOTLEY_API": api}
    await bot.start()
    try:
        yield bot
    finally:
        await bot.kill()


async def test_with_nobody_there_it_goes_on_trying_until_there_is(tmp_path: Path) -> None:
    playground = Playground(rate_limited=False, token=TOKEN)
    port = int(playground.base_url.rsplit(":", 1)[1])
    await playground.stop()
    async with waiting_bot(tmp_path, playground.api_url) as bot:
        assert "Retrying in 1 s" in await wait_log_line(bot, "Discord cannot be reached (ClientConnectorError)")
        await wait_log_line(bot, "Retrying in 2 s")
        async with (
            Playground(port, rate_limited=False, token=TOKEN) as there,
            PlaygroundClient.connect(there.base_url) as visitor,
        ):
            assert there.base_url == playground.base_url
            await visitor.wait_bot_ready()
            await wait_log_line(bot, "Ready:")
            assert await bot.kill(signal.SIGTERM) == 0
        assert has_only_sentences(bot), bot.said


@pytest.mark.parametrize("api", [NO_SUCH_HOST, "http://127.0.0.1:9/api/v10"], ids=["no name", "no host"])
async def test_while_it_waits_a_signal_ends_it_at_once(tmp_path: Path, api: str) -> None:
    async with waiting_bot(tmp_path, api) as bot:
        await wait_log_line(bot, "Discord cannot be reached")
        status, asleep = await asyncio.gather(bot.kill(signal.SIGTERM), idle_seconds(bot))
        assert status == 0
        assert asleep < FIRST_RETRY_PAUSE / 2
        assert has_only_sentences(bot), bot.said


async def idle_seconds(bot: BotProcess) -> float:
    """For how many seconds the bot is seen doing nothing until it has ended; waiting for a core or the disk is none."""
    seen = 0.0
    while states := thread_states(bot.pid):
        seen += LOOK if states == {"S"} else 0
        await asyncio.sleep(LOOK)
    return seen


def thread_states(pid: int) -> set[str]:
    """What the threads of a process do, in the system's letters; nothing when it has ended."""
    found: set[str] = set()
    for each in Path(f"/proc/{pid}/task").glob("*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            found.add(each.read_text().rpartition(") ")[2][0])
    return found - {"Z", "X"}


def hang_up_first(playground: Playground) -> None:
    """The gateway hangs up on the first who calls."""
    connected, calls = playground.simulation.gateway.open_connection, [1]

    def once(transport: Any, process: str = "", address: str = "") -> None:
        if calls:
            calls.pop()
            raise ConnectionResetError
        connected(transport, process, address)

    playground.simulation.gateway.open_connection = once  # type: ignore[method-assign]


async def test_whatever_fails_at_the_start_is_tried_again(tmp_path: Path) -> None:
    async with (
        Playground(rate_limited=False, token=TOKEN) as playground,
        PlaygroundClient.connect(playground.base_url) as visitor,
    ):
        playground.simulation.faults.cut_connections(count=2, path="users/@me")
        playground.simulation.faults.start_server_errors(1, 503, "oauth2/applications")
        hang_up_first(playground)
        async with waiting_bot(tmp_path, playground.api_url) as bot:
            await wait_log_line(bot, "Discord cannot be reached (ServerDisconnectedError)")
            await wait_log_line(bot, "Discord cannot be reached (DiscordServerError 503 0)")
            await wait_log_line(bot, "Discord's gateway cannot be reached")
            await visitor.wait_bot_ready()
            await wait_log_line(bot, "Ready:")
            assert await bot.kill(signal.SIGTERM) == 0
            assert has_only_sentences(bot), bot.said


async def test_when_discord_was_gone_for_a_while_the_bot_comes_back_by_itself(tmp_path: Path) -> None:
    async with (
        Playground(rate_limited=False, token=TOKEN) as playground,
        PlaygroundClient.connect(playground.base_url) as visitor,
    ):
        bot = BotProcess(playground, tmp_path / "motley.db")
        await bot.start()
        await visitor.wait_bot_ready()
    port = int(playground.base_url.rsplit(":", 1)[1])
    try:
        await asyncio.sleep(120 if os.environ.get("MOTLEY_SOAK") else 5)
        async with (
            Playground(port, rate_limited=False, token=TOKEN) as again,
            PlaygroundClient.connect(again.base_url) as visitor,
        ):
            await visitor.wait_until(lambda: visitor.bot_status == "online", "the bot", 30)
            assert await bot.kill(signal.SIGTERM) == 0
    finally:
        await bot.kill()
    assert has_only_sentences(bot), bot.said
