"""Reads or fills a whole PostgreSQL database while no bot runs on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager, suppress

import asyncpg

from engines.store.match_store import LIVE, MatchInfo, SavedMatch
from storage.postgres.connection import text
from storage.postgres.connection.address import DatabaseAddress
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.errors import (
    ALREADY_RUNNING,
    DATABASE_BUSY,
    EXPECTED_ERRORS,
    NOT_EMPTY,
    OTHER_LAYOUT,
    UNCERTAIN,
    as_storage_error,
    is_disconnect,
)
from storage.postgres.connection.schema import check_server, layout_number, load_own_migrations, migrate_database
from storage.postgres.database import EXCLUSIVE_LOCK, connect_raw
from storage.shared.errors import StorageError
from storage.shared.stores.matches import read_info, read_saved
from storage.shared.tables import BATCH_ROWS, TABLES, TRANSIENT_TABLES, Rows, Table, quote_columns

DATABASE_NAME = "the PostgreSQL database"
# If a move is killed, PostgreSQL notices within a second, and nobody waits long for a lock.
CONNECT_TIMEOUT = 5.0  # seconds
SETTINGS = {
    "application_name": "motley",
    "client_connection_check_interval": "1s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "0",
}
# Foreign keys are dropped while rows are copied and checked once when they are created again.
_FOREIGN_KEYS = """
SELECT conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) FROM pg_constraint
WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conname
"""


class BulkDatabase:
    """Implements storage.shared.tables.BulkTarget on one connection inside a transaction."""

    name = DATABASE_NAME

    def __init__(self, raw: asyncpg.Connection[asyncpg.Record]) -> None:
        self._raw = raw
        self._foreign_keys: list[asyncpg.Record] = []
        self._uses_text_codec = False

    async def read_rows(self, table: Table) -> AsyncIterator[Rows]:
        """Yield all rows of a table, in its order."""
        order = quote_columns(table.columns[: table.key_columns]) or "number"
        sql = f"SELECT {_selected_columns(table)} FROM {table.name} WHERE {table.condition} ORDER BY {order}"
        with as_storage_error():
            found = await self._raw.cursor(sql)
            while rows := await found.fetch(BATCH_ROWS):
                yield [tuple(map(_from_stored, row)) for row in rows]

    async def write_rows(self, table: Table, rows: Rows) -> None:
        """Add these rows to the table."""
        truths = [column in table.boolean_columns for column in table.columns]
        stored = [tuple(map(_to_stored, row, truths)) for row in rows]
        with as_storage_error():
            await self._raw.copy_records_to_table(table.name, records=stored, columns=table.columns)

    async def finish_filling(self) -> None:
        """Create the foreign keys again and enable the triggers."""
        with as_storage_error():
            for table, name, definition in self._foreign_keys:
                await self._raw.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
            for each in TABLES:
                await self._raw.execute(f"ALTER TABLE {each.name} ENABLE TRIGGER USER; ANALYZE {each.name}")

    async def live_matches(self) -> Sequence[str]:
        """Return the ids of the live matches."""
        with as_storage_error():
            await self._use_text_codec()
            sql = "SELECT match FROM matches WHERE status = ANY($1::text[]) ORDER BY match"
            return [row[0] for row in await self._raw.fetch(sql, sorted(LIVE))]

    async def load_match(self, match: str) -> tuple[MatchInfo | None, SavedMatch | None]:
        """Load a match as the bot does. Also raises DamagedMatch."""
        with as_storage_error():
            await self._use_text_codec()
            return await read_info(match, self._raw), await read_saved(match, self._raw)

    async def prepare_for_filling(self) -> None:
        """Drop the foreign keys and disable the triggers, so that rows can arrive in any number and order."""
        self._foreign_keys = await self._raw.fetch(_FOREIGN_KEYS)
        for table, name, _ in self._foreign_keys:
            await self._raw.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        for each in TABLES:
            await self._raw.execute(f"ALTER TABLE {each.name} DISABLE TRIGGER USER")

    async def _use_text_codec(self) -> None:
        """Read texts decoded from now on, as the bot does. Rows are copied in their stored form."""
        if not self._uses_text_codec:
            self._uses_text_codec = True
            await text.use_text_codec(self._raw)


@asynccontextmanager
async def open_bulk_source(address: str) -> AsyncIterator[BulkDatabase]:
    """Open a database for reading; no bot may run on it. Raises StorageError with a sentence."""
    async with _exclusive_connection(address) as raw:
        with as_storage_error():
            done = await layout_number(raw)
            if done != len(load_own_migrations()):
                raise StorageError(OTHER_LAYOUT)
            transaction = raw.transaction(isolation="repeatable_read")
            await transaction.start()
            await _lock_tables(raw)
        yield BulkDatabase(raw)


@asynccontextmanager
async def open_bulk_target(address: str, at: int) -> AsyncIterator[BulkDatabase]:
    """Open an empty database for filling; everything is committed at the end if nothing failed."""
    async with _exclusive_connection(address) as raw:
        with as_storage_error():
            transaction = raw.transaction()
            await transaction.start()
            await migrate_database(raw, load_own_migrations(), at)
            await _lock_tables(raw)
            await _require_empty(raw)
            database = BulkDatabase(raw)
            await database.prepare_for_filling()
        yield database
        try:
            await _await_to_end(transaction.commit())
        except EXPECTED_ERRORS as error:
            with as_storage_error():
                if is_disconnect(error):
                    raise StorageError(UNCERTAIN) from None
                raise


@asynccontextmanager
async def _exclusive_connection(address: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """Open a connection while nothing else runs on the database. Uncommitted changes are rolled back at the end."""
    parsed = DatabaseAddress.parse(address)
    with as_storage_error():
        raw = await connect_raw(parsed, SETTINGS)
    try:
        with as_storage_error():
            await check_server(raw)
            if not await raw.fetchval("SELECT pg_try_advisory_lock($1)", EXCLUSIVE_LOCK):
                raise StorageError(ALREADY_RUNNING)
        yield raw
    finally:
        await _release(raw)


async def _release(raw: asyncpg.Connection[asyncpg.Record]) -> None:
    """Release our locks, so that a bot can start right after this."""
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT):
            if raw.is_in_transaction():
                await raw.execute("ROLLBACK")
            await raw.execute("SELECT pg_advisory_unlock_all()")
            await raw.close()
    except EXPECTED_ERRORS:
        raw.terminate()


async def _await_to_end(work: Awaitable[None]) -> None:
    """Finish the work even if the caller is cancelled."""
    task = asyncio.ensure_future(work)
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.shield(task)
    task.result()


async def _lock_tables(raw: RawConnection) -> None:
    """Lock the tables against all other writers until the end of the transaction."""
    try:
        await raw.execute(f"LOCK TABLE {', '.join(table.name for table in TABLES)} IN SHARE ROW EXCLUSIVE MODE")
    except asyncpg.LockNotAvailableError:
        raise StorageError(DATABASE_BUSY) from None


async def _require_empty(raw: RawConnection) -> None:
    sql = "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1"
    for (table,) in await raw.fetch(sql):
        if table not in TRANSIENT_TABLES and (rows := await raw.fetchval(f"SELECT COUNT(*) FROM {table}")):
            raise StorageError(NOT_EMPTY.format(rows=rows, table=table))


def _selected_columns(table: Table) -> str:
    return ", ".join(
        f'"{column}"::int' if column in table.boolean_columns else f'"{column}"' for column in table.columns
    )


def _from_stored(value: object) -> object:
    return text.decode_text(value) if isinstance(value, str) else value


def _to_stored(value: object, is_boolean: bool) -> object:
    if is_boolean:
        return bool(value)
    return text.encode_text(value) if isinstance(value, str) else value
