"""A PostgreSQL database as a whole: all its rows read while nobody runs on it, or an empty one filled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager, suppress

import asyncpg

from engines.store.match_store import LIVE, Info, Saved
from storage.postgres.connection import text
from storage.postgres.connection.address import Address
from storage.postgres.connection.connection import Raw
from storage.postgres.connection.errors import BUSY, FORESEEN, HOLDS, OLDER, SECOND, UNCERTAIN, cut, explained
from storage.postgres.connection.schema import check_server, layout_of, make_ready, ours
from storage.postgres.database import ALONE, reached
from storage.postgres.matches import read_info, read_saved
from storage.shared.errors import StorageError
from storage.shared.tables import BATCH, PASSING, TABLES, Rows, Table, quoted

NAME = "the PostgreSQL database"
# Whoever kills a move need not wait for PostgreSQL to notice; and nobody waits for a lock for long.
CONNECTING = 5.0  # seconds
SETTINGS = {
    "application_name": "motley",
    "client_connection_check_interval": "1s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "0",
}
# What is there of foreign keys, which are held row by row, but looked through at once where they are made.
_KEYS = """
SELECT conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) FROM pg_constraint
WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conname
"""


class WholeDatabase:
    """Fulfils storage.shared.tables.Empty, on one connection in the midst of a transaction."""

    name = NAME

    def __init__(self, raw: asyncpg.Connection[asyncpg.Record]) -> None:
        self._raw = raw
        self._keys: list[asyncpg.Record] = []
        self._understood = False

    async def rows(self, table: Table) -> AsyncIterator[Rows]:
        """All rows of a table, in its order."""
        order = quoted(table.columns[: table.key]) or "number"
        sql = f"SELECT {_read(table)} FROM {table.name} WHERE {table.where} ORDER BY {order}"
        with explained():
            found = await self._raw.cursor(sql)
            while rows := await found.fetch(BATCH):
                yield [tuple(map(_value, row)) for row in rows]

    async def write(self, table: Table, rows: Rows) -> None:
        """Add these to what is there."""
        truths = [column in table.truths for column in table.columns]
        kept = [tuple(map(_kept, row, truths)) for row in rows]
        with explained():
            await self._raw.copy_records_to_table(table.name, records=kept, columns=table.columns)

    async def written(self) -> None:
        """What holds between tables is held from now on."""
        with explained():
            for table, name, definition in self._keys:
                await self._raw.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
            for each in TABLES:
                await self._raw.execute(f"ALTER TABLE {each.name} ENABLE TRIGGER USER; ANALYZE {each.name}")

    async def live(self) -> Sequence[str]:
        """The ids of the matches that go on."""
        with explained():
            await self._understand()
            sql = "SELECT match FROM matches WHERE status = ANY($1::text[]) ORDER BY match"
            return [row[0] for row in await self._raw.fetch(sql, sorted(LIVE))]

    async def match(self, match: str) -> tuple[Info | None, Saved | None]:
        """A match as the bot reads it. Raises Damaged, too."""
        with explained():
            await self._understand()
            return await read_info(match, self._raw), await read_saved(match, self._raw)

    async def fill(self) -> None:
        """Let rows come in any number: what says how they come to be one by one is taken away meanwhile."""
        self._keys = await self._raw.fetch(_KEYS)
        for table, name, _ in self._keys:
            await self._raw.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        for each in TABLES:
            await self._raw.execute(f"ALTER TABLE {each.name} DISABLE TRIGGER USER")

    async def _understand(self) -> None:
        """From now on texts are read as the bot reads them: rows are copied as they are kept."""
        if not self._understood:
            self._understood = True
            await text.understand(self._raw)


@asynccontextmanager
async def read_whole(address: str) -> AsyncIterator[WholeDatabase]:
    """A database to be read, on which nobody runs meanwhile. Raises StorageError, with a sentence."""
    async with _alone(address) as raw:
        with explained():
            done = await layout_of(raw)
            if done != len(ours()):
                raise StorageError(OLDER)
            transaction = raw.transaction(isolation="repeatable_read")
            await transaction.start()
            await _locked(raw)
        yield WholeDatabase(raw)


@asynccontextmanager
async def new_whole(address: str, at: int) -> AsyncIterator[WholeDatabase]:
    """An empty database to be filled; all of it is there once this has ended well, and nothing before."""
    async with _alone(address) as raw:
        with explained():
            transaction = raw.transaction()
            await transaction.start()
            await make_ready(raw, ours(), at)
            await _locked(raw)
            await _see_that_it_is_empty(raw)
            database = WholeDatabase(raw)
            await database.fill()
        yield database
        try:
            await _to_its_end(transaction.commit())
        except FORESEEN as error:
            with explained():
                if cut(error):
                    raise StorageError(UNCERTAIN) from None
                raise


@asynccontextmanager
async def _alone(address: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """A connection while nobody else runs on the database. What was not committed at its end never was."""
    where = Address.read(address)
    with explained():
        raw = await reached(where, SETTINGS)
    try:
        with explained():
            await check_server(raw)
            if not await raw.fetchval("SELECT pg_try_advisory_lock($1)", ALONE):
                raise StorageError(SECOND)
        yield raw
    finally:
        await _let_go(raw)


async def _let_go(raw: asyncpg.Connection[asyncpg.Record]) -> None:
    """Who starts a bot right after this finds no lock of ours any more."""
    try:
        async with asyncio.timeout(CONNECTING):
            if raw.is_in_transaction():
                await raw.execute("ROLLBACK")
            await raw.execute("SELECT pg_advisory_unlock_all()")
            await raw.close()
    except FORESEEN:
        raw.terminate()


async def _to_its_end(work: Awaitable[None]) -> None:
    """Nobody breaks it off any more."""
    task = asyncio.ensure_future(work)
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.shield(task)
    task.result()


async def _locked(raw: Raw) -> None:
    """Nobody writes to it until the end, not even who asks for no leave."""
    try:
        await raw.execute(f"LOCK TABLE {', '.join(table.name for table in TABLES)} IN SHARE ROW EXCLUSIVE MODE")
    except asyncpg.LockNotAvailableError:
        raise StorageError(BUSY) from None


async def _see_that_it_is_empty(raw: Raw) -> None:
    sql = "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1"
    for (table,) in await raw.fetch(sql):
        if table not in PASSING and (rows := await raw.fetchval(f"SELECT COUNT(*) FROM {table}")):
            raise StorageError(HOLDS.format(rows=rows, table=table))


def _read(table: Table) -> str:
    return ", ".join(f'"{column}"::int' if column in table.truths else f'"{column}"' for column in table.columns)


def _value(value: object) -> object:
    return text.read(value) if isinstance(value, str) else value


def _kept(value: object, truth: bool) -> object:
    if truth:
        return bool(value)
    return text.kept(value) if isinstance(value, str) else value
