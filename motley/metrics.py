"""What the bot tells of itself to whoever watches it: numbers for Prometheus, and whether it is well.

No label holds a name, the id of anybody or of a match, or anything that is hidden: kinds, games, statuses, and
numbers of errors are all there are.
"""

from __future__ import annotations

import asyncio
import json
import logging
from asyncio import sleep
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
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

from cogs.client import Motley
from cogs.table.transport.background_tasks import Tasks, growing
from cogs.table.transport.interaction_response import ANSWERED_EVENT, Answer
from cogs.table.transport.rate_limiter import ALLOWED, counts
from engines.store.match_store import LIVE, StoreFailure
from worker_pool.pool import Thinkers, Work

log = logging.getLogger("motley")
HOST = "127.0.0.1"  # whoever is to see it from elsewhere needs a way of their own
DISCORDS_PATIENCE = 3.0  # seconds in which a click must be answered
EVERY = 0.5  # seconds between two looks at the loop and at the budget
ANSWERS = (0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5)
COMMITS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2)
LAGS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2)
BUDGET = (0, 5, 10, 15, 20, 25, 30, 35, 40, 44, 48, ALLOWED)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds
TAKEN = (
    "Port %d cannot be had for MOTLEY_METRICS (%s). The bot runs without its numbers, and goes on trying. "
    "If something else keeps the port, name another one."
)
OTHER = "other"  # a game of a newer version

Live = Callable[[], Awaitable[Mapping[tuple[str, str], int]]]


class Metrics:
    """The numbers. What happens is counted when it does; how things stand is looked at when somebody asks."""

    def __init__(self, games: Iterable[str]) -> None:
        self.bot: Motley | None = None
        self.live: Live | None = None
        self.thinkers: Thinkers | None = None
        self.last_backup: Callable[[], float] = lambda: 0
        self._games = (*games, OTHER)
        self._work = Work()
        disable_created_metrics()  # type: ignore[no-untyped-call]  # nobody reads when each was made
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._make()

    def _make(self) -> None:
        """Every number, with what it means."""
        to = self.registry
        self.answers = Histogram(
            "motley_answer_seconds",
            "From a click or a command to Discord having its first response, or the whole of it.",
            ["part"],
            buckets=ANSWERS,
            registry=to,
        )
        self.late = Counter("motley_answers_late_total", "First responses later than 3 s, or none at all.", registry=to)
        self.writes = Counter("motley_writes_total", "Changes that were committed, or failed.", ["how"], registry=to)
        self.commits = Histogram(
            "motley_commit_seconds", "A transaction, which may hold several changes.", buckets=COMMITS, registry=to
        )
        self.requests = Counter(
            "motley_discord_requests_total", "What Discord was asked, by the answer.", ["kind", "status"], registry=to
        )
        self.errors = Counter(
            "motley_discord_errors_total", "What Discord refused, by its own code.", ["status", "code"], registry=to
        )
        self.budget = Histogram(
            "motley_discord_budget_used",
            f"Requests within a second, looked at twice a second; {ALLOWED} are allowed.",
            buckets=BUDGET,
            registry=to,
        )
        self.lag = Histogram(
            "motley_loop_lag_seconds",
            "How late the event loop comes, looked at twice a second.",
            buckets=LAGS,
            registry=to,
        )
        gauges = {
            "ready": ("motley_ready", "1 once Discord has let the bot in."),
            "down": ("motley_discord_down", "1 while Discord cannot be reached."),
            "readable": ("motley_database_readable", "1 while the database can be read."),
            "behind": ("motley_matches_behind", "Matches of which something must be shown and is not yet."),
            "following": ("motley_messages_following", "Hands and other messages that follow in their own time."),
            "backup": ("motley_backup_timestamp_seconds", "When the newest backup by plan was made; 0: none."),
        }
        self.now = SimpleNamespace(**{key: Gauge(*named, registry=to) for key, named in gauges.items()})
        self.matches = Gauge("motley_matches", "Matches that go on.", ["game", "status"], registry=to)
        self.pool = Gauge(
            "motley_pool", "Workers of the computers' pool, and who waits for one.", ["what"], registry=to
        )
        self.jobs = Counter("motley_pool_jobs_total", "What the pool was asked for.", ["how"], registry=to)

    def follow(self, bot: Motley) -> None:
        """Count what this bot does from now on; it has not connected yet."""
        self.bot = bot
        bot.add_listener(self.answered, f"on_{ANSWERED_EVENT}")
        bot.http.http_trace = self._trace()

    # What happens

    async def answered(self, answer: Answer) -> None:
        """An interaction's work is done."""
        if answer.first is not None:
            self.answers.labels("first").observe(answer.first)
            self.answers.labels("whole").observe(answer.took)
        if answer.first is None or answer.first > DISCORDS_PATIENCE:
            self.late.inc()

    def written(self, written: int, failed: int, seconds: float) -> None:
        """A transaction is over."""
        self.writes.labels("saved").inc(written)
        self.writes.labels("failed").inc(failed)
        if written:
            self.commits.observe(seconds)

    def _trace(self) -> aiohttp.TraceConfig:
        """What has aiohttp tell of every request."""
        config = aiohttp.TraceConfig()
        config.on_request_end.append(self._requested)
        config.on_request_exception.append(self._broken)
        return config

    async def _requested(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, told: aiohttp.TraceRequestEndParams
    ) -> None:
        status = told.response.status
        self.requests.labels(_kind(told), status).inc()
        if status >= 400:
            self.errors.labels(status, await _code(told.response)).inc()

    async def _broken(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, told: aiohttp.TraceRequestExceptionParams
    ) -> None:
        self.requests.labels(_kind(told), "none").inc()

    async def watch(self) -> None:
        """Look at the loop and at the budget, until cancelled."""
        clock = asyncio.get_running_loop().time
        while True:
            began = clock()
            await sleep(EVERY)
            self.lag.observe(max(0.0, clock() - began - EVERY))
            if self.bot is not None:
                self.budget.observe(self.bot.traffic.used())

    # How things stand

    async def page(self) -> bytes:
        """All of it as Prometheus reads it."""
        await self.health()
        if self.thinkers is not None:
            self._look_at_pool(self.thinkers.work())
        behind, following = self.bot.keeper.behind() if self.bot else (0, 0)
        self.now.behind.set(behind)
        self.now.following.set(following)
        with suppress(OSError):  # of their folder, which the log tells; the last that is known stays
            self.now.backup.set(await asyncio.to_thread(self.last_backup))
        return generate_latest(self.registry)

    async def health(self) -> dict[str, bool]:
        """Whether Discord has let the bot in, and can be reached; whether the database can be read."""
        ready = self.bot is not None and self.bot.is_ready()
        down = self.bot is not None and self.bot.keeper.outage.down
        try:
            if self.live is not None:
                self._count(await self.live())
            readable = True
        except StoreFailure:
            readable = False
        self.now.ready.set(ready)
        self.now.down.set(down)
        self.now.readable.set(readable)
        return {"ready": ready, "discord": ready and not down, "database": readable}

    def _look_at_pool(self, work: Work) -> None:
        for what in ("most", "workers", "busy", "waiting"):
            self.pool.labels(what).set(getattr(work, what))
        for how in ("answered", "lost", "gave_up"):
            self.jobs.labels(how).inc(getattr(work, how) - getattr(self._work, how))
        self._work = work

    def _count(self, live: Mapping[tuple[str, str], int]) -> None:
        counted = {(game, status.value): 0 for game in self._games for status in LIVE}
        for (game, status), number in live.items():
            counted[game if game in self._games else OTHER, status] += number
        for labels, number in counted.items():
            self.matches.labels(*labels).set(number)


@asynccontextmanager
async def served(metrics: Metrics, port: int) -> AsyncIterator[None]:
    """Answer on this machine alone: `/metrics`, and `/health`. A port that is taken is tried again until it is free."""

    async def page(request: web.Request) -> web.Response:
        return web.Response(body=await metrics.page(), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})

    async def health(request: web.Request) -> web.Response:
        """503 where starting anew may help: a database that cannot be read. That Discord is away is told, no more."""
        found = await metrics.health()
        return web.json_response(found, status=200 if found["database"] else 503)

    app = web.Application()
    app.add_routes([web.get("/metrics", page), web.get("/health", health)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        async with Tasks() as tasks:
            tasks.start("watch the loop", metrics.watch)
            if why := await _listen(runner, port):
                log.warning(TAKEN, port, why)
                tasks.start("listen", _listen_at_last, runner, port)
            yield
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, port: int) -> str:
    """Listen on that port; where it cannot be had, why."""
    site = web.TCPSite(runner, HOST, port)
    try:
        await site.start()
    except OSError as error:
        await site.stop()
        return error.strerror or type(error).__name__
    log.info("Numbers for Prometheus: http://%s:%d/metrics", HOST, port)
    return ""


async def _listen_at_last(runner: web.AppRunner, port: int) -> None:
    for pause in growing(FIRST_PAUSE, LONGEST_PAUSE):
        await sleep(pause)
        if not await _listen(runner, port):
            return


def _kind(told: aiohttp.TraceRequestEndParams | aiohttp.TraceRequestExceptionParams) -> str:
    """Whether a request counts among those that Discord limits in all."""
    return "counted" if counts(told.url) else "answer"


async def _code(response: aiohttp.ClientResponse) -> int:
    """Discord's own number of an error; 0 where it gives none. What was read can be read again."""
    try:
        code = json.loads(await response.read()).get("code", 0)
    except (aiohttp.ClientError, ValueError, AttributeError):
        return 0
    return code if type(code) is int and 0 <= code < 10**6 else 0
