"""At DEBUG the real process tells no seed, hand, move or token, either: not in requests, not in what it is sent."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from engines import GAMES
from tests import log_checks
from tests.processes.bot_process import running_bot
from tests.processes.playing import PlayedTable

MOST = 1000 if os.environ.get("MOTLEY_SOAK") else 8  # moves of a match
TOKEN_IN_PATH = re.compile(r"/(?:interactions|webhooks)/\d+/([^/?]+)")


@pytest.mark.timeout(600)
async def test_matches_of_every_game_at_debug_log_nothing_hidden(tmp_path: Path) -> None:
    secret: set[str] = set()
    verbose = {"MOTLEY_LOG_LEVEL": "DEBUG", "PYTHONASYNCIODEBUG": "1"}
    async with running_bot(tmp_path / "motley.db", **verbose) as (bot, visitor):
        for game in GAMES:
            table, moves = await PlayedTable.start_match(visitor, bot.database, game), 0
            while moves < MOST and await table.make_move():
                secret |= log_checks.hidden_texts(bot.database)
                moves += 1
        paths = [request["path"] for request in await visitor.fetch_request_log()]
        assert await bot.kill(signal.SIGTERM) == 0
    log = "\n".join(bot.log_lines)
    tokens = {found[1] for path in paths if (found := TOKEN_IN_PATH.search(path))}
    assert len(tokens) > 20
    assert len(secret) > 200
    assert "DEBUG" in log  # what Motley itself says
    assert [text for text in (*secret, *tokens, "Your hand", "Authorization") if text in log] == []
    assert log_checks.OBJECT_PATTERN.findall(log) == []
