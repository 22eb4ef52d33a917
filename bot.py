"""Motley: settings, store, matches, Discord. Wiring only."""

from __future__ import annotations

import asyncio
import logging
import platform
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import discord
from pydantic import SecretStr, ValidationError

from cogs.client import Motley, now
from cogs.games import FRONTS
from cogs.pictures.raster.memory import give_back_at_once
from cogs.sharded_client import Sharded
from cogs.table.transport.background_tasks import Tasks, growing
from cogs.table.transport.backoff import use_patience
from cogs.table.transport.network_errors import NETWORK, named, passing
from engines import GAMES
from engines.hosting.matches import Matches
from engines.store.match_store import Limits, StoreFailure
from motley import logging_setup
from motley.metrics import Metrics, served
from motley.scheduled_backups import NO_PLAN, Plan, keep_backups
from motley.settings import Settings, wrong
from motley.shutdown_signal import told_to_end
from motley.version import version
from storage import StorageError, opened
from worker_pool.pool import Thinkers

try:
    from uvloop import new_event_loop
except ImportError:  # Windows has none; there Python's own loop runs the bot
    new_event_loop = None  # type: ignore[assignment]

log = logging.getLogger("motley")
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds
INVALID_SHARD, SHARDING_REQUIRED = 4010, 4011  # how Discord hangs up


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
    ending, plan = told_to_end(), Plan.read(settings.backups)
    async with AsyncExitStack() as stack:
        metrics = Metrics(GAMES) if settings.metrics else None
        told = metrics.written if metrics else None
        where = settings.database
        if plan and isinstance(where, SecretStr):
            raise StorageError(NO_PLAN)
        store = await stack.enter_async_context(
            opened(where.get_secret_value() if isinstance(where, SecretStr) else where, clock=now, told=told)
        )
        thinkers = await stack.enter_async_context(Thinkers())
        if metrics:
            metrics.live, metrics.thinkers = store.live, thinkers
            metrics.last_backup = plan.last if plan else metrics.last_backup
            await stack.enter_async_context(served(metrics, int(settings.metrics)))
        helpers = await stack.enter_async_context(Tasks())
        helpers.start("look through", store.look_through)
        if plan and isinstance(where, Path):
            helpers.start("backups", keep_backups, plan, where, now)
        limits = Limits(settings.lobbies_per_person, settings.lobbies_per_server)
        matches = Matches(store.matches, GAMES, now, limits=limits)
        token = settings.token.get_secret_value()
        sharded = settings.shards or store.together  # beside others, a session is begun only for what is held
        motley = partial(Sharded, part=settings.part, together=store.together) if sharded else Motley
        made = partial(
            motley,
            matches,
            store.surfaces,
            FRONTS,
            thinkers,
            days=settings.keep_days,
            version=version(),
            holding=store.holding,
        )
        running = asyncio.create_task(_stay(made, token, metrics), name="discord")
        wanted = asyncio.create_task(ending.wait(), name="ending")
        try:
            await asyncio.wait((running, wanted), return_when=asyncio.FIRST_COMPLETED)
        finally:
            wanted.cancel()
            if not running.done():
                log.info("Ending.")
                running.cancel()
            await asyncio.wait({running})
        if not running.cancelled():
            running.result()


async def _stay(make: Callable[[], Motley], token: str, metrics: Metrics | None) -> None:
    """Connect, however often it takes until Discord can be reached; from then on discord.py connects again by itself.

    A client that got no further than half of its start is thrown away.
    """
    for pause in growing(FIRST_PAUSE, LONGEST_PAUSE):
        why = await _start(make, token, metrics)
        if why is None:
            return
        log.warning("%s Trying again in %d s.", why, pause)
        await asyncio.sleep(pause)


async def _start(make: Callable[[], Motley], token: str, metrics: Metrics | None) -> str | None:
    """Connect and stay; a sentence where Discord cannot be reached yet."""
    async with make() as bot:
        if metrics:
            metrics.follow(bot)
        try:
            await bot.start(token)
        except NETWORK as error:
            if not passing(error):
                raise
            return f"Discord cannot be reached ({named(error)})."
        except StoreFailure:
            return "The database cannot be read."
        except discord.client.ReconnectWebSocket:  # as it comes out of a shard that was cut off as it began anew
            return "Discord's gateway cannot be reached."
        except AttributeError:  # discord.py's own, when its first connection to the gateway fails: no socket to resume
            if bot.ws is not None or isinstance(bot, Sharded):
                raise
            return "Discord's gateway cannot be reached."
    return None


def _advice(error: discord.HTTPException | discord.ConnectionClosed) -> str:
    """What can be done where Discord lets nobody in."""
    if isinstance(error, discord.ConnectionClosed) and error.code == SHARDING_REQUIRED:
        return "There are too many servers for one session: set MOTLEY_SHARDS=auto."
    if isinstance(error, discord.ConnectionClosed) and error.code == INVALID_SHARD:
        return "It does not take so many shards: set MOTLEY_SHARDS=auto, which takes as many as it recommends."
    return "Look at the application's page there, and try again."


def main() -> int:
    """Run the bot; what keeps it from starting is said in a sentence."""
    try:
        settings = Settings()
    except ValidationError as error:
        sys.stderr.write(f"{wrong(error)}\n")
        return 2
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # Motley never speaks
    logging_setup.set_up(settings.log_level, settings.logs)
    loop = "its own loop" if new_event_loop is None else "uvloop"
    log.info("Motley %s, Python %s, %s", version(), platform.python_version(), loop)
    use_patience()
    give_back_at_once()
    if settings.api:
        point_at(settings.api)
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(run(settings))
    except (StorageError, discord.PrivilegedIntentsRequired) as error:
        log.error("%s", error)
    except discord.LoginFailure:
        log.error("Discord does not know this token. Copy the right one into DISCORD_TOKEN, or reset it there.")
    except (discord.HTTPException, discord.ConnectionClosed) as error:
        log.error("Discord refuses to let me in (%s). %s", named(error), _advice(error))
    else:
        log.info("Ended.")  # whoever looks for why it is gone sees that it was told to
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
