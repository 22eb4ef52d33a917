"""`make play`: Motley runs on the playground, with its emoji and its settings, or on Discord if there is a token."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

import play
from play import PlaygroundSettings, has_token
from playground.running import BotProcess, start_process
from playground.server import Playground

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = PlaygroundSettings(port=0)
IDLE = "import time; time.sleep(60)"


@pytest.fixture(autouse=True)
def own_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTLEY_DATABASE", str(tmp_path / "playground.db"))


async def until_the_bot_starts(settings: PlaygroundSettings, monkeypatch: pytest.MonkeyPatch) -> Playground:
    """Run until the bot would start, which then sleeps instead, and return the playground as it was then."""
    started: asyncio.Future[Playground] = asyncio.get_running_loop().create_future()

    async def start_bot(playground: Playground) -> BotProcess:
        started.set_result(playground)
        return await start_process([sys.executable, "-c", IDLE], play.bot_environment(playground))

    monkeypatch.setattr(play, "start_bot", start_bot)
    running = asyncio.create_task(play.run_on_playground(settings))
    waited: set[asyncio.Future[Any]] = {running, started}
    await asyncio.wait(waited, timeout=30, return_when=asyncio.FIRST_COMPLETED)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return started.result()


async def test_activities_can_be_on_before_the_bot_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    async def upload_nothing(playground: Playground) -> None:
        pass

    monkeypatch.setattr(play, "upload_emoji", upload_nothing)
    for on, names in ((False, []), (True, ["launch"])):
        playground = await until_the_bot_starts(PlaygroundSettings(port=0, activities=on), monkeypatch)
        assert [command["name"] for command in playground.simulation.commands.all_commands()] == names


async def test_the_emoji_are_there_before_the_bot_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    playground = await until_the_bot_starts(SETTINGS, monkeypatch)
    names = [each.name for each in playground.simulation.emoji.by_id.values()]
    assert any(name.startswith("motley_king_of_hearts_") for name in names)


async def test_the_bot_starts_without_emoji_if_they_cannot_be_uploaded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with Playground() as playground:
        monkeypatch.setattr(playground.simulation, "token", "x.y.z")
        environment = {**play.bot_environment(playground), "DISCORD_TOKEN": "other"}
        monkeypatch.setattr(play, "bot_environment", lambda playground: environment)
        await play.upload_emoji(playground)
        assert not playground.simulation.emoji.by_id
    assert "Discord does not accept this token." in capsys.readouterr().out


RUN = """
import asyncio, pathlib, sys
import play

async def upload_nothing(playground):
    pass

play._BOT, play.upload_emoji = pathlib.Path(sys.argv[1]), upload_nothing
sys.exit(asyncio.run(play.run_on_playground(play.PlaygroundSettings(port=0))))
"""


async def test_a_signal_ends_server_and_bot(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(f"print('The bot runs.', flush=True); {IDLE}")
    command = sys.executable, "-c", RUN, str(bot)
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    assert await asyncio.wait_for(process.stdout.readline(), 20) == b"The bot runs.\n"
    process.send_signal(signal.SIGTERM)
    rest = await asyncio.wait_for(process.stdout.read(), 20)
    assert await asyncio.wait_for(process.wait(), 20) == 0
    assert b"The playground is closed." in rest


def test_a_token_in_the_env_file_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    tokens = ("DISCORD_TOKEN=abc\n", True), ('export DISCORD_TOKEN="abc"\n', True), ("DISCORD_TOKEN=\n", False)
    for text, found in (*tokens, ("# DISCORD_TOKEN=abc\nMOTLEY_DATABASE=x\n", False)):
        (tmp_path / ".env").write_text(text)
        assert has_token(tmp_path / ".env") is found, text
    assert not has_token(tmp_path / "missing")
    monkeypatch.setenv("DISCORD_TOKEN", "abc")
    assert has_token(tmp_path / "missing")
