"""Both kinds of storage, as the contract's tests see them, and a look behind what they offer."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeAlias

from storage import postgres, sqlite
from storage.postgres.connection.connection import Raw
from storage.postgres.writing.writer import Put
from storage.shared.group_commit import Told
from tests.storage.samples import rows

NOW = 1_800_000_000

Database: TypeAlias = sqlite.Database | postgres.Database
MatchStore: TypeAlias = sqlite.MatchStore | postgres.MatchStore
SurfaceStore: TypeAlias = sqlite.SurfaceStore | postgres.SurfaceStore

_TABLES = (
    *("behind", "due", "mentions", "surfaces", "events", "history", "moves", "bases", "states", "seats", "matches"),
    *("notes", "preferences", "inboxes", "servers", "forgetting", "departed"),
)
EMPTY = "; ".join(f"DELETE FROM {table}" for table in _TABLES)


class Sql:
    """Statements that both understand: `?` for values, and columns that are words of SQL as they are."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What a query finds."""
        if isinstance(self._database, sqlite.Database):
            return await self._database.read(rows(sql, *values), what=sql)
        return await self._database.read(partial(_rows, told(sql), values), what=sql)

    async def write(self, sql: str, *values: object) -> None:
        """Write something that no store would. Raises StoreFailure where the database itself refuses it."""
        if isinstance(self._database, sqlite.Database):
            await self._database.write(rows(sql, *values), what=sql)
        else:
            await self._database.write(Put(told(sql), values), what=sql)


def matches_of(database: Database) -> MatchStore:
    """Its store of matches."""
    return sqlite.MatchStore(database) if isinstance(database, sqlite.Database) else postgres.MatchStore(database)


def surfaces_of(database: Database) -> SurfaceStore:
    """Its store of what was shown."""
    return sqlite.SurfaceStore(database) if isinstance(database, sqlite.Database) else postgres.SurfaceStore(database)


@asynccontextmanager
async def opened(kind: str, where: str, told: Told | None = None) -> AsyncIterator[Database]:
    """A database of that kind; on PostgreSQL, an emptied one."""
    if kind == "sqlite":
        async with sqlite.Database.open(where, clock=lambda: NOW + 0.7, patience=0.1, told=told) as file:
            yield file
        return
    async with postgres.Database.open(where, clock=lambda: NOW + 0.7, told=told) as database:
        await database.write(_empty, what="all")
        yield database


async def _empty(raw: Raw) -> None:
    await raw.execute(EMPTY)


async def _rows(sql: str, values: tuple[object, ...], raw: Raw) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in await raw.fetch(sql, *values)]


def told(sql: str) -> str:
    """That in PostgreSQL's words."""
    numbers = iter(range(1, 99))
    return re.sub(r"\?", lambda _: f"${next(numbers)}", re.sub(r"\buser\b", '"user"', sql))
