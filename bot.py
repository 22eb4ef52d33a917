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

from cogs.client import MotleyBot, now
from cogs.games import GAME_UIS
from cogs.pictures.raster.memory import release_memory_eagerly
from cogs.sharded_client import ShardedBot
from cogs.table.transport.background_tasks import BackgroundTasks, exponential_backoff
from cogs.table.transport.backoff import install_backoff
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error, is_transient
from engines import GAMES
from engines.hosting.matches import Matches
from engines.store.match_store import StoreFailure, TableLimits
from motley import logging_setup
from motley.metrics import Metrics, serve_metrics
from motley.scheduled_backups import NO_PLAN, BackupPlan, run_backups
from motley.settings import Settings, settings_error_message
from motley.shutdown_signal import shutdown_signal
from motley.version import version
from storage import StorageError, open_store
from worker_pool.pool import WorkerPool

try:
    from uvloop import new_event_loop
except ImportError:  # Windows has none; there Python's own loop runs the bot
    new_event_loop = None  # type: ignore[assignment]

log = logging.getLogger("motley")
FIRST_RETRY_PAUSE, MAX_RETRY_PAUSE = 1, 60  # seconds
INVALID_SHARD, SHARDING_REQUIRED = 4010, 4011  # how Discord hangs up


def use_api(api: str) -> None:
    """Have discord.py talk to another server than Discord's; `api` is the root of its REST API."""
    from discord.gateway import DiscordWebSocket
    from discord.http import Route
    from yarl import URL

    root = URL(api)
    Route.BASE = api.rstrip("/")
    socket = root.with_scheme("wss" if root.scheme == "https" else "ws").with_path("/gateway")
    DiscordWebSocket.DEFAULT_GATEWAY = socket


async def run_bot(settings: Settings) -> None:
    """Open the store, connect, and stay until told to end."""
    shutdown, plan = shutdown_signal(), BackupPlan.parse(settings.backups)
    async with AsyncExitStack() as stack:
        metrics = Metrics(GAMES) if settings.metrics else None
        on_transaction = metrics.observe_transaction if metrics else None
        location = settings.database
        if plan and isinstance(location, SecretStr):
            raise StorageError(NO_PLAN)
        store = await stack.enter_async_context(
            open_store(
                location.get_secret_value() if isinstance(location, SecretStr) else location,
                clock=now,
                on_transaction=on_transaction,
            )
        )
        worker_pool = await stack.enter_async_context(WorkerPool())
        if metrics:
            metrics.count_live, metrics.worker_pool = store.count_live, worker_pool
            metrics.last_backup_time = plan.last_backup_time if plan else metrics.last_backup_time
            await stack.enter_async_context(serve_metrics(metrics, int(settings.metrics)))
        background_tasks = await stack.enter_async_context(BackgroundTasks())
        background_tasks.start("look through", store.check_integrity)
        if plan and isinstance(location, Path):
            background_tasks.start("backups", run_backups, plan, location, now)
        limits = TableLimits(settings.lobbies_per_person, settings.lobbies_per_server)
        matches = Matches(store.matches, GAMES, now, limits=limits)
        token = settings.token.get_secret_value()
        sharded = settings.shards or store.process_group  # beside others, a session is begun only for what is held
        bot_class = (
            partial(ShardedBot, partition=settings.partition, process_group=store.process_group)
            if sharded
            else MotleyBot
        )
        make_bot = partial(
            bot_class,
            matches,
            store.surfaces,
            GAME_UIS,
            worker_pool,
            retention_days=settings.keep_days,
            version=version(),
            ownership=store.ownership,
        )
        running = asyncio.create_task(_stay_connected(make_bot, token, metrics), name="discord")
        shutdown_wait = asyncio.create_task(shutdown.wait(), name="ending")
        try:
            await asyncio.wait((running, shutdown_wait), return_when=asyncio.FIRST_COMPLETED)
        finally:
            shutdown_wait.cancel()
            if not running.done():
                log.info("Ending.")
                running.cancel()
            await asyncio.wait({running})
        if not running.cancelled():
            running.result()


async def _stay_connected(make: Callable[[], MotleyBot], token: str, metrics: Metrics | None) -> None:
    """Connect, however often it takes until Discord can be reached; from then on discord.py connects again by itself.

    A client that got no further than half of its start is thrown away.
    """
    for pause in exponential_backoff(FIRST_RETRY_PAUSE, MAX_RETRY_PAUSE):
        failure = await _connect_once(make, token, metrics)
        if failure is None:
            return
        log.warning("%s Trying again in %d s.", failure, pause)
        await asyncio.sleep(pause)


async def _connect_once(make: Callable[[], MotleyBot], token: str, metrics: Metrics | None) -> str | None:
    """Connect and stay; a sentence where Discord cannot be reached yet."""
    async with make() as bot:
        if metrics:
            metrics.follow_bot(bot)
        try:
            await bot.start(token)
        except NETWORK_ERRORS as error:
            if not is_transient(error):
                raise
            return f"Discord cannot be reached ({describe_error(error)})."
        except StoreFailure:
            return "The database cannot be read."
        except discord.client.ReconnectWebSocket:  # as it comes out of a shard that was cut off as it began anew
            return "Discord's gateway cannot be reached."
        except AttributeError:  # discord.py's own, when its first connection to the gateway fails: no socket to resume
            if bot.ws is not None or isinstance(bot, ShardedBot):
                raise
            return "Discord's gateway cannot be reached."
    return None


def _refusal_advice(error: discord.HTTPException | discord.ConnectionClosed) -> str:
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
        sys.stderr.write(f"{settings_error_message(error)}\n")
        return 2
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # Motley never speaks
    logging_setup.set_up_logging(settings.log_level, settings.logs)
    loop = "its own loop" if new_event_loop is None else "uvloop"
    log.info("Motley %s, Python %s, %s", version(), platform.python_version(), loop)
    install_backoff()
    release_memory_eagerly()
    if settings.api:
        use_api(settings.api)
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(run_bot(settings))
    except (StorageError, discord.PrivilegedIntentsRequired) as error:
        log.error("%s", error)
    except discord.LoginFailure:
        log.error("Discord does not know this token. Copy the right one into DISCORD_TOKEN, or reset it there.")
    except (discord.HTTPException, discord.ConnectionClosed) as error:
        log.error("Discord refuses to let me in (%s). %s", describe_error(error), _refusal_advice(error))
    else:
        log.info("Ended.")  # whoever looks for why it is gone sees that it was told to
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
