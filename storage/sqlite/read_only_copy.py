"""A database looked at from beside: by another program than the bot, which may be running on it meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from engines.store.match_store import Info, Saved
from storage.shared.errors import StorageError
from storage.sqlite.file.connection import set_up
from storage.sqlite.file.errors import MISSING, explained
from storage.sqlite.file.files import locked, resolved
from storage.sqlite.file.schema import layout_of, shipped
from storage.sqlite.file.wal_check import check_log
from storage.sqlite.matches import read_info, read_saved

PATIENCE = 10.0  # seconds to wait for another program's lock
MOST = 10  # findings of SQLite's own that are told


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One consistent state of a database; what is committed meanwhile is not in it. Methods raise StorageError."""

    path: Path
    raw: sqlite3.Connection

    def older(self) -> bool:
        """Whether the bot would bring the layout up to date. Raises StorageError where it would refuse the file."""
        with explained(self.path):
            return layout_of(self.raw, self.path, shipped()) < len(shipped())

    def findings(self) -> list[str]:
        """What SQLite itself finds wrong with the file, in its own words."""
        with explained(self.path):
            found = [str(row[0]) for row in self.raw.execute(f"PRAGMA integrity_check({MOST})")]
            if found != ["ok"]:
                return found
            strays = {(row[0], row[2]) for row in self.raw.execute("PRAGMA foreign_key_check")}
        return [f"rows of {table} belong to no row of {parent}" for table, parent in sorted(strays)]

    def matches(self) -> list[str]:
        """The ids of all matches, the oldest first."""
        with explained(self.path):
            return [str(row[0]) for row in self.raw.execute("SELECT match FROM matches ORDER BY created, rowid")]

    def info(self, match: str) -> Info | None:
        """A match without its game state."""
        with explained(self.path):
            return read_info(match, self.raw)

    def saved(self, match: str) -> Saved | None:
        """A started match with its game state. Raises Damaged, too."""
        with explained(self.path):
            return read_saved(match, self.raw)


@contextmanager
def beside(path: str | Path) -> Iterator[Snapshot]:
    """Look at a database, whether or not a bot is running on it. Nothing is written to it, and nothing is kept waiting.

    Raises StorageError, with a sentence, where there is none or it cannot be read.
    """
    with explained(Path(path)):
        path = resolved(path)
    if not path.exists():
        raise StorageError(MISSING.format(path=path))
    with ExitStack() as stack:
        with explained(path):
            raw = stack.enter_context(closing(_opened(path)))
        yield Snapshot(path, raw)


def running(path: Path) -> bool:
    """Whether a bot, or somebody who restores, has the file for themselves just now."""
    if not Path(f"{path}.lock").exists():  # trying would make it
        return False
    try:
        with locked(path, patience=0):
            return False
    except StorageError:
        return True


def _opened(path: Path) -> sqlite3.Connection:
    """A connection in the midst of reading, which sees one state of the file until it is closed."""
    if not running(path):
        check_log(path)  # a bot that runs has done that
    raw = sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        set_up(raw)
        raw.execute("PRAGMA query_only = ON")
        raw.execute("BEGIN")
        raw.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
    except BaseException:
        raw.close()
        raise
    return raw
