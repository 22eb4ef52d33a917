"""The database file: opens, checks, migrates and closes it."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import TypeVar

from engines.store.match_store import StoreFailure
from storage.shared.errors import NOT_READ, NOT_SAVED
from storage.shared.group_commit import TransactionCallback
from storage.shared.numbered_migrations import Migration
from storage.sqlite.file.connection import Connection
from storage.sqlite.file.errors import FileErrorReporter, as_storage_error, describe_error
from storage.sqlite.file.file_guard import FileGuard
from storage.sqlite.file.files import claim_file, resolve_database, restrict_permissions
from storage.sqlite.file.schema import is_damaged, is_small, load_migrations, migrate_database
from storage.sqlite.file.wal_check import check_log
from storage.sqlite.writer import Writer, WriteWork

T = TypeVar("T")

LOCK_TIMEOUT = 2.0  # seconds; Discord allows a click three
PROGRESS_STEPS = 10_000  # SQLite steps between two checks whether an integrity check should stop

log = logging.getLogger(__name__)


class Database:
    """An open file with two connections: one writes, the other reads committed data."""

    def __init__(
        self,
        path: Path,
        reading: Connection,
        writing: Connection,
        clock: Callable[[], float],
        on_transaction: TransactionCallback | None,
    ) -> None:
        error_reporter = FileErrorReporter(path)
        self._path = path
        self._reading = reading
        self._writer = Writer(writing, on_transaction, FileGuard(path, clock).check_files, error_reporter)
        self._clock = clock
        self._error_reporter = error_reporter

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        path: str | Path,
        *,
        clock: Callable[[], float],
        migrations: Sequence[Migration] | None = None,
        lock_timeout: float = LOCK_TIMEOUT,
        on_transaction: TransactionCallback | None = None,
    ) -> AsyncIterator[Database]:
        """Open or create the file and lock it.

        `clock` gives Unix seconds; `on_transaction` is called for every transaction. Raises StorageError with a
        sentence for the operator. Waiting writes are still written at the end.
        """
        with as_storage_error(Path(path)):
            path = resolve_database(path)
        async with AsyncExitStack() as stack:
            with as_storage_error(path):
                steps = load_migrations() if migrations is None else migrations
                stack.enter_context(claim_file(path))
                check_log(path)
                writing = await stack.enter_async_context(Connection.open(path, lock_timeout=lock_timeout))
                await writing.run(partial(migrate_database, path=path, migrations=steps, at=int(clock())))
                await writing.run(_keep_temporary_in_memory)
                restrict_permissions(path)
                reading = await stack.enter_async_context(Connection.open(path, lock_timeout=lock_timeout))
                await reading.run(_make_read_only)
            database = cls(path, reading, writing, clock, on_transaction)
            stack.push_async_callback(database._writer.close)
            yield database

    def now(self) -> int:
        """Return the clock's Unix second."""
        return int(self._clock())

    async def write(self, work: WriteWork[T], *, what: str, failure_text: str = NOT_SAVED) -> T:
        """Do the work in a transaction and return once it is durable: see Writer.write."""
        return await self._writer.write(work, what=what, failure_text=failure_text)

    async def read(self, work: WriteWork[T], *, what: str) -> T:
        """Do the work on one consistent committed state. Raises StoreFailure."""
        try:
            return await self._reading.run(partial(_run_in_transaction, work))
        except (
            sqlite3.Error,
            OSError,
            UnicodeError,
        ) as error:  # a damaged name in SQLite's own message may not be UTF-8
            log.error("Not read: %s. %s", what, describe_error(error))
            self._error_reporter.report(error)
            raise StoreFailure(NOT_READ) from error

    async def check_integrity(self) -> None:
        """Look for damage in a file that was too large to check when it was opened, and report it."""
        if is_small(self._path):
            return
        enough = Event()
        try:
            async with Connection.open(self._path, lock_timeout=LOCK_TIMEOUT) as looking:
                await looking.run(_make_read_only)
                try:
                    damaged = await looking.run(partial(_check_damage, enough=enough))
                finally:
                    enough.set()  # a shutdown does not wait for the rest
        except (sqlite3.Error, OSError, UnicodeError) as error:
            log.warning("The database could not be checked: %s", describe_error(error))
            self._error_reporter.report(error)
        else:
            if damaged:
                self._error_reporter.report_damage()

    async def wipe_deleted(self) -> bool:
        """Move the log's content into the file; return False if a reader prevents it.

        Deleted data is overwritten in the file, so after this it is gone from both.
        """
        return await self._writer.empty_log()


def _keep_temporary_in_memory(raw: sqlite3.Connection) -> None:
    """Keep temporary data in memory, because the folder may be full or readable by others."""
    raw.execute("PRAGMA temp_store = MEMORY")


def _make_read_only(raw: sqlite3.Connection) -> None:
    raw.execute("PRAGMA query_only = ON")


def _check_damage(raw: sqlite3.Connection, enough: Event) -> bool:
    raw.set_progress_handler(enough.is_set, PROGRESS_STEPS)
    return is_damaged(raw)


def _run_in_transaction(work: WriteWork[T], raw: sqlite3.Connection) -> T:
    raw.execute("BEGIN")
    try:
        return work(raw)
    finally:
        if raw.in_transaction:
            raw.execute("ROLLBACK")
