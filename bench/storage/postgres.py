"""Whole moves on PostgreSQL: what group commit gains over a transaction each, how long one waits, its size."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_hex
from statistics import median, quantiles

import asyncpg

from bench.kit.figures import Figure
from bench.storage.group_commit import begin, move
from engines.store.match_store import Awaited
from storage.postgres import Database, MatchStore
from storage.postgres.writing.commits import Commit
from storage.postgres.writing.writer import Writer
from tests.cluster import NONE, Server, programs

WRITERS = 100
ROUNDS = 5
EACH = 15  # moves of a match in a round
UPDATES = 100_000
SAFE = {"fsync": "on", "full_page_writes": "on", "max_wal_size": "4GB", "shared_buffers": "128MB"}
# Those that are changed with every move: the others grow by what is new.
HOT = """
SELECT SUM(pg_total_relation_size(oid)) FROM pg_class WHERE relname IN ('matches', 'states', 'due', 'behind', 'seats')
"""

Make = Callable[[int, int], Awaitable[object]]
"""Makes the move of that number in that match."""


def measure() -> list[Figure]:
    """Moves a second, waits, and room."""
    if programs() is None:
        print(NONE)
        return []
    with running() as server:
        return asyncio.run(_measured(server))


@contextmanager
def running() -> Iterator[Server]:
    """A server of its own, with its disk in earnest."""
    server = Server.made(Path(tempfile.mkdtemp(prefix="motley-bench-")))
    server.start(**SAFE)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(server.folder)


async def _measured(server: Server) -> list[Figure]:
    took: dict[str, list[float]] = {"grouped": [], "each": [], "alone": [], "bare": []}
    waits: list[float] = []
    loads: list[float] = []
    for number in range(ROUNDS):  # the ways take turns, so that all meet the same noise
        async with _store(server, f"grouped{number}", WRITERS) as (database, store):
            took["grouped"].append(await _played(partial(_commit, store), WRITERS, EACH, waits))
            loads += [await _timed(store.load(f"m{match}")) for match in range(WRITERS)]
        async with _store(server, f"each{number}", WRITERS) as (database, store):
            writer, room = Writer(database._acquired, database._doubt), asyncio.Semaphore(7)
            took["each"].append(await _played(partial(_apart, writer, room), WRITERS, EACH // 3, []))
        async with _store(server, f"alone{number}", 1) as (database, store):
            took["alone"].append(await _played(partial(_commit, store), 1, 100, []))
        async with _plain(server) as make:
            took["bare"].append(await _played(make, 1, 100, []))
    gain = median(each / grouped for each, grouped in zip(took["each"], took["grouped"], strict=True))
    alone = median(bare / alone for bare, alone in zip(took["bare"], took["alone"], strict=True))
    return [
        Figure("whole move, 100 writers, group commit", 1 / median(took["grouped"]), "commits/s"),
        Figure("whole move, 100 writers, a transaction each", 1 / median(took["each"]), "commits/s"),
        Figure("whole move, 1 writer", 1 / median(took["alone"]), "commits/s"),
        Figure("group commit over a transaction each, whole moves", gain, "×", least=3.0),
        Figure("a row changed by a plain statement, 1 writer", 1 / median(took["bare"]), "commits/s"),
        Figure("whole move over a plain statement, 1 writer", alone, "×"),
        Figure("p99 of a move, 100 writers", quantiles(waits, n=100)[-1] * 1000, "ms"),
        Figure("p99 of reading a match", quantiles(loads, n=100)[-1] * 1000, "ms"),
        Figure(f"what changes, over its content, after {UPDATES} moves", await _grown(server), "×", most=5.0),
    ]


async def _grown(server: Server) -> float:
    """How many times their content the tables take that are changed, after so many moves of a hundred matches."""
    async with _store(server, "grown", WRITERS) as (_, store):
        await _played(partial(_afresh, store), WRITERS, UPDATES // WRITERS, [])
        raw = await asyncpg.connect(server.address("grown"))
        try:
            grown = await raw.fetchval(HOT)
            await raw.execute("VACUUM FULL", timeout=600)
            return float(grown / await raw.fetchval(HOT))
        finally:
            await raw.close()


@asynccontextmanager
async def _plain(server: Server) -> AsyncIterator[Make]:
    """What PostgreSQL takes for a transaction of one row, by itself."""
    raw = await asyncpg.connect(server.address())
    try:
        await raw.execute("DROP TABLE IF EXISTS plain; CREATE TABLE plain (x bigint); INSERT INTO plain VALUES (0)")
        yield lambda _, number: raw.execute("UPDATE plain SET x = $1", number)
    finally:
        await raw.close()


async def _commit(store: MatchStore, match: int, number: int) -> None:
    await store.commit(move(match, number))


async def _afresh(store: MatchStore, match: int, number: int) -> None:
    """A move that leaves a state unlike the one before, and somebody to be called."""
    awaited = (Awaited("call", number, number % 4, number),)
    await store.commit(replace(move(match, number), checkpoint=token_hex(1000), awaited=awaited))


async def _apart(writer: Writer, room: asyncio.Semaphore, match: int, number: int) -> None:
    async with room:
        await writer.commit([Commit(move(match, number), 0)])


async def _played(make: Make, matches: int, each: int, waits: list[float]) -> float:
    """Seconds a move, while every match makes one after the other."""

    async def play(match: int) -> None:
        for number in range(1, each + 1):
            waits.append(await _timed(make(match, number)))  # noqa: PERF401  # as they come

    start = time.perf_counter()
    await asyncio.gather(*(play(match) for match in range(matches)))
    return (time.perf_counter() - start) / matches / each


async def _timed(done: Awaitable[object]) -> float:
    start = time.perf_counter()
    await done
    return time.perf_counter() - start


@asynccontextmanager
async def _store(server: Server, name: str, matches: int) -> AsyncIterator[tuple[Database, MatchStore]]:
    server.sql(f"CREATE DATABASE {name}")
    async with Database.open(server.address(name), clock=time.time) as database:
        store = MatchStore(database)
        await asyncio.gather(*(begin(store, match) for match in range(matches)))
        yield database, store


if __name__ == "__main__":
    for figure in measure():
        print(figure)
