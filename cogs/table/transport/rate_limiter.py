"""Keeps the bot's requests below Discord's global limit, and sends urgent requests before deferred ones."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, nullcontext
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from math import inf
from typing import Any

import aiohttp
from aiohttp.connector import Connection
from aiohttp.tracing import Trace
from yarl import URL

from cogs.table.state.server_lease import check_lease
from cogs.table.transport.discord_internals import api_root
from engines.store.clock import Clock

DISCORD_LIMIT, WINDOW_SECONDS = 50, 1.0  # requests that Discord accepts per window of so many seconds
SEND_LIMIT = 48  # requests sent per window; a margin, because they may arrive in a slightly shorter time
URGENT_LIMIT = DISCORD_LIMIT // 2  # urgent requests per window above which no deferred ones are sent
FILL_LIMIT = 44  # deferred requests fill the window up to this number; the rest is free for urgent ones
UNCOUNTED_PATHS = ("interactions", "webhooks")  # replies to interactions do not count
POLL_SECONDS = 0.1  # seconds between two checks for room
ROUNDING = 1e-6  # tolerance if a share of the limit should be a whole number
SHARE_SECONDS = 2.0  # seconds for which an agreed share is valid


@dataclass(slots=True)
class Ticket:
    """A permit to send deferred requests."""

    is_used: bool = False


_ticket: ContextVar[Ticket | None] = ContextVar("ticket", default=None)  # of the current task
_goes_first: ContextVar[bool] = ContextVar("first", default=False)  # whether the current task's requests go first


class RateLimiter:
    """Counts requests, failed ones included, and delays those above the limit.

    If several processes run one bot, each gets a share of the limit.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._share, self._even_share, self._share_until = 1.0, 1.0, inf
        self._full_at = -inf  # when a request last had to wait
        self._queued = 0  # waiting requests, and waiting deferred work
        self._sent: deque[float] = deque()
        self._sent_urgent: deque[float] = deque()
        self._open_tickets = 0  # unused tickets
        self._next_ticket_at = 0.0  # when the next ticket may be issued; they are issued one by one
        self._nap: asyncio.Future[None] | None = None  # the sleep of the task that waits for the next ticket
        self._send_lock = asyncio.Lock()
        self._deferred_lock = asyncio.Lock()  # lets one deferred request at a time join the queue of first ones
        self._room_lock = asyncio.Lock()

    def set_share(self, share: float, processes: int) -> None:
        """Set this process's share for `SHARE_SECONDS`. After that, the share is at most an even one."""
        self._share, self._even_share, self._share_until = share, 1 / processes, self.clock.monotonic() + SHARE_SECONDS

    def needed_share(self) -> float:
        """The share of the limit that this process needs, from its requests in the last second and its queue."""
        return (self.recent_requests() + self._queued) / SEND_LIMIT

    async def acquire(self) -> None:
        """Wait until a counted request may be sent."""
        self._queued += 1
        try:
            async with nullcontext() if _goes_first.get() else self._deferred_lock, self._send_lock:
                while (early := self._seconds_to_wait()) > 0:  # only time ends this
                    await self.clock.sleep(early)
                self._drop_past(self._sent)
                self._sent.append(self.clock.monotonic())
        finally:
            self._queued -= 1
        ticket = _ticket.get()
        if ticket is None:
            self._sent_urgent.append(self.clock.monotonic())
        elif not ticket.is_used:
            ticket.is_used = True
            self._open_tickets -= 1

    def recent_requests(self) -> int:
        """The number of counted requests in the last second."""
        return len(self._drop_past(self._sent))

    def run_first(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start work whose requests go before others if there is a queue."""
        context = copy_context()
        context.run(_goes_first.set, True)
        return asyncio.create_task(work, name="first", context=context)

    @asynccontextmanager
    async def wait_for_room(self) -> AsyncIterator[None]:
        """Wait until there is room for deferred requests, and send them in this context."""
        self._queued += 1
        try:
            async with self._room_lock:
                while not self._has_room():  # only time ends this
                    await self.clock.sleep(POLL_SECONDS)
                await self._wait_for_turn()
                self._next_ticket_at = self.clock.monotonic() + self._spacing()
                self._open_tickets += 1
        finally:
            self._queued -= 1
        ticket = Ticket()
        token = _ticket.set(ticket)
        try:
            yield
        finally:
            _ticket.reset(token)
            if not ticket.is_used:
                self._open_tickets -= 1
                self._next_ticket_at -= self._spacing()
                if self._nap is not None:
                    self._nap.cancel()

    async def _wait_for_turn(self) -> None:
        """Wait until the next ticket may be issued; an unused ticket ends the wait early."""
        while (early := self._next_ticket_at - self.clock.monotonic()) > 0:
            self._nap = asyncio.create_task(self.clock.sleep(early))
            try:
                await asyncio.wait([self._nap])
            finally:
                self._nap.cancel()
            if not self._nap.cancelled():
                break

    def _own_part(self, whole: float) -> float:
        """This process's current share of a number."""
        share = self._share if self.clock.monotonic() < self._share_until else min(self._share, self._even_share)
        return whole * share

    def _seconds_to_wait(self) -> float:
        """The seconds until the next request may be sent.

        At the limit, requests are spread over the window instead of sent in a burst: some travel faster than others, so
        more than the limit could arrive within one window.
        """
        most = max(1, int(self._own_part(SEND_LIMIT) + ROUNDING))
        early = self._sent[-most] + WINDOW_SECONDS - self.clock.monotonic() if len(self._sent) >= most else 0.0
        if early > 0:
            self._full_at = self.clock.monotonic()
        if self._sent and self._full_at > self.clock.monotonic() - WINDOW_SECONDS:
            early = max(early, self._sent[-1] + WINDOW_SECONDS / most - self.clock.monotonic())
        return early

    def _spacing(self) -> float:
        return WINDOW_SECONDS / max(1.0, self._own_part(FILL_LIMIT))

    def _has_room(self) -> bool:
        must, filled = self._own_part(URGENT_LIMIT), max(1.0, self._own_part(FILL_LIMIT))
        return (
            len(self._drop_past(self._sent_urgent)) <= must
            and len(self._drop_past(self._sent)) + self._open_tickets < filled
        )

    def _drop_past(self, times: deque[float]) -> deque[float]:
        """Remove the times before the current window."""
        while times and times[0] <= self.clock.monotonic() - WINDOW_SECONDS:
            times.popleft()
        return times


class CountingConnector(aiohttp.TCPConnector):
    """A connector that applies the rate limiter to each request before it gets a connection.

    aiohttp's tracing could do this, but it also reports every chunk of every body.
    """

    def __init__(self, rate_limiter: RateLimiter, require_access: Callable[[URL], None]) -> None:
        super().__init__(limit=0)  # like discord.py's own connector
        self._rate_limiter = rate_limiter
        self._require_access = require_access

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109  # aiohttp's parameter
    ) -> Connection:
        """Return a connection once the request may be sent.

        Raises NotLeaseHolder if the lease is lost by then, and RequestsStopped if Discord refuses the application.
        """
        if is_counted(req.url):
            await self._rate_limiter.acquire()
        if is_api_request(req.url):
            self._require_access(req.url)
        check_lease()  # the wait may have been long
        return await super().connect(req, traces, timeout)


def is_api_request(url: URL) -> bool:
    """Whether a request is for Discord's REST API, and not for its gateway or its files."""
    root = api_root()
    return url.host == root.host and url.path.startswith(f"{root.path}/")


def is_counted(url: URL) -> bool:
    """Whether a request counts toward Discord's global limit. Those with an interaction's token do not."""
    return is_api_request(url) and url.path.removeprefix(api_root().path).split("/")[1] not in UNCOUNTED_PATHS
