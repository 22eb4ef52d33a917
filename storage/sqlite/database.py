"""The database file: opened, checked, brought up to date, and closed again."""

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

LOCK_TIMEOUT = 2.0  # seconds; within the three that Discord gives a click
PROGRESS_STEPS = 10_000  # of SQLite's, after which somebody who looks through the file asks whether that is enough

log = logging.getLogger(__name__)


class Database:
    """One open file with two connections: one writes, the other sees only what is committed."""

    def __init__(
        self,
        path: Path,
        reading: Connection,
        writing: Connection,
        clock: Callable[[], float],
        on_transaction: TransactionCallback | None,
        guard: FileGuard,
        error_reporter: FileErrorReporter,
    ) -> None:
        self._path = path
        self._reading = reading
        self._writer = Writer(writing, on_transaction, guard.check_files, error_reporter)
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
        """Open the file, or make it, for this process alone; `clock` gives Unix seconds, `told` is told of writes.

        Raises StorageError, with a sentence, where that cannot be. What waits to be written at the end still is.
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
            database = cls(
                path, reading, writing, clock, on_transaction, FileGuard(path, clock), FileErrorReporter(path)
            )
            stack.push_async_callback(database._writer.close)
            yield database

    def now(self) -> int:
        """The clock's Unix second."""
        return int(self._clock())

    async def write(self, work: WriteWork[T], *, what: str, failure_text: str = NOT_SAVED) -> T:
        """Do the work in a transaction and return once it is durable: see Writer.write."""
        return await self._writer.write(work, what=what, failure_text=failure_text)

    async def read(self, work: WriteWork[T], *, what: str) -> T:
        """Do the work on one consistent state of all that is committed. Raises StoreFailure."""
        try:
            return await self._reading.run(partial(_run_in_transaction, work))
        except (sqlite3.Error, OSError, UnicodeError) as error:  # a damaged name in SQLite's own message is no UTF-8
            log.error("Not read: %s. %s", what, describe_error(error))
            self._error_reporter.report(error)
            raise StoreFailure(NOT_READ) from error

    async def check_integrity(self) -> None:
        """Tell whoever runs the bot of damage in a file that was too large to be looked through when it was opened."""
        if is_small(self._path):
            return
        enough = Event()
        try:
            async with Connection.open(self._path, lock_timeout=LOCK_TIMEOUT) as looking:
                await looking.run(_make_read_only)
                try:
                    damaged = await looking.run(partial(_check_damage, enough=enough))
                finally:
                    enough.set()  # whoever ends the bot does not wait for the rest of it
        except (sqlite3.Error, OSError, UnicodeError) as error:
            log.warning("The database could not be looked through: %s", describe_error(error))
            self._error_reporter.report(error)
        else:
            if damaged:
                self._error_reporter.report_damage()

    async def wipe_deleted(self) -> bool:
        """Take what is in the file out of the log beside it; whether nobody who reads kept that from being done.

        What was deleted is overwritten in the file, and so gone from both.
        """
        return await self._writer.empty_log()


def _keep_temporary_in_memory(raw: sqlite3.Connection) -> None:
    """What a write would be taken back with stays in memory, not in files of a folder that may be full or looked at."""
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
