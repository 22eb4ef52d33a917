"""Moving everything from a file to PostgreSQL and back: how long 1.4 million rows take, compared and all."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

from bench.bot import growth
from bench.kit.figures import Figure
from bench.storage.postgres import running
from motley.database_move import move
from tests.cluster import NONE, programs

ROWS = 1_400_000
MOST = 60.0  # seconds


def measure() -> list[Figure]:
    """Seconds there, and back."""
    if programs() is None:
        print(NONE)
        return []
    with tempfile.TemporaryDirectory() as folder, running() as server:
        path = Path(folder) / "motley.db"
        rows = _filled(path)
        there = _moved(path, server.address())
        back = _moved(server.address(), Path(folder) / "back.db")
    return [
        Figure(f"{rows / 1e6:.1f} million rows, from a file to PostgreSQL", there, "s", most=MOST),
        Figure("the same, from PostgreSQL to a file", back, "s", most=MOST),
    ]


def _filled(path: Path) -> int:
    """A file with so many rows of finished matches, all with their moves and news; how many there are."""
    match = asyncio.run(growth.one_finished(path))
    with closing(sqlite3.connect(path)) as raw:
        each = sum(_count(raw, table, match) for table in growth.TABLES)
    growth.multiplied(path, match, ROWS // each, whole=1)
    return each * (ROWS // each)


def _count(raw: sqlite3.Connection, table: str, match: str) -> int:
    return int(raw.execute(f"SELECT COUNT(*) FROM {table} WHERE match = ?", (match,)).fetchone()[0])


def _moved(source: Path | str, target: Path | str) -> float:
    began = time.monotonic()
    assert move(source, target, time.time(), lambda said: None)
    return time.monotonic() - began


if __name__ == "__main__":
    for figure in measure():
        print(figure)
