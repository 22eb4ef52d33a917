"""At DEBUG the real process tells no seed, hand, move or token, either: not in requests, not in what it is sent."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from engines import GAMES
from playground.page.client import PlaygroundClient
from playground.server import Playground
from tests import kept
from tests.processes.bot_process import BotProcess
from tests.processes.playing import PlayedTable

MOST = 1000 if os.environ.get("MOTLEY_SOAK") else 8  # moves of a match
TOKEN_IN_PATH = re.compile(r"/(?:interactions|webhooks)/\d+/([^/?]+)")


@pytest.mark.timeout(600)
async def test_matches_of_every_game_at_debug_log_nothing_hidden(tmp_path: Path) -> None:
    secret: set[str] = set()
    async with Playground(rate_limited=False) as playground, PlaygroundClient.connect(playground.base_url) as visitor:
        bot = BotProcess(playground, tmp_path / "motley.db")
        bot.environment |= {"MOTLEY_LOG_LEVEL": "DEBUG", "PYTHONASYNCIODEBUG": "1"}
        await bot.start()
        try:
            await visitor.wait_bot_ready()
            for game in GAMES:
                table = await PlayedTable.start_match(visitor, bot.database, game)
                moves = 0
                while moves < MOST and await table.make_move():
                    secret |= kept.hidden_texts(bot.database)
                    moves += 1
            paths = [request["path"] for request in await visitor.fetch_request_log()]
            assert await bot.kill(signal.SIGTERM) == 0
        finally:
            await bot.kill()
    log = "\n".join(bot.said)
    tokens = {found[1] for path in paths if (found := TOKEN_IN_PATH.search(path))}
    assert len(tokens) > 20
    assert len(secret) > 200
    assert "DEBUG" in log  # what Motley itself says
    assert [text for text in (*secret, *tokens, "Your hand", "Authorization") if text in log] == []
    assert kept.OBJECT_PATTERN.findall(log) == []
