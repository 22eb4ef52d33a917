"""Times whole moves on PostgreSQL: the gain of group commit, waiting times, and the size of its tables."""

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
from bench.storage.group_commit import insert_match, make_change
from engines.store.match_store import DueRule
from storage.postgres import Database, MatchStore
from storage.postgres.writing.commits import MatchCommit
from storage.postgres.writing.writer import Writer
from tests.postgres_server import NO_POSTGRES_TEXT, PostgresServer, find_programs

WRITER_COUNT = 100
ROUND_COUNT = 5
MOVES_PER_MATCH = 15  # moves of a match per round
UPDATE_COUNT = 100_000
SERVER_SETTINGS = {"fsync": "on", "full_page_writes": "on", "max_wal_size": "4GB", "shared_buffers": "128MB"}
# The tables that change with every move; the others grow only by new rows.
HOT_TABLES_SIZE = """
SELECT SUM(pg_total_relation_size(oid)) FROM pg_class WHERE relname IN ('matches', 'states', 'due', 'behind', 'seats')
"""

MakeMove = Callable[[int, int], Awaitable[object]]
"""Makes the move of that number in that match."""


def measure_postgres() -> list[Figure]:
    """Measure moves per second, waiting times, and size."""
    if find_programs() is None:
        print(NO_POSTGRES_TEXT)
        return []
    with run_server() as server:
        return asyncio.run(_measure_server(server))


@contextmanager
def run_server() -> Iterator[PostgresServer]:
    """Run a separate server that really syncs to its disk."""
    server = PostgresServer.create(Path(tempfile.mkdtemp(prefix="motley-bench-")))
    server.start(**SERVER_SETTINGS)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(server.folder)


async def _measure_server(server: PostgresServer) -> list[Figure]:
    times: dict[str, list[float]] = {"grouped": [], "each": [], "alone": [], "bare": []}
    waits: list[float] = []
    loads: list[float] = []
    for number in range(ROUND_COUNT):  # the ways take turns, so that all meet the same noise
        async with _open_store(server, f"grouped{number}", WRITER_COUNT) as (database, store):
            times["grouped"].append(
                await _time_moves(partial(_commit_move, store), WRITER_COUNT, MOVES_PER_MATCH, waits)
            )
            loads += [await _time_awaitable(store.load(f"m{match}")) for match in range(WRITER_COUNT)]
        async with _open_store(server, f"each{number}", WRITER_COUNT) as (database, store):
            writer, room = Writer(database._acquire, database._add_doubt), asyncio.Semaphore(7)
            times["each"].append(
                await _time_moves(partial(_commit_separately, writer, room), WRITER_COUNT, MOVES_PER_MATCH // 3, [])
            )
        async with _open_store(server, f"alone{number}", 1) as (database, store):
            times["alone"].append(await _time_moves(partial(_commit_move, store), 1, 100, []))
        async with _plain_updates(server) as make:
            times["bare"].append(await _time_moves(make, 1, 100, []))
    gain = median(each / grouped for each, grouped in zip(times["each"], times["grouped"], strict=True))
    alone = median(bare / alone for bare, alone in zip(times["bare"], times["alone"], strict=True))
    return [
        Figure("whole move, 100 writers, group commit", 1 / median(times["grouped"]), "commits/s"),
        Figure("whole move, 100 writers, a transaction each", 1 / median(times["each"]), "commits/s"),
        Figure("whole move, 1 writer", 1 / median(times["alone"]), "commits/s"),
        Figure("group commit over a transaction each, whole moves", gain, "×", minimum=3.0),
        Figure("a row changed by a plain statement, 1 writer", 1 / median(times["bare"]), "commits/s"),
        Figure("whole move over a plain statement, 1 writer", alone, "×"),
        Figure("p99 of a move, 100 writers", quantiles(waits, n=100)[-1] * 1000, "ms"),
        Figure("p99 of reading a match", quantiles(loads, n=100)[-1] * 1000, "ms"),
        Figure(
            f"changing tables, as a multiple of their content, after {UPDATE_COUNT} moves",
            await _table_growth(server),
            "×",
            maximum=5.0,
        ),
    ]


async def _table_growth(server: PostgresServer) -> float:
    """Return the size of the changing tables as a multiple of their content, after the moves of a hundred matches."""
    async with _open_store(server, "grown", WRITER_COUNT) as (_, store):
        await _time_moves(partial(_commit_changed_state, store), WRITER_COUNT, UPDATE_COUNT // WRITER_COUNT, [])
        raw = await asyncpg.connect(server.address("grown"))
        try:
            grown = await raw.fetchval(HOT_TABLES_SIZE)
            await raw.execute("VACUUM FULL", timeout=600)
            return float(grown / await raw.fetchval(HOT_TABLES_SIZE))
        finally:
            await raw.close()


@asynccontextmanager
async def _plain_updates(server: PostgresServer) -> AsyncIterator[MakeMove]:
    """Yield a plain update of one row in a transaction of its own."""
    raw = await asyncpg.connect(server.address())
    try:
        await raw.execute("DROP TABLE IF EXISTS plain; CREATE TABLE plain (x bigint); INSERT INTO plain VALUES (0)")
        yield lambda _, number: raw.execute("UPDATE plain SET x = $1", number)
    finally:
        await raw.close()


async def _commit_move(store: MatchStore, match: int, number: int) -> None:
    await store.commit(make_change(match, number))


async def _commit_changed_state(store: MatchStore, match: int, number: int) -> None:
    """Commit a move with a new state, and a due reminder."""
    awaited = (DueRule("call", number, number % 4, number),)
    await store.commit(replace(make_change(match, number), checkpoint=token_hex(1000), due_rules=awaited))


async def _commit_separately(writer: Writer, room: asyncio.Semaphore, match: int, number: int) -> None:
    async with room:
        await writer.commit_batch([MatchCommit(make_change(match, number), 0)])


async def _time_moves(make_move: MakeMove, matches: int, per_match: int, waits: list[float]) -> float:
    """Return the seconds per move, while every match makes one move after the other."""

    async def play(match: int) -> None:
        for number in range(1, per_match + 1):
            waits.append(await _time_awaitable(make_move(match, number)))  # noqa: PERF401  # as they come

    start = time.perf_counter()
    await asyncio.gather(*(play(match) for match in range(matches)))
    return (time.perf_counter() - start) / matches / per_match


async def _time_awaitable(done: Awaitable[object]) -> float:
    start = time.perf_counter()
    await done
    return time.perf_counter() - start


@asynccontextmanager
async def _open_store(server: PostgresServer, name: str, matches: int) -> AsyncIterator[tuple[Database, MatchStore]]:
    server.run_sql(f"CREATE DATABASE {name}")
    async with Database.open(server.address(name), clock=time.time) as database:
        store = MatchStore(database)
        await asyncio.gather(*(insert_match(store, match) for match in range(matches)))
        yield database, store


if __name__ == "__main__":
    for figure in measure_postgres():
        print(figure)
