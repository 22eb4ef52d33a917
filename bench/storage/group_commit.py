"""What group commit gains over a transaction for each write, and what it costs where nobody else writes."""

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
from engines.store.match_store import Change, Info, Move, Place, Seat, Status, Store
from storage import Database, MatchStore
from storage.shared.numbered_migrations import Migration

MATCHES = 100
ROUNDS = 7
CHECKPOINT = '{"state":"' + "x" * 2000 + '"}'
EVENTS = '[{"to":null,"kind":"played","card":17}]'

TABLES = Migration(
    1,
    "bench",
    "CREATE TABLE states (match INTEGER PRIMARY KEY, number INTEGER NOT NULL, checkpoint TEXT NOT NULL) STRICT;\n"
    "CREATE TABLE moves (match INTEGER, number INTEGER, notation TEXT, PRIMARY KEY (match, number)) STRICT;\n"
    f"INSERT INTO states SELECT value, 0, '' FROM json_each('{list(range(MATCHES))}');\n",
)
UPDATE = "UPDATE states SET number = ?, checkpoint = ? WHERE match = ? AND number = ?"
INSERT = "INSERT INTO moves (match, number, notation) VALUES (?, ?, ?)"

Commit = Callable[[int, int], Awaitable[None]]
"""Makes the move of that number in that match durable."""
Way = Callable[[Path], Awaitable[float]]
"""Times one way to commit, in seconds a move, in a new file of that name."""


def measure() -> list[Figure]:
    """Commits a second, and what is gained."""
    return asyncio.run(_measured())


async def _measured() -> list[Figure]:
    took: dict[str, list[float]] = {name: [] for name in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):  # the ways take turns, so that all meet the same noise
            for place, (name, way) in enumerate(WAYS.items()):
                took[name].append(await way(Path(folder) / f"{number}_{place}.db"))
    speeds = [Figure(name, 1 / median(times), "commits/s") for name, times in took.items()]
    gains = [
        Figure(name, _ratio(took[slow], took[fast]), "×", least=LEAST.get(name)) for name, (fast, slow) in GAINS.items()
    ]
    return speeds + gains


def _ratio(over: list[float], under: list[float]) -> float:
    return median(a / b for a, b in zip(over, under, strict=True))


async def _timed(commit: Commit, matches: int, each: int) -> float:
    async def play(match: int) -> None:
        for number in range(1, each + 1):
            await commit(match, number)

    start = time.perf_counter()
    await asyncio.gather(*(play(match) for match in range(matches)))
    return (time.perf_counter() - start) / matches / each


def _in_turn(commit: Commit) -> Commit:
    lock = asyncio.Lock()

    async def one(match: int, number: int) -> None:
        async with lock:
            await commit(match, number)

    return one


# A state of 2 KB and a row for the move: through our writer, and with what aiosqlite offers by itself.


async def _grouped(path: Path) -> float:
    async with _writer(path) as commit:
        return await _timed(commit, MATCHES, 20)


async def _each(path: Path) -> float:
    async with _writer(path) as commit:
        return await _timed(_in_turn(commit), MATCHES, 5)


async def _alone(path: Path) -> float:
    async with _writer(path) as commit:
        return await _timed(commit, 1, 300)


async def _statements_each(path: Path) -> float:
    async with _statements(path) as commit:
        return await _timed(_in_turn(commit), MATCHES, 5)


async def _statements_alone(path: Path) -> float:
    async with _statements(path) as commit:
        return await _timed(commit, 1, 300)


@asynccontextmanager
async def _writer(path: Path) -> AsyncIterator[Commit]:
    async with Database.open(path, clock=time.time, migrations=[TABLES]) as database:

        async def commit(match: int, number: int) -> None:
            await database.write(partial(_write, match, number), what="a move")

        yield commit


def _write(match: int, number: int, raw: sqlite3.Connection) -> None:
    if raw.execute(UPDATE, (number, CHECKPOINT, match, number - 1)).rowcount != 1:
        raise LookupError(match)
    raw.execute(INSERT, (match, number, "play 10H"))


@asynccontextmanager
async def _statements(path: Path) -> AsyncIterator[Commit]:
    async with Database.open(path, clock=time.time, migrations=[TABLES]):
        pass
    async with aiosqlite.connect(path, isolation_level=None) as connection:
        await connection.execute("PRAGMA synchronous = FULL")
        yield partial(_by_statement, connection)


async def _by_statement(connection: aiosqlite.Connection, match: int, number: int) -> None:
    await connection.execute("BEGIN IMMEDIATE")
    if (await connection.execute(UPDATE, (number, CHECKPOINT, match, number - 1))).rowcount != 1:
        raise LookupError(match)
    await connection.execute(INSERT, (match, number, "play 10H"))
    await connection.execute("COMMIT")


# A whole move of a match, with its events and every check.


async def _moves_grouped(path: Path) -> float:
    async with _store(path) as commit:
        return await _timed(commit, MATCHES, 20)


async def _moves_each(path: Path) -> float:
    async with _store(path) as commit:
        return await _timed(_in_turn(commit), MATCHES, 5)


@asynccontextmanager
async def _store(path: Path) -> AsyncIterator[Commit]:
    async with Database.open(path, clock=time.time) as database:
        store = MatchStore(database)
        await asyncio.gather(*(begin(store, match) for match in range(MATCHES)))
        changes = {(match, number): move(match, number) for match in range(MATCHES) for number in range(1, 21)}

        async def commit(match: int, number: int) -> None:
            await store.commit(changes[match, number])

        yield commit


async def begin(store: Store, match: int) -> None:
    """Start a match of four."""
    await store.insert(_info(match, 0, revision=0), by=1)
    start = Change(_info(match, 0, revision=1), "start", 1, checkpoint=CHECKPOINT, base=CHECKPOINT, seed="00")
    await store.commit(start)


def move(match: int, number: int) -> Change:
    """A match's move of that number, whole."""
    move = Move(number, number % 4, number, "play 10H", 1 + number % 4)
    info = _info(match, number, revision=number + 1)
    return Change(info, "play", move=move, events=EVENTS, checkpoint=CHECKPOINT, seated=False)


def _info(match: int, moves: int, revision: int) -> Info:
    seats = tuple(Seat(user, f"player {user}") for user in range(1, 5))
    return Info(f"m{match}", "game", 1, "{}", Status.RUNNING, 1, Place(1, 2, 3), seats, revision, moves)


WAYS: dict[str, Way] = {
    "state and move, 100 writers, group commit": _grouped,
    "state and move, 100 writers, a transaction each": _each,
    "state and move, 100 writers, a statement at a time": _statements_each,
    "state and move, 1 writer, group commit": _alone,
    "state and move, 1 writer, a statement at a time": _statements_alone,
    "whole move, 100 writers, group commit": _moves_grouped,
    "whole move, 100 writers, a transaction each": _moves_each,
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
LEAST = {"group commit over a transaction each": 15.0, "group commit over a transaction each, whole moves": 10.0}


if __name__ == "__main__":
    for figure in measure():
        print(figure)
