"""The rows of features in PostgreSQL: implements engines.store.rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, TypeVar

from engines.store.match_store import RowTaken, StoreFailure
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.rows import AddRow, Rows, RowTable, RowWrite
from storage.postgres.connection.connection import RawConnection
from storage.postgres.database import Database
from storage.postgres.writing import row_writes
from storage.postgres.writing.writer import MatchWork
from storage.shared import row_sql

R = TypeVar("R")


class RowStore:
    """The part of a store that keeps the rows of features."""

    _database: Database

    async def write_rows(self, writes: Sequence[RowWrite], match: str = "", revision: int | None = None) -> None:
        """Make these writes, all or none. Raises WriteConflict and RowTaken."""

        async def write(raw: RawConnection) -> None:
            await raw.execute("SAVEPOINT rows")  # what fails here must not stay, but others' writes must
            try:
                for each in writes:
                    if not await row_writes.write_row(each, match, revision, raw) and isinstance(each, AddRow):
                        raise RowTaken("There is such a row already.")
            except StoreFailure:
                await raw.execute("ROLLBACK TO SAVEPOINT rows")
                raise
            await raw.execute("RELEASE SAVEPOINT rows")

        await self._database.write(
            MatchWork(write, [match]) if match else write, what=", ".join(each.table.name for each in writes)
        )

    async def load_rows(self, table: RowTable[R], *key: Any) -> list[R]:
        """Return the rows whose key begins with these values, in order of their key."""
        return await self._database.read(partial(_load, table, row_sql.load_sql(table, len(key)), key), what=table.name)

    async def find_rows(self, table: RowTable[R], column: str, values: Collection[Any]) -> list[R]:
        """Return the rows with one of these values in an indexed column, in order of their key."""
        sql = row_sql.find_any_sql(table, column, len(values))
        return await self._database.read(partial(_load, table, sql, tuple(values)), what=table.name) if values else []

    async def load_due_rows(self, table: RowTable[R], column: str, until: int, limit: int) -> list[R]:
        """Return up to `limit` rows whose time in an indexed column is not after `until`, the earliest first."""
        sql = row_sql.due_sql(table, column)
        return await self._database.read(partial(_load, table, sql, (until, limit)), what=table.name)

    async def matches_with_rows(self, table: RowTable[Any], partition: Partition = ALL_SERVERS) -> list[str]:
        """Return the ids of matches of these servers with rows in this table."""

        async def find(raw: RawConnection) -> list[str]:
            return [match for (match,) in await raw.fetch(row_sql.matches_sql(table, partition))]

        return await self._database.read(find, what=table.name)

    async def load_match_rows(self, match: str, tables: Sequence[RowTable[Any]]) -> Rows:
        """Return the rows of a match in these tables, all read at once."""

        async def load(raw: RawConnection) -> Rows:
            return Rows(
                tuple([(each, tuple(await _load(each, row_sql.load_sql(each, 1), (match,), raw))) for each in tables])
            )

        return await self._database.read(load, what=f"match {match}, rows of features")

    async def erase_old_rows(self, now: int) -> int:
        """Erase rows that are older than their tables keep them. Return how many there were."""

        async def erase(raw: RawConnection) -> int:
            done = [await raw.execute(row_sql.erase_old_sql(table), now) for table in row_sql.OLD_TABLES]
            return sum(int(each.rpartition(" ")[2]) for each in done)

        return int(await self._database.write(erase, what="old rows")) if row_sql.OLD_TABLES else 0


async def personal_rows(match: str, user: int, raw: RawConnection) -> Rows:
    """Return a person's rows about a match."""
    tables = row_sql.MATCH_AND_USER_TABLES
    return Rows(
        tuple(
            [
                (each, tuple(await _load(each, row_sql.find_sql(each, "match", "user"), (match, user), raw)))
                for each in tables
            ]
        )
    )


async def _load(table: RowTable[R], sql: str, values: tuple[Any, ...], raw: RawConnection) -> list[R]:
    return [*map(row_sql.row_reader(table), await raw.fetch(sql, *values))]
