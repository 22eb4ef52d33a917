"""Motley: settings, store, matches, Discord. Wiring only."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
from pathlib import Path

import discord
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from cogs.client import Motley, now
from engines import GAMES
from engines.matches import Matches
from engines.store import Limits
from storage import Database, MatchStore, StorageError, SurfaceStore

log = logging.getLogger("motley")


class Settings(BaseSettings):
    """What can be set in the environment or in `.env`; `.env.example` explains each."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", env_prefix="MOTLEY_")

    token: SecretStr = Field(validation_alias="DISCORD_TOKEN", min_length=1)
    database: Path = Path("data/motley.db")
    log_level: str = Field("INFO", pattern="^(DEBUG|INFO|WARNING|ERROR)$")
    lobbies_per_person: int = Field(3, ge=1)
    lobbies_per_server: int = Field(25, ge=1)
    api: str = Field("", pattern=r"^(|https?://[^\s]+)$")


def point_at(api: str) -> None:
    """Have discord.py talk to another server than Discord's; `api` is the root of its REST API."""
    from discord.gateway import DiscordWebSocket
    from discord.http import Route
    from yarl import URL

    root = URL(api)
    Route.BASE = api.rstrip("/")
    socket = root.with_scheme("wss" if root.scheme == "https" else "ws").with_path("/gateway")
    DiscordWebSocket.DEFAULT_GATEWAY = socket


async def run(settings: Settings) -> None:
    """Open the store, connect, and stay until told to end."""
    async with Database.open(settings.database, clock=now) as database:
        limits = Limits(settings.lobbies_per_person, settings.lobbies_per_server)
        matches = Matches(MatchStore(database), GAMES, now, limits=limits)
        async with Motley(matches, SurfaceStore(database)) as bot:
            ending = asyncio.Event()
            loop = asyncio.get_running_loop()
            for name in (signal.SIGTERM, signal.SIGINT):
                with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers in the loop
                    loop.add_signal_handler(name, ending.set)
            running = asyncio.create_task(bot.start(settings.token.get_secret_value()), name="discord")
            told = asyncio.create_task(ending.wait(), name="ending")
            await asyncio.wait((running, told), return_when=asyncio.FIRST_COMPLETED)
            told.cancel()
            if not running.done():
                log.info("Ending.")
                await bot.close()
            await running


def main() -> int:
    """Run the bot; what keeps it from starting is said in a sentence."""
    try:
        settings = Settings()
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        sys.stderr.write(f"The settings are not right: {wrong}. See .env.example.\n")
        return 2
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # Motley never speaks
    discord.utils.setup_logging(level=logging.getLevelName(settings.log_level))
    if settings.api:
        point_at(settings.api)
    try:
        asyncio.run(run(settings))
    except (StorageError, discord.LoginFailure, discord.PrivilegedIntentsRequired) as error:
        log.error("%s", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
