"""The real bot is watched and backed up while people play, killed, restored, and played on."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import aiohttp
import pytest

from motley.__main__ import main
from tests.motley.test_metrics import free_port
from tests.processes.bot_process import running_bot
from tests.processes.playing import PlayedTable


async def fetch_from(port: int, path: str) -> str:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/{path}") as response:
        assert response.status == 200
        return await response.text()


def metric_value(metrics: str, name: str, labels: str = "") -> float:
    found = f"\n{name}{{{labels}}} " if labels else f"\n{name} "
    return float(metrics.partition(found)[2].split("\n")[0])


async def test_a_match_goes_on_from_a_backup_after_the_bot_was_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, backup = tmp_path / "motley.db", tmp_path / "backup.db"

    def run(*arguments: object) -> int:
        return main(["--database", str(path), *map(str, arguments)])

    port, settings = free_port(), {"MOTLEY_LOGS": "json", "MOTLEY_LOG_LEVEL": "DEBUG"}
    settings["PYTHONWARNINGS"] = "ignore"  # they are no log
    async with running_bot(path, MOTLEY_METRICS=str(port), **settings) as (bot, visitor):
        table = await PlayedTable.start_match(visitor, path, "jokers")
        await table.make_move()
        assert run("backup", backup) == 0
        then = bot.load_moves()
        for _ in range(3):
            await table.make_move()
        metrics = await fetch_from(port, "metrics")
        assert 'motley_matches{game="jokers",status="running"} 1.0' in metrics
        assert metric_value(metrics, "motley_writes_total", 'how="saved"') >= 5
        assert metric_value(metrics, "motley_answer_seconds_count", 'part="first"') >= 5
        assert metric_value(metrics, "motley_discord_requests_total", 'kind="answer",status="200"') >= 1
        health = json.loads(await fetch_from(port, "health"))
        assert health == {"ready": health["ready"], "discord": health["ready"], "database": True}
        assert run("check") == run("vacuum") == 0
        assert run("restore", backup) == 1
        assert "Another Motley is running" in capsys.readouterr().err
        assert len(bot.load_moves()) == len(then) + 3
        await bot.kill(signal.SIGKILL)
        assert run("restore", backup) == 0
        assert bot.load_moves() == then
        await bot.start()
        await visitor.wait_bot_ready()
        for _ in range(3):
            await table.make_move()
        assert bot.load_moves()[: len(then)] == then
        assert len(bot.load_moves()) == len(then) + 3
        await bot.kill(signal.SIGTERM)
    lines = [json.loads(line) for line in bot.log_lines]  # each of them
    assert {"time", "level", "logger", "message"} <= set.intersection(*map(set, lines))
    assert [line for line in lines if line.get("match") == table.match and line.get("decision", -1) >= 0]
    assert not [line for line in bot.log_lines if "ERROR" in line or "Traceback" in line], bot.log_lines
