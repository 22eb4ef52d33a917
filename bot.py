"""The main program: wires settings, store, matches and Discord together."""

from __future__ import annotations

import asyncio
import gc
import logging
import platform
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # with PYTHONSAFEPATH, Python leaves this folder out
if __name__ == "__main__":
    gc.disable()  # imports leave little to collect, and collections would take a tenth of the start

import discord
from pydantic import SecretStr

from cogs.client import BotStores, MotleyBot
from cogs.games import GAME_UIS
from cogs.pictures.raster.malloc_settings import release_memory_eagerly
from cogs.sharded_client import ShardedBot
from cogs.system_clock import SystemClock
from cogs.table.channels.bot_settings import BotSettings
from cogs.table.channels.contact_budget import ContactLimits
from cogs.table.transport.background_tasks import BackgroundTasks, exponential_backoff
from cogs.table.transport.discord_internals import (
    GatewayLost,
    has_gateway_socket,
    install_backoff,
    silence_voice_warnings,
    unexpected_parts,
    use_api,
)
from cogs.table.transport.network_errors import NETWORK_ERRORS, ApplicationBlocked, describe_error, is_transient
from cogs.table.wording.command_names import CommandNames
from cogs.table.wording.operator_info import OperatorInfo
from engines import GAMES
from engines.features.registry import COMMAND_NAMES, FEATURES
from engines.hosting.matches import Matches
from engines.store.clock import Clock
from engines.store.match_store import StoreFailure, TableLimits
from motley import logging_setup
from motley.gateway_advice import AUTHENTICATION_FAILED, CLOSE_ADVICE, OTHER_ADVICE, TOKEN_RESET
from motley.metrics import Metrics, serve_metrics
from motley.scheduled_backups import BackupPlan, run_backups
from motley.settings import Settings, SettingsError, load_settings
from motley.shutdown_signal import shutdown_signal
from motley.version import version
from storage import DatabaseAway, InvalidLocation, StorageError, StoreHandle, open_store
from worker_pool.pool import WorkerPool

try:
    from uvloop import new_event_loop
except ImportError:  # not available on Windows, where Python's own loop runs the bot
    new_event_loop = None  # type: ignore[assignment]

log = logging.getLogger("motley")
FIRST_RETRY_PAUSE, MAX_RETRY_PAUSE = 1, 60  # seconds
BLOCKED = "Discord blocks all requests of this application for now (429 without a waiting time)."
BLOCKED_FACTOR = 10  # how much rarer the bot retries while Discord blocks the whole application
TOKEN_REFUSED = "Discord does not accept the token. It may be a mistake, so the bot tries again before it ends."
STEADY_SECONDS = 60.0  # seconds after which a refusal of the token is a new one


class TokenReset(Exception):
    """Discord has stopped accepting the token while the bot ran."""


ENDING_ERRORS = (
    *(StorageError, TokenReset),
    *(discord.HTTPException, discord.LoginFailure, discord.PrivilegedIntentsRequired, discord.ConnectionClosed),
)
"""Errors that end the bot, each with a sentence in the log."""


async def run_bot(settings: Settings) -> None:
    """Open the store, connect, and run until shutdown."""
    shutdown, plan, clock = shutdown_signal(), BackupPlan.parse(settings.backups), SystemClock()
    async with AsyncExitStack() as stack:
        last_backup_time = partial(_last_backup_time, plan, clock) if plan else None
        metrics = Metrics(GAMES, last_backup_time) if settings.metrics else None
        on_transaction = metrics.observe_transaction if metrics else None
        location = settings.database
        opening = partial(
            open_store,
            location.get_secret_value() if isinstance(location, SecretStr) else location,
            clock=clock.now,
            on_transaction=on_transaction,
        )
        store = await _open_when_reachable(stack, opening, shutdown)
        if store is None:
            return
        worker_pool = await stack.enter_async_context(WorkerPool())
        if metrics:
            metrics.count_live = store.count_live
            metrics.follow_pool(worker_pool)
            await stack.enter_async_context(serve_metrics(metrics, int(settings.metrics), clock))
        background_tasks = await stack.enter_async_context(BackgroundTasks())
        background_tasks.start("check integrity", store.check_integrity)
        if plan and isinstance(location, Path):
            background_tasks.start_loop(clock, "backups", run_backups, plan, location, clock)
        limits = TableLimits(
            settings.lobbies_per_person, settings.lobbies_per_server, matches_per_person=settings.matches_per_person
        )
        token = settings.token.get_secret_value()
        sharded = (
            settings.shards or store.process_group
        )  # beside other processes, start sessions only for shards that are held
        bot_class = (
            partial(ShardedBot, partition=settings.partition, process_group=store.process_group)
            if sharded
            else MotleyBot
        )
        bot_settings = BotSettings(
            version(),
            settings.keep_days,
            OperatorInfo(
                *(settings.contact, settings.support, settings.terms, settings.privacy, settings.source),
                settings=settings.of_features,
            ),
            CommandNames.parse(settings.commands, [*GAMES, *COMMAND_NAMES]),
            ContactLimits(settings.first_contacts_per_ten_minutes, settings.first_contacts_per_day),
            settings.posts_per_person,
        )

        def make_bot() -> MotleyBot:
            matches = Matches(store.matches, GAMES, clock.now, features=FEATURES, limits=limits)
            stores = BotStores(matches, store.surfaces, store.ownership)
            return bot_class(stores, GAME_UIS, worker_pool, clock, bot_settings)

        running = asyncio.create_task(_stay_connected(make_bot, token, metrics, clock), name="discord")
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


def _last_backup_time(plan: BackupPlan, clock: SystemClock) -> float:
    return plan.last_backup_time(clock.now())


async def _open_when_reachable(
    stack: AsyncExitStack, opening: Callable[[], AbstractAsyncContextManager[StoreHandle]], shutdown: asyncio.Event
) -> StoreHandle | None:
    """Open the store, and retry until its server is reachable. Return None if the bot has to end before."""
    for pause in exponential_backoff(FIRST_RETRY_PAUSE, MAX_RETRY_PAUSE):
        try:
            return await stack.enter_async_context(opening())
        except DatabaseAway as away:
            log.warning("%s Retrying in %d s.", away, pause)
        with suppress(TimeoutError):
            await asyncio.wait_for(shutdown.wait(), pause)
            log.info("Ending.")
            return None
    raise AssertionError


async def _stay_connected(make: Callable[[], MotleyBot], token: str, metrics: Metrics | None, clock: Clock) -> None:
    """Connect, and retry until Discord is reachable; after that, discord.py reconnects by itself.

    A client that failed in the middle of its start is thrown away. A refusal of the token counts if the next attempt
    meets one too, because Discord may refuse it by mistake.
    """
    refusal: discord.LoginFailure | discord.ConnectionClosed | None = None
    for pause in exponential_backoff(FIRST_RETRY_PAUSE, MAX_RETRY_PAUSE):
        start = clock.monotonic()
        try:
            failure = await _connect_once(make, token, metrics)
        except (discord.LoginFailure, discord.ConnectionClosed) as error:
            if not _is_token_refused(error):
                raise
            if refusal is not None and clock.monotonic() - start < STEADY_SECONDS:
                raise refusal from error
            refusal, failure = error, TOKEN_REFUSED
        else:
            refusal = None
        if failure is None:
            return
        wait = BLOCKED_FACTOR * pause if failure == BLOCKED else pause
        log.warning("%s Retrying in %d s.", failure, wait)
        await clock.sleep(wait)


def _is_token_refused(error: Exception) -> bool:
    """Return whether Discord refuses the token, at the login or by the close code of the gateway."""
    return isinstance(error, discord.LoginFailure) or getattr(error, "code", None) == AUTHENTICATION_FAILED


async def _connect_once(make: Callable[[], MotleyBot], token: str, metrics: Metrics | None) -> str | None:
    """Connect and stay connected; return a sentence if Discord is not reachable yet."""
    async with make() as bot:
        if metrics:
            metrics.follow_bot(bot)
        try:
            await bot.start(token)
        except ApplicationBlocked:
            return BLOCKED
        except NETWORK_ERRORS as error:
            if not is_transient(error):
                raise
            return f"Discord cannot be reached ({describe_error(error)})."
        except StoreFailure:
            return "The database cannot be read."
        except GatewayLost:
            return "Discord's gateway cannot be reached."
        except (
            AttributeError
        ):  # raised by discord.py if its first gateway connection fails: there is no socket to resume
            if has_gateway_socket(bot) or isinstance(bot, ShardedBot):
                raise
            return "Discord's gateway cannot be reached."
        if bot.access.is_token_rejected:
            raise TokenReset
    return None


def _report_end(error: Exception) -> int:
    """Log in a sentence why the bot cannot run. Return the exit code: 2 if a restart does not help, else 1."""
    match error:
        case discord.LoginFailure():
            log.error(
                "Discord does not accept this token. Copy the right one into DISCORD_TOKEN, or reset it in the "
                "developer portal."
            )
        case InvalidLocation():
            log.error("%s", error)
        case TokenReset():
            log.error("%s", TOKEN_RESET)
        case discord.PrivilegedIntentsRequired():
            log.error("%s", CLOSE_ADVICE[4014])
        case discord.ConnectionClosed():
            advice = CLOSE_ADVICE.get(error.code, OTHER_ADVICE)
            log.error("Discord ended the connection (%d). %s", error.code, advice)
        case discord.HTTPException():
            log.error("Discord refuses the connection (%s). %s", describe_error(error), OTHER_ADVICE)
            return 1
        case _:
            log.error("%s", error)
            return 1
    return 2


def main() -> int:
    """Run the bot; if it cannot run, log why in a sentence. Return the exit code."""
    try:
        settings = load_settings(Settings)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if unexpected := unexpected_parts():
        sys.stderr.write(unexpected)
        return 2
    silence_voice_warnings()
    logging_setup.set_up_logging(settings.log_level, settings.logs)
    loop = "its own loop" if new_event_loop is None else "uvloop"
    log.info("Motley %s, Python %s, %s", version(), platform.python_version(), loop)
    install_backoff()
    release_memory_eagerly()
    gc.freeze()  # what the imports have made lives as long as the bot, so no collection has to look at it
    gc.enable()
    if settings.api:
        use_api(settings.api)
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(run_bot(settings))
    except ENDING_ERRORS as error:
        return _report_end(error)
    log.info("Ended.")  # so that the log shows a regular shutdown
    return 0


if __name__ == "__main__":
    sys.exit(main())
