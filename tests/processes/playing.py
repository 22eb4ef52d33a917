"""Matches of every game against the real process: opened by commands, played by clicks that the file tells."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self

from engines import GAMES
from playground.page.client import SeenMessage, Visitor
from tests.contract.helpers import HELPERS
from tests.contract.walk import choose

NAMES = ("Ada", "Bela", "Chidi")
NEW: dict[str, dict[str, Any]] = {"wizard": {"rounds": 1}, "jokers": {"rounds": 1}, "court": {"banners": 2, "turns": 3}}


class Kept(NamedTuple):
    """A match as the file has it."""

    status: str
    users: list[int]
    checkpoint: str


def kept(path: Path, match: str) -> Kept:
    """How a match stands."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as raw:
        sql = "SELECT status, checkpoint FROM matches LEFT JOIN states USING (match) WHERE match = ?"
        status, checkpoint = raw.execute(sql, (match,)).fetchone()
        users = raw.execute("SELECT user FROM seats WHERE match = ? ORDER BY seat", (match,)).fetchall()
    return Kept(status, [user for (user,) in users], checkpoint)


class Table:
    """A match, and the message of its lobby, whose clicks say what is done."""

    def __init__(self, visitor: Visitor, path: Path, game: str, match: str, lobby: SeenMessage) -> None:
        self.visitor = visitor
        self.path = path
        self.game = game
        self.match = match
        self.lobby = lobby
        self._rng = Random(game)

    @classmethod
    async def opened(cls, visitor: Visitor, path: Path, game: str, host: str = "Ada", place: str = "games") -> Self:
        """`new`."""
        outcome = await visitor.player(host).command(f"{game} new", place, **NEW.get(game, {}))
        match = next(b.custom_id for b in outcome.shown.buttons if b.custom_id.startswith("t:")).split(":")[1]
        return cls(visitor, path, game, match, outcome.shown)

    @classmethod
    async def started(cls, visitor: Visitor, path: Path, game: str, place: str = "games") -> Self:
        """A match with as many as it needs, Ada its host."""
        table = await cls.opened(visitor, path, game, place=place)
        for name in NAMES[1 : GAMES[game].seats[0]]:
            await visitor.player(name).click(table.lobby, "Join")
        await visitor.player("Ada").click(table.lobby, "Start")
        return table

    async def kept(self) -> Kept:
        """How it stands."""
        return kept(self.path, self.match)

    async def move(self, by: str = "table") -> bool:
        """A move of somebody who may move, by their hand where `by` says so; False where the match is over."""
        now = await self.kept()
        if now.status != "running":
            return False
        game = GAMES[self.game]
        state = game.checkpoints.validate_json(now.checkpoint)
        seat, move = choose(HELPERS[self.game], state, self._rng)
        number = game.decisions(state)[seat].number
        name = next(name for name in NAMES if int(self.visitor.player(name).id) == now.users[seat])
        message = self.lobby if by == "table" else await self.hand(name)
        await self.visitor.player(name).forge(message, f"m:{self.match}:{number}:{game.write(move)}")
        return True

    async def hand(self, name: str) -> SeenMessage:
        """Somebody's hand in their direct messages."""
        return await self.visitor.player(name).wait_for("dm", lambda message: f"{self.match}:" in str(message.buttons))
