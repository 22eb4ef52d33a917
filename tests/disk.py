"""For all tests: what is committed need not have reached the disk, unless that is what a test is about.

To wait for it costs more than most of what is tested, and nobody here pulls the plug. Bots in processes of their own,
and `storage/sqlite/`, do wait.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from storage.sqlite.file import connection

REAL_SET_UP = connection.set_up_connection


@pytest.fixture(scope="session", autouse=True)
def unsynced_disk() -> Iterator[None]:
    """Every connection of this process that is opened from now on is in no hurry."""

    def set_up(raw: sqlite3.Connection) -> None:
        REAL_SET_UP(raw)
        raw.execute("PRAGMA synchronous = OFF")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(connection, "set_up_connection", set_up)
        yield
