"""Matches against the real process: opened by commands, played by clicks that hands offer or the file tells."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self

from engines import GAMES
from playground.page.client import Player, PlaygroundClient, RequestRejected, SeenMessage
from tests.contract.helpers import HELPERS
from tests.contract.walk import choose_move
from tests.processes.bot_process import query_file

NAMES = ("Ada", "Bela", "Chidi")
NEW_OPTIONS: dict[str, dict[str, Any]] = {
    "wizard": {"rounds": 1},
    "jokers": {"rounds": 1},
    "court": {"banners": 2, "turns": 3},
}


class StoredMatch(NamedTuple):
    status: str
    users: list[int]
    checkpoint: str


def load_match(path: Path, match: str) -> StoredMatch:
    sql = "SELECT status, checkpoint FROM matches LEFT JOIN states USING (match) WHERE match = ?"
    ((status, checkpoint),) = query_file(path, sql, match)
    users = query_file(path, "SELECT user FROM seats WHERE match = ? ORDER BY seat", match)
    return StoredMatch(status, [user for (user,) in users], checkpoint)


class PlayedTable:
    def __init__(self, visitor: PlaygroundClient, path: Path, game: str, match: str, lobby: SeenMessage) -> None:
        self.client, self.path, self.game, self.match, self.lobby = visitor, path, game, match, lobby
        self._rng = Random(game)

    @classmethod
    async def open_lobby(
        cls, visitor: PlaygroundClient, path: Path, game: str, host: str = "Ada", place: str = "games"
    ) -> Self:
        options = {"autoplay": "false", **NEW_OPTIONS.get(game, {})}  # nothing is to happen by itself
        outcome = await visitor.player(host).run_command(f"{game} new", place, **options)
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
        return load_match(self.path, self.match)

    async def make_move(self, by: str = "table") -> bool:
        """A move of somebody who may move, by their hand if `by` says so; False if the match is over."""
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
        return await self.client.player(name).wait_message(
            "dm", lambda message: f"{self.match}:" in str(message.buttons)
        )


FOUR_PEOPLE = ("Ada", "Bela", "Chidi", "Dora")


@dataclass
class ScriptedMatch:
    client: PlaygroundClient
    chance: random.Random

    async def open_match(self, rounds: int) -> None:
        host, *others = [self.client.player(name) for name in FOUR_PEOPLE]
        outcome = await host.run_command("wizard new", "games", rounds=rounds, autoplay="false")
        for player in others:
            await player.click(outcome.reply, "Join")
        await host.click(outcome.reply, "Start")

    async def click_once(self) -> bool:
        """One click of somebody who can move; False if nobody can (any more, or just now)."""
        hands = [(player, newest_hand(player)) for player in map(self.client.player, FOUR_PEOPLE)]
        offers = [(player, hand, one) for player, hand in hands if hand for one in offered_moves(hand)]
        if not offers:
            return False
        player, hand, (custom_id, value) = self.chance.choice(offers)
        try:
            await (player.select(hand, custom_id, value) if value else player.click(hand, custom_id))
        except RequestRejected:
            return False  # the message was redrawn in between
        return True


def newest_hand(player: Player) -> SeenMessage | None:
    try:
        return player.newest_message("dm", lambda message: bool(message.data.get("components")))
    except KeyError:
        return None


def offered_moves(hand: SeenMessage) -> list[tuple[str, str]]:
    """The moves on a hand: custom_id, and for a select's lines their value."""
    found = [(button.custom_id, "") for button in hand.buttons if button.custom_id.startswith("m:")]
    for select in hand.selects:
        if select.custom_id.startswith("s:"):
            found += [(select.custom_id, value) for value in select.values]
    return found


async def open_alone(ada: Player) -> None:
    lobby = (await ada.run_command("wizard new", "games", rounds=1, autoplay="false")).reply
    menu = (await ada.click(lobby, "Add computer")).reply
    (hard,) = [button for button in menu.buttons if button.custom_id.endswith("computer-hard")]
    await ada.click(menu, hard.custom_id)
    await ada.click(ada.current_message(lobby) or lobby, "Start")


async def click_first(ada: Player) -> None:
    hand = newest_hand(ada)
    if hand:
        for custom_id, value in offered_moves(hand)[:1]:  # a button, or a line of a select (what is trump)
            await (ada.select(hand, custom_id, value) if value else ada.click(hand, custom_id))


async def play_until_all_have_moved(ada: Player, database: Path) -> None:
    while set(moved_seats(database)) < {0, 1, 2}:
        if 0 not in moved_seats(database):
            await click_first(ada)
        await asyncio.sleep(0.1)


def moved_seats(database: Path) -> list[int]:
    return [seat for (seat,) in query_file(database, "SELECT seat FROM moves ORDER BY match, number")]


def match_status(database: Path) -> str:
    ((found,),) = query_file(database, "SELECT status FROM matches")
    return str(found)
