"""Runs shared work on a file's connection: coroutines whose statements are done when they are called."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Iterable
from functools import cache, partial
from typing import Any, TypeVar

from storage.shared.stores.statements import LIVE_STATUSES, MARK_STALE, Dialect, SharedStore, Statements, Work
from storage.sqlite.writer import FileAccess

T = TypeVar("T")
_MARK = "INSERT OR IGNORE INTO behind (match) SELECT match FROM"

DIALECT = Dialect(
    insertion_order="rowid",
    greatest="MAX",
    least="MIN",
    lock_rows="",  # there is one writer
    unindexed="+",
    # Use the indexes of live matches only: SQLite would rather scan all matches ever played in a server.
    lobbies_by_guild="INDEXED BY lobbies_by_guild",
    tables_by_guild="INDEXED BY tables_by_guild",
    tables_by_host="INDEXED BY tables_by_host",
    # Said as in the index: otherwise SQLite does not use it.
    closed="status <> 'lobby' AND status <> 'running' AND status <> 'paused' AND status <> 'aside' AND changed < $1 "
    "ORDER BY changed",
    announce=MARK_STALE,
    mark_hand=MARK_STALE,
    mark_lobbies=f"{_MARK} matches INDEXED BY lobbies_by_guild WHERE guild = $1 AND status = 'lobby'",
    mark_user_matches=f"""
    {_MARK} seats JOIN matches USING (match) WHERE user = $1 AND gone = '' AND status IN ({LIVE_STATUSES})
    """,
)


class FileStatements:
    """Implements storage.shared.stores.statements.Statements on the thread of a connection."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    async def fetch(self, query: str, /, *args: Any) -> list[Any]:
        """Return all rows."""
        return self._raw.execute(mark(query), args).fetchall()

    async def fetchrow(self, query: str, /, *args: Any) -> Any:
        """Return the first row, or None."""
        return self._raw.execute(mark(query), args).fetchone()

    async def fetchval(self, query: str, /, *args: Any) -> Any:
        """Return the first value of the first row, or None."""
        found = self._raw.execute(mark(query), args).fetchone()
        return None if found is None else found[0]

    async def execute(self, query: str, /, *args: Any) -> object:
        """Run a statement whose rows nobody needs."""
        return self._raw.execute(mark(query), args)

    async def executemany(self, command: str, /, args: Iterable[tuple[Any, ...]]) -> object:
        """Run a statement with each of these values."""
        return self._raw.executemany(mark(command), args)


class FileStore(SharedStore):
    """A store on a file."""

    _dialect = DIALECT

    def __init__(self, database: FileAccess) -> None:
        self._database = database

    async def _read(self, work: Work[T], what: str, *, consistent: bool = False) -> T:
        return await self._database.read(partial(run_shared, work), what=what)

    async def _write(
        self,
        work: Work[T],
        what: str,
        *,
        match: str = "",
        find: Work[Iterable[str]] | None = None,
        guild: int = 0,
        host: int = 0,
    ) -> T:
        async def find_first(raw: Statements) -> T:
            if find is not None:
                await find(raw)
            return await work(raw)

        return await self._database.write(partial(run_shared, find_first), what=what)

    async def _write_alone(self, work: Work[T], what: str) -> T:
        return await self._write(work, what)

    def _now(self) -> int:
        return self._database.now()


def finish(work: Awaitable[T]) -> T:
    """Return the result of shared work on a file. It waits for nothing, so it is done at once."""
    try:
        next(work.__await__())
    except StopIteration as done:
        value: T = done.value
        return value
    raise AssertionError("shared work has waited for something")


def run_shared(work: Work[T], raw: sqlite3.Connection) -> T:
    """Do shared work on this connection."""
    return finish(work(FileStatements(raw)))


@cache
def mark(sql: str) -> str:
    """Return a shared statement with SQLite's marks of values."""
    return sql.replace("$", "?")
