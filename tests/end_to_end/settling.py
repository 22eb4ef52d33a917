"""How simcord learns that the bot has come to rest: by what happens in the event loop, not by looking now and then.

An operation in simcord ends when nothing of the bot's is left to run; between two looks at that it naps. Here a nap
ends when the loop has run all that there was, and no thread owes it an answer. A timer in the midst of a look may be
overlooked: then the nap ends by itself, as simcord would have ended it. Only this file, simulated_server.py and
simcord_routes.py touch simcord's insides.
"""

from __future__ import annotations

import asyncio
import inspect
import selectors
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sized
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest
import simcord.env
from simcord.env import Env

from storage.sqlite.file.connection import Connection

Events = list[tuple[selectors.SelectorKey, int]]
SHORT_SECONDS = 0.5  # a timer as short as this goes off by itself; a longer one only if a test moves the clock
NAP_CALLS = ("FIRST_COMPLETED", "await asyncio.sleep(wait_for)")  # how simcord waits between two looks


@asynccontextmanager
async def event_driven_settling() -> AsyncIterator[RestWatcher]:
    """In this event loop, simcord's naps end as soon as they may; those that nothing ends do so by themselves.

    Simcord also moves its clock by itself once a timer's real time has passed. Here only short timers can do that, so
    a slow machine does not move the clock.
    """
    settle, schedule, run = Env._settle_internal, Env._schedule_timer, Connection.run
    loop = asyncio.get_running_loop()
    said = inspect.getsource(settle)
    assert all(said.count(nap) == 1 for nap in NAP_CALLS), "simcord has changed: it naps in another way"
    selector = getattr(loop, "_selector", None)
    assert isinstance(selector, selectors.BaseSelector), "asyncio has changed: the loop waits for something else"
    rest = RestWatcher(loop, selector.select)

    async def settled(env: Env, *, timeout: float | None = None, **how: Any) -> None:  # noqa: ASYNC109
        rest.begin_settling(env._work.executors)
        patience = None if timeout is None else max(timeout, env.settle_timeout)  # simcord gives a start 5 seconds
        await settle(env, timeout=patience, **how)

    def scheduled(env: Env, timer: Any, *how: Any) -> None:
        schedule(env, timer, *how)
        if timer.real_handle is not None and timer.when - env._virtual_time > SHORT_SECONDS:
            timer.real_handle.cancel()

    async def counted(connection: Connection, function: Callable[..., Any]) -> Any:
        with rest.thread_owing():
            return await run(connection, function)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Env, "_settle_internal", settled)
        patched.setattr(Env, "_schedule_timer", scheduled)
        patched.setattr(Connection, "run", counted)
        patched.setattr(simcord.env, "asyncio", _SettlingAsyncio(rest))
        patched.setattr(selector, "select", rest.select)
        yield rest


class RestWatcher:
    """Stands where the event loop waits, and wakes a napping task until the loop has come to rest."""

    def __init__(self, loop: asyncio.AbstractEventLoop, wait: Callable[[float | None], Events]) -> None:
        self._loop = loop
        self._wait = wait
        self._naps: set[asyncio.Future[None]] = set()
        self._executors: Sized = ()  # calls in other threads that simcord knows of
        self._owed = 0  # answers of the database's threads
        self._moved = True  # whether anything but who naps has run since they last looked

    def begin_settling(self, executors: Sized) -> None:
        """Somebody begins to settle; before that, a test may have done anything."""
        self._executors, self._moved = executors, True

    @contextmanager
    def thread_owing(self) -> Iterator[None]:
        self._owed += 1
        try:
            yield
        finally:
            self._owed -= 1

    async def nap_until_rest(self, longest: float) -> None:
        """Sleep until the loop has come to rest, but no longer than that many seconds."""
        nap = self._loop.create_future()
        timer = self._loop.call_later(longest, _wake_nap, nap)
        self._naps.add(nap)
        try:
            await nap
        finally:
            self._naps.remove(nap)
            timer.cancel()

    def select(self, timeout: float | None = None) -> Events:
        """What the loop waits by: with a timeout of 0 it has more to run, and only asks what has come in meanwhile."""
        resting = timeout is None or timeout > 0
        if resting and self._naps and self._moved and not self._owed and not self._executors:
            self._moved, resting, timeout = False, False, 0
            for nap in self._naps:
                _wake_nap(nap)
        events = self._wait(timeout)
        self._moved = self._moved or resting or bool(events)
        return events


class _SettlingAsyncio:
    """The module as simcord's settlement sees it, where it naps by the loop's rest."""

    def __init__(self, rest: RestWatcher) -> None:
        self._rest = rest

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        """Give way to others, or nap."""
        await (self._rest.nap_until_rest(seconds) if seconds else asyncio.sleep(0))

    async def wait(self, what: Iterable[Any], **how: Any) -> tuple[set[Any], set[Any]] | None:
        """Wait for something certain; or nap, after which simcord looks for itself."""
        if "return_when" not in how:
            return await asyncio.wait(what, **how)
        await self._rest.nap_until_rest(how["timeout"])
        return None


def _wake_nap(nap: asyncio.Future[None]) -> None:
    if not nap.done():
        nap.set_result(None)
