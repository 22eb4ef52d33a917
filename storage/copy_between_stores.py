"""All that is kept, moved from a file to a PostgreSQL database or back: copied, read anew, and compared."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path
from typing import TypeAlias

from storage.open_store import NO_EXTRA
from storage.shared.errors import StorageError
from storage.shared.tables import TABLES, Empty, Table, Tally, Whole
from storage.sqlite import bulk_copy as files

Look: TypeAlias = Callable[[Whole, Whole], Awaitable[None]]
Say: TypeAlias = Callable[[str], None]

TWO_FILES = "Both are files. To put one in the place of another there are `backup` and `restore`."
TWO_ADDRESSES = "Both are PostgreSQL's. To move from one to another there are pg_dump and pg_restore."
OTHERWISE = (
    "In {target}, {table} is not what it is in {source} ({there} and {here}), so nothing of it is kept. Nothing was "
    "changed in {source}. This should not be: please report it."
)


async def move(source: Path | str, target: Path | str, *, at: int, look: Look, say: Say) -> None:
    """Copy all that is kept in the source to the target, in which nothing may be yet; no bot may run on either.

    A text is PostgreSQL's address. It counts once every row was read anew in the target and found as it was, and `look`
    has seen both. The source is not changed. Raises StorageError; then nothing is in the target.
    """
    if isinstance(source, Path) and isinstance(target, Path):
        raise StorageError(TWO_FILES)
    if isinstance(source, str) and isinstance(target, str):
        raise StorageError(TWO_ADDRESSES)
    async with _read(source) as before, _new(target, at) as after:
        tallies = {table: await _copied(table, before, after) for table in TABLES}
        await after.written()
        for table, tally in tallies.items():
            await _compare(table, tally, before, after)
            if tally.rows:
                say(f"{table.name}: {tally.rows:,}")
        await look(before, after)


async def _copied(table: Table, source: Whole, target: Empty) -> Tally:
    tally = Tally()
    async for rows in source.rows(table):
        tally.add(rows)
        await target.write(table, rows)
    return tally


async def _compare(table: Table, copied: Tally, source: Whole, target: Whole) -> None:
    tally = Tally()
    async for rows in target.rows(table):
        tally.add(rows)
    if tally != copied:
        (there, _), (here, _) = tally.found(), copied.found()
        raise StorageError(
            OTHERWISE.format(source=source.name, target=target.name, table=table.name, there=there, here=here)
        )


def _read(where: Path | str) -> AbstractAsyncContextManager[Whole]:
    if isinstance(where, Path):
        return files.read_whole(where)
    with _extra():
        from storage.postgres.bulk_copy import read_whole
    return read_whole(where)


def _new(where: Path | str, at: int) -> AbstractAsyncContextManager[Empty]:
    if isinstance(where, Path):
        return files.new_whole(where, at)
    with _extra():
        from storage.postgres.bulk_copy import new_whole
    return new_whole(where, at)


@contextmanager
def _extra() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        raise StorageError(NO_EXTRA) from error
