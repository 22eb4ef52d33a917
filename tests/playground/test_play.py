"""`make play`: the bot runs beside the server, restarts, and ends cleanly."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from playground import play
from playground.page.client import PlaygroundClient
from playground.play import BotSupervisor, has_token
from playground.server import Playground

BOT = Path(__file__).with_name("jester_bot.py")
RUN = (
    "import asyncio, pathlib, sys; from playground.play import run_playground; "
    "sys.exit(asyncio.run(run_playground(pathlib.Path({!r}))))"
)
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def own_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTLEY_DATABASE", str(tmp_path / "playground.db"))


async def test_the_bot_is_restarted_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    async with Playground(rate_limited=False) as playground, PlaygroundClient.connect(playground.base_url) as visitor:
        keeping = asyncio.create_task(BotSupervisor(playground, BOT).keep_running())
        await visitor.wait_bot_ready()
        await visitor.cause_fault("restart_bot")
        await visitor.wait_until(lambda: visitor.bot_status == "starting", "the restart")
        await visitor.wait_bot_ready()
        assert (await visitor.player("Ada").run_command("plain new", rounds=1)).responded
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
    told = capsys.readouterr().out
    assert told.count("The playground is open at") == 1
    assert "The bot is back." in told


async def test_a_bot_that_ends_by_itself_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(play, "_RESTART_PAUSE_SECONDS", 0.0)
    runs, broken = tmp_path / "runs", tmp_path / "broken.py"
    broken.write_text(f"import sys\nopen({str(runs)!r}, 'a').write('x')\nsys.exit(3)\n")
    async with Playground() as playground:
        keeping = asyncio.create_task(BotSupervisor(playground, broken).keep_running())
        async with asyncio.timeout(20):
            while not (runs.exists() and len(runs.read_text()) > 1):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
    assert "The bot has ended by itself (status 3)" in capsys.readouterr().out


async def test_activities_can_be_on_before_the_bot_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    class CommandReader(BotSupervisor):
        async def keep_running(self) -> None:
            seen.extend(command["name"] for command in self._playground.simulation.commands.all_commands())

    monkeypatch.setenv("MOTLEY_PLAYGROUND_PORT", "0")
    monkeypatch.setattr(play, "BotSupervisor", CommandReader)
    for on, there in (("0", []), ("1", ["launch"])):
        monkeypatch.setenv("MOTLEY_PLAYGROUND_ACTIVITIES", on)
        assert await play.run_playground(BOT) == 0
        assert seen == there


async def test_the_emoji_are_there_before_the_bot_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    class EmojiReader(BotSupervisor):
        async def keep_running(self) -> None:
            seen.extend(each.name for each in self._playground.simulation.emoji.by_id.values())

    monkeypatch.setenv("MOTLEY_PLAYGROUND_PORT", "0")
    monkeypatch.setattr(play, "BotSupervisor", EmojiReader)
    assert await play.run_playground(BOT, play.upload_emoji) == 0
    assert any(name.startswith("motley_king_of_hearts_") for name in seen)


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


async def test_a_signal_ends_server_and_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTLEY_PLAYGROUND_PORT", "0")
    command = sys.executable, "-c", RUN.format(str(BOT))
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    said = b""
    while b"Ctrl-C" not in said:
        said += await asyncio.wait_for(process.stdout.readline(), 20)
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
