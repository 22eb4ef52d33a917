"""At DEBUG the real process tells no seed, hand, move or token, either: not in requests, not in what it is sent."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from engines import GAMES
from playground.client import SeenMessage, Visitor
from playground.server import Playground
from tests import kept
from tests.contract.helpers import HELPERS
from tests.contract.walk import choose
from tests.processes.bot_process import BotProcess

NAMES = ("Ada", "Bela", "Chidi")
NEW: dict[str, dict[str, Any]] = {"wizard": {"rounds": 1}, "jokers": {"rounds": 1}, "court": {"banners": 2, "turns": 3}}
MOST = 1000 if os.environ.get("MOTLEY_SOAK") else 8  # moves of a match
TOKEN_IN_PATH = re.compile(r"/(?:interactions|webhooks)/\d+/([^/?]+)")


class Kept(NamedTuple):
    """A match as the file has it."""

    match: str
    users: list[int]
    checkpoint: str


def running(path: Path) -> Kept | None:
    """The match that is being played."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as raw:
        sql = "SELECT match, checkpoint FROM matches JOIN states USING (match) WHERE status = 'running'"
        found = raw.execute(sql).fetchone()
        if found is None:
            return None
        users = raw.execute("SELECT user FROM seats WHERE match = ? ORDER BY seat", (found[0],)).fetchall()
        return Kept(found[0], [user for (user,) in users], found[1])


async def play(visitor: Visitor, path: Path, key: str, lobby: SeenMessage) -> set[str]:
    """Play a match by clicks; what was hidden on the way."""
    game, rng, secret = GAMES[key], Random(key), set[str]()
    names = {int(visitor.player(name).id): name for name in NAMES}
    for _ in range(MOST):
        now = running(path)
        if now is None:
            break
        secret |= kept.hidden(path)
        state = game.checkpoints.validate_json(now.checkpoint)
        seat, move = choose(HELPERS[key], state, rng)
        number = game.decisions(state)[seat].number
        player = visitor.player(names[now.users[seat]])
        await player.forge(lobby, f"m:{now.match}:{number}:{game.write(move)}")
    return secret | kept.hidden(path)


@pytest.mark.timeout(600)
async def test_matches_of_every_game_at_debug_log_nothing_hidden(tmp_path: Path) -> None:
    secret: set[str] = set()
    async with Playground(paced=False) as playground, Visitor.to(playground.base) as visitor:
        bot = BotProcess(playground, tmp_path / "motley.db")
        bot.environment |= {"MOTLEY_LOG_LEVEL": "DEBUG", "PYTHONASYNCIODEBUG": "1"}
        await bot.start()
        try:
            await visitor.bot_ready()
            for key, game in GAMES.items():
                opened = await visitor.player("Ada").command(f"{key} new", "games", **NEW.get(key, {}))
                for name in NAMES[1 : game.seats[0]]:
                    await visitor.player(name).click(opened.shown, "Join")
                await visitor.player("Ada").click(opened.shown, "Start")
                secret |= await play(visitor, bot.database, key, opened.shown)
                await end(bot, visitor)
            paths = [request["path"] for request in await visitor.requests()]
            assert await bot.kill(signal.SIGTERM) == 0
        finally:
            await bot.kill()
    log = "\n".join(bot.said)
    tokens = {found[1] for path in paths if (found := TOKEN_IN_PATH.search(path))}
    assert len(tokens) > 20
    assert len(secret) > 200
    assert "DEBUG" in log  # what Motley itself says
    assert [text for text in (*secret, *tokens, "Your hand", "Authorization") if text in log] == []
    assert kept.OBJECT.findall(log) == []


async def end(bot: BotProcess, visitor: Visitor) -> None:
    """Vote a match out that is still running."""
    now = running(bot.database)
    if now is not None:
        for name in NAMES[: len(now.users)]:
            await visitor.player(name).command(f"{game_of(bot.database, now.match)} stop", "games", match=now.match)


def game_of(path: Path, match: str) -> str:
    """The game that a match is of."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as raw:
        return str(raw.execute("SELECT game FROM matches WHERE match = ?", (match,)).fetchone()[0])
