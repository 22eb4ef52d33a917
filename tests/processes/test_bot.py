"""The real `bot.py`: how it starts, what it refuses, how it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from motley.version import version
from playground.page.client import PlaygroundClient
from playground.server import Playground
from tests.processes.bot_process import ROOT, BotProcess, running_bot, visited_playground, wrong_lines


def run_bot(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run bot.py to its end with just these settings, away from any .env."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("DISCORD_", "MOTLEY_"))}
    command = [sys.executable, str(ROOT / "bot.py")]
    return subprocess.run(command, cwd=folder, env={**env, **settings}, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_cleanly_and_frees_the_database(tmp_path: Path, sign: signal.Signals) -> None:
    async with Playground(rate_limited=False) as playground, PlaygroundClient.connect(playground.base_url) as visitor:
        bot = BotProcess(playground, tmp_path / "motley.db")
        for _ in range(2):  # the second start needs the lock that the first one held
            await bot.start()
            await visitor.wait_until(lambda: visitor.bot_status == "online", "the bot", 30)
            assert await bot.kill(sign) == 0
            await visitor.wait_until(lambda: visitor.bot_status == "offline", "its end", 30)
    assert not any("Traceback" in line or "ERROR" in line for line in bot.log_lines), bot.log_lines


async def test_replies_under_way_are_finished_before_the_end(tmp_path: Path) -> None:
    async with running_bot(tmp_path / "motley.db") as (bot, visitor):
        players = [visitor.player(name) for name in ("Ada", "Bela", "Chidi", "Dora")]
        for number in range(4):
            given = [asyncio.create_task(player.run_command("wizard new", "games")) for player in players]
            await asyncio.sleep(0.02 + number / 20)  # some are under way, and others are still to come
            assert await bot.kill(signal.SIGTERM) == 0
            for each in given:
                each.cancel()
            await asyncio.gather(*given, return_exceptions=True)
            await bot.start()
            await visitor.wait_until(lambda: visitor.bot_status == "online", "the bot", 30)
    assert not (wrong := wrong_lines(bot.log_lines)), "\n".join(wrong)


async def test_a_second_bot_on_the_same_database_says_so_and_ends(tmp_path: Path) -> None:
    async with running_bot(tmp_path / "motley.db") as (bot, _):
        names = ("DISCORD_TOKEN", "MOTLEY_API", "MOTLEY_DATABASE")
        second = run_bot(tmp_path, **{name: bot.environment[name] for name in names})
        await bot.kill(signal.SIGTERM)
    assert second.returncode == 1
    assert "Another Motley is running" in second.stderr
    assert "Traceback" not in second.stderr


async def test_commands_are_registered_once_and_the_log_holds_no_token(tmp_path: Path) -> None:
    token = "a-token-that-stands-nowhere-else"
    async with visited_playground(token=token) as (playground, visitor):
        bot = BotProcess(playground, tmp_path / "motley.db")
        bot.environment |= {"DISCORD_TOKEN": token, "MOTLEY_LOG_LEVEL": "DEBUG"}
        for _ in range(2):
            await bot.start()
            await visitor.wait_bot_ready()
            await visitor.wait_until(lambda: visitor.bot_status == "online", "the bot", 30)
            await bot.kill(signal.SIGTERM)
            await visitor.wait_until(lambda: visitor.bot_status == "offline", "its end", 30)
        log = await visitor.fetch_request_log()
    puts = [each for each in log if each["method"] == "PUT" and each["path"].endswith("/commands")]
    assert len(puts) == 1
    assert any("Commands synced" in line for line in bot.log_lines)
    assert len([line for line in bot.log_lines if f"Motley {version()}" in line]) == 2
    assert not [line for line in bot.log_lines if token in line]


@pytest.mark.parametrize(
    ("settings", "status", "sentence"),
    [
        ({}, 2, "discord_token"),
        ({"DISCORD_TOKEN": ""}, 2, "discord_token"),
        ({"DISCORD_TOKEN": "x", "MOTLEY_LOG_LEVEL": "LOUD"}, 2, "log_level"),
        ({"DISCORD_TOKEN": "x", "MOTLEY_API": "no address"}, 2, "api"),
        ({"DISCORD_TOKEN": "x", "MOTLEY_DATABASE": "PostgreSQL://a:b@host/c"}, 2, "motley_database"),
        ({"DISCORD_TOKEN": "x", "MOTLEY_DATABASE": "list.db"}, 1, "list.db"),
        ({"DISCORD_TOKEN": "x", "MOTLEY_DATABASE": "link.db"}, 1, "link.db is a link that leads back to itself"),
    ],
)
def test_wrong_settings_and_files_are_named(
    tmp_path: Path, settings: dict[str, str], status: int, sentence: str
) -> None:
    (tmp_path / "list.db").write_text("a shopping list, and a long one, too\n" * 100)
    (tmp_path / "link.db").symlink_to(tmp_path / "link.db")
    before = (tmp_path / "list.db").read_bytes()
    ended = run_bot(tmp_path, **settings)
    assert ended.returncode == status
    assert sentence in ended.stderr.lower()
    assert "Traceback" not in ended.stderr
    assert (tmp_path / "list.db").read_bytes() == before
    assert status == 1 or {each.name for each in tmp_path.iterdir()} == {"list.db", "link.db"}


async def test_it_starts_though_python_does_not_look_beside_it(tmp_path: Path) -> None:
    async with running_bot(tmp_path / "motley.db", PYTHONSAFEPATH="1") as (bot, _):
        assert await bot.kill(signal.SIGTERM) == 0
    assert not any("Traceback" in line or "ERROR" in line for line in bot.log_lines), bot.log_lines


async def test_in_too_many_servers_for_one_session_it_says_what_to_set(tmp_path: Path) -> None:
    async with Playground(rate_limited=False) as playground:
        playground.simulation.gateway.guilds_per_shard = 0
        bot = BotProcess(playground, tmp_path / "m.db")
        await bot.start()
        assert await bot.wait_ended() == 2
    assert not any("Traceback" in line for line in bot.log_lines), bot.log_lines
    assert any("too many servers for one session. Set MOTLEY_SHARDS=auto" in line for line in bot.log_lines), (
        bot.log_lines
    )


async def test_a_wrong_token_is_said_in_a_sentence(tmp_path: Path) -> None:
    async with Playground(rate_limited=False) as playground:
        bot = BotProcess(playground, tmp_path / "m.db")
        bot.environment["DISCORD_TOKEN"] = "wrong"
        await bot.start()
        assert await bot.wait_ended() == 2
    assert not any("Traceback" in line for line in bot.log_lines), bot.log_lines
    assert any("token" in line.lower() for line in bot.log_lines), bot.log_lines
