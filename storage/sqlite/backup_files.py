"""Backs up, restores and vacuums a database file."""

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
from storage.sqlite.file.connection import connect_for_writing, transaction
from storage.sqlite.file.errors import (
    ALREADY_THERE,
    DAMAGED_COPY,
    NEEDS_OFFLINE_VACUUM,
    NO_ROOM,
    SAME_FILE,
    as_storage_error,
)
from storage.sqlite.file.files import lock_file, resolve_database, restrict_permissions, sync_to_disk, write_atomically
from storage.sqlite.file.schema import layout_number, load_migrations, migrate_database
from storage.sqlite.file.wal_check import check_log
from storage.sqlite.read_only_copy import ReadOnlyCopy, is_in_use, read_only_copy

PAGES_PER_STEP = 1024  # pages copied at a time, about four megabytes
STEP_PAUSE = 0.01  # seconds between steps, in which the bot can use the disk
SPARE_BYTES = 64 * 2**20  # bytes that a copy leaves free, so that the bot can continue to write
VACUUM_PAGES = 64  # pages at a time: the bot waits for a few milliseconds


def copy_database(path: str | Path, target: Path) -> None:
    """Copy everything that is committed to one new file, readable by its owner alone; the bot may run.

    Raises StorageError; then nothing of the copy is left.
    """
    with read_only_copy(path) as source, as_storage_error(target):
        if target.exists():
            raise StorageError(ALREADY_THERE.format(path=target))
        with write_atomically(target) as partial:
            _copy_pages(source, partial)
            with closing(sqlite3.connect(partial, isolation_level=None)) as raw:
                raw.execute("PRAGMA journal_mode = DELETE")  # a single file without a log beside it
                if raw.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                    raise StorageError(DAMAGED_COPY.format(path=source.path))


def restore_backup(
    backup: str | Path, path: str | Path, at: int, inspect: Callable[[ReadOnlyCopy], None]
) -> Path | None:
    """Replace the database with a sound backup; return where the old database is kept.

    `inspect` sees the backup first. Discord may show something newer, so all messages are checked again. Raises
    StorageError if a bot is running, or the backup is damaged, newer than this version, or not a Motley database.
    """
    with as_storage_error(Path(path)):
        path = resolve_database(path)
    with read_only_copy(backup) as source, as_storage_error(path):
        if source.path == path or (path.exists() and source.path.samefile(path)):
            raise StorageError(SAME_FILE.format(path=path))
        with lock_file(path), write_atomically(path) as partial:
            _copy_pages(source, partial)
            with closing(connect_for_writing(partial)) as raw:
                migrate_database(raw, source.path, load_migrations(), at)
                _reset_surfaces(raw)
            with read_only_copy(partial) as target:
                inspect(target)
            sync_to_disk(partial)
            _copy_owner(path, partial)
            _checkpoint_log(path)
            return _keep_previous(path, at)


def vacuum_database(path: str | Path) -> tuple[int, int]:
    """Give unused space back to the disk; return the size in bytes before and after.

    While a bot runs this happens in small steps; otherwise the whole file is rewritten. Raises StorageError.
    """
    with as_storage_error(Path(path)):
        path = resolve_database(path)
    with read_only_copy(path) as copy, as_storage_error(path):
        before = _database_size(copy.raw)
        layout_number(copy.raw, path, load_migrations())
    with as_storage_error(path):
        if is_in_use(path):
            return before, _vacuum_in_steps(path)
        with lock_file(path):
            return before, _vacuum_fully(path)


def _copy_pages(source: ReadOnlyCopy, target: Path) -> None:
    """Copy page by page into an empty file, all from one snapshot."""
    size = _database_size(source.raw)
    free = shutil.disk_usage(target.parent).free
    if free < size + SPARE_BYTES:
        raise StorageError(
            NO_ROOM.format(path=target.parent, needed=format_megabytes(size + SPARE_BYTES), free=format_megabytes(free))
        )
    with closing(sqlite3.connect(target, isolation_level=None)) as raw:
        raw.execute("PRAGMA synchronous = OFF")  # the copy counts only once it has its final name
        source.raw.backup(raw, pages=PAGES_PER_STEP, progress=partial(_sync_and_pause, target))


def _sync_and_pause(target: Path, status: int, remaining: int, total: int) -> None:
    """Flush the copied pages to disk, and leave the disk to others for a moment."""
    if remaining:
        sync_to_disk(target)
        time.sleep(STEP_PAUSE)


def _reset_surfaces(raw: sqlite3.Connection) -> None:
    """Mark what messages and commands show as unknown: they may have changed since the backup."""
    with transaction(raw, "BEGIN IMMEDIATE"):
        raw.execute("UPDATE surfaces SET digest = '' WHERE done = 0")
        if raw.execute("SELECT 1 FROM sqlite_schema WHERE name = 'behind'").fetchone():  # or it starts with all of them
            raw.execute("INSERT OR IGNORE INTO behind (match) SELECT match FROM surfaces WHERE done = 0")
        raw.execute("DELETE FROM notes WHERE key = 'commands'")


def _copy_owner(path: Path, new_file: Path) -> None:
    """Give the new file the owner of the old one; only the administrator can do that."""
    if sys.platform != "win32" and path.exists():
        owner = path.stat()
        with suppress(PermissionError):
            os.chown(new_file, owner.st_uid, owner.st_gid)


def _checkpoint_log(path: Path) -> None:
    """Write the log into the file if it is sound: the log is removed before the file is."""
    if path.exists() and path.stat().st_size:
        with suppress(sqlite3.Error, StorageError):
            check_log(path)
            with closing(connect_for_writing(path)) as raw:
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _keep_previous(path: Path, at: int) -> Path | None:
    """Keep the existing database, with its log, under another name; return None if there is none.

    It has both names until the new one replaces it, so that there is a database at every moment.
    """
    beside_it = [ending for ending in ("-wal", "-journal") if Path(f"{path}{ending}").exists()]
    previous = None
    if path.exists() and path.stat().st_size:
        stamp = time.strftime("%Y-%m-%dT%H-%M-%SZ", time.gmtime(at))
        previous = path.with_name(f"{path.stem}-before-{stamp}{path.suffix}")
        for ending in ("", *beside_it):
            _link_or_copy(Path(f"{path}{ending}"), Path(f"{previous}{ending}"))
    for ending in (*beside_it, "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
    return previous


def _link_or_copy(path: Path, name: Path) -> None:
    if name.exists():
        raise StorageError(ALREADY_THERE.format(path=name))
    try:
        os.link(path, name)
    except OSError:  # a file system without hard links
        shutil.copy2(path, name)
        sync_to_disk(name)


def _vacuum_in_steps(path: Path) -> int:
    """Free the end of the file in small steps; the bot can commit in between."""
    with closing(connect_for_writing(path)) as raw:
        if raw.execute("PRAGMA auto_vacuum").fetchone() != (2,):
            raise StorageError(NEEDS_OFFLINE_VACUUM.format(path=path))
        while raw.execute("PRAGMA freelist_count").fetchone()[0]:
            raw.executescript(f"PRAGMA incremental_vacuum({VACUUM_PAGES})")  # `execute` would stop after one page
            time.sleep(STEP_PAUSE)
        raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        return _database_size(raw)


def _vacuum_fully(path: Path) -> int:
    check_log(path)
    with closing(connect_for_writing(path)) as raw:
        raw.execute("PRAGMA auto_vacuum = INCREMENTAL")
        raw.execute("VACUUM")
        restrict_permissions(path)
        return _database_size(raw)


def _database_size(raw: sqlite3.Connection) -> int:
    pages, size = (raw.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    return int(pages * size)


def format_megabytes(size: int) -> str:
    """Return a size as text."""
    return f"{size / 2**20:.1f} MB"
