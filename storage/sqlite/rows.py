"""The rows of features in a file: implements engines.store.rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from functools import cache, partial
from typing import Any, TypeVar

from engines.store.match_store import RowTaken, WriteConflict
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.rows import AddRow, DropRow, Rows, RowTable, RowWrite
from storage.shared import row_sql
from storage.shared.match_rows import MOVED_ON
from storage.sqlite import stale_surfaces
from storage.sqlite.writer import FileAccess

R = TypeVar("R")


class RowStore:
    """The part of a store that keeps the rows of features."""

    _database: FileAccess

    async def write_rows(self, writes: Sequence[RowWrite], match: str = "", revision: int | None = None) -> None:
        """Make these writes, all or none. Raises WriteConflict and RowTaken."""

        def write(raw: sqlite3.Connection) -> None:
            for each in writes:
                if not write_row(each, match, revision, raw) and isinstance(each, AddRow):
                    raise RowTaken("There is such a row already.")

        await self._database.write(write, what=", ".join(each.table.name for each in writes))

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

        def find(raw: sqlite3.Connection) -> list[str]:
            return [match for (match,) in raw.execute(row_sql.matches_sql(table, partition))]

        return await self._database.read(find, what=table.name)

    async def load_match_rows(self, match: str, tables: Sequence[RowTable[Any]]) -> Rows:
        """Return the rows of a match in these tables, all read at once."""

        def load(raw: sqlite3.Connection) -> Rows:
            return Rows(tuple((each, tuple(_load(each, row_sql.load_sql(each, 1), (match,), raw))) for each in tables))

        return await self._database.read(load, what=f"match {match}, rows of features")

    async def erase_old_rows(self, now: int) -> int:
        """Erase rows that are older than their tables keep them. Return how many there were."""

        def erase(raw: sqlite3.Connection) -> int:
            return sum(raw.execute(mark(row_sql.erase_old_sql(table)), (now,)).rowcount for table in row_sql.OLD_TABLES)

        return await self._database.write(erase, what="old rows") if row_sql.OLD_TABLES else 0


def write_row(write: RowWrite, match: str, revision: int | None, raw: sqlite3.Connection) -> bool:
    """Make a write. Return whether it changed something. Raises WriteConflict if its match has another revision."""
    if revision is not None and isinstance(write, DropRow):
        sql = "SELECT 1 FROM matches WHERE match = ? AND revision = ?"
        if raw.execute(sql, (match, revision)).fetchone() is None:
            raise WriteConflict(MOVED_ON)
    sql, values = row_sql.write_sql(write, match, revision)
    changed = raw.execute(mark(sql), values).rowcount > 0
    if not changed and revision is not None and not isinstance(write, DropRow):
        found = raw.execute("SELECT revision FROM matches WHERE match = ?", (match,)).fetchone()
        if found != (revision,):
            raise WriteConflict(MOVED_ON)
    if write.table.seen == "hand":
        stale_surfaces.mark_all_stale((match,), raw)
    return changed


def forget_in_match(match: str, user: int, nobody: int, raw: sqlite3.Connection) -> None:
    """Forget a person's rows about a match. What told of them is drawn again."""
    for table in row_sql.MATCH_AND_PERSON_TABLES:
        for column in table.people:
            sql = row_sql.forget_person_sql(table, column, in_match=True)
            if raw.execute(mark(sql), (user, nobody, match)).rowcount and table.seen != "nobody":
                stale_surfaces.mark_stale(raw, match)


def forget_everywhere(user: int, raw: sqlite3.Connection) -> None:
    """Forget a person's rows that belong to no match, and those in matches that are deleted."""
    for table in row_sql.PERSON_TABLES:
        if "match" in table.columns and table.forgotten_people == "replace":
            continue  # with the person's part in each match
        for column in table.people:
            (least,) = raw.execute(f'SELECT MIN("{column}") FROM {table.name}').fetchone()
            sql = row_sql.forget_person_sql(table, column, in_match=False)
            raw.execute(mark(sql), (user, row_sql.unused_user(least)))


def forget_servers(before: int, raw: sqlite3.Connection) -> None:
    """Forget the rows of servers that the bot left before that second."""
    for table in row_sql.SERVER_TABLES:
        raw.execute(mark(row_sql.forget_servers_sql(table)), (before,))


def put_rows_right(now: int, latest: int, raw: sqlite3.Connection) -> None:
    """Put the times of rows right that a wrong clock wrote."""
    for table in row_sql.TIMED_TABLES:
        raw.execute(mark(row_sql.put_right_sql(table)), (now, latest))


def personal_rows(match: str, user: int, raw: sqlite3.Connection) -> Rows:
    """Return a person's rows about a match."""
    return Rows(
        tuple(
            (table, tuple(_load(table, row_sql.find_sql(table, "match", "user"), (match, user), raw)))
            for table in row_sql.MATCH_AND_USER_TABLES
        )
    )


def _load(table: RowTable[R], sql: str, values: tuple[Any, ...], raw: sqlite3.Connection) -> list[R]:
    return [*map(row_sql.row_reader(table), raw.execute(mark(sql), values))]


@cache
def mark(sql: str) -> str:
    """Return a shared statement with SQLite's marks of values."""
    return sql.replace("$", "?")
