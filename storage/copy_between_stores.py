"""Copies a whole database between a file and PostgreSQL, then reads the copy back and compares it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path
from typing import TypeAlias

from storage.open_store import NO_EXTRA
from storage.shared.errors import StorageError
from storage.shared.tables import TABLES, BulkSource, BulkTarget, Table, TableDigest
from storage.sqlite import bulk_copy as files

InspectCopy: TypeAlias = Callable[[BulkSource, BulkSource], Awaitable[None]]
Say: TypeAlias = Callable[[str], None]

TWO_FILES = "Both are files. To replace one with the other, use `backup` and `restore`."
TWO_ADDRESSES = "Both are PostgreSQL databases. To copy one to the other, use pg_dump and pg_restore."
TABLE_DIFFERS = (
    "In {target}, {table} differs from {source} ({there} and {here}), so the copy was discarded. Nothing was "
    "changed in {source}. This is a bug in Motley: please report it."
)


async def move(source: Path | str, target: Path | str, *, at: int, inspect: InspectCopy, say: Say) -> None:
    """Copy everything from the source to the target, which must be empty; no bot may run on either.

    A string is a PostgreSQL address. The copy counts once every row was read back from the target and found to be the
    same, and `inspect` has seen both. The source is not changed. Raises StorageError; then the target stays empty.
    """
    if isinstance(source, Path) and isinstance(target, Path):
        raise StorageError(TWO_FILES)
    if isinstance(source, str) and isinstance(target, str):
        raise StorageError(TWO_ADDRESSES)
    async with _open_source(source) as before, _open_target(target, at) as after:
        tallies = {table: await _copy_table(table, before, after) for table in TABLES}
        await after.finish_filling()
        for table, tally in tallies.items():
            await _compare_table(table, tally, before, after)
            if tally.rows:
                say(f"{table.name}: {tally.rows:,}")
        await inspect(before, after)


async def _copy_table(table: Table, source: BulkSource, target: BulkTarget) -> TableDigest:
    tally = TableDigest()
    async for rows in source.read_rows(table):
        tally.add_rows(rows)
        await target.write_rows(table, rows)
    return tally


async def _compare_table(table: Table, copied: TableDigest, source: BulkSource, target: BulkSource) -> None:
    tally = TableDigest()
    async for rows in target.read_rows(table):
        tally.add_rows(rows)
    if tally != copied:
        (source_rows, _), (target_rows, _) = tally.as_tuple(), copied.as_tuple()
        raise StorageError(
            TABLE_DIFFERS.format(
                source=source.name, target=target.name, table=table.name, there=source_rows, here=target_rows
            )
        )


def _open_source(location: Path | str) -> AbstractAsyncContextManager[BulkSource]:
    if isinstance(location, Path):
        return files.open_bulk_source(location)
    with _require_asyncpg():
        from storage.postgres.bulk_copy import open_bulk_source
    return open_bulk_source(location)


def _open_target(location: Path | str, at: int) -> AbstractAsyncContextManager[BulkTarget]:
    if isinstance(location, Path):
        return files.open_bulk_target(location, at)
    with _require_asyncpg():
        from storage.postgres.bulk_copy import open_bulk_target
    return open_bulk_target(location, at)


@contextmanager
def _require_asyncpg() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        raise StorageError(NO_EXTRA) from error
