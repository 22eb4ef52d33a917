"""What can be wrong with a database file, told to whoever runs the bot."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from storage.shared.errors import StorageError

log = logging.getLogger(__name__)


NO_DATABASE = "{path} is not a database of Motley. Name another file in the settings, or move this one away."
DAMAGED = "{path} is damaged. Restore it from a backup; the damaged file has been left as it was."
DAMAGED_LOG = (
    "{path}-wal, the newest part of {path}, is damaged. Restore both from a backup; or move {path}-wal away to go on "
    "without what it holds. It has been left as it was."
)
BUSY = "{path} is being written by another program. Close that program, then start Motley again."
READ_ONLY = "{path} cannot be written. Motley's user needs permission to write the file and its folder."
NO_ENTRY = "{path} cannot be opened. Motley's user needs permission to read and write the file and its folder."
NO_FILE = "{path} is {kind}. Name a file in the settings, or one that is yet to be made."
LINK_LOOP = "{path} is a link that leads back to itself. Name the file itself in the settings."
ALREADY_RUNNING = "Another Motley is running on {path}. Stop that one first: one database serves one process."
OPEN_TO_OTHERS = "{path} can be read by others, and is not mine to change. Make it its owner's alone (chmod 600)."
FILE_MISSING = "There is no file {path}. Name the database in MOTLEY_DATABASE, or with --database."
ALREADY_THERE = "{path} is there already, and is not written over. Name another file, or move this one away."
SAME_FILE = "{path} is the database itself. Name a backup of it."
NO_ROOM = "In {path} there is not enough room: {needed} are needed, {free} are free. Free some disk space."
DAMAGED_COPY = "{path} is damaged, so no backup of it was kept. Restore it from an older one."
OLDER_LAYOUT = (
    "{path} is of an older version of Motley. Start the bot once, which brings it up to date; then try again."
)
NEEDS_OFFLINE_VACUUM = (
    "{path} was made before Motley could do that while it runs. Stop the bot, and vacuum once without it."
)
FILE_EXCHANGED = (
    "{path}, or the -wal beside it, was taken away or exchanged while Motley runs. Nothing more is saved. Put the same "
    "files back, or stop Motley and restore what was rescued."
)
RESCUED = "All that was saved is rescued: {path}. Stop Motley, and restore that: python -m motley restore"
DISK_FULL = "There is no room left to write {path}. Free some disk space, then start Motley again."
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

# The same while the bot runs: what it goes on after, by itself, and what it does not.
_GOES_ON = "Motley goes on as soon as it can be written again."
_WHILE_RUNNING = {
    sqlite3.SQLITE_CORRUPT: "{path} is damaged. Stop Motley, and restore a backup: python -m motley restore",
    sqlite3.SQLITE_NOTADB: "{path} is damaged. Stop Motley, and restore a backup: python -m motley restore",
    sqlite3.SQLITE_BUSY: "{path} is being written by another program. Close that program. " + _GOES_ON,
    sqlite3.SQLITE_READONLY: "{path} cannot be written any more. Give Motley's user permission again. " + _GOES_ON,
    sqlite3.SQLITE_FULL: "There is no room left to write {path}. Free some disk space. " + _GOES_ON,
    sqlite3.SQLITE_IOERR: "The disk fails to read or write {path}. Check it and its free space. " + _GOES_ON,
}


class FileErrorReporter:
    """Tells whoever runs the bot once what is wrong with the file and what to do, until something was done with it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last_sentence = ""

    def report(self, error: BaseException) -> None:
        """Something could not be written or read."""
        self._log_once(_WHILE_RUNNING.get(_primary_code(error), ""))

    def report_damage(self) -> None:
        """Damage was found in the file."""
        self._log_once(_WHILE_RUNNING[sqlite3.SQLITE_CORRUPT])

    def clear(self) -> None:
        """Something was written."""
        self._last_sentence = ""

    def _log_once(self, sentence: str) -> None:
        if sentence and sentence != self._last_sentence:
            self._last_sentence = sentence
            log.error(sentence.format(path=self._path))


@contextmanager
def as_storage_error(path: Path) -> Iterator[None]:
    """Turn what SQLite and the operating system raise about this file into a StorageError."""
    try:
        yield
    except sqlite3.Error as error:
        raise StorageError(_error_sentence(error).format(path=path)) from error
    except UnicodeError as error:  # SQLite quotes a damaged name in its own message
        raise StorageError(DAMAGED.format(path=path)) from error
    except OSError as error:
        raise StorageError(f"{path} cannot be opened or made ({error.strerror}).") from error


def _error_sentence(error: sqlite3.Error) -> str:
    return _BY_CODE.get(_primary_code(error), f"{{path}} cannot be used ({describe_error(error)}).")


def _primary_code(error: BaseException) -> int:
    """SQLite's result code without the details in its upper bits; −1 for an error of Python's own."""
    return getattr(error, "sqlite_errorcode", -1) & 0xFF


def describe_error(error: BaseException) -> str:
    """An error in one line for the log; neither SQLite nor Python puts stored values into it."""
    name = getattr(error, "sqlite_errorname", None)
    return f"{type(error).__name__}: {error}" + (f" ({name})" if name else "")
