"""Times moving 1.4 million rows from a file to PostgreSQL and back, with the comparison."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

from bench.bot import growth
from bench.kit.figures import Figure
from bench.storage.postgres import run_server
from motley.database_move import move
from tests.postgres_server import NO_POSTGRES_TEXT, find_programs

ROW_COUNT = 1_400_000
MAX_SECONDS = 60.0  # seconds


def measure_moving() -> list[Figure]:
    """Measure the seconds in both directions."""
    if find_programs() is None:
        print(NO_POSTGRES_TEXT)
        return []
    with tempfile.TemporaryDirectory() as folder, run_server() as server:
        path = Path(folder) / "motley.db"
        rows = _fill_file(path)
        seconds = _time_move(path, server.address())
        back = _time_move(server.address(), Path(folder) / "back.db")
    return [
        Figure(f"{rows / 1e6:.1f} million rows, from a file to PostgreSQL", seconds, "s", maximum=MAX_SECONDS),
        Figure("the same, from PostgreSQL to a file", back, "s", maximum=MAX_SECONDS),
    ]


def _fill_file(path: Path) -> int:
    """Fill a file with finished matches, all with their moves and events; return the number of rows."""
    match = asyncio.run(growth.play_shortest_match(path))
    with closing(sqlite3.connect(path)) as raw:
        each = sum(_count_rows(raw, table, match) for table in growth.TABLES)
    growth.multiply_match(path, match, ROW_COUNT // each, whole_every=1)
    return each * (ROW_COUNT // each)


def _count_rows(raw: sqlite3.Connection, table: str, match: str) -> int:
    return int(raw.execute(f"SELECT COUNT(*) FROM {table} WHERE match = ?", (match,)).fetchone()[0])


def _time_move(source: Path | str, target: Path | str) -> float:
    start = time.monotonic()
    assert move(source, target, time.time(), lambda line: None)
    return time.monotonic() - start


if __name__ == "__main__":
    for figure in measure_moving():
        print(figure)
