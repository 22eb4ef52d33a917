"""The bot starts though Discord cannot be reached or refuses something, and needs nothing that Windows lacks."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot import FIRST_RETRY_PAUSE
from motley.metrics import HOST
from playground.page.client import PlaygroundClient
from playground.server import Playground
from playground.world import ids
from playground.world.world import Json
from tests.processes.bot_process import ROOT, BotProcess, visited_playground
from tests.processes.playing import open_alone, play_until_all_have_moved

NO_SUCH_HOST = "http://discord.invalid/api/v10"
TOKEN = "the-same-at-every-start"
LOOK = 0.02  # seconds between two looks at what a process does


async def wait_log_line(bot: BotProcess, words: str, seconds: float = 30) -> str:
    async with asyncio.timeout(seconds):
        while True:
            if found := [line for line in bot.log_lines if words in line]:
                return found[0]
            await asyncio.sleep(0.05)


def has_only_sentences(bot: BotProcess) -> bool:
    return not [line for line in bot.log_lines if "Traceback" in line or line.startswith("  File ")]


@asynccontextmanager
async def waiting_bot(folder: Path, api: str) -> AsyncIterator[BotProcess]:
    playground = Playground(rate_limited=False, token=TOKEN)
    bot = BotProcess(playground, folder / "motley.db")
    await playground.stop()
    bot.environment |= {"MOTLEY_API": api}
    await bot.start()
    try:
        yield bot
    finally:
        await bot.kill()


async def test_the_bot_retries_until_discord_answers(tmp_path: Path) -> None:
    playground = Playground(rate_limited=False, token=TOKEN)
    port = int(playground.base_url.rsplit(":", 1)[1])
    await playground.stop()
    async with waiting_bot(tmp_path, playground.api_url) as bot:
        assert "Retrying in 1 s" in await wait_log_line(bot, "Discord cannot be reached (ClientConnectorError)")
        await wait_log_line(bot, "Retrying in 2 s")
        async with visited_playground(port=port, token=TOKEN) as (second, visitor):
            assert second.base_url == playground.base_url
            await visitor.wait_bot_ready()
            await wait_log_line(bot, "Ready:")
            assert await bot.kill(signal.SIGTERM) == 0
        assert has_only_sentences(bot), bot.log_lines


@pytest.mark.parametrize("api", [NO_SUCH_HOST, "http://127.0.0.1:9/api/v10"], ids=["no name", "no host"])
async def test_while_it_waits_a_signal_ends_it_at_once(tmp_path: Path, api: str) -> None:
    async with waiting_bot(tmp_path, api) as bot:
        await wait_log_line(bot, "Discord cannot be reached")
        status, asleep = await asyncio.gather(bot.kill(signal.SIGTERM), idle_seconds(bot))
        assert status == 0
        assert asleep < FIRST_RETRY_PAUSE / 2
        assert has_only_sentences(bot), bot.log_lines


async def idle_seconds(bot: BotProcess) -> float:
    """For how many seconds the bot is seen doing nothing until it has ended; waiting for a core or the disk is none."""
    idle = 0.0
    while states := thread_states(bot.pid):
        idle += LOOK if states == {"S"} else 0
        await asyncio.sleep(LOOK)
    return idle


def thread_states(pid: int) -> set[str]:
    """What the threads of a process do, in the system's letters; nothing when it has ended."""
    found: set[str] = set()
    for each in Path(f"/proc/{pid}/task").glob("*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            found.add(each.read_text().rpartition(") ")[2][0])
    return found - {"Z", "X"}


def hang_up_first(playground: Playground) -> None:
    connected, calls = playground.simulation.gateway.open_connection, [1]

    def once(transport: Any, process: str = "", address: str = "") -> None:
        if calls:
            calls.pop()
            raise ConnectionResetError
        connected(transport, process, address)

    playground.simulation.gateway.open_connection = once  # type: ignore[method-assign]


async def test_failures_at_the_start_are_tried_again(tmp_path: Path) -> None:
    async with visited_playground(token=TOKEN) as (playground, visitor):
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
            assert has_only_sentences(bot), bot.log_lines


async def test_when_discord_was_gone_for_a_while_the_bot_comes_back_by_itself(tmp_path: Path) -> None:
    async with visited_playground(token=TOKEN) as (playground, visitor):
        bot = BotProcess(playground, tmp_path / "motley.db")
        await bot.start()
        await visitor.wait_bot_ready()
    port = int(playground.base_url.rsplit(":", 1)[1])
    try:
        await asyncio.sleep(120 if os.environ.get("MOTLEY_SOAK") else 5)
        async with visited_playground(port=port, token=TOKEN) as (_, visitor):
            await visitor.wait_until(lambda: visitor.bot_status == "online", "the bot", 30)
            assert await bot.kill(signal.SIGTERM) == 0
    finally:
        await bot.kill()
    assert has_only_sentences(bot), bot.log_lines


COMMANDS = f"/applications/{ids.APPLICATION}/commands"
REQUIRED = {("GET", "/users/@me"), ("GET", "/oauth2/applications/@me")}
"""Who the bot is. Discord refuses that if the token is wrong, or the application is closed."""
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
    assert has_only_sentences(bot), bot.log_lines


def sent_requests(playground: Playground, method: str = "") -> list[tuple[str, str]]:
    log = playground.simulation.request_log.entries_since(0)
    requests = [(each["method"], each["path"]) for each in log if each["direction"] == "bot→server"]
    return [each for each in requests if method in ("", each[0])]


def registered_commands(playground: Playground) -> dict[str, Json]:
    return {str(command["name"]): command for command in playground.simulation.commands.commands_in_scope(None)}


async def test_the_entry_point_command_is_kept_and_unchanged_commands_are_not_updated(tmp_path: Path) -> None:
    async with Playground(rate_limited=False) as playground:
        playground.simulation.commands.switch_activities_on()
        launch = registered_commands(playground)["launch"]
        async with started(playground, tmp_path) as bot:
            await wait_log_line(bot, "Ready:")
            line = await wait_log_line(bot, "Commands")
            assert line.endswith(". Kept those that Discord added: launch")
            assert [each for each in bot.log_lines if "Commands" in each] == [line]
        now = registered_commands(playground)
        assert {**now["launch"], "version": launch["version"]} == launch
        assert {"motley", "admin"} < set(now)
        async with started(playground, tmp_path) as bot:
            await wait_log_line(bot, "matches checked")
            assert sent_requests(playground, "PUT") == [("PUT", COMMANDS)], "the second start has nothing to change"


async def test_the_bot_starts_without_other_things_that_are_refused_at_the_start(tmp_path: Path) -> None:
    async with Playground(rate_limited=False) as playground:
        async with started(playground, tmp_path, MOTLEY_SHARDS=SHARDS) as bot:
            await wait_log_line(bot, "Commands synced")
            await wait_log_line(bot, "Ready:")
        optional = set(sent_requests(playground)) - REQUIRED
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
async def test_the_bot_ends_if_discord_does_not_say_who_it_is(method: str, path: str, tmp_path: Path) -> None:
    async with Playground(rate_limited=False) as playground:
        playground.simulation.faults.start_server_errors(1, 403, f"^{path}$", method)
        bot = BotProcess(playground, tmp_path / "motley.db")
        await bot.start()
        assert await bot.wait_ended() == 1
        assert "Discord refuses the connection" in bot.log_lines[-1]
        assert has_only_sentences(bot), bot.log_lines


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
        assert len([line for line in bot.log_lines if "for MOTLEY_METRICS is not available" in line]) == 1
        assert has_only_sentences(bot), bot.log_lines


BARE = """
import asyncio.unix_events, os, signal
import filelock  # it has a way of its own for every system

def none_here(*_):
    raise NotImplementedError

def no_folders(path, *rest, **more):
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied", path)
    return opened(path, *rest, **more)

opened, os.open = os.open, no_folders
asyncio.unix_events._UnixSelectorEventLoop.add_signal_handler = none_here
for module, names in ((os, "chown fork forkpty getuid geteuid getgid getpgid getpriority killpg mkfifo nice \
posix_spawn sched_getaffinity sched_setaffinity setpriority setsid statvfs sysconf wait4"),
    (signal, "SIGHUP SIGKILL SIGSTOP SIGCONT SIGUSR1 SIGUSR2 SIGALRM ITIMER_PROF setitimer pthread_kill")):
    for name in names.split():
        delattr(module, name)
"""


async def test_play_and_the_bot_run_without_what_windows_has_not(tmp_path: Path) -> None:
    """A match with computers is begun, then Ctrl-C ends all of it in good order."""
    (tmp_path / "sitecustomize.py").write_text(BARE)
    database = tmp_path / "data" / "motley.db"
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD_", "MOTLEY_"))}
    environment |= {"MOTLEY_PLAYGROUND_PORT": "0", "MOTLEY_DATABASE": str(database)}
    environment["MOTLEY_BACKUPS"] = str(tmp_path / "backups")
    environment["PYTHONPATH"] = os.pathsep.join((str(tmp_path), str(ROOT)))
    command = (sys.executable, "play.py")
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=environment, stdout=PIPE, stderr=PIPE, start_new_session=True
    )
    assert process.stdout is not None
    async with asyncio.timeout(120):
        output = ""
        while "open at " not in output:
            output += (await process.stdout.readline()).decode()
        async with PlaygroundClient.connect(output.partition("open at ")[2].strip()) as visitor:
            await visitor.wait_bot_ready()
            ada = visitor.player("Ada")
            await open_alone(ada)
            await play_until_all_have_moved(ada, database)
        process.send_signal(signal.SIGINT)
        rest, complaints = (each.decode() for each in await process.communicate())
    assert process.returncode == 0, complaints
    assert "The playground is closed." in rest
    assert "Ending." in complaints
    assert "Traceback" not in complaints, complaints
    assert [*database.parent.glob("*-wal")] == [], "it was not closed in good order"
