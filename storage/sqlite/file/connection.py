"""One SQLite connection, through aiosqlite, on its own thread."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

import aiosqlite

T = TypeVar("T")
LOCK_TIMEOUT = 10.0  # seconds that another program than the bot waits for a lock


class Connection:
    """Runs whole functions on the connection's thread, so that a transaction costs one hop there and back."""

    def __init__(self, inner: aiosqlite.Connection) -> None:
        self._inner = inner
        self._is_closed = False

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path, *, lock_timeout: float) -> AsyncIterator[Connection]:
        """Connect, and close at the end; `lock_timeout` is how many seconds to wait for another program's lock.

        No transaction begins by itself. synchronous=FULL: committed data survives a power failure.
        """
        async with _connect(path, lock_timeout) as inner:
            connection = cls(inner)
            try:
                await connection.run(set_up_connection)
                yield connection
            finally:
                connection._is_closed = True

    async def run(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Call the function with the sqlite3 connection, on its thread. It finishes even if this is cancelled.

        aiosqlite offers only single statements, each a hop to the thread and back. Only this module uses its private
        `_execute`, `_conn` and `_thread`; a test checks that they still exist.
        """
        if self._is_closed:
            raise sqlite3.ProgrammingError("The database is closed.")
        execute = cast("Callable[..., Awaitable[T]]", self._inner._execute)

        def nameless(
            raw: sqlite3.Connection,
        ) -> T:  # aiosqlite logs the function that it runs: this one contains no values
            return function(raw)

        return await execute(nameless, self._inner._conn)


@asynccontextmanager
async def _connect(path: Path, lock_timeout: float) -> AsyncIterator[aiosqlite.Connection]:
    """Open aiosqlite's connection. If it is cancelled while connecting, it would leave the new connection open."""
    inner = aiosqlite.connect(path, timeout=lock_timeout, isolation_level=None)
    connecting = asyncio.create_task(inner.__aenter__(), name=f"connect to {path.name}")
    try:
        await asyncio.shield(connecting)
        yield inner
    finally:
        while not connecting.done():  # it is soon done; then the cancellation continues
            with suppress(asyncio.CancelledError):
                await asyncio.wait({connecting})
        if not connecting.cancelled() and connecting.exception() is None:
            await inner.close()
        elif (
            inner._thread.is_alive()
        ):  # the thread ends at once, but aiosqlite does not wait for that, and the loop may be closed
            inner._thread.join()


def connect_for_writing(path: Path) -> sqlite3.Connection:
    """Open a connection beside those of a bot, on any thread."""
    raw = sqlite3.connect(path, timeout=LOCK_TIMEOUT, isolation_level=None, check_same_thread=False)
    set_up_connection(raw)
    return raw


@contextmanager
def transaction(raw: sqlite3.Connection, begin: str = "BEGIN") -> Iterator[None]:
    """Commit at the end, or roll back if something failed."""
    raw.execute(begin)
    try:
        yield
        raw.execute("COMMIT")
    finally:
        if raw.in_transaction:
            raw.execute("ROLLBACK")


def set_up_connection(raw: sqlite3.Connection) -> None:
    """Set up a connection: damaged text is readable, foreign keys are checked, commits reach the disk."""
    raw.text_factory = partial(str, encoding="utf-8", errors="replace")  # sqlite3 would quote damaged text in its error
    raw.execute("PRAGMA foreign_keys = ON")
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("PRAGMA secure_delete = ON")  # deleted data is overwritten; many SQLite builds do that anyway
