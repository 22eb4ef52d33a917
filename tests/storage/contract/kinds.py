"""Both kinds of storage for the contract's tests, and direct SQL access to them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from engines.features.registry import TABLES
from storage import postgres, sqlite
from storage.postgres.connection.connection import RawConnection
from storage.postgres.writing.writer import SingleStatement
from storage.shared.group_commit import TransactionCallback
from storage.shared.row_sql import create_sql
from tests.features.sketches import SKETCHES
from tests.storage.samples import query_rows

NOW = 1_800_000_000

Database: TypeAlias = sqlite.Database | postgres.Database
MatchStore: TypeAlias = sqlite.MatchStore | postgres.MatchStore
SurfaceStore: TypeAlias = sqlite.SurfaceStore | postgres.SurfaceStore

SKETCHED = {table.name for sketch in SKETCHES for table in sketch.tables}
_TABLES = (
    *(table.name for table in TABLES),
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
        "notes",
        "preferences",
        "inboxes",
        "first_contacts",
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

    async def execute_script(self, script: str) -> None:
        """Run several statements."""
        if isinstance(self._database, sqlite.Database):
            for each in script.split(";\n"):
                await self._database.write(query_rows(each), what="script")
        elif script:
            await self._database.write(partial(_run_script, script), what="script")

    async def describe_table(self, name: str) -> TableShape:
        """Return what the database itself says of a table."""
        if isinstance(self._database, sqlite.Database):
            columns = await self.query("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", name)
            keys = sorted((place, column) for column, _, place in columns if place)
            sql = "SELECT ii.name FROM pragma_index_list(?) il, pragma_index_info(il.name) ii WHERE ii.seqno = 0"
            indexed = await self.query(sql, name)
            types = {column: kind for column, kind, _ in columns}
            return TableShape(types, tuple(column for _, column in keys), {each for (each,) in indexed}, False)
        columns = await self.query(
            "SELECT column_name::text, data_type::text FROM information_schema.columns WHERE table_name = ? "
            "AND table_schema = current_schema() ORDER BY ordinal_position",
            name,
        )
        keyed = await self.query(
            "SELECT a.attname::text, i.indisprimary FROM pg_index i, unnest(i.indkey) WITH ORDINALITY k (n, place) "
            "JOIN pg_attribute a ON a.attnum = k.n WHERE a.attrelid = i.indrelid AND i.indrelid = to_regclass(?) "
            "AND (i.indisprimary OR k.place = 1) ORDER BY k.place",
            name,
        )
        triggers = await self.query("SELECT 1 FROM pg_trigger WHERE tgname = ?", f"{name}_forgotten")
        key = tuple(column for column, is_primary in keyed if is_primary)
        return TableShape(dict(columns), key, {column for column, _ in keyed}, bool(triggers))


class TableShape(NamedTuple):
    """A stored table: its columns with their types, its key, and the columns that an index begins with."""

    columns: dict[str, str]
    key: tuple[str, ...]
    indexed: set[str]
    has_trigger: bool


async def _run_script(script: str, raw: RawConnection) -> None:
    await raw.execute(script)


def matches_of(database: Database) -> MatchStore:
    return sqlite.MatchStore(database) if isinstance(database, sqlite.Database) else postgres.MatchStore(database)


def surfaces_of(database: Database) -> SurfaceStore:
    return sqlite.SurfaceStore(database) if isinstance(database, sqlite.Database) else postgres.SurfaceStore(database)


@asynccontextmanager
async def open_database(
    kind: str, address: str, on_transaction: TransactionCallback | None = None
) -> AsyncIterator[Database]:
    """Open a database of that kind; on PostgreSQL, an emptied one."""
    if kind == "sqlite":
        async with sqlite.Database.open(
            address, clock=lambda: NOW + 0.7, lock_timeout=0.1, on_transaction=on_transaction
        ) as file:
            await create_sketched_tables(file)
            yield file
        return
    async with postgres.Database.open(address, clock=lambda: NOW + 0.7, on_transaction=on_transaction) as database:
        await create_sketched_tables(database)
        await database.write(_empty_database, what="all")
        yield database


async def create_sketched_tables(database: Database) -> None:
    """Create the tables that no migration creates, because their features are registered for a test alone."""
    sql, is_postgres = SqlAccess(database), not isinstance(database, sqlite.Database)
    for table in TABLES:
        if table.name in SKETCHED and not (await sql.describe_table(table.name)).columns:
            await sql.execute_script(create_sql(table, is_postgres=is_postgres))


async def _empty_database(raw: RawConnection) -> None:
    await raw.execute(EMPTY_SQL)


async def _fetch_rows(sql: str, values: tuple[object, ...], raw: RawConnection) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in await raw.fetch(sql, *values)]


def to_postgres_sql(sql: str) -> str:
    numbers = iter(range(1, 99))
    return re.sub(r"\?", lambda _: f"${next(numbers)}", re.sub(r"\buser\b", '"user"', sql))
