"""Both kinds of storage for the contract's tests, and direct SQL access to them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeAlias

from storage import postgres, sqlite
from storage.postgres.connection.connection import RawConnection
from storage.postgres.writing.writer import SingleStatement
from storage.shared.group_commit import TransactionCallback
from tests.storage.samples import query_rows

NOW = 1_800_000_000

Database: TypeAlias = sqlite.Database | postgres.Database
MatchStore: TypeAlias = sqlite.MatchStore | postgres.MatchStore
SurfaceStore: TypeAlias = sqlite.SurfaceStore | postgres.SurfaceStore

_TABLES = (
    "reports",
    *(
        "behind",
        "due",
        "mentions",
        "surfaces",
        "events",
        "history",
        "moves",
        "bases",
        "states",
        "deals",
        "seats",
        "matches",
    ),
    *(
        "player_notes",
        "planned_moves",
        "guesses",
        "notes",
        "preferences",
        "inboxes",
        "breaks",
        "servers",
        "forgetting",
        "departed",
        "blocks",
        "announcement_posts",
        "announcements",
    ),
)
EMPTY_SQL = "; ".join(f"DELETE FROM {table}" for table in _TABLES)


class SqlAccess:
    """Runs SQL that both understand: `?` for values, and column names that are SQL keywords."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        if isinstance(self._database, sqlite.Database):
            return await self._database.read(query_rows(sql, *values), what=sql)
        return await self._database.read(partial(_fetch_rows, to_postgres_sql(sql), values), what=sql)

    async def execute(self, sql: str, *values: object) -> None:
        """Write something that no store would. Raises StoreFailure if the database itself refuses it."""
        if isinstance(self._database, sqlite.Database):
            await self._database.write(query_rows(sql, *values), what=sql)
        else:
            await self._database.write(SingleStatement(to_postgres_sql(sql), values), what=sql)


def matches_of(database: Database) -> MatchStore:
    return sqlite.MatchStore(database) if isinstance(database, sqlite.Database) else postgres.MatchStore(database)


def surfaces_of(database: Database) -> SurfaceStore:
    return sqlite.SurfaceStore(database) if isinstance(database, sqlite.Database) else postgres.SurfaceStore(database)


@asynccontextmanager
async def open_database(kind: str, where: str, told: TransactionCallback | None = None) -> AsyncIterator[Database]:
    """Open a database of that kind; on PostgreSQL, an emptied one."""
    if kind == "sqlite":
        async with sqlite.Database.open(where, clock=lambda: NOW + 0.7, lock_timeout=0.1, on_transaction=told) as file:
            yield file
        return
    async with postgres.Database.open(where, clock=lambda: NOW + 0.7, on_transaction=told) as database:
        await database.write(_empty_database, what="all")
        yield database


async def _empty_database(raw: RawConnection) -> None:
    await raw.execute(EMPTY_SQL)


async def _fetch_rows(sql: str, values: tuple[object, ...], raw: RawConnection) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in await raw.fetch(sql, *values)]


def to_postgres_sql(sql: str) -> str:
    numbers = iter(range(1, 99))
    return re.sub(r"\?", lambda _: f"${next(numbers)}", re.sub(r"\buser\b", '"user"', sql))
