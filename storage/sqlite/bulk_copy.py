"""Reads or fills a whole database file while no bot uses it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path

from engines.store.match_store import LIVE, MatchInfo, SavedMatch
from storage.shared.errors import StorageError
from storage.shared.stores.matches import read_info, read_saved
from storage.shared.tables import BATCH_ROWS, Rows, Table, quote_columns
from storage.sqlite.file.connection import connect_for_writing, transaction
from storage.sqlite.file.errors import ALREADY_THERE, DAMAGED, FILE_MISSING, OLDER_LAYOUT, as_storage_error
from storage.sqlite.file.files import FILE_SUFFIXES, lock_file, resolve_database, write_atomically
from storage.sqlite.file.schema import load_migrations, migrate_database
from storage.sqlite.file.wal_check import check_log
from storage.sqlite.read_only_copy import read_only_copy
from storage.sqlite.statements import run_shared


class BulkFile:
    """Implements storage.shared.tables.BulkTarget; a file that is only read is not written to."""

    def __init__(self, name: Path, raw: sqlite3.Connection) -> None:
        self.name = str(name)
        self._path = name
        self._raw = raw
        self._triggers: list[str] = []

    async def read_rows(self, table: Table) -> AsyncIterator[Rows]:
        """Yield all rows of a table, in its order."""
        order = quote_columns(table.columns[: table.key_columns]) or "rowid"
        with as_storage_error(self._path):
            found = self._raw.execute(
                f"SELECT {quote_columns(table.columns)} FROM {table.name} WHERE {table.condition} ORDER BY {order}"
            )
            while rows := found.fetchmany(BATCH_ROWS):
                yield rows

    async def write_rows(self, table: Table, rows: Rows) -> None:
        """Add these rows to the table."""
        values = ", ".join("?" * len(table.columns))
        with as_storage_error(self._path), transaction(self._raw):
            self._raw.executemany(f"INSERT INTO {table.name} ({quote_columns(table.columns)}) VALUES ({values})", rows)

    async def finish_filling(self) -> None:
        """Check the foreign keys and create the triggers again."""
        with as_storage_error(self._path):
            for sql in self._triggers:
                self._raw.execute(sql)
            if self._raw.execute("PRAGMA foreign_key_check").fetchone():
                raise StorageError(DAMAGED.format(path=self._path))

    async def live_matches(self) -> Sequence[str]:
        """Return the ids of the live matches."""
        statuses = ", ".join(f"'{status}'" for status in sorted(LIVE))
        with as_storage_error(self._path):
            found = self._raw.execute(f"SELECT match FROM matches WHERE status IN ({statuses}) ORDER BY match")
            return [row[0] for row in found]

    async def load_match(self, match: str) -> tuple[MatchInfo | None, SavedMatch | None]:
        """Load a match as the bot does. Also raises DamagedMatch."""
        with as_storage_error(self._path):
            return run_shared(partial(read_info, match), self._raw), run_shared(partial(read_saved, match), self._raw)

    def prepare_for_filling(self) -> None:
        """Turn off foreign keys and drop the triggers, so that rows can arrive in any number and order."""
        self._raw.execute("PRAGMA foreign_keys = OFF")
        self._raw.execute("PRAGMA synchronous = OFF")  # the file counts only once it has its final name
        found = self._raw.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, sql in found:
            self._raw.execute(f"DROP TRIGGER {name}")
            self._triggers.append(sql)


@asynccontextmanager
async def open_bulk_source(path: Path) -> AsyncIterator[BulkFile]:
    """Open a file for reading; no other program may use it. Raises StorageError if it is not sound."""
    with as_storage_error(path):
        path = resolve_database(path)
        if not path.exists():
            raise StorageError(FILE_MISSING.format(path=path))
    with as_storage_error(path), lock_file(path):
        check_log(path)
        with read_only_copy(path) as snapshot:
            if snapshot.is_older():
                raise StorageError(OLDER_LAYOUT.format(path=path))
            if snapshot.integrity_findings():
                raise StorageError(DAMAGED.format(path=path))
            yield BulkFile(path, snapshot.raw)


@asynccontextmanager
async def open_bulk_target(path: Path, at: int) -> AsyncIterator[BulkFile]:
    """Open a new file for filling, readable by its owner alone; it appears at the end if nothing failed."""
    with as_storage_error(path):
        path = resolve_database(path)
    with as_storage_error(path), lock_file(path):
        for existing in (Path(f"{path}{ending}") for ending in FILE_SUFFIXES[:-1]):
            if existing.exists() and existing.stat().st_size:
                raise StorageError(ALREADY_THERE.format(path=existing))
        with write_atomically(path) as partial, closing(connect_for_writing(partial)) as raw:
            migrate_database(raw, path, load_migrations(), at)
            file = BulkFile(path, raw)
            file.prepare_for_filling()
            yield file
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
