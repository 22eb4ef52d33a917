"""One SQLite connection, through aiosqlite, on a thread of its own."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

import aiosqlite

T = TypeVar("T")


class Connection:
    """Runs whole functions on the connection's thread, so that a transaction costs one hop there and back."""

    def __init__(self, inner: aiosqlite.Connection) -> None:
        self._inner = inner
        self._is_closed = False

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path, *, lock_timeout: float) -> AsyncIterator[Connection]:
        """Connect, and close at the end; `patience` is how many seconds to wait for another program's lock.

        No transaction begins by itself; synchronous=FULL: what is committed survives the loss of power.
        """
        async with _connect(path, lock_timeout) as inner:
            connection = cls(inner)
            try:
                await connection.run(set_up_connection)
                yield connection
            finally:
                connection._is_closed = True

    async def run(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Call the function with the sqlite3 connection, on its thread. It runs to its end even if this is cancelled.

        aiosqlite offers single statements only, each a hop to the thread and back. In this module alone its private
        `_execute`, `_conn` and `_thread` are used; a test watches that they are still there.
        """
        if self._is_closed:
            raise sqlite3.ProgrammingError("The database is closed.")
        execute = cast("Callable[..., Awaitable[T]]", self._inner._execute)

        def nameless(raw: sqlite3.Connection) -> T:  # aiosqlite logs what it runs: here, with no value in it
            return function(raw)

        return await execute(nameless, self._inner._conn)


@asynccontextmanager
async def _connect(path: Path, lock_timeout: float) -> AsyncIterator[aiosqlite.Connection]:
    """aiosqlite's connection; where it is cancelled while it connects, it would leave open what it gets after that."""
    inner = aiosqlite.connect(path, timeout=lock_timeout, isolation_level=None)
    connecting = asyncio.create_task(inner.__aenter__(), name=f"connect to {path.name}")
    try:
        await asyncio.shield(connecting)
        yield inner
    finally:
        while not connecting.done():  # it is soon; then whoever cancelled goes on
            with suppress(asyncio.CancelledError):
                await asyncio.wait({connecting})
        if not connecting.cancelled() and connecting.exception() is None:
            await inner.close()
        elif inner._thread.is_alive():  # it ends at once, but aiosqlite does not wait for that: the loop may be closed
            inner._thread.join()


def set_up_connection(raw: sqlite3.Connection) -> None:
    """What holds for every connection: damaged text can be read, keys are checked, a commit is on the disk."""
    raw.text_factory = partial(str, encoding="utf-8", errors="replace")  # sqlite3 would put damaged text into its error
    raw.execute("PRAGMA foreign_keys = ON")
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten; many builds of SQLite do so anyway
