"""Opens a database file for the owner's commands, even while a bot runs on it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any, TypeVar

from storage.shared.errors import NOT_SAVED, StorageError
from storage.sqlite.file.connection import connect_for_writing, transaction
from storage.sqlite.file.errors import OLDER_LAYOUT, as_storage_error
from storage.sqlite.file.files import lock_file, resolve_database
from storage.sqlite.file.schema import layout_number, load_migrations
from storage.sqlite.file.wal_check import check_log
from storage.sqlite.read_only_copy import is_in_use, read_only_copy
from storage.sqlite.writer import FileAccess, WriteWork

T = TypeVar("T")


class _OpenFile:
    """A database file that a bot may be using; each write waits for the bot's transactions."""

    def __init__(self, raw: sqlite3.Connection, path: Path, now: int) -> None:
        self._raw = raw
        self._path = path
        self._now = now

    def now(self) -> int:
        """Return the Unix second."""
        return self._now

    async def write(self, work: WriteWork[T], *, what: str, failure_text: str = NOT_SAVED) -> T:
        """Do the work in a transaction. Raises StorageError."""
        return await asyncio.to_thread(self._run, "BEGIN IMMEDIATE", work)

    async def read(self, work: WriteWork[T], *, what: str) -> T:
        """Do the work on one committed state. Raises StorageError."""
        return await asyncio.to_thread(self._run, "BEGIN", work)

    async def wipe_deleted(self) -> bool:
        """Leave the log to the bot, which empties it."""
        return False

    def _run(self, begin: str, work: WriteWork[T]) -> Any:
        with as_storage_error(self._path), transaction(self._raw, begin):
            return work(self._raw)


@asynccontextmanager
async def open_owner_file(path: str | Path, now: int) -> AsyncIterator[FileAccess]:
    """Open the file of a database for the owner's commands, even while a bot runs. Raises StorageError."""
    with as_storage_error(Path(path)):
        path = resolve_database(path)
    with read_only_copy(path) as copy:
        if layout_number(copy.raw, path, load_migrations()) < len(load_migrations()):
            raise StorageError(OLDER_LAYOUT.format(path=path))
    with ExitStack() as stack:
        with as_storage_error(path):
            if not is_in_use(path):
                stack.enter_context(lock_file(path))
                check_log(path)
            raw = stack.enter_context(closing(connect_for_writing(path)))
        yield _OpenFile(raw, path, now)
