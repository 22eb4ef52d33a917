"""Reads a database from another program while the bot may be running on it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engines.store.match_store import MatchInfo, SavedDeal, SavedMatch
from storage.shared.errors import StorageError
from storage.shared.stores.matches import read_deal, read_info, read_saved
from storage.sqlite.file.connection import LOCK_TIMEOUT, set_up_connection
from storage.sqlite.file.errors import FILE_MISSING, as_storage_error
from storage.sqlite.file.files import lock_file, resolve_database
from storage.sqlite.file.schema import layout_number, load_migrations
from storage.sqlite.file.wal_check import check_log
from storage.sqlite.statements import run_shared

MAX_FINDINGS = 10  # how many of SQLite's findings are reported


@dataclass(frozen=True, slots=True)
class ReadOnlyCopy:
    """One consistent state of a database; later commits are not in it. Methods raise StorageError."""

    path: Path
    raw: sqlite3.Connection

    def is_older(self) -> bool:
        """Return whether the bot would migrate the file. Raises StorageError if the bot would refuse it."""
        with as_storage_error(self.path):
            return layout_number(self.raw, self.path, load_migrations()) < len(load_migrations())

    def integrity_findings(self) -> list[str]:
        """Return what SQLite finds wrong with the file, in its own words."""
        with as_storage_error(self.path):
            found = [str(row[0]) for row in self.raw.execute(f"PRAGMA integrity_check({MAX_FINDINGS})")]
            if found != ["ok"]:
                return found
            strays = {(row[0], row[2]) for row in self.raw.execute("PRAGMA foreign_key_check")}
        return [f"rows of {table} refer to missing rows of {parent}" for table, parent in sorted(strays)]

    def match_ids(self) -> list[str]:
        """Return the ids of all matches, oldest first."""
        with as_storage_error(self.path):
            return [str(row[0]) for row in self.raw.execute("SELECT match FROM matches ORDER BY created, rowid")]

    def load_info(self, match: str) -> MatchInfo | None:
        """Load a match without its game state."""
        with as_storage_error(self.path):
            return run_shared(partial(read_info, match), self.raw)

    def load_saved(self, match: str) -> SavedMatch | None:
        """Load a started match with its game state. Also raises DamagedMatch."""
        with as_storage_error(self.path):
            return run_shared(partial(read_saved, match), self.raw)

    def load_deal(self, match: str) -> SavedDeal | None:
        """Load the sealed deal of a match; None if it has none."""
        with as_storage_error(self.path):
            return run_shared(partial(read_deal, match), self.raw)


@contextmanager
def read_only_copy(path: str | Path) -> Iterator[ReadOnlyCopy]:
    """Open a database for reading, whether or not a bot is running on it; this writes and blocks nothing.

    Raises StorageError with a sentence if there is none or it cannot be read.
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
    """Return whether a bot or a restore holds the file at the moment."""
    if not Path(f"{path}.lock").exists():  # trying the lock would create it
        return False
    try:
        with lock_file(path, lock_timeout=0):
            return False
    except StorageError:
        return True


def _open_for_reading(path: Path) -> sqlite3.Connection:
    """Open a connection in a read transaction, which sees one state of the file until it is closed."""
    if not is_in_use(path):
        check_log(path)  # a running bot has already done that
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
