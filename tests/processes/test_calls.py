"""`kill -9` while somebody is being called: every call is made, and none is made twice.

MOTLEY_SEED repeats a run's choices.
"""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path
from typing import Any

import pytest

from playground.page.client import PlaygroundClient
from tests.processes.bot_process import BotProcess, query_file, running_bot, wrong_lines
from tests.processes.playing import FOUR_PEOPLE, ScriptedMatch

KILLS = 3
SILENT = 4096
SLOW = 30.0  # seconds that something may take on a busy machine
PENDING = "SELECT COUNT(*) FROM due WHERE kind = 'call' AND NOT done AND at <= CAST(strftime('%s', 'now') AS INTEGER)"
WAITING = "SELECT seat, decision, done FROM due WHERE kind = 'call' ORDER BY seat"


async def wait_all_called(bot: BotProcess, visitor: PlaygroundClient) -> None:
    async with asyncio.timeout(SLOW):
        while query_file(bot.database, PENDING) != [(0,)]:  # noqa: ASYNC110  # nothing tells of the file
            await asyncio.sleep(0.02)
    inboxes = [visitor.player(name).channel_id("dm") for name in FOUR_PEOPLE]
    await visitor.wait_until(lambda: all(len(visitor.messages[each]) == 1 for each in inboxes), "one hand each", SLOW)


@pytest.mark.timeout(300)
async def test_a_kill_loses_or_doubles_no_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = int(os.environ.get("MOTLEY_SEED", random.randrange(10**6)))
    print(f"MOTLEY_SEED={seed}")
    channels: list[str] = []  # the channel of whatever made itself heard
    async with running_bot(tmp_path / "motley.db") as (bot, visitor):
        take, script, called = visitor._apply_frame, ScriptedMatch(visitor, random.Random(seed)), 0

        def taken(frame: dict[str, Any]) -> None:
            if frame["type"] == "message_create" and not frame["message"]["flags"] & SILENT:
                channels.append(frame["message"]["channel_id"])
            take(frame)

        monkeypatch.setattr(visitor, "_apply_frame", taken)
        for name in FOUR_PEOPLE:
            settings = await visitor.player(name).run_command("motley settings", "games")
            await visitor.player(name).select(settings.reply, "y:call", "0")
        await script.open_match(1)
        for _ in range(KILLS):
            await wait_all_called(bot, visitor)
            before, start = query_file(bot.database, WAITING), len(channels)
            while not await script.click_once():  # noqa: ASYNC110  # a hand may be on its way
                await asyncio.sleep(0.02)
            await asyncio.sleep(script.chance.uniform(0, 0.05))
            await bot.kill()
            await bot.start()
            await visitor.wait_until(lambda: visitor.bot_status == "online", "the bot after a kill", SLOW)
            await wait_all_called(bot, visitor)
            for seat, decision, is_done in query_file(bot.database, WAITING):
                new = (seat, decision, is_done) not in before
                inbox = visitor.player(FOUR_PEOPLE[seat]).channel_id("dm")
                assert channels[start:].count(inbox) == int(new and is_done), (seat, decision, is_done)
                called += int(new and is_done)
    assert called
    assert not wrong_lines(bot.log_lines)
