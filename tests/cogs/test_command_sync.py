"""Commands are registered, with retries if Discord or the database fails."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import discord
import pytest
from discord import app_commands
from discord.http import Route

from cogs.client import BotStores, MotleyBot
from cogs.command_sync import FIRST_PAUSE, LONGEST_PAUSE, register, register_at_last
from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.store.match_store import StoreFailure
from playground.world.world import Json
from tests.cogs.discord_errors import http_error
from tests.engines.memory_store import MemoryStore
from tests.engines.memory_surfaces import MemoryShown
from tests.game_uis import GAME_UIS
from tests.manual_time import HastyClock, SetClock
from tests.worker_pool.immediate_pool import ImmediatePool

LAUNCH = {"id": "7", "type": 4, "name": "launch", "description": "", "handler": 2, "name_localizations": {"de": "los"}}
OLD_MENU = {"id": "8", "type": 2, "name": "A menu of an older version"}


class Registry:
    """Discord's registered commands behind a fake HTTP client, with the errors that it raises next."""

    def __init__(self, *commands: Json) -> None:
        self.commands = list(commands)
        self.updates = 0
        self.faults: list[Exception] = []

    async def request(self, route: Route, *, json: Any = None, params: Any = None) -> list[Json]:
        if self.faults:
            raise self.faults.pop(0)
        if route.method == "GET":
            assert params == {"with_localizations": "true"}
            return self.commands
        assert route.method == "PUT"
        if LAUNCH in self.commands and LAUNCH not in json:
            raise http_error(400, 50240)
        self.commands, self.updates = json, self.updates + 1
        return self.commands


def bot_at(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> MotleyBot:
    async def play(interaction: discord.Interaction) -> None: ...

    bot = MotleyBot(
        BotStores(Matches(MemoryStore(), GAMES, lambda: 1000, features=FEATURES), MemoryShown()),
        GAME_UIS,
        ImmediatePool(),
        SetClock(),
    )
    bot._connection.application_id = 1
    bot.tree.add_command(app_commands.Command(name="play", description="Plays", callback=play))
    monkeypatch.setattr(bot.http, "request", registry.request)
    return bot


def names(registry: Registry) -> list[str]:
    return [command["name"] for command in registry.commands]


async def test_commands_that_discord_added_stay_and_those_of_an_older_version_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    registry = Registry(OLD_MENU, LAUNCH)
    await register(bot_at(registry, monkeypatch).tree, MemoryShown())
    assert names(registry) == ["play", "launch"]
    assert registry.commands[1] == LAUNCH


async def test_commands_are_updated_once_and_after_activities_came(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry()
    bot = bot_at(registry, monkeypatch)
    await bot._sync_commands()
    registry.commands = [*registry.commands, LAUNCH]
    await bot._sync_commands()
    assert registry.updates == 1
    registry.commands = [LAUNCH]
    await bot._sync_commands()
    assert (registry.updates, names(registry)) == (2, ["play", "launch"])


@pytest.mark.parametrize(
    "fault",
    [
        *(http_error(status) for status in (400, 401, 403, 404, 429, 500, 503)),
        http_error(400, 50240),
        discord.RateLimited(7.0),
        ConnectionResetError(),
        TimeoutError(),
        StoreFailure("Full."),
    ],
    ids=str,
)
async def test_a_refusal_is_a_line_in_the_log_and_the_commands_are_registered_later(
    fault: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    registry, clock = Registry(), HastyClock()
    registry.faults = [fault, fault]
    with caplog.at_level(logging.INFO, "cogs.command_sync"):
        await register_at_last(clock, bot_at(registry, monkeypatch)._sync_commands)
    assert names(registry) == ["play"]
    least = 7 if isinstance(fault, discord.RateLimited) else 0
    assert clock.slept == [max(FIRST_PAUSE, least), max(2 * FIRST_PAUSE, least)]
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING", "INFO"]


async def test_a_note_that_cannot_be_kept_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    registry, failing = Registry(), [StoreFailure("Full.")]
    bot = bot_at(registry, monkeypatch)
    put = bot.surfaces.store.put_note

    async def put_note(key: str, value: str) -> None:
        if failing:
            raise failing.pop()
        await put(key, value)

    monkeypatch.setattr(bot.surfaces.store, "put_note", put_note)
    await register_at_last(HastyClock(), bot._sync_commands)
    assert await bot.surfaces.store.read_note("commands")


async def test_pauses_grow_up_to_the_longest() -> None:
    clock = HastyClock()

    async def never() -> None:
        if len(clock.slept) > 12:
            raise asyncio.CancelledError
        raise http_error(403)

    with pytest.raises(asyncio.CancelledError):
        await register_at_last(clock, never)
    assert clock.slept[:3] == [FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE]
    assert clock.slept[-1] == LONGEST_PAUSE
