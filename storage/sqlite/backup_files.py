"""Copies of a database: made while the bot runs, put back while it does not. And room that is given back."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from storage.shared.errors import StorageError
from storage.sqlite.file.connection import set_up
from storage.sqlite.file.errors import DAMAGED_COPY, ITSELF, NO_ROOM, NOT_GIVEN_BACK, THERE, explained
from storage.sqlite.file.files import appearing, close_to_others, lasting, locked, resolved
from storage.sqlite.file.schema import layout_of, make_ready, shipped
from storage.sqlite.file.wal_check import check_log
from storage.sqlite.read_only_copy import PATIENCE, Snapshot, beside, running

STEP = 1024  # pages copied at a time, some four megabytes
PAUSE = 0.01  # seconds between steps, which leave the disk to the bot
SPARE = 64 * 2**20  # bytes that a copy leaves free, so that the bot can go on writing
GIVEN_BACK = 64  # pages at a time: a few milliseconds, for which the bot waits


def copy(path: str | Path, target: Path) -> None:
    """Make a copy of all that is committed, in one new file of its owner's alone; the bot goes on meanwhile.

    Raises StorageError; then nothing of the copy is left.
    """
    with beside(path) as snapshot, explained(target):
        if target.exists():
            raise StorageError(THERE.format(path=target))
        with appearing(target) as made:
            _copy(snapshot, made)
            with closing(sqlite3.connect(made, isolation_level=None)) as raw:
                raw.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
                if raw.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                    raise StorageError(DAMAGED_COPY.format(path=snapshot.path))


def restore(backup: str | Path, path: str | Path, at: int, look: Callable[[Snapshot], None]) -> Path | None:
    """Put a copy in the database's place, once it is found to be sound; where the one that was there is kept now.

    `look` sees first what is put there. What Discord shows may be newer: every message of a match is looked at anew.
    Raises StorageError where a bot runs, and where the copy is damaged, of a newer version, or no database of Motley.
    """
    with explained(Path(path)):
        path = resolved(path)
    with beside(backup) as snapshot, explained(path):
        if snapshot.path == path or (path.exists() and snapshot.path.samefile(path)):
            raise StorageError(ITSELF.format(path=path))
        with locked(path), appearing(path) as made:
            _copy(snapshot, made)
            with closing(_writing(made)) as raw:
                make_ready(raw, snapshot.path, shipped(), at)
                _forget_what_is_shown(raw)
            with beside(made) as restored:
                look(restored)
            lasting(made)
            _like(path, made)
            _write_out(path)
            return _kept(path, at)


def vacuum(path: str | Path) -> tuple[int, int]:
    """Give room that is no longer used back to the disk; the size in bytes before and after.

    While a bot runs that is done bit by bit; else the whole file is written anew, in order. Raises StorageError.
    """
    with explained(Path(path)):
        path = resolved(path)
    with beside(path) as snapshot, explained(path):
        before = _size(snapshot.raw)
        layout_of(snapshot.raw, path, shipped())
    with explained(path):
        if running(path):
            return before, _give_back(path)
        with locked(path):
            return before, _write_anew(path)


def _copy(snapshot: Snapshot, target: Path) -> None:
    """Copy page by page into that empty file. The snapshot is the same from the first to the last."""
    size = _size(snapshot.raw)
    free = shutil.disk_usage(target.parent).free
    if free < size + SPARE:
        raise StorageError(NO_ROOM.format(path=target.parent, needed=megabytes(size + SPARE), free=megabytes(free)))
    with closing(sqlite3.connect(target, isolation_level=None)) as raw:
        raw.execute("PRAGMA synchronous = OFF")  # it counts once it has its name
        snapshot.raw.backup(raw, pages=STEP, progress=partial(_breathe, target))


def _breathe(target: Path, status: int, remaining: int, total: int) -> None:
    """Write out what has been copied, and leave the disk to others for a moment."""
    if remaining:
        lasting(target)
        time.sleep(PAUSE)


def _writing(path: Path) -> sqlite3.Connection:
    raw = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    set_up(raw)
    return raw


def _forget_what_is_shown(raw: sqlite3.Connection) -> None:
    """Messages and commands may have become others since the copy was made: what they show is not known any more."""
    raw.execute("BEGIN IMMEDIATE")
    raw.execute("UPDATE surfaces SET digest = '' WHERE done = 0")
    if raw.execute("SELECT 1 FROM sqlite_schema WHERE name = 'behind'").fetchone():  # else it will begin with all
        raw.execute("INSERT OR IGNORE INTO behind (match) SELECT match FROM surfaces WHERE done = 0")
    raw.execute("DELETE FROM notes WHERE key = 'commands'")
    raw.execute("COMMIT")


def _like(path: Path, made: Path) -> None:
    """Whoever the file belonged to is to have the new one, too; only the administrator can see to that."""
    if sys.platform != "win32" and path.exists():
        owner = path.stat()
        with suppress(PermissionError):
            os.chown(made, owner.st_uid, owner.st_gid)


def _write_out(path: Path) -> None:
    """Write into the file what stands in its log alone, if that is sound: the log goes before the file does."""
    if path.exists() and path.stat().st_size:
        with suppress(sqlite3.Error, StorageError):
            check_log(path)
            with closing(_writing(path)) as raw:
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _kept(path: Path, at: int) -> Path | None:
    """Give the database that is there, with what lies beside it, another name; None where there is none.

    It has both names until the other one takes its place, so that there is one at every moment.
    """
    beside_it = [ending for ending in ("-wal", "-journal") if Path(f"{path}{ending}").exists()]
    kept = None
    if path.exists() and path.stat().st_size:
        stamp = time.strftime("%Y-%m-%dT%H-%M-%SZ", time.gmtime(at))
        kept = path.with_name(f"{path.stem}-before-{stamp}{path.suffix}")
        for ending in ("", *beside_it):
            _double(Path(f"{path}{ending}"), Path(f"{kept}{ending}"))
    for ending in (*beside_it, "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
    return kept


def _double(path: Path, name: Path) -> None:
    if name.exists():
        raise StorageError(THERE.format(path=name))
    try:
        os.link(path, name)
    except OSError:  # a file system without links
        shutil.copy2(path, name)
        lasting(name)


def _give_back(path: Path) -> int:
    """Give back what is free at the file's end, a little at a time; the bot commits in between."""
    with closing(_writing(path)) as raw:
        if raw.execute("PRAGMA auto_vacuum").fetchone() != (2,):
            raise StorageError(NOT_GIVEN_BACK.format(path=path))
        while raw.execute("PRAGMA freelist_count").fetchone()[0]:
            raw.executescript(f"PRAGMA incremental_vacuum({GIVEN_BACK})")  # `execute` would stop after a page
            time.sleep(PAUSE)
        raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        return _size(raw)


def _write_anew(path: Path) -> int:
    check_log(path)
    with closing(_writing(path)) as raw:
        raw.execute("PRAGMA auto_vacuum = INCREMENTAL")
        raw.execute("VACUUM")
        close_to_others(path)
        return _size(raw)


def _size(raw: sqlite3.Connection) -> int:
    pages, size = (raw.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    return int(pages * size)


def megabytes(size: int) -> str:
    """A size in words."""
    return f"{size / 2**20:.1f} MB"
