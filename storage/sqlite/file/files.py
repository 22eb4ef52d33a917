"""The database file and its neighbours: locked by one process, readable by the owner alone."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from storage.shared.errors import StorageError
from storage.sqlite.file.errors import ALREADY_RUNNING, LINK_LOOP, NO_FILE, OPEN_TO_OTHERS

FILE_SUFFIXES = ("", "-wal", "-shm", "-journal", ".lock")
LOCK_TIMEOUT = 0.5  # seconds: a process that only checks the lock holds it for a moment
PARTIAL_SUFFIX = ".part"  # the suffix of an unfinished file
OTHERS_MODE = 0o077  # the mode bits of everybody but the owner

log = logging.getLogger(__name__)


def resolve_database(path: str | Path) -> Path:
    """Resolve links, so that every name of the file has the same lock. Raises StorageError if it is not a file."""
    try:
        found = Path(path).resolve()
    except RuntimeError as error:
        raise StorageError(LINK_LOOP.format(path=path)) from error
    if any(part.is_symlink() for part in (found, *found.parents)):  # newer Pythons leave a loop unresolved
        raise StorageError(LINK_LOOP.format(path=path))
    if found.exists() and not found.is_file():
        raise StorageError(NO_FILE.format(path=path, kind="a folder" if found.is_dir() else "not a regular file"))
    return found


@contextmanager
def claim_file(path: Path) -> Iterator[None]:
    """Lock the file for this process until the end; a crash releases it. Creates it and its folder."""
    with lock_file(path):
        if not path.exists():
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        yield


@contextmanager
def lock_file(path: Path, lock_timeout: float = LOCK_TIMEOUT) -> Iterator[None]:
    """Lock the file against all others until the end, whether or not it exists. Creates its folder."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(f"{path}.lock", mode=0o600, timeout=lock_timeout)
    try:
        lock.acquire()
    except Timeout as error:
        raise StorageError(ALREADY_RUNNING.format(path=path)) from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def write_atomically(path: Path) -> Iterator[Path]:
    """Yield a new empty file under a temporary name, for its owner alone; at the end rename it to `path` at once.

    After that it is on the disk. If this fails, nothing is left. Creates the folder.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}{PARTIAL_SUFFIX}")
    remove_database(partial)  # left over from a killed process
    try:
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield partial
        sync_to_disk(partial)
        os.replace(partial, path)
        if os.name == "posix":  # other systems cannot open a folder
            sync_to_disk(path.parent)
    finally:
        remove_database(partial)


def sync_to_disk(path: Path) -> None:
    """Return once the written data is on the disk."""
    opened = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def remove_database(path: Path) -> None:
    """Delete a database and the files beside it."""
    for ending in FILE_SUFFIXES:
        Path(f"{path}{ending}").unlink(missing_ok=True)


def restrict_permissions(path: Path) -> None:
    """Remove everybody else's rights to the file; SQLite gives its neighbours the same mode.

    Windows has no such modes: there the folder's own permissions decide.
    """
    if os.name != "posix":
        return
    for name in (f"{path}{ending}" for ending in FILE_SUFFIXES):
        try:
            mode = os.stat(name).st_mode
            if mode & OTHERS_MODE:
                os.chmod(name, mode & 0o700)
        except FileNotFoundError:
            continue
        except PermissionError:
            log.warning(OPEN_TO_OTHERS.format(path=name))
