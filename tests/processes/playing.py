"""Matches of every game against the real process: opened by commands, played by clicks that the file tells."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self

from engines import GAMES
from playground.page.client import PlaygroundClient, SeenMessage
from tests.contract.helpers import HELPERS
from tests.contract.walk import choose_move

NAMES = ("Ada", "Bela", "Chidi")
NEW_OPTIONS: dict[str, dict[str, Any]] = {
    "wizard": {"rounds": 1},
    "jokers": {"rounds": 1},
    "court": {"banners": 2, "turns": 3},
}


class StoredMatch(NamedTuple):
    """A match as the file has it."""

    status: str
    users: list[int]
    checkpoint: str


def load_match(path: Path, match: str) -> StoredMatch:
    """How a match stands."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as raw:
        sql = "SELECT status, checkpoint FROM matches LEFT JOIN states USING (match) WHERE match = ?"
        status, checkpoint = raw.execute(sql, (match,)).fetchone()
        users = raw.execute("SELECT user FROM seats WHERE match = ? ORDER BY seat", (match,)).fetchall()
    return StoredMatch(status, [user for (user,) in users], checkpoint)


class PlayedTable:
    """A match, and the message of its lobby, whose clicks say what is done."""

    def __init__(self, visitor: PlaygroundClient, path: Path, game: str, match: str, lobby: SeenMessage) -> None:
        self.client = visitor
        self.path = path
        self.game = game
        self.match = match
        self.lobby = lobby
        self._rng = Random(game)

    @classmethod
    async def open_lobby(
        cls, visitor: PlaygroundClient, path: Path, game: str, host: str = "Ada", place: str = "games"
    ) -> Self:
        """`new`."""
        outcome = await visitor.player(host).run_command(f"{game} new", place, **NEW_OPTIONS.get(game, {}))
        match = next(b.custom_id for b in outcome.reply.buttons if b.custom_id.startswith("t:")).split(":")[1]
        return cls(visitor, path, game, match, outcome.reply)

    @classmethod
    async def start_match(cls, visitor: PlaygroundClient, path: Path, game: str, place: str = "games") -> Self:
        """A match with as many as it needs, Ada its host."""
        table = await cls.open_lobby(visitor, path, game, place=place)
        for name in NAMES[1 : GAMES[game].seats[0]]:
            await visitor.player(name).click(table.lobby, "Join")
        await visitor.player("Ada").click(table.lobby, "Start")
        return table

    async def load_match(self) -> StoredMatch:
        """How it stands."""
        return load_match(self.path, self.match)

    async def make_move(self, by: str = "table") -> bool:
        """A move of somebody who may move, by their hand where `by` says so; False where the match is over."""
        now = await self.load_match()
        if now.status != "running":
            return False
        game = GAMES[self.game]
        state = game.checkpoint_adapter.validate_json(now.checkpoint)
        seat, move = choose_move(HELPERS[self.game], state, self._rng)
        number = game.decisions(state)[seat].number
        name = next(name for name in NAMES if int(self.client.player(name).id) == now.users[seat])
        message = self.lobby if by == "table" else await self.hand_of(name)
        await self.client.player(name).forge_click(message, f"m:{self.match}:{number}:{game.format_move(move)}")
        return True

    async def hand_of(self, name: str) -> SeenMessage:
        """Somebody's hand in their direct messages."""
        return await self.client.player(name).wait_message(
            "dm", lambda message: f"{self.match}:" in str(message.buttons)
        )
