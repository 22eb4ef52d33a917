"""Writes and deletes the rows of features, inside a transaction that holds the lock of their match."""

from __future__ import annotations

from engines.store.match_store import WriteConflict
from engines.store.rows import DropRow, RowWrite
from storage.postgres.connection.connection import RawConnection
from storage.postgres.writing.stale_surfaces import mark_stale, notify_holders
from storage.shared import row_sql
from storage.shared.match_rows import MOVED_ON


async def write_row(write: RowWrite, match: str, revision: int | None, raw: RawConnection) -> bool:
    """Make a write. Return whether it changed something. Raises WriteConflict if its match has another revision."""
    if revision is not None and isinstance(write, DropRow):
        await _require_revision(match, revision, raw)
    sql, values = row_sql.write_sql(write, match, revision)
    changed = not (await raw.execute(sql, *values)).endswith(" 0")
    if not changed and revision is not None and not isinstance(write, DropRow):
        await _require_revision(match, revision, raw)
    if write.table.seen == "hand":
        await notify_holders(raw, [match])
    return changed


async def forget_in_match(match: str, user: int, nobody: int, raw: RawConnection) -> None:
    """Forget a person's rows about a match. What told of them is drawn again."""
    for table in row_sql.MATCH_AND_PERSON_TABLES:
        for column in table.people:
            done = await raw.execute(row_sql.forget_person_sql(table, column, in_match=True), user, nobody, match)
            if not done.endswith(" 0") and table.seen != "nobody":  # another process may have cached what a hand shows
                await (notify_holders if table.seen == "hand" else mark_stale)(raw, [match])


async def forget_everywhere(user: int, raw: RawConnection) -> None:
    """Forget a person's rows that belong to no match, and those in matches that are deleted."""
    for table in row_sql.PERSON_TABLES:
        if "match" in table.columns and table.forgotten_people == "replace":
            continue  # with the person's part in each match
        for column in table.people:
            least = await raw.fetchval(f'SELECT MIN("{column}") FROM {table.name}')
            sql = row_sql.forget_person_sql(table, column, in_match=False)
            await raw.execute(sql, user, row_sql.unused_user(least))


async def forget_servers(before: int, raw: RawConnection) -> None:
    """Forget the rows of servers that the bot left before that second."""
    for table in row_sql.SERVER_TABLES:
        await raw.execute(row_sql.forget_servers_sql(table), before)


async def put_rows_right(now: int, latest: int, raw: RawConnection) -> None:
    """Put the times of rows right that a wrong clock wrote."""
    for table in row_sql.TIMED_TABLES:
        await raw.execute(row_sql.put_right_sql(table), now, latest)


async def _require_revision(match: str, revision: int, raw: RawConnection) -> None:
    if await raw.fetchval("SELECT revision FROM matches WHERE match = $1", match) != revision:
        raise WriteConflict(MOVED_ON)
