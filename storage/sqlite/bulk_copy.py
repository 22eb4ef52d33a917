"""A file as a whole: all its rows read while nobody has it open, or a new one filled."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

from engines.store.match_store import LIVE, Info, Saved
from storage.shared.errors import StorageError
from storage.shared.tables import BATCH, Rows, Table, quoted
from storage.sqlite.file.connection import set_up
from storage.sqlite.file.errors import DAMAGED, MISSING, OLDER, THERE, explained
from storage.sqlite.file.files import BESIDE, appearing, locked, resolved
from storage.sqlite.file.schema import make_ready, shipped
from storage.sqlite.file.wal_check import check_log
from storage.sqlite.matches import read_info, read_saved
from storage.sqlite.read_only_copy import PATIENCE, beside


class WholeFile:
    """Fulfils storage.shared.tables.Empty; one that is only read is not written to."""

    def __init__(self, name: Path, raw: sqlite3.Connection) -> None:
        self.name = str(name)
        self._path = name
        self._raw = raw
        self._triggers: list[str] = []

    async def rows(self, table: Table) -> AsyncIterator[Rows]:
        """All rows of a table, in its order."""
        order = quoted(table.columns[: table.key]) or "rowid"
        with explained(self._path):
            found = self._raw.execute(
                f"SELECT {quoted(table.columns)} FROM {table.name} WHERE {table.where} ORDER BY {order}"
            )
            while rows := found.fetchmany(BATCH):
                yield rows

    async def write(self, table: Table, rows: Rows) -> None:
        """Add these to what is there."""
        values = ", ".join("?" * len(table.columns))
        with explained(self._path), _transaction(self._raw):
            self._raw.executemany(f"INSERT INTO {table.name} ({quoted(table.columns)}) VALUES ({values})", rows)

    async def written(self) -> None:
        """What holds between tables is held from now on."""
        with explained(self._path):
            for sql in self._triggers:
                self._raw.execute(sql)
            if self._raw.execute("PRAGMA foreign_key_check").fetchone():
                raise StorageError(DAMAGED.format(path=self._path))

    async def live(self) -> Sequence[str]:
        """The ids of the matches that go on."""
        statuses = ", ".join(f"'{status}'" for status in sorted(LIVE))
        with explained(self._path):
            found = self._raw.execute(f"SELECT match FROM matches WHERE status IN ({statuses}) ORDER BY match")
            return [row[0] for row in found]

    async def match(self, match: str) -> tuple[Info | None, Saved | None]:
        """A match as the bot reads it. Raises Damaged, too."""
        with explained(self._path):
            return read_info(match, self._raw), read_saved(match, self._raw)

    def fill(self) -> None:
        """Let rows come in any number and order: what says how they come to be one by one is taken away meanwhile."""
        self._raw.execute("PRAGMA foreign_keys = OFF")
        self._raw.execute("PRAGMA synchronous = OFF")  # it counts once it has its name
        found = self._raw.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, sql in found:
            self._raw.execute(f"DROP TRIGGER {name}")
            self._triggers.append(sql)


@asynccontextmanager
async def read_whole(path: Path) -> AsyncIterator[WholeFile]:
    """A file to be read, which nobody else has open meanwhile. Raises StorageError where it is not sound."""
    with explained(path):
        path = resolved(path)
        if not path.exists():
            raise StorageError(MISSING.format(path=path))
    with explained(path), locked(path):
        check_log(path)
        with beside(path) as snapshot:
            if snapshot.older():
                raise StorageError(OLDER.format(path=path))
            if snapshot.findings():
                raise StorageError(DAMAGED.format(path=path))
            yield WholeFile(path, snapshot.raw)


@asynccontextmanager
async def new_whole(path: Path, at: int) -> AsyncIterator[WholeFile]:
    """A new file to be filled, its owner's alone; it is there once this has ended well, and nothing of it before."""
    with explained(path):
        path = resolved(path)
    with explained(path), locked(path):
        for there in (Path(f"{path}{ending}") for ending in BESIDE[:-1]):
            if there.exists() and there.stat().st_size:
                raise StorageError(THERE.format(path=there))
        with appearing(path) as made, closing(_connected(made)) as raw:
            make_ready(raw, path, shipped(), at)
            file = WholeFile(path, raw)
            file.fill()
            yield file
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _connected(path: Path) -> sqlite3.Connection:
    raw = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    set_up(raw)
    return raw


@contextmanager
def _transaction(raw: sqlite3.Connection) -> Iterator[None]:
    raw.execute("BEGIN")
    try:
        yield
        raw.execute("COMMIT")
    finally:
        if raw.in_transaction:
            raw.execute("ROLLBACK")
