"""A database looked at from beside: by another program than the bot, which may be running on it meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from engines.store.match_store import MatchInfo, SavedMatch
from storage.shared.errors import StorageError
from storage.sqlite.file.connection import set_up_connection
from storage.sqlite.file.errors import FILE_MISSING, as_storage_error
from storage.sqlite.file.files import lock_file, resolve_database
from storage.sqlite.file.schema import layout_number, load_migrations
from storage.sqlite.file.wal_check import check_log
from storage.sqlite.matches import read_info, read_saved

LOCK_TIMEOUT = 10.0  # seconds to wait for another program's lock
MAX_FINDINGS = 10  # findings of SQLite's own that are told


@dataclass(frozen=True, slots=True)
class ReadOnlyCopy:
    """One consistent state of a database; what is committed meanwhile is not in it. Methods raise StorageError."""

    path: Path
    raw: sqlite3.Connection

    def is_older(self) -> bool:
        """Whether the bot would bring the layout up to date. Raises StorageError where it would refuse the file."""
        with as_storage_error(self.path):
            return layout_number(self.raw, self.path, load_migrations()) < len(load_migrations())

    def integrity_findings(self) -> list[str]:
        """What SQLite itself finds wrong with the file, in its own words."""
        with as_storage_error(self.path):
            found = [str(row[0]) for row in self.raw.execute(f"PRAGMA integrity_check({MAX_FINDINGS})")]
            if found != ["ok"]:
                return found
            strays = {(row[0], row[2]) for row in self.raw.execute("PRAGMA foreign_key_check")}
        return [f"rows of {table} belong to no row of {parent}" for table, parent in sorted(strays)]

    def match_ids(self) -> list[str]:
        """The ids of all matches, the oldest first."""
        with as_storage_error(self.path):
            return [str(row[0]) for row in self.raw.execute("SELECT match FROM matches ORDER BY created, rowid")]

    def load_info(self, match: str) -> MatchInfo | None:
        """A match without its game state."""
        with as_storage_error(self.path):
            return read_info(match, self.raw)

    def load_saved(self, match: str) -> SavedMatch | None:
        """A started match with its game state. Raises Damaged, too."""
        with as_storage_error(self.path):
            return read_saved(match, self.raw)


@contextmanager
def read_only_copy(path: str | Path) -> Iterator[ReadOnlyCopy]:
    """Look at a database, whether or not a bot is running on it. Nothing is written to it, and nothing is kept waiting.

    Raises StorageError, with a sentence, where there is none or it cannot be read.
    """
    with as_storage_error(Path(path)):
        path = resolve_database(path)
    if not path.exists():
        raise StorageError(FILE_MISSING.format(path=path))
    with ExitStack() as stack:
        with as_storage_error(path):
            raw = stack.enter_context(closing(_open_for_reading(path)))
        yield ReadOnlyCopy(path, raw)


def is_in_use(path: Path) -> bool:
    """Whether a bot, or somebody who restores, has the file for themselves just now."""
    if not Path(f"{path}.lock").exists():  # trying would make it
        return False
    try:
        with lock_file(path, lock_timeout=0):
            return False
    except StorageError:
        return True


def _open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection in the midst of reading, which sees one state of the file until it is closed."""
    if not is_in_use(path):
        check_log(path)  # a bot that runs has done that
    raw = sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=LOCK_TIMEOUT, isolation_level=None)
    try:
        set_up_connection(raw)
        raw.execute("PRAGMA query_only = ON")
        raw.execute("BEGIN")
        raw.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
    except BaseException:
        raw.close()
        raise
    return raw
