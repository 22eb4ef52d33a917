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
from storage.shared.group_commit import Told
from storage.shared.numbered_migrations import Migration
from storage.sqlite.file.connection import Connection
from storage.sqlite.file.errors import Complaint, describe, explained
from storage.sqlite.file.file_guard import Guard
from storage.sqlite.file.files import close_to_others, held, resolved
from storage.sqlite.file.schema import damage, make_ready, shipped, small
from storage.sqlite.file.wal_check import check_log
from storage.sqlite.writer import Work, Writer

T = TypeVar("T")

PATIENCE = 2.0  # seconds; within the three that Discord gives a click
STEPS = 10_000  # of SQLite's, after which somebody who looks through the file asks whether that is enough

log = logging.getLogger(__name__)


class Database:
    """One open file with two connections: one writes, the other sees only what is committed."""

    def __init__(
        self,
        path: Path,
        reading: Connection,
        writing: Connection,
        clock: Callable[[], float],
        told: Told | None,
        guard: Guard,
        complaint: Complaint,
    ) -> None:
        self._path = path
        self._reading = reading
        self._writer = Writer(writing, told, guard.check, complaint)
        self._clock = clock
        self._complaint = complaint

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        path: str | Path,
        *,
        clock: Callable[[], float],
        migrations: Sequence[Migration] | None = None,
        patience: float = PATIENCE,
        told: Told | None = None,
    ) -> AsyncIterator[Database]:
        """Open the file, or make it, for this process alone; `clock` gives Unix seconds, `told` is told of writes.

        Raises StorageError, with a sentence, where that cannot be. What waits to be written at the end still is.
        """
        with explained(Path(path)):
            path = resolved(path)
        async with AsyncExitStack() as stack:
            with explained(path):
                steps = shipped() if migrations is None else migrations
                stack.enter_context(held(path))
                check_log(path)
                writing = await stack.enter_async_context(Connection.open(path, patience=patience))
                await writing.run(partial(make_ready, path=path, migrations=steps, at=int(clock())))
                await writing.run(_write)
                close_to_others(path)
                reading = await stack.enter_async_context(Connection.open(path, patience=patience))
                await reading.run(_only_read)
            database = cls(path, reading, writing, clock, told, Guard(path, clock), Complaint(path))
            stack.push_async_callback(database._writer.close)
            yield database

    def now(self) -> int:
        """The clock's Unix second."""
        return int(self._clock())

    async def write(self, work: Work[T], *, what: str, sorry: str = NOT_SAVED) -> T:
        """Do the work in a transaction and return once it is durable: see Writer.write."""
        return await self._writer.write(work, what=what, sorry=sorry)

    async def read(self, work: Work[T], *, what: str) -> T:
        """Do the work on one consistent state of all that is committed. Raises StoreFailure."""
        try:
            return await self._reading.run(partial(_snapshot, work))
        except (sqlite3.Error, OSError, UnicodeError) as error:  # a damaged name in SQLite's own message is no UTF-8
            log.error("Not read: %s. %s", what, describe(error))
            self._complaint.say(error)
            raise StoreFailure(NOT_READ) from error

    async def look_through(self) -> None:
        """Tell whoever runs the bot of damage in a file that was too large to be looked through when it was opened."""
        if small(self._path):
            return
        enough = Event()
        try:
            async with Connection.open(self._path, patience=PATIENCE) as looking:
                await looking.run(_only_read)
                try:
                    damaged = await looking.run(partial(_damage, enough=enough))
                finally:
                    enough.set()  # whoever ends the bot does not wait for the rest of it
        except (sqlite3.Error, OSError, UnicodeError) as error:
            log.warning("The database could not be looked through: %s", describe(error))
            self._complaint.say(error)
        else:
            if damaged:
                self._complaint.damaged()

    async def wipe(self) -> bool:
        """Take what is in the file out of the log beside it; whether nobody who reads kept that from being done.

        What was deleted is overwritten in the file, and so gone from both.
        """
        return await self._writer.wipe()


def _write(raw: sqlite3.Connection) -> None:
    """What a write would be taken back with stays in memory, not in files of a folder that may be full or looked at."""
    raw.execute("PRAGMA temp_store = MEMORY")


def _only_read(raw: sqlite3.Connection) -> None:
    raw.execute("PRAGMA query_only = ON")


def _damage(raw: sqlite3.Connection, enough: Event) -> bool:
    raw.set_progress_handler(enough.is_set, STEPS)
    return damage(raw)


def _snapshot(work: Work[T], raw: sqlite3.Connection) -> T:
    raw.execute("BEGIN")
    try:
        return work(raw)
    finally:
        if raw.in_transaction:
            raw.execute("ROLLBACK")
