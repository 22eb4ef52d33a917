"""The main program: wires settings, store, matches and Discord together."""

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
from cogs.pictures.raster.malloc_settings import release_memory_eagerly
from cogs.sharded_client import ShardedBot
from cogs.table.transport.background_tasks import BackgroundTasks, exponential_backoff
from cogs.table.transport.backoff import install_backoff
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error, is_transient
from cogs.table.wording.command_names import CommandNames
from cogs.table.wording.operator_info import OperatorInfo
from engines import GAMES
from engines.hosting.matches import Matches
from engines.hosting.take_back_rules import TakeBackLimits
from engines.store.match_store import StoreFailure, TableLimits
from motley import logging_setup
from motley.discord_api import use_api
from motley.metrics import Metrics, serve_metrics
from motley.scheduled_backups import NO_PLAN, BackupPlan, run_backups
from motley.settings import Settings, settings_error_message
from motley.shutdown_signal import shutdown_signal
from motley.version import version
from storage import StorageError, open_store
from worker_pool.pool import WorkerPool

try:
    from uvloop import new_event_loop
except ImportError:  # not available on Windows, where Python's own loop runs the bot
    new_event_loop = None  # type: ignore[assignment]

log = logging.getLogger("motley")
FIRST_RETRY_PAUSE, MAX_RETRY_PAUSE = 1, 60  # seconds
INVALID_SHARD, SHARDING_REQUIRED = 4010, 4011  # the codes with which Discord closes the connection


async def run_bot(settings: Settings) -> None:
    """Open the store, connect, and run until shutdown."""
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
        background_tasks.start("check integrity", store.check_integrity)
        if plan and isinstance(location, Path):
            background_tasks.start("backups", run_backups, plan, location, now)
        limits = TableLimits(settings.lobbies_per_person, settings.lobbies_per_server)
        matches = Matches(store.matches, GAMES, now, limits=limits)
        matches.take_back_limits = TakeBackLimits(settings.take_backs_per_decision, settings.take_backs_per_match)
        token = settings.token.get_secret_value()
        sharded = (
            settings.shards or store.process_group
        )  # beside other processes, start sessions only for shards that are held
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
            report_channel=settings.report_channel,
            operator=OperatorInfo(
                settings.contact, settings.support, settings.terms, settings.privacy, settings.source
            ),
            command_names=CommandNames.parse(settings.commands, GAMES),
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
    """Connect, and retry until Discord is reachable; after that, discord.py reconnects by itself.

    A client that failed in the middle of its start is thrown away.
    """
    for pause in exponential_backoff(FIRST_RETRY_PAUSE, MAX_RETRY_PAUSE):
        failure = await _connect_once(make, token, metrics)
        if failure is None:
            return
        log.warning("%s Retrying in %d s.", failure, pause)
        await asyncio.sleep(pause)


async def _connect_once(make: Callable[[], MotleyBot], token: str, metrics: Metrics | None) -> str | None:
    """Connect and stay connected; return a sentence if Discord is not reachable yet."""
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
        except (
            discord.client.ReconnectWebSocket
        ):  # raised by a shard that lost its connection while it was starting a new session
            return "Discord's gateway cannot be reached."
        except (
            AttributeError
        ):  # raised by discord.py if its first gateway connection fails: there is no socket to resume
            if bot.ws is not None or isinstance(bot, ShardedBot):
                raise
            return "Discord's gateway cannot be reached."
    return None


def _refusal_advice(error: discord.HTTPException | discord.ConnectionClosed) -> str:
    """Return what the owner can do if Discord refuses the connection."""
    if isinstance(error, discord.ConnectionClosed) and error.code == SHARDING_REQUIRED:
        return "The bot is in too many servers for one session. Set MOTLEY_SHARDS=auto."
    if isinstance(error, discord.ConnectionClosed) and error.code == INVALID_SHARD:
        return (
            "Discord does not accept that number of shards. Set MOTLEY_SHARDS=auto to use the number that "
            "Discord recommends."
        )
    return "Check the application's page in the developer portal, and try again."


def main() -> int:
    """Run the bot; if it cannot start, log why in a sentence. Return the exit code."""
    try:
        settings = Settings()
    except ValidationError as error:
        sys.stderr.write(f"{settings_error_message(error)}\n")
        return 2
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # Motley does not use voice
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
        log.error(
            "Discord does not accept this token. Copy the right one into DISCORD_TOKEN, or reset it in the "
            "developer portal."
        )
    except (discord.HTTPException, discord.ConnectionClosed) as error:
        log.error("Discord refuses the connection (%s). %s", describe_error(error), _refusal_advice(error))
    else:
        log.info("Ended.")  # so that the log shows a regular shutdown
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
