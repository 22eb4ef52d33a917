"""Error messages about a database file, for the operator."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from storage.shared.errors import StorageError

log = logging.getLogger(__name__)


NO_DATABASE = "{path} is not a Motley database. Set another file in the settings, or move this one away."
DAMAGED = "{path} is damaged. Restore it from a backup. The damaged file was not changed."
DAMAGED_LOG = (
    "{path}-wal, the newest part of {path}, is damaged. Restore both from a backup, or move {path}-wal away to "
    "continue without its content. Neither file was changed."
)
BUSY = "Another program is writing to {path}. Close that program, then start Motley again."
READ_ONLY = "{path} is not writable. Motley's user needs permission to write the file and its folder."
NO_ENTRY = "{path} cannot be opened. Motley's user needs permission to read and write the file and its folder."
NO_FILE = "{path} is {kind}. Set a file in the settings; it need not exist yet."
LINK_LOOP = "{path} is a link that leads back to itself. Set the file itself in the settings."
ALREADY_RUNNING = "Another Motley is running on {path}. Stop it first: a database file serves one process."
OPEN_TO_OTHERS = "{path} is readable by others, and I may not change that. Restrict it to its owner (chmod 600)."
FILE_MISSING = "The file {path} does not exist. Name the database in MOTLEY_DATABASE, or with --database."
ALREADY_THERE = "{path} already exists and will not be overwritten. Name another file, or move this one away."
SAME_FILE = "{path} is the database itself. Name a backup of it."
NO_ROOM = "{path} does not have enough space: {needed} needed, {free} free. Free some disk space."
DAMAGED_COPY = "{path} is damaged, so no backup of it was kept. Restore it from an older one."
OLDER_LAYOUT = "{path} belongs to an older version of Motley. Start the bot once to update it, then try again."
NEEDS_OFFLINE_VACUUM = (
    "{path} was created by a version of Motley that could not do that while running. Stop the bot, and "
    "vacuum once without it."
)
FILE_EXCHANGED = (
    "{path}, or the -wal file beside it, was removed or replaced while Motley was running. Nothing more is "
    "saved. Put the same files back, or stop Motley and restore the rescued copy."
)
RESCUED = (
    "Everything that was saved has been rescued to {path}. Stop Motley, and restore that file: python -m motley restore"
)
DISK_FULL = "There is no disk space left to write {path}. Free some space, then start Motley again."
BROKEN_DISK = "The disk failed while reading or writing {path}. Check the disk and its free space."

_BY_CODE = {
    sqlite3.SQLITE_NOTADB: NO_DATABASE,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: NO_ENTRY,
    sqlite3.SQLITE_AUTH: NO_ENTRY,
    sqlite3.SQLITE_CANTOPEN: NO_ENTRY,
    sqlite3.SQLITE_FULL: DISK_FULL,
    sqlite3.SQLITE_IOERR: BROKEN_DISK,
}

# The same errors while the bot runs: those from which it recovers by itself, and those from which it does not.
_GOES_ON = "Motley continues as soon as it can be written again."
_WHILE_RUNNING = {
    sqlite3.SQLITE_CORRUPT: "{path} is damaged. Stop Motley, and restore a backup: python -m motley restore",
    sqlite3.SQLITE_NOTADB: "{path} is damaged. Stop Motley, and restore a backup: python -m motley restore",
    sqlite3.SQLITE_BUSY: "Another program is writing to {path}. Close that program. " + _GOES_ON,
    sqlite3.SQLITE_READONLY: "{path} is no longer writable. Give Motley's user permission again. " + _GOES_ON,
    sqlite3.SQLITE_FULL: "There is no disk space left to write {path}. Free some space. " + _GOES_ON,
    sqlite3.SQLITE_IOERR: "The disk fails to read or write {path}. Check the disk and its free space. " + _GOES_ON,
}


class FileErrorReporter:
    """Logs once what is wrong with the file and what to do, until the file works again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last_sentence = ""

    def report(self, error: BaseException) -> None:
        """Report that a read or write failed."""
        self._log_once(_WHILE_RUNNING.get(_primary_code(error), ""))

    def report_damage(self) -> None:
        """Report damage in the file."""
        self._log_once(_WHILE_RUNNING[sqlite3.SQLITE_CORRUPT])

    def clear(self) -> None:
        """Report that a write succeeded."""
        self._last_sentence = ""

    def _log_once(self, sentence: str) -> None:
        if sentence and sentence != self._last_sentence:
            self._last_sentence = sentence
            log.error(sentence.format(path=self._path))


@contextmanager
def as_storage_error(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the operating system about this file into a StorageError."""
    try:
        yield
    except sqlite3.Error as error:
        raise StorageError(_error_sentence(error).format(path=path)) from error
    except UnicodeError as error:  # SQLite quotes a damaged name in its own message
        raise StorageError(DAMAGED.format(path=path)) from error
    except OSError as error:
        raise StorageError(f"{path} cannot be opened or created ({error.strerror}).") from error


def _error_sentence(error: sqlite3.Error) -> str:
    return _BY_CODE.get(_primary_code(error), f"{{path}} cannot be used ({describe_error(error)}).")


def _primary_code(error: BaseException) -> int:
    """Return SQLite's result code without the detail bits; −1 for an error of Python's own."""
    return getattr(error, "sqlite_errorcode", -1) & 0xFF


def describe_error(error: BaseException) -> str:
    """Return an error in one line for the log; neither SQLite nor Python puts stored values into it."""
    name = getattr(error, "sqlite_errorname", None)
    return f"{type(error).__name__}: {error}" + (f" ({name})" if name else "")
