"""What the bot asks of Discord in all: kept below the limit from this side, with what may wait behind what may not."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from collections import deque
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, nullcontext
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from math import inf
from typing import Any

import aiohttp
from aiohttp.connector import Connection
from aiohttp.tracing import Trace
from discord.http import Route
from yarl import URL

from cogs.table.state.server_lease import check_lease

DISCORD_LIMIT, WINDOW_SECONDS = 50, 1.0  # requests of the bot's that Discord takes in so many seconds
SEND_LIMIT = 48  # that it is asked for: what leaves here in a second may come in there in a little less
URGENT_LIMIT = DISCORD_LIMIT // 2  # with more than this of what must be shown, nothing follows that may wait
FILL_LIMIT = 44  # up to which it fills the rest: what must be shown finds room at once
UNCOUNTED_PATHS = ("interactions", "webhooks")  # answers to people do not count
POLL_SECONDS = 0.1  # seconds between two looks whether there is room
ROUNDING = 1e-6  # what a share of a whole number of requests may be short of it
SHARE_SECONDS = 2.0  # seconds for which a share counts that several processes have agreed on


def now() -> float:
    """Seconds on a clock of which only differences mean anything."""
    return asyncio.get_running_loop().time()


@dataclass(slots=True)
class Ticket:
    """Leave to send what may wait."""

    is_used: bool = False


_ticket: ContextVar[Ticket | None] = ContextVar("ticket", default=None)  # of whoever is sending
_goes_first: ContextVar[bool] = ContextVar("first", default=False)  # whether that goes before others


class RateLimiter:
    """Counts the requests that count, tries that failed among them, and holds back those that would be too many.

    Where several processes ask for one bot, each has a share of what Discord allows.
    """

    def __init__(self) -> None:
        self._share, self._even_share, self._share_until = 1.0, 1.0, inf
        self._full_at = -inf  # when there was last no room for one that had to be sent
        self._queued = 0  # requests that wait to be sent, and hands that wait for room
        self._sent: deque[float] = deque()
        self._sent_urgent: deque[float] = deque()
        self._open_tickets = 0  # tickets that are given out and not used yet
        self._next_ticket_at = 0.0  # when the next one may be given out: they come one by one
        self._nap: asyncio.Future[None] | None = None  # of whoever waits for that
        self._send_lock = asyncio.Lock()
        self._deferred_lock = (
            asyncio.Lock()
        )  # of these no more than one at a time stands in line with those that go first
        self._room_lock = asyncio.Lock()

    def set_share(self, share: float, processes: int) -> None:
        """So much of all is this process's, for a moment; whoever hears nothing more keeps to an even share at most."""
        self._share, self._even_share, self._share_until = share, 1 / processes, now() + SHARE_SECONDS

    def needed_share(self) -> float:
        """How much of all is needed: what went out in the last second, and what waits."""
        return (self.recent_requests() + self._queued) / SEND_LIMIT

    async def acquire(self) -> None:
        """A request that counts is about to be sent: wait until Discord takes it."""
        self._queued += 1
        try:
            async with nullcontext() if _goes_first.get() else self._deferred_lock, self._send_lock:
                while (early := self._seconds_to_wait()) > 0:  # noqa: ASYNC110  # it comes with time alone
                    await sleep(early)
                _drop_past(self._sent)
                self._sent.append(now())
        finally:
            self._queued -= 1
        ticket = _ticket.get()
        if ticket is None:
            self._sent_urgent.append(now())
        elif not ticket.is_used:
            ticket.is_used = True
            self._open_tickets -= 1

    def recent_requests(self) -> int:
        """How many requests that count went out in the last second."""
        return len(_drop_past(self._sent))

    def run_first(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do work whose requests go before others, where there are more than Discord takes."""
        context = copy_context()
        context.run(_goes_first.set, True)
        return asyncio.create_task(work, name="first", context=context)

    @asynccontextmanager
    async def wait_for_room(self) -> AsyncIterator[None]:
        """Wait until there is room for what may wait, and send that in here."""
        self._queued += 1
        try:
            async with self._room_lock:
                while not self._has_room():  # noqa: ASYNC110  # it comes with time alone
                    await sleep(POLL_SECONDS)
                await self._wait_for_turn()
                self._next_ticket_at = now() + self._spacing()
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
        """Wait for one's turn: it comes sooner where whoever was before needs no request."""
        while (early := self._next_ticket_at - now()) > 0:
            self._nap = asyncio.create_task(sleep(early))
            try:
                await asyncio.wait([self._nap])
            finally:
                self._nap.cancel()
            if not self._nap.cancelled():
                break

    def _own_part(self, whole: float) -> float:
        """The part of that which is this process's just now."""
        share = self._share if now() < self._share_until else min(self._share, self._even_share)
        return whole * share

    def _seconds_to_wait(self) -> float:
        """For how many seconds nothing may be sent yet.

        Where there is too much, they go one by one and not all at once after a second: on the way some are quicker than
        others, so that more would come in there in a second.
        """
        most = max(1, int(self._own_part(SEND_LIMIT) + ROUNDING))
        early = self._sent[-most] + WINDOW_SECONDS - now() if len(self._sent) >= most else 0.0
        if early > 0:
            self._full_at = now()
        if self._sent and self._full_at > now() - WINDOW_SECONDS:
            early = max(early, self._sent[-1] + WINDOW_SECONDS / most - now())
        return early

    def _spacing(self) -> float:
        return WINDOW_SECONDS / max(1.0, self._own_part(FILL_LIMIT))

    def _has_room(self) -> bool:
        must, filled = self._own_part(URGENT_LIMIT), max(1.0, self._own_part(FILL_LIMIT))
        return len(_drop_past(self._sent_urgent)) <= must and len(_drop_past(self._sent)) + self._open_tickets < filled


class CountingConnector(aiohttp.TCPConnector):
    """Connections that count the requests which ask for one, and have them wait where there would be too many.

    aiohttp's tracing would tell of them, too, but of every chunk of every body as well.
    """

    def __init__(self, rate_limiter: RateLimiter) -> None:
        super().__init__(limit=0)  # as discord.py makes its own
        self._rate_limiter = rate_limiter

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109  # its own
    ) -> Connection:
        """One that is free, or a new one, once the request may be sent."""
        if is_counted(req.url):
            await self._rate_limiter.acquire()
        check_lease()  # it may have waited for long
        return await super().connect(req, traces, timeout)


def is_counted(url: URL) -> bool:
    """Whether a request counts among those that Discord limits in all."""
    root = URL(Route.BASE)
    return url.host == root.host and url.path[len(root.path) :].split("/")[1:2] not in (
        [each] for each in UNCOUNTED_PATHS
    )


def _drop_past(times: deque[float]) -> deque[float]:
    """Without those that are past."""
    while times and times[0] <= now() - WINDOW_SECONDS:
        times.popleft()
    return times
