"""The rows of features: implements engines.store.rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, TypeVar

from engines.store.match_store import RowTaken, StoreFailure, WriteConflict
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.rows import AddRow, DropRow, Rows, RowTable, RowWrite
from storage.shared import row_sql
from storage.shared.match_rows import MOVED_ON
from storage.shared.stores.statements import MARK_STALE, Dialect, SharedStore, Statements

R = TypeVar("R")


class RowStore(SharedStore):
    """The part of a store that keeps the rows of features."""

    async def write_rows(self, writes: Sequence[RowWrite], match: str = "", revision: int | None = None) -> None:
        """Make these writes, all or none. Raises WriteConflict and RowTaken."""

        async def write(raw: Statements) -> None:
            await raw.execute("SAVEPOINT rows")  # what fails here must not stay, but others' writes must
            try:
                for each in writes:
                    if not await write_row(each, match, revision, self._dialect, raw) and isinstance(each, AddRow):
                        raise RowTaken("There is such a row already.")
            except StoreFailure:
                await raw.execute("ROLLBACK TO SAVEPOINT rows")
                raise
            await raw.execute("RELEASE SAVEPOINT rows")

        await self._write(write, ", ".join(each.table.name for each in writes), match=match)

    async def load_rows(self, table: RowTable[R], *key: Any) -> list[R]:
        """Return the rows whose key begins with these values, in order of their key."""
        return await self._read(partial(_load, table, row_sql.load_sql(table, len(key)), key), table.name)

    async def find_rows(self, table: RowTable[R], column: str, values: Collection[Any]) -> list[R]:
        """Return the rows with one of these values in an indexed column, in order of their key."""
        sql = row_sql.find_any_sql(table, column, len(values))
        return await self._read(partial(_load, table, sql, tuple(values)), table.name) if values else []

    async def load_due_rows(self, table: RowTable[R], column: str, until: int, limit: int) -> list[R]:
        """Return up to `limit` rows whose time in an indexed column is not after `until`, the earliest first."""
        return await self._read(partial(_load, table, row_sql.due_sql(table, column), (until, limit)), table.name)

    async def matches_with_rows(self, table: RowTable[Any], partition: Partition = ALL_SERVERS) -> list[str]:
        """Return the ids of matches of these servers with rows in this table."""
        return [match for (match,) in await self._fetch(table.name, row_sql.matches_sql(table, partition))]

    async def load_match_rows(self, match: str, tables: Sequence[RowTable[Any]]) -> Rows:
        """Return the rows of a match in these tables, all read at once."""

        async def load(raw: Statements) -> Rows:
            found = [(each, await _load(each, row_sql.load_sql(each, 1), (match,), raw)) for each in tables]
            return Rows(tuple((table, tuple(rows)) for table, rows in found))

        return await self._read(load, f"match {match}, rows of features")

    async def erase_old_rows(self, now: int) -> int:
        """Erase rows that are older than their tables keep them. Return how many there were."""

        async def erase(raw: Statements) -> int:
            old = [await raw.fetch(f"{row_sql.erase_old_sql(table)} RETURNING 1", now) for table in row_sql.OLD_TABLES]
            return sum(map(len, old))

        return await self._write(erase, "old rows") if row_sql.OLD_TABLES else 0


async def write_row(write: RowWrite, match: str, revision: int | None, dialect: Dialect, raw: Statements) -> bool:
    """Make a write. Return whether it changed something. Raises WriteConflict if its match has another revision."""
    if revision is not None and isinstance(write, DropRow):
        await _require_revision(match, revision, raw)
    sql, values = row_sql.write_sql(write, match, revision)
    changed = bool(await raw.fetch(f"{sql} RETURNING 1", *values))
    if not changed and revision is not None and not isinstance(write, DropRow):
        await _require_revision(match, revision, raw)
    if write.table.seen == "hand":
        await raw.execute(dialect.mark_hand, match)
    elif write.table.seen == "table" and changed and match:
        await raw.execute(MARK_STALE, match)  # so that a start shows it, even if the bot dies before the next redraw
    return changed


async def forget_in_match(match: str, user: int, nobody: int, dialect: Dialect, raw: Statements) -> None:
    """Forget a person's rows about a match. What told of them is drawn again."""
    for table in row_sql.MATCH_AND_PERSON_TABLES:
        for column in table.people:
            sql = f"{row_sql.forget_person_sql(table, column, in_match=True)} RETURNING 1"
            if await raw.fetch(sql, user, nobody, match) and table.seen != "nobody":
                await raw.execute(dialect.mark_hand if table.seen == "hand" else MARK_STALE, match)


async def forget_everywhere(user: int, raw: Statements) -> None:
    """Forget a person's rows that belong to no match, and those in matches that are deleted."""
    for table in row_sql.PERSON_TABLES:
        if "match" in table.columns and table.forgotten_people == "replace":
            continue  # with the person's part in each match
        for column in table.people:
            least = await raw.fetchval(f'SELECT MIN("{column}") FROM {table.name}')
            sql = row_sql.forget_person_sql(table, column, in_match=False)
            await raw.execute(sql, user, row_sql.unused_user(least))


async def forget_servers(before: int, raw: Statements) -> None:
    """Forget the rows of servers that the bot left before that second."""
    for table in row_sql.SERVER_TABLES:
        await raw.execute(row_sql.forget_servers_sql(table), before)


async def put_rows_right(now: int, latest: int, raw: Statements) -> None:
    """Put the times of rows right that a wrong clock wrote."""
    for table in row_sql.TIMED_TABLES:
        await raw.execute(row_sql.put_right_sql(table), now, latest)


async def personal_rows(match: str, user: int, raw: Statements) -> Rows:
    """Return a person's rows about a match."""
    tables = row_sql.MATCH_AND_USER_TABLES
    found = [(each, await _load(each, row_sql.find_sql(each, "match", "user"), (match, user), raw)) for each in tables]
    return Rows(tuple((table, tuple(rows)) for table, rows in found))


async def _require_revision(match: str, revision: int, raw: Statements) -> None:
    if await raw.fetchval("SELECT revision FROM matches WHERE match = $1", match) != revision:
        raise WriteConflict(MOVED_ON)


async def _load(table: RowTable[R], sql: str, values: tuple[Any, ...], raw: Statements) -> list[R]:
    return [*map(row_sql.row_reader(table), await raw.fetch(sql, *values))]
