"""Compares group commit with a transaction per write, and its cost for a single writer."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from statistics import median

import aiosqlite

from bench.kit.figures import Figure
from engines.store.match_store import Change, MatchInfo, MatchStorage, Move, Place, Seat, Status
from storage import Database, MatchStore
from storage.shared.numbered_migrations import Migration

MATCH_COUNT = 100
ROUND_COUNT = 7
CHECKPOINT = '{"state":"' + "x" * 2000 + '"}'
EVENTS = '[{"to":null,"kind":"played","card":17}]'

TABLES = Migration(
    1,
    "bench",
    "CREATE TABLE states (match INTEGER PRIMARY KEY, number INTEGER NOT NULL, checkpoint TEXT NOT NULL) STRICT;\n"
    "CREATE TABLE moves (match INTEGER, number INTEGER, notation TEXT, PRIMARY KEY (match, number)) STRICT;\n"
    f"INSERT INTO states SELECT value, 0, '' FROM json_each('{list(range(MATCH_COUNT))}');\n",
)
UPDATE = "UPDATE states SET number = ?, checkpoint = ? WHERE match = ? AND number = ?"
INSERT = "INSERT INTO moves (match, number, notation) VALUES (?, ?, ?)"

CommitMove = Callable[[int, int], Awaitable[None]]
"""Makes the move of that number in that match durable."""
TimedWay = Callable[[Path], Awaitable[float]]
"""Times one way to commit, in seconds per move, in a new file of that name."""


def measure_storage() -> list[Figure]:
    """Measure commits per second, and the gain of group commit."""
    return asyncio.run(_measure_ways())


async def _measure_ways() -> list[Figure]:
    times_by_way: dict[str, list[float]] = {name: [] for name in TIMED_WAYS}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUND_COUNT):  # the ways take turns, so that all meet the same noise
            for place, (name, way) in enumerate(TIMED_WAYS.items()):
                times_by_way[name].append(await way(Path(folder) / f"{number}_{place}.db"))
    speeds = [Figure(name, 1 / median(times), "commits/s") for name, times in times_by_way.items()]
    gains = [
        Figure(name, _median_ratio(times_by_way[slow], times_by_way[fast]), "×", minimum=MIN_GAINS.get(name))
        for name, (fast, slow) in GAINS.items()
    ]
    return speeds + gains


def _median_ratio(numerators: list[float], under: list[float]) -> float:
    return median(a / b for a, b in zip(numerators, under, strict=True))


async def _time_commits(commit: CommitMove, matches: int, per_match: int) -> float:
    async def play(match: int) -> None:
        for number in range(1, per_match + 1):
            await commit(match, number)

    start = time.perf_counter()
    await asyncio.gather(*(play(match) for match in range(matches)))
    return (time.perf_counter() - start) / matches / per_match


def _serialise_commits(commit: CommitMove) -> CommitMove:
    lock = asyncio.Lock()

    async def one(match: int, number: int) -> None:
        async with lock:
            await commit(match, number)

    return one


# A state of 2 KB and a row for the move: with our writer, and with aiosqlite alone.


async def _time_grouped(path: Path) -> float:
    async with _open_writer(path) as commit:
        return await _time_commits(commit, MATCH_COUNT, 20)


async def _time_each(path: Path) -> float:
    async with _open_writer(path) as commit:
        return await _time_commits(_serialise_commits(commit), MATCH_COUNT, 5)


async def _time_alone(path: Path) -> float:
    async with _open_writer(path) as commit:
        return await _time_commits(commit, 1, 300)


async def _time_statements_each(path: Path) -> float:
    async with _open_statements(path) as commit:
        return await _time_commits(_serialise_commits(commit), MATCH_COUNT, 5)


async def _time_statements_alone(path: Path) -> float:
    async with _open_statements(path) as commit:
        return await _time_commits(commit, 1, 300)


@asynccontextmanager
async def _open_writer(path: Path) -> AsyncIterator[CommitMove]:
    async with Database.open(path, clock=time.time, migrations=[TABLES]) as database:

        async def commit(match: int, number: int) -> None:
            await database.write(partial(_write_move, match, number), what="a move")

        yield commit


def _write_move(match: int, number: int, raw: sqlite3.Connection) -> None:
    if raw.execute(UPDATE, (number, CHECKPOINT, match, number - 1)).rowcount != 1:
        raise LookupError(match)
    raw.execute(INSERT, (match, number, "play 10H"))


@asynccontextmanager
async def _open_statements(path: Path) -> AsyncIterator[CommitMove]:
    async with Database.open(path, clock=time.time, migrations=[TABLES]):
        pass
    async with aiosqlite.connect(path, isolation_level=None) as connection:
        await connection.execute("PRAGMA synchronous = FULL")
        yield partial(_commit_by_statement, connection)


async def _commit_by_statement(connection: aiosqlite.Connection, match: int, number: int) -> None:
    await connection.execute("BEGIN IMMEDIATE")
    if (await connection.execute(UPDATE, (number, CHECKPOINT, match, number - 1))).rowcount != 1:
        raise LookupError(match)
    await connection.execute(INSERT, (match, number, "play 10H"))
    await connection.execute("COMMIT")


# A whole move of a match, with its events and every check.


async def _time_moves_grouped(path: Path) -> float:
    async with _open_store(path) as commit:
        return await _time_commits(commit, MATCH_COUNT, 20)


async def _time_moves_each(path: Path) -> float:
    async with _open_store(path) as commit:
        return await _time_commits(_serialise_commits(commit), MATCH_COUNT, 5)


@asynccontextmanager
async def _open_store(path: Path) -> AsyncIterator[CommitMove]:
    async with Database.open(path, clock=time.time) as database:
        store = MatchStore(database)
        await asyncio.gather(*(insert_match(store, match) for match in range(MATCH_COUNT)))
        changes = {
            (match, number): make_change(match, number) for match in range(MATCH_COUNT) for number in range(1, 21)
        }

        async def commit(match: int, number: int) -> None:
            await store.commit(changes[match, number])

        yield commit


async def insert_match(store: MatchStorage, match: int) -> None:
    """Start a match of four."""
    await store.insert(_match_info(match, 0, revision=0), by=1)
    start = Change(_match_info(match, 0, revision=1), "start", 1, checkpoint=CHECKPOINT, base=CHECKPOINT, seed="00")
    await store.commit(start)


def make_change(match: int, number: int) -> Change:
    """Build the complete change for the match's move of that number."""
    move = Move(number, number % 4, number, "play 10H", 1 + number % 4)
    info = _match_info(match, number, revision=number + 1)
    return Change(info, "play", move=move, events=EVENTS, checkpoint=CHECKPOINT, seats_changed=False)


def _match_info(match: int, moves: int, revision: int) -> MatchInfo:
    seats = tuple(Seat(user, f"player {user}") for user in range(1, 5))
    return MatchInfo(f"m{match}", "game", 1, "{}", Status.RUNNING, 1, Place(1, 2, 3), seats, revision, moves)


TIMED_WAYS: dict[str, TimedWay] = {
    "state and move, 100 writers, group commit": _time_grouped,
    "state and move, 100 writers, a transaction each": _time_each,
    "state and move, 100 writers, a statement at a time": _time_statements_each,
    "state and move, 1 writer, group commit": _time_alone,
    "state and move, 1 writer, a statement at a time": _time_statements_alone,
    "whole move, 100 writers, group commit": _time_moves_grouped,
    "whole move, 100 writers, a transaction each": _time_moves_each,
}
GAINS = {
    "group commit over a transaction each": (
        "state and move, 100 writers, group commit",
        "state and move, 100 writers, a transaction each",
    ),
    "group commit over a statement at a time": (
        "state and move, 100 writers, group commit",
        "state and move, 100 writers, a statement at a time",
    ),
    "group commit over a statement at a time, 1 writer": (
        "state and move, 1 writer, group commit",
        "state and move, 1 writer, a statement at a time",
    ),
    "group commit over a transaction each, whole moves": (
        "whole move, 100 writers, group commit",
        "whole move, 100 writers, a transaction each",
    ),
}
MIN_GAINS = {"group commit over a transaction each": 15.0, "group commit over a transaction each, whole moves": 10.0}


if __name__ == "__main__":
    for figure in measure_storage():
        print(figure)
