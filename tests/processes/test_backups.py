"""The real bot is backed up while people play, killed, restored, and played on."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from motley.__main__ import main
from playground.client import Visitor
from playground.server import Playground
from tests.processes.bot_process import BotProcess
from tests.processes.playing import Table


async def test_a_match_goes_on_from_a_backup_after_the_bot_was_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, backup = tmp_path / "motley.db", tmp_path / "backup.db"

    def run(*arguments: object) -> int:
        return main(["--database", str(path), *map(str, arguments)])

    async with Playground(paced=False) as playground, Visitor.to(playground.base) as visitor:
        bot = BotProcess(playground, path)
        await bot.start()
        await visitor.bot_ready()
        table = await Table.started(visitor, path, "jokers")
        await table.move()
        assert run("backup", backup) == 0
        then = bot.moves()
        for _ in range(3):
            await table.move()
        assert run("check") == run("vacuum") == 0
        assert run("restore", backup) == 1
        assert "Another Motley is running" in capsys.readouterr().err
        assert len(bot.moves()) == len(then) + 3
        await bot.kill(signal.SIGKILL)
        assert run("restore", backup) == 0
        assert bot.moves() == then
        await bot.start()
        await visitor.bot_ready()
        for _ in range(3):
            await table.move()
        assert bot.moves()[: len(then)] == then
        assert len(bot.moves()) == len(then) + 3
        await bot.kill(signal.SIGTERM)
    assert not [line for line in bot.said if "ERROR" in line or "Traceback" in line], bot.said
