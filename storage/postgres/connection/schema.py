"""Brings a database to the shape that this version of the bot works with, by one process at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from storage.postgres.connection import versions
from storage.postgres.connection.connection import Raw
from storage.postgres.connection.errors import CHANGED, COPY, ENCODING, FOREIGN, OLD, SLEEPY, UNSAFE, log
from storage.shared.errors import StorageError
from storage.shared.numbered_migrations import Migration, shipped

FOLDER = Path(__file__).parent.parent / "migrations"
OLDEST = 140_000  # as PostgreSQL numbers its versions: 14
LOCK = 0x6D6F746C6579  # the number of the lock under which the layout is changed
NEEDED = "server_version_num", "synchronous_commit", "fsync", "server_encoding", "server_version"
_RECORD = """
CREATE TABLE schema_migrations (
    number bigint PRIMARY KEY, name text NOT NULL, at bigint NOT NULL, layout text NOT NULL,
    beside bigint NOT NULL -- the oldest layout of which a version may go on beside this one
)
"""
_DONE = "INSERT INTO schema_migrations (number, name, at, layout, beside) VALUES ($1, $2, $3, $4, $5)"
# What is there of tables, columns, indexes and triggers, as words.
_LAYOUT = """
SELECT format('%s.%s', table_name, column_name) FROM information_schema.columns WHERE table_schema = current_schema()
UNION ALL SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema()
UNION ALL SELECT tgname::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
"""


def ours() -> list[Migration]:
    """The migrations of this version, in order."""
    return shipped(FOLDER)


async def check_server(raw: Raw) -> None:
    """Whether this PostgreSQL can keep what it is given. Raises StorageError."""
    rows = await raw.fetch("SELECT name, setting FROM pg_settings WHERE name = ANY($1)", list(NEEDED))
    found = {row[0]: row[1] for row in rows}
    if int(found["server_version_num"]) < OLDEST:
        raise StorageError(OLD.format(version=found["server_version"], needed=OLDEST // 10_000))
    if found["server_encoding"] != "UTF8":
        raise StorageError(ENCODING.format(encoding=found["server_encoding"]))
    if await raw.fetchval("SELECT pg_is_in_recovery()"):
        raise StorageError(COPY)
    if found["synchronous_commit"] == "off":
        raise StorageError(SLEEPY)
    if found["fsync"] == "off":
        log.warning(UNSAFE)


async def make_ready(raw: Raw, migrations: Sequence[Migration], at: int) -> None:
    """Apply what migrations are new to the database. Nothing is written to one that is refused.

    However many processes start at once, one does it, and the others wait until it is done.
    """
    await raw.fetchval("SELECT pg_advisory_lock($1)", LOCK)
    try:
        done = await layout_of(raw)
        if done:
            await versions.check(raw, len(migrations))
            await _check_layout(raw, done)
        for migration in migrations[done:]:
            await _apply(raw, migration, at)
    finally:
        if not raw.is_closed():
            await raw.fetchval("SELECT pg_advisory_unlock($1)", LOCK)


async def layout_of(raw: Raw) -> int:
    """The number of the last migration applied: 0 for an empty database."""
    sql = "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema()"
    tables = {row[0] for row in await raw.fetch(sql)}
    if not tables:
        return 0
    if "schema_migrations" not in tables:
        raise StorageError(FOREIGN)
    done = [row[0] for row in await raw.fetch("SELECT number FROM schema_migrations ORDER BY number")]
    if done[:-1] != list(range(1, len(done))):
        raise StorageError(CHANGED.format(missing="a migration"))
    return int(done[-1]) if done else 0


async def _apply(raw: Raw, migration: Migration, at: int) -> None:
    """One migration and its record, in one transaction; with it is kept all that is there from then on."""
    async with raw.transaction():
        await versions.see_that_none_is_older(raw, migration)
        if migration.number == 1:
            await raw.execute(_RECORD)
        await raw.execute(migration.sql)
        layout = sorted(await _layout(raw))
        await raw.execute(_DONE, migration.number, migration.name, at, "\n".join(layout), migration.beside)


async def _check_layout(raw: Raw, done: int) -> None:
    """Whether all that the last migration left is still there."""
    made = await raw.fetchval("SELECT layout FROM schema_migrations WHERE number = $1", done)
    missing = sorted(set(made.splitlines()) - await _layout(raw))
    if missing:
        raise StorageError(CHANGED.format(missing=missing[0]))


async def _layout(raw: Raw) -> set[str]:
    return {row[0] for row in await raw.fetch(_LAYOUT)}
