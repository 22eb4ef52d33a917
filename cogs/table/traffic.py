"""What the bot asks of Discord in all: kept below the limit from this side, with what may wait behind what may not."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from collections import deque
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass

import aiohttp
from aiohttp.connector import Connection
from aiohttp.tracing import Trace
from discord.http import Route
from yarl import URL

ALLOWED, SECONDS = 50, 1.0  # requests of the bot's that Discord takes in so many seconds
ALL = 48  # that it is asked for: what leaves here in a second may come in there in a little less
SHARE = ALLOWED // 2  # with more than this of what must be shown, nothing follows that may wait
FILLED = 44  # up to which it fills the rest: what must be shown finds room at once
UNCOUNTED = ("interactions", "webhooks")  # answers to people do not count
STEP = 0.1  # seconds between two looks whether there is room


def now() -> float:
    """Seconds on a clock of which only differences mean anything."""
    return asyncio.get_running_loop().time()


@dataclass(slots=True)
class Ticket:
    """Leave to send what may wait."""

    used: bool = False


_ticket: ContextVar[Ticket | None] = ContextVar("ticket", default=None)  # of whoever is sending
_first: ContextVar[bool] = ContextVar("first", default=False)  # whether that goes before others


class Traffic:
    """Counts the requests that count, tries that failed among them, and holds back those that would be too many."""

    def __init__(self) -> None:
        self._all: deque[float] = deque()
        self._must: deque[float] = deque()
        self._leave = 0  # tickets that are given out and not used yet
        self._next = 0.0  # when the next one may be given out: they come one by one
        self._order = asyncio.Lock()
        self._behind = asyncio.Lock()  # of these no more than one at a time stands in line with those that go first
        self._waiting = asyncio.Lock()

    async def sending(self) -> None:
        """A request that counts is about to be sent: wait until Discord takes it."""
        async with nullcontext() if _first.get() else self._behind, self._order:
            if len(_latest(self._all)) >= ALL:
                await sleep(self._all[0] + SECONDS - now())
            self._all.append(now())
        ticket = _ticket.get()
        if ticket is None:
            self._must.append(now())
        elif not ticket.used:
            ticket.used = True
            self._leave -= 1

    def used(self) -> int:
        """How many requests that count went out in the last second."""
        return len(_latest(self._all))

    async def first(self, work: Awaitable[object]) -> None:
        """Do work whose requests go before others, where there are more than Discord takes."""
        token = _first.set(True)
        try:
            await work
        finally:
            _first.reset(token)

    @asynccontextmanager
    async def spare(self) -> AsyncIterator[None]:
        """Wait until there is room for what may wait, and send that in here."""
        async with self._waiting:
            while not self._room():  # noqa: ASYNC110  # it comes with time alone
                await sleep(STEP)
            if (early := self._next - now()) > 0:
                await sleep(early)
            self._next = now() + SECONDS / FILLED
            self._leave += 1
        ticket = Ticket()
        token = _ticket.set(ticket)
        try:
            yield
        finally:
            _ticket.reset(token)
            if not ticket.used:
                self._leave -= 1
                self._next -= SECONDS / FILLED

    def _room(self) -> bool:
        return len(_latest(self._must)) <= SHARE and len(_latest(self._all)) + self._leave < FILLED


class Counted(aiohttp.TCPConnector):
    """Connections that count the requests which ask for one, and have them wait where there would be too many.

    aiohttp's tracing would tell of them, too, but of every chunk of every body as well.
    """

    def __init__(self, traffic: Traffic) -> None:
        super().__init__(limit=0)  # as discord.py makes its own
        self._traffic = traffic

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109  # its own
    ) -> Connection:
        """One that is free, or a new one, once the request may be sent."""
        if counts(req.url):
            await self._traffic.sending()
        return await super().connect(req, traces, timeout)


def counts(url: URL) -> bool:
    """Whether a request counts among those that Discord limits in all."""
    root = URL(Route.BASE)
    return url.host == root.host and url.path[len(root.path) :].split("/")[1:2] not in ([each] for each in UNCOUNTED)


def _latest(times: deque[float]) -> deque[float]:
    """Without those that are past."""
    while times and times[0] <= now() - SECONDS:
        times.popleft()
    return times
