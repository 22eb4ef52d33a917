"""Checks that the database file is still in place: SQLite silently continues with a removed one."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from storage.shared.errors import StorageError
from storage.sqlite.file.errors import FILE_EXCHANGED, RESCUED, describe_error
from storage.sqlite.file.files import write_atomically

GUARDED_SUFFIXES = ("", "-wal")

log = logging.getLogger(__name__)


class FileGuard:
    """Identifies the files by inode, not by name. Nothing is committed if they were replaced or removed."""

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self._path = path
        self._clock = clock
        self._known_identities = _file_identities(path)
        self._is_reported = False

    def check_files(self, raw: sqlite3.Connection) -> None:
        """Raise OSError if the files are not the opened ones. The first time, rescue their content."""
        if _file_identities(self._path) == self._known_identities:
            self._is_reported = False
            return
        if not self._is_reported:
            self._is_reported = True
            log.error(FILE_EXCHANGED.format(path=self._path))
            self._rescue_data(raw)
        raise OSError(errno.ENOENT, "the database file was moved or replaced")

    def _rescue_data(self, raw: sqlite3.Connection) -> None:
        """Copy everything that was committed to a file beside it: only this process still has it open."""
        stamp = time.strftime("%Y-%m-%dT%H-%M-%SZ", time.gmtime(self._clock()))
        rescued = self._path.with_name(f"{self._path.stem}-rescued-{stamp}{self._path.suffix}")
        try:
            with write_atomically(rescued) as partial, closing(sqlite3.connect(partial, isolation_level=None)) as copy:
                raw.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
        except (sqlite3.Error, OSError, StorageError) as error:
            log.error("The database could not be rescued: %s", describe_error(error))
        else:
            log.error(RESCUED.format(path=rescued))


def _file_identities(path: Path) -> list[tuple[int, int] | None]:
    return [_file_identity(f"{path}{ending}") for ending in GUARDED_SUFFIXES]


def _file_identity(name: str) -> tuple[int, int] | None:
    try:
        found = os.stat(name)
    except OSError:
        return None
    return found.st_dev, found.st_ino
