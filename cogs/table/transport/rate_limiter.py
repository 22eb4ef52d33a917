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

from cogs.table.state.server_lease import still

ALLOWED, SECONDS = 50, 1.0  # requests of the bot's that Discord takes in so many seconds
ALL = 48  # that it is asked for: what leaves here in a second may come in there in a little less
SHARE = ALLOWED // 2  # with more than this of what must be shown, nothing follows that may wait
FILLED = 44  # up to which it fills the rest: what must be shown finds room at once
UNCOUNTED = ("interactions", "webhooks")  # answers to people do not count
STEP = 0.1  # seconds between two looks whether there is room
ROUNDING = 1e-6  # what a share of a whole number of requests may be short of it
HEARD = 2.0  # seconds for which a share counts that several processes have agreed on


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
    """Counts the requests that count, tries that failed among them, and holds back those that would be too many.

    Where several processes ask for one bot, each has a share of what Discord allows.
    """

    def __init__(self) -> None:
        self._share, self._even, self._until = 1.0, 1.0, inf
        self._full = -inf  # when there was last no room for one that had to be sent
        self._line = 0  # requests that wait to be sent, and hands that wait for room
        self._all: deque[float] = deque()
        self._must: deque[float] = deque()
        self._leave = 0  # tickets that are given out and not used yet
        self._next = 0.0  # when the next one may be given out: they come one by one
        self._nap: asyncio.Future[None] | None = None  # of whoever waits for that
        self._order = asyncio.Lock()
        self._behind = asyncio.Lock()  # of these no more than one at a time stands in line with those that go first
        self._waiting = asyncio.Lock()

    def allow(self, share: float, processes: int) -> None:
        """So much of all is this process's, for a moment; whoever hears nothing more keeps to an even share at most."""
        self._share, self._even, self._until = share, 1 / processes, now() + HEARD

    def need(self) -> float:
        """How much of all is needed: what went out in the last second, and what waits."""
        return (self.used() + self._line) / ALL

    async def sending(self) -> None:
        """A request that counts is about to be sent: wait until Discord takes it."""
        self._line += 1
        try:
            async with nullcontext() if _first.get() else self._behind, self._order:
                while (early := self._early()) > 0:  # noqa: ASYNC110  # it comes with time alone
                    await sleep(early)
                _latest(self._all)
                self._all.append(now())
        finally:
            self._line -= 1
        ticket = _ticket.get()
        if ticket is None:
            self._must.append(now())
        elif not ticket.used:
            ticket.used = True
            self._leave -= 1

    def used(self) -> int:
        """How many requests that count went out in the last second."""
        return len(_latest(self._all))

    def first(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do work whose requests go before others, where there are more than Discord takes."""
        context = copy_context()
        context.run(_first.set, True)
        return asyncio.create_task(work, name="first", context=context)

    @asynccontextmanager
    async def spare(self) -> AsyncIterator[None]:
        """Wait until there is room for what may wait, and send that in here."""
        self._line += 1
        try:
            async with self._waiting:
                while not self._room():  # noqa: ASYNC110  # it comes with time alone
                    await sleep(STEP)
                await self._turn()
                self._next = now() + self._apart()
                self._leave += 1
        finally:
            self._line -= 1
        ticket = Ticket()
        token = _ticket.set(ticket)
        try:
            yield
        finally:
            _ticket.reset(token)
            if not ticket.used:
                self._leave -= 1
                self._next -= self._apart()
                if self._nap is not None:
                    self._nap.cancel()

    async def _turn(self) -> None:
        """Wait for one's turn: it comes sooner where whoever was before needs no request."""
        while (early := self._next - now()) > 0:
            self._nap = asyncio.create_task(sleep(early))
            try:
                await asyncio.wait([self._nap])
            finally:
                self._nap.cancel()
            if not self._nap.cancelled():
                break

    def _of(self, whole: float) -> float:
        """The part of that which is this process's just now."""
        share = self._share if now() < self._until else min(self._share, self._even)
        return whole * share

    def _early(self) -> float:
        """For how many seconds nothing may be sent yet.

        Where there is too much, they go one by one and not all at once after a second: on the way some are quicker than
        others, so that more would come in there in a second.
        """
        most = max(1, int(self._of(ALL) + ROUNDING))
        early = self._all[-most] + SECONDS - now() if len(self._all) >= most else 0.0
        if early > 0:
            self._full = now()
        if self._all and self._full > now() - SECONDS:
            early = max(early, self._all[-1] + SECONDS / most - now())
        return early

    def _apart(self) -> float:
        return SECONDS / max(1.0, self._of(FILLED))

    def _room(self) -> bool:
        must, filled = self._of(SHARE), max(1.0, self._of(FILLED))
        return len(_latest(self._must)) <= must and len(_latest(self._all)) + self._leave < filled


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
        still()  # it may have waited for long
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
