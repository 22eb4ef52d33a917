"""Opens and closes a database, or returns the sentence with which it is refused."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest

from storage import Database, StorageError
from storage.shared.numbered_migrations import Migration


async def open_and_close(path: Path, *migrations: Migration) -> None:
    async with Database.open(path, clock=lambda: 7, migrations=migrations or None, lock_timeout=0.05):
        pass


async def open_refused(path: Path, *migrations: Migration) -> str:
    """Return the sentence with which the file is refused; afterwards nothing of it may still be running."""
    threads = threading.active_count()
    with pytest.raises(StorageError) as caught:
        await open_and_close(path, *migrations)
    await wait_threads_end(threads)
    return str(caught.value)


async def wait_threads_end(count: int) -> None:
    for _ in range(200):
        if threading.active_count() <= count:
            return
        await asyncio.sleep(0.01)
    pytest.fail(f"still there: {threading.enumerate()}")


def run_open_and_close(path: Path, *migrations: Migration) -> None:
    asyncio.run(open_and_close(path, *migrations))


def run_open_refused(path: Path, *migrations: Migration) -> str:
    return asyncio.run(open_refused(path, *migrations))


def query(path: Path, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        with connection:
            return connection.execute(sql).fetchall()
    finally:
        connection.close()
