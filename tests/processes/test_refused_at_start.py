"""What Discord, or the machine, refuses of the start: the bot starts without whatever it can play without."""

from __future__ import annotations

import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from motley.metrics import HOST
from playground.server import Playground
from playground.world import ids
from playground.world.world import Json
from tests.processes.bot_process import BotProcess
from tests.processes.test_starting import has_only_sentences, wait_log_line

COMMANDS = f"/applications/{ids.APPLICATION}/commands"
REQUIRED = {("GET", "/users/@me"), ("GET", "/oauth2/applications/@me")}
"""Who the bot is. Discord refuses that where the token is wrong, or the application is closed."""
SHARDS = "0-0/1"  # a start with named shards asks Discord for all that any start asks for
STATUSES = 400, 403, 404, 503
TOO_OFTEN = 1000


@asynccontextmanager
async def started(playground: Playground, folder: Path, **settings: str) -> AsyncIterator[BotProcess]:
    """The bot as it starts; at the end it must end by a signal, and its log must hold sentences alone."""
    bot = BotProcess(playground, folder / "motley.db")
    bot.environment |= settings
    await bot.start()
    try:
        yield bot
        assert await bot.kill(signal.SIGTERM) == 0, bot.state_text()
    finally:
        await bot.kill()
    assert has_only_sentences(bot), bot.said


def asked(playground: Playground, method: str = "") -> list[tuple[str, str]]:
    """What the bot has asked the playground for."""
    log = playground.simulation.request_log.entries_since(0)
    made = [(each["method"], each["path"]) for each in log if each["direction"] == "bot→server"]
    return [each for each in made if method in ("", each[0])]


def registered(playground: Playground) -> dict[str, Json]:
    """The commands there are, by name."""
    return {str(command["name"]): command for command in playground.simulation.commands.commands_in_scope(None)}


async def test_the_entry_point_command_is_kept_and_unchanged_commands_are_not_updated(tmp_path: Path) -> None:
    async with Playground(rate_limited=False) as playground:
        playground.simulation.commands.switch_activities_on()
        launch = registered(playground)["launch"]
        async with started(playground, tmp_path) as bot:
            await wait_log_line(bot, "Ready:")
            line = await wait_log_line(bot, "Commands")
            assert line.endswith(". Kept those that Discord added: launch")
            assert [each for each in bot.said if "Commands" in each] == [line]
        now = registered(playground)
        assert {**now["launch"], "version": launch["version"]} == launch
        assert {"motley", "admin"} < set(now)
        async with started(playground, tmp_path) as bot:
            await wait_log_line(bot, "matches checked")
            assert asked(playground, "PUT") == [("PUT", COMMANDS)], "the second start has nothing to change"


async def test_whatever_else_is_refused_of_the_start_the_bot_starts_without(tmp_path: Path) -> None:
    async with Playground(rate_limited=False) as playground:
        async with started(playground, tmp_path, MOTLEY_SHARDS=SHARDS) as bot:
            await wait_log_line(bot, "Commands synced")
            await wait_log_line(bot, "Ready:")
        optional = set(asked(playground)) - REQUIRED
    assert {("GET", COMMANDS), ("PUT", COMMANDS), ("GET", "/gateway/bot")} <= optional
    for number, (method, path) in enumerate(sorted(optional)):
        status = STATUSES[number % len(STATUSES)]
        (folder := tmp_path / str(number)).mkdir()
        async with Playground(rate_limited=False) as playground:
            playground.simulation.faults.start_server_errors(TOO_OFTEN, status, f"^{path}$", method)
            async with started(playground, folder, MOTLEY_SHARDS=SHARDS) as bot:
                await wait_log_line(bot, "Ready:")
                assert str(status) in await wait_log_line(bot, "WARNING"), (method, path)


@pytest.mark.parametrize(("method", "path"), sorted(REQUIRED))
async def test_where_discord_does_not_say_who_the_bot_is_it_ends(method: str, path: str, tmp_path: Path) -> None:
    async with Playground(rate_limited=False) as playground:
        playground.simulation.faults.start_server_errors(1, 403, f"^{path}$", method)
        bot = BotProcess(playground, tmp_path / "motley.db")
        await bot.start()
        assert await bot.wait_ended() == 1
        assert "Discord refuses the connection" in bot.said[-1]
        assert has_only_sentences(bot), bot.said


async def test_a_port_that_is_taken_keeps_nobody_from_playing_and_is_had_once_it_is_free(tmp_path: Path) -> None:
    async with Playground(rate_limited=False) as playground:
        with socket.create_server((HOST, 0)) as taken:
            port = taken.getsockname()[1]
            bot = BotProcess(playground, tmp_path / "motley.db")
            bot.environment |= {"MOTLEY_METRICS": str(port)}
            await bot.start()
            await wait_log_line(bot, f"Port {port} for MOTLEY_METRICS is not available")
            await wait_log_line(bot, "Ready:")
        await wait_log_line(bot, "Metrics for Prometheus")
        async with aiohttp.ClientSession() as session, session.get(f"http://{HOST}:{port}/health") as answer:
            assert (await answer.json())["ready"]
        assert await bot.kill(signal.SIGTERM) == 0
        assert len([line for line in bot.said if "for MOTLEY_METRICS is not available" in line]) == 1
        assert has_only_sentences(bot), bot.said
