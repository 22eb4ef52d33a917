"""`python -m playground`: a bot that is not Motley runs beside the server, restarts, and ends cleanly."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from playground import running
from playground.page.client import PlaygroundClient
from playground.running import BotProcess, BotSupervisor, bot_environment, start_process
from playground.server import Playground

BOT = Path(__file__).with_name("jester_bot.py")
ROOT = Path(__file__).resolve().parents[2]


@asynccontextmanager
async def open_playground(*arguments: str | Path) -> AsyncIterator[tuple[Process, str]]:
    """`python -m playground` with those arguments, and what it says until it has told how to close it."""
    command: Sequence[str] = [sys.executable, "-m", "playground", "--port", "0", *map(str, arguments)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("DISCORD_", "MOTLEY_"))}
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=environment, stdout=PIPE)
    assert process.stdout is not None
    output = b""
    async with asyncio.timeout(30):
        while b"Ctrl-C" not in output:
            line = await process.stdout.readline()
            assert line, output.decode()  # the process has ended
            output += line
    try:
        yield process, output.decode()
    finally:
        process.send_signal(signal.SIGTERM)
        rest = await asyncio.wait_for(process.stdout.read(), 20)
        assert await asyncio.wait_for(process.wait(), 20) == 0
        assert b"Traceback" not in rest


async def play_a_little(address: str) -> None:
    async with PlaygroundClient.connect(address) as visitor:
        await visitor.wait_bot_ready()
        table = (await visitor.player("Ada").run_command("plain new", rounds=1)).reply
        assert "Counted 1" in (await visitor.player("Bela").click(table, "Count 0")).reply.text


async def test_a_bot_that_is_not_motley_runs_on_it() -> None:
    async with open_playground("--name", "Merry", sys.executable, BOT) as (_, output):
        await play_a_little(output.partition("open at ")[2].split()[0])


async def test_a_bot_started_elsewhere_is_told_all_that_it_needs() -> None:
    async with open_playground() as (_, output):
        environment = dict(re.findall(r"^    (\w+)=(.*)$", output, re.MULTILINE))
        assert environment.keys() == {"DISCORD_TOKEN", "DISCORD_API", "DISCORD_GATEWAY"}
        bot = await start_process([sys.executable, BOT], {**os.environ, **environment})
        try:
            await play_a_little(output.partition("open at ")[2].split()[0])
        finally:
            await running.end_process(bot)


async def test_the_bot_is_restarted_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    async with Playground(rate_limited=False) as playground, PlaygroundClient.connect(playground.base_url) as visitor:

        async def start() -> BotProcess:
            return await start_process([sys.executable, BOT], {**os.environ, **bot_environment(playground)})

        keeping = asyncio.create_task(BotSupervisor(playground, start).keep_running())
        await visitor.wait_bot_ready()
        await visitor.cause_fault("restart_bot")
        await visitor.wait_until(lambda: visitor.bot_status == "starting", "the restart")
        await visitor.wait_bot_ready()
        assert (await visitor.player("Ada").run_command("plain new", rounds=1)).responded
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
    output = capsys.readouterr().out
    assert output.count("The playground is open at") == 1
    assert "The bot is back." in output


async def test_a_bot_that_ends_by_itself_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(running, "_RESTART_PAUSE_SECONDS", 0.0)
    runs = tmp_path / "runs"
    broken = f"import sys\nopen({str(runs)!r}, 'a').write('x')\nsys.exit(3)\n"
    async with Playground() as playground:
        supervisor = BotSupervisor(playground, lambda: start_process([sys.executable, "-c", broken], os.environ))
        keeping = asyncio.create_task(supervisor.keep_running())
        async with asyncio.timeout(20):
            while not (runs.exists() and len(runs.read_text()) > 1):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
    assert "The bot has ended by itself (status 3)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--servers", "0"], "argument --servers: 0 is not between 1 and 1000"),
        (["--shards", "x"], "argument --shards"),
        (["./nothing-here"], "There is no command ./nothing-here."),
    ],
)
async def test_a_setup_that_cannot_run_is_refused_in_a_sentence(arguments: list[str], sentence: str) -> None:
    command = [sys.executable, "-m", "playground", "--port", "0", *arguments]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=PIPE, stderr=PIPE)
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode
    assert sentence in errors.decode()
    assert "Traceback" not in errors.decode()
