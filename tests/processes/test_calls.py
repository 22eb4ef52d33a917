"""`kill -9` while somebody is being called: every call is made, and none is made twice.

MOTLEY_SEED repeats a run's choices.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from playground.page.client import PlaygroundClient
from playground.server import Playground
from tests.processes.bot_process import BotProcess
from tests.processes.script import NAMES, ScriptedMatch

KILLS = 3
SILENT = 4096
SLOW = 30.0  # seconds that something may take on a busy machine
PENDING = "SELECT COUNT(*) FROM due WHERE kind = 'call' AND NOT done AND at <= CAST(strftime('%s', 'now') AS INTEGER)"
WAITING = "SELECT seat, decision, done FROM due WHERE kind = 'call' ORDER BY seat"


def query(bot: BotProcess, sql: str) -> list[tuple[Any, ...]]:
    """What the file says, from the file itself."""
    with closing(sqlite3.connect(f"file:{bot.database}?mode=ro", uri=True)) as raw:
        return raw.execute(sql).fetchall()


async def wait_all_called(bot: BotProcess, visitor: PlaygroundClient) -> None:
    """Wait until nobody is still to be called, and everybody has one hand."""
    async with asyncio.timeout(SLOW):
        while True:
            if query(bot, PENDING) == [(0,)]:
                break
            await asyncio.sleep(0.02)
    inboxes = [visitor.player(name).channel_id("dm") for name in NAMES]
    await visitor.wait_until(lambda: all(len(visitor.messages[each]) == 1 for each in inboxes), "one hand each", SLOW)


@pytest.mark.timeout(300)
async def test_killed_while_somebody_is_called_no_call_is_lost_or_made_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = int(os.environ.get("MOTLEY_SEED", random.randrange(10**6)))
    print(f"MOTLEY_SEED={seed}")
    heard: list[str] = []  # the channel of whatever made itself heard
    async with Playground(rate_limited=False) as playground, PlaygroundClient.connect(playground.base_url) as visitor:
        take = visitor._apply_frame

        def taken(frame: dict[str, Any]) -> None:
            if frame["type"] == "message_create" and not frame["message"]["flags"] & SILENT:
                heard.append(frame["message"]["channel_id"])
            take(frame)

        monkeypatch.setattr(visitor, "_apply_frame", taken)
        bot, script = BotProcess(playground, tmp_path / "motley.db"), ScriptedMatch(visitor, random.Random(seed))
        await bot.start()
        try:
            await visitor.wait_bot_ready()
            for name in NAMES:
                settings = await visitor.player(name).run_command("motley settings", "games")
                await visitor.player(name).select(settings.reply, "y:call", "0")
            await script.open_match(1)
            called = 0
            for _ in range(KILLS):
                await wait_all_called(bot, visitor)
                before, since = query(bot, WAITING), len(heard)
                while True:
                    if await script.click_once():
                        break
                    await asyncio.sleep(0.02)
                await asyncio.sleep(script.chance.uniform(0, 0.05))
                await bot.kill()
                await bot.start()
                await visitor.wait_until(lambda: visitor.bot_status == "online", "the bot after a kill", SLOW)
                await wait_all_called(bot, visitor)
                for seat, decision, done in query(bot, WAITING):
                    new = (seat, decision, done) not in before
                    inbox = visitor.player(NAMES[seat]).channel_id("dm")
                    assert heard[since:].count(inbox) == int(new and done), (seat, decision, done)
                    called += int(new and done)
        finally:
            await bot.kill()
    assert called
    wrong = ("cogs.table.transport.error_reports", "is set aside", "Traceback")
    assert not [line for line in bot.said if any(mark in line for mark in wrong)], bot.said[-20:]
