"""A server with people in it, in simcord's virtual Discord: the one file that touches simcord's insides."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import simcord
from simcord.backend import serializers
from simcord.env import Env

from cogs.client import Motley, now
from engines import GAMES
from engines.chance import Chance
from engines.matches import Matches
from storage import Database, MatchStore, SurfaceStore

Message = dict[str, Any]
NAMES = ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi", "Greta")


def quicken() -> None:
    """Let simcord look for the end of work every half millisecond instead of every 50."""
    settle = Env._settle_internal
    assert "idle" in inspect.signature(settle).parameters, "simcord has changed: quicken() has nothing to set"
    assert settle.__kwdefaults__ is not None
    settle.__kwdefaults__["idle"] = 0.0005


def build(database: Database, seed: str | None = None) -> Motley:
    """The bot as bot.py wires it; with a seed, every match is dealt from it."""
    chance = (lambda: Chance(seed)) if seed else Chance.fresh
    return Motley(Matches(MatchStore(database), GAMES, now, seed=chance), SurfaceStore(database))


@dataclass
class World:
    """The environment, the bot in it, and its people by name."""

    env: Env
    bot: Motley
    database: Database
    guild: simcord.GuildHandle
    table: simcord.ChannelHandle
    people: dict[str, simcord.MemberActor] = field(default_factory=dict)
    seed: str | None = None

    def __getitem__(self, name: str) -> simcord.MemberActor:
        return self.people[name]

    async def restart(self) -> None:
        """Stop the bot in good order and start a new one on the same database."""
        self.bot = build(self.database, self.seed)
        await self.env.restart_bot(self.bot)
        await self.env.settle()

    def messages(self, channel: Any) -> list[Message]:
        """What stands in a channel now, oldest first, as Discord would send it; ephemeral messages included."""
        backend = self.env.backend
        found = list(backend.messages.get(channel.id, {}).values())
        return [dict(serializers.message_payload(backend, m)) for m in sorted(found, key=lambda m: m.id)]

    def hand_of(self, name: str) -> Message:
        """The newest message in somebody's direct messages."""
        return self.messages(self[name].user.dm_channel)[-1]

    def close_dms(self, name: str) -> None:
        """From now on nothing can be sent to this person."""
        channel = self[name].user.dm_channel
        self.env.inject_error("POST", rf"/channels/{channel.id}/messages", status=403, code=50007, times=10_000)

    @property
    def thread(self) -> simcord.ChannelHandle:
        """The match's thread, or the channel where there is none."""
        threads = self.table.threads
        return threads[-1] if threads else self.table


@asynccontextmanager
async def world(path: Path, people: int = 4, *, seed: str | None = None, **options: Any) -> AsyncIterator[World]:
    """A server with a channel and so many people, the first of them its owner."""
    async with Database.open(path, clock=now) as database:
        bot = build(database, seed)
        async with simcord.run(bot, **options) as env:
            owner = env.create_user(NAMES[0])
            guild = env.create_guild("The Inn", owner=owner)
            made = World(env, bot, database, guild, guild.create_text_channel("games"), seed=seed)
            made.people[NAMES[0]] = simcord.MemberActor(env, guild, owner)
            for name in NAMES[1:people]:
                made.people[name] = guild.add_member(env.create_user(name))
            yield made


# Reading messages


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every component of a message, containers before what they hold."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))
        if accessory := component.get("accessory"):
            yield accessory


def words(message: Message) -> str:
    """All that a message says."""
    said = [c["content"] for c in walk(message["components"]) if c["type"] == 10]
    return "\n".join([message.get("content", ""), *said]).strip()


def controls(message: Message) -> list[str]:
    """The custom_ids on a message, and for selects the values as well."""
    return [c["custom_id"] for c in walk(message["components"]) if c.get("custom_id")]


def move_buttons(message: Message) -> list[str]:
    """The custom_ids of the buttons that make moves."""
    return [custom_id for custom_id in controls(message) if custom_id.startswith("m:")]


def selects(message: Message) -> dict[str, list[str]]:
    """The values of every select of moves, by its custom_id."""
    found = (c for c in walk(message["components"]) if c["type"] == 3 and c["custom_id"].startswith("s:"))
    return {c["custom_id"]: [option["value"] for option in c["options"]] for c in found}


Chooser = Callable[[list[str]], str]
