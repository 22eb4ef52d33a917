"""Metrics for Prometheus, and a health check.

No label contains a name, the id of a person or a match, or hidden information. There are only kinds, games, statuses
and error codes.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace

import aiohttp
from aiohttp import web
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from cogs.client import MotleyBot
from cogs.features.registry import FEATURE_UIS
from cogs.table.actions.context import STEP_EVENT
from cogs.table.transport.background_tasks import BackgroundTasks, exponential_backoff
from cogs.table.transport.interaction_response import REPLY_EVENT, InteractionReply
from cogs.table.transport.network_errors import ApplicationRefusal, RequestsStopped
from cogs.table.transport.rate_limiter import DISCORD_LIMIT, is_counted
from engines.hosting.match_changes import EditSummary
from engines.store.clock import Clock
from engines.store.match_store import LIVE, Status, StoreFailure
from worker_pool.fair_queue import Rank
from worker_pool.pool import PoolStats, WorkerPool

log = logging.getLogger("motley")
HOST = "127.0.0.1"  # to reach it from elsewhere, set up a proxy
REPLY_TIMEOUT = 3.0  # seconds within which a click must be answered
SAMPLE_SECONDS = 0.5  # seconds between two samples of the loop and of the rate limit
REPLY_BUCKETS = (0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5)
COMMIT_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2)
LAG_BUCKETS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2)
WAIT_BUCKETS = (0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300)
TURN_BUCKETS = (0, 1, 2, 5, 10, 20, 50)
BUDGET_BUCKETS = (0, 5, 10, 15, 20, 25, 30, 35, 40, 44, 48, DISCORD_LIMIT)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds
PORT_TAKEN_TEXT = (
    "Port %d for MOTLEY_METRICS is not available (%s). The bot runs without metrics and keeps trying. If another "
    "program uses the port, set another one."
)
OTHER_GAME = "other"  # a game of a newer version

LiveCounts = Callable[[], Awaitable[Mapping[tuple[str, str], int]]]


class Metrics:
    """The metrics. Events are counted when they happen; states are read when somebody asks."""

    def __init__(self, games: Iterable[str], last_backup_time: Callable[[], float] | None = None) -> None:
        self.bot: MotleyBot | None = None
        self.count_live: LiveCounts | None = None
        self.worker_pool: WorkerPool | None = None
        self.last_backup_time = last_backup_time
        self._games = (*games, OTHER_GAME)
        self._last_pool_stats = PoolStats()
        disable_created_metrics()  # type: ignore[no-untyped-call]  # nobody reads when each was made
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._create_metrics()

    def _create_metrics(self) -> None:
        """Create every metric with its description."""
        registry = self.registry
        self.reply_seconds = Histogram(
            "motley_answer_seconds",
            "Seconds from a click or a command to Discord's receipt of the first response, or of all of it.",
            ["part"],
            buckets=REPLY_BUCKETS,
            registry=registry,
        )
        self.late_replies = Counter(
            "motley_answers_late_total", "First responses later than 3 s, or missing.", registry=registry
        )
        self.writes = Counter(
            "motley_writes_total", "Changes that were committed, or failed.", ["how"], registry=registry
        )
        self.commit_seconds = Histogram(
            "motley_commit_seconds",
            "Seconds per transaction, which may contain several changes.",
            buckets=COMMIT_BUCKETS,
            registry=registry,
        )
        self.requests = Counter(
            "motley_discord_requests_total",
            "Requests to Discord, by status.",
            ["kind", "status"],
            registry=registry,
        )
        self.errors = Counter(
            "motley_discord_errors_total",
            "Requests that Discord refused, by error code.",
            ["status", "code"],
            registry=registry,
        )
        self.budget_used = Histogram(
            "motley_discord_budget_used",
            f"Requests within a second, sampled twice a second; {DISCORD_LIMIT} are allowed.",
            buckets=BUDGET_BUCKETS,
            registry=registry,
        )
        self.loop_lag = Histogram(
            "motley_loop_lag_seconds",
            "Delay of the event loop, sampled twice a second.",
            buckets=LAG_BUCKETS,
            registry=registry,
        )
        gauge_texts = {
            "ready": ("motley_ready", "1 once the bot is logged in to Discord."),
            "down": ("motley_discord_down", "1 while Discord is unreachable."),
            "ahead": ("motley_clock_ahead_seconds", "Seconds by which this machine's clock is ahead of Discord's."),
            "resting": ("motley_time_rests", "1 while no time runs because the clock is not known to be right."),
            "readable": ("motley_database_readable", "1 while the database is readable."),
            "behind": ("motley_matches_behind", "Matches with stale surfaces."),
            "following": ("motley_messages_following", "Hands and other messages that wait to be updated."),
            "quarantined": ("motley_first_contacts_quarantined", "1 while Discord's quarantine stops first contacts."),
            "awaited": ("motley_first_contacts_waiting", "People who wait for their first direct message."),
            "backup": ("motley_backup_timestamp_seconds", "Time of the newest scheduled backup; 0: none."),
        }
        self.gauges = SimpleNamespace(**{key: Gauge(*named, registry=registry) for key, named in gauge_texts.items()})
        self.funnel = Counter(
            "motley_tables_total",
            "Tables that were opened, filled, started, finished.",
            ["game", "step"],
            registry=registry,
        )
        self.left_turns = Histogram(
            "motley_left_turns",
            "Turns that each player had taken on average when somebody left a running match or was removed from it.",
            ["game"],
            buckets=TURN_BUCKETS,
            registry=registry,
        )
        self.feature_steps = {
            name: Counter(f"motley_{name}_total", text, ["game", "step"], registry=registry)
            for ui in FEATURE_UIS
            for name, text in ui.counters
        }
        self.match_gauge = Gauge("motley_matches", "Live matches.", ["game", "status"], registry=registry)
        self.pool_gauge = Gauge(
            "motley_pool", "Workers of the worker pool, and callers that wait for one.", ["what"], registry=registry
        )
        self.pool_jobs = Counter("motley_pool_jobs_total", "Jobs of the worker pool.", ["how"], registry=registry)
        self.pool_wait = Histogram(
            "motley_pool_wait_seconds",
            "Seconds that a job waited for a worker.",
            ["kind"],
            buckets=WAIT_BUCKETS,
            registry=registry,
        )

    def follow_pool(self, worker_pool: WorkerPool) -> None:
        """Follow this worker pool."""
        self.worker_pool = worker_pool
        worker_pool.queue.on_served.append(self.observe_served_job)

    def follow_bot(self, bot: MotleyBot) -> None:
        """Follow this bot, which has not connected yet."""
        self.bot = bot
        bot.add_listener(self.observe_reply, f"on_{REPLY_EVENT}")
        self.trace_requests(bot.request_trace)
        bot.matches.editor.on_edited.append(self.observe_edit)
        bot.add_listener(self.observe_step, f"on_{STEP_EVENT}")

    # Events

    def observe_served_job(self, rank: Rank, seconds: float) -> None:
        """Count how long a job waited for a worker."""
        self.pool_wait.labels(rank.name.lower()).observe(seconds)

    async def observe_reply(self, reply: InteractionReply) -> None:
        """Count a finished interaction."""
        if reply.first_response_seconds is not None:
            self.reply_seconds.labels("first").observe(reply.first_response_seconds)
            self.reply_seconds.labels("whole").observe(reply.elapsed)
        if reply.first_response_seconds is None or reply.first_response_seconds > REPLY_TIMEOUT:
            self.late_replies.inc()

    def observe_edit(self, edit: EditSummary) -> None:
        """Count how far a table has come, and how far when somebody left it."""
        game = self._known_game(edit.after.game)
        for step in _steps_reached(edit):
            self.funnel.labels(game, step).inc()
        was_played = edit.before is not None and edit.before.status in (Status.RUNNING, Status.PAUSED)
        if was_played and edit.action in ("leave", "remove", "forget"):
            self.left_turns.labels(game).observe(edit.after.moves / len(edit.after.seats))

    async def observe_step(self, counter: str, game: str, step: str) -> None:
        """Count a step for one of the counters that features declare."""
        self.feature_steps[counter].labels(self._known_game(game), step).inc()

    def _known_game(self, game: str) -> str:
        return game if game in self._games else OTHER_GAME

    def observe_transaction(self, saved: int, failed: int, seconds: float) -> None:
        """Count a finished transaction."""
        self.writes.labels("saved").inc(saved)
        self.writes.labels("failed").inc(failed)
        if saved:
            self.commit_seconds.observe(seconds)

    def trace_requests(self, config: aiohttp.TraceConfig) -> None:
        """Count every request that aiohttp makes with this configuration."""
        config.on_request_end.insert(0, self._count_request)  # before a callback that raises
        config.on_request_exception.append(self._count_broken_request)

    async def _count_request(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        status = params.response.status
        self.requests.labels(_request_kind(params), status).inc()
        if status >= 400:
            self.errors.labels(status, await _discord_error_code(params.response)).inc()

    async def _count_broken_request(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        was_sent = not isinstance(params.exception, RequestsStopped)
        if was_sent and not isinstance(params.exception, ApplicationRefusal):  # that one stands for a counted response
            self.requests.labels(_request_kind(params), "none").inc()

    async def watch_loop(self, clock: Clock) -> None:
        """Sample the loop and the rate limit until cancelled."""
        while True:
            start = clock.monotonic()
            await clock.sleep(SAMPLE_SECONDS)
            self.loop_lag.observe(max(0.0, clock.monotonic() - start - SAMPLE_SECONDS))
            if self.bot is not None:
                self.budget_used.observe(self.bot.rate_limiter.recent_requests())

    # States

    async def render_page(self) -> bytes:
        """Return all metrics in Prometheus's format."""
        await self.check_health()
        if self.worker_pool is not None:
            self._update_pool(self.worker_pool.stats())
        stale, following = self.bot.reconciler.stale_counts() if self.bot else (0, 0)
        self.gauges.behind.set(stale)
        self.gauges.following.set(following)
        if self.bot:
            direct_messages = self.bot.reconciler.surface_sync.direct_messages
            self.gauges.quarantined.set(direct_messages.budget.is_quarantined)
            self.gauges.awaited.set(len(direct_messages.waiting))
        if self.last_backup_time is not None:
            with suppress(OSError):  # an error of the folder, which is logged elsewhere; the last known value stays
                self.gauges.backup.set(await asyncio.to_thread(self.last_backup_time))
        return generate_latest(self.registry)

    async def check_health(self) -> dict[str, bool]:
        """Return whether the bot is logged in, Discord is reachable, and the database is readable."""
        ready = self.bot is not None and self.bot.is_ready()
        down = self.bot is not None and self.bot.reconciler.connectivity.is_down
        try:
            if self.count_live is not None:
                self._update_match_gauge(await self.count_live())
            readable = True
        except StoreFailure:
            readable = False
        self.gauges.ready.set(ready)
        self.gauges.down.set(down)
        if self.bot is not None:
            self.gauges.ahead.set(self.bot.discord_time.seconds_ahead or 0)
            self.gauges.resting.set(not self.bot.discord_time.is_right)
        self.gauges.readable.set(readable)
        return {"ready": ready, "discord": ready and not down, "database": readable}

    def _update_pool(self, stats: PoolStats) -> None:
        for what in ("most", "workers", "busy", "waiting"):
            self.pool_gauge.labels(what).set(getattr(stats, what))
        for how in ("answered", "lost", "gave_up", "dropped"):
            self.pool_jobs.labels(how).inc(getattr(stats, how) - getattr(self._last_pool_stats, how))
        self._last_pool_stats = stats

    def _update_match_gauge(self, live: Mapping[tuple[str, str], int]) -> None:
        counted = {(game, status.value): 0 for game in self._games for status in LIVE}
        for (game, status), number in live.items():
            counted[self._known_game(game), status] += number
        for labels, number in counted.items():
            self.match_gauge.labels(*labels).set(number)


@asynccontextmanager
async def serve_metrics(metrics: Metrics, port: int, clock: Clock) -> AsyncIterator[None]:
    """Serve `/metrics` and `/health` on this machine only. If the port is taken, retry until it is free."""

    async def page(request: web.Request) -> web.Response:
        return web.Response(body=await metrics.render_page(), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})

    async def health(request: web.Request) -> web.Response:
        """Return 503 if a restart may help: the database is unreadable. An unreachable Discord is only reported."""
        found = await metrics.check_health()
        return web.json_response(found, status=200 if found["database"] else 503)

    app = web.Application()
    app.add_routes([web.get("/metrics", page), web.get("/health", health)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        async with BackgroundTasks() as tasks:
            tasks.start_loop(clock, "watch the loop", metrics.watch_loop, clock)
            if why := await _listen(runner, port):
                log.warning(PORT_TAKEN_TEXT, port, why)
                tasks.start_loop(clock, "listen", _listen_at_last, runner, port, clock)
            yield
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, port: int) -> str:
    """Listen on that port; return the reason if that fails, and '' otherwise."""
    site = web.TCPSite(runner, HOST, port)
    try:
        await site.start()
    except OSError as error:
        await site.stop()
        return error.strerror or type(error).__name__
    log.info("Metrics for Prometheus: http://%s:%d/metrics", HOST, port)
    return ""


async def _listen_at_last(runner: web.AppRunner, port: int, clock: Clock) -> None:
    for pause in exponential_backoff(FIRST_PAUSE, LONGEST_PAUSE):
        await clock.sleep(pause)
        if not await _listen(runner, port):
            return


def _steps_reached(edit: EditSummary) -> Iterator[str]:
    """Yield the steps that a table has reached with a change. `filled`: enough players have a seat."""
    before, after = edit.before, edit.after
    if before is None:
        yield "opened"
    elif after.status is Status.LOBBY and len(before.seats) < edit.fewest_seats <= len(after.seats):
        yield "filled"
    if edit.action == "start":
        yield "started"
    if after.status is Status.OVER and before is not None and before.status is not Status.OVER:
        yield "finished"


def _request_kind(params: aiohttp.TraceRequestEndParams | aiohttp.TraceRequestExceptionParams) -> str:
    """Return whether a request counts against Discord's global limit."""
    return "counted" if is_counted(params.url) else "answer"


async def _discord_error_code(response: aiohttp.ClientResponse) -> int:
    """Return Discord's error code, or 0 if there is none. The response can be read again."""
    try:
        code = json.loads(await response.read()).get("code", 0)
    except (aiohttp.ClientError, ValueError, AttributeError):
        return 0
    return code if type(code) is int and 0 <= code < 10**6 else 0
