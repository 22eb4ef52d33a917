"""Migrates a database to the layout of this version, one process at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from storage.postgres.connection import versions
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.errors import (
    ASYNC_COMMITS,
    FOREIGN_TABLES,
    FSYNC_OFF,
    LAYOUT_CHANGED,
    READ_REPLICA,
    TOO_OLD,
    WRONG_ENCODING,
    log,
)
from storage.shared.errors import StorageError
from storage.shared.numbered_migrations import Migration, load_migrations

FOLDER = Path(__file__).parent.parent / "migrations"
OLDEST_SERVER = 140_000  # PostgreSQL's number for version 14
LAYOUT_LOCK = 0x6D6F746C6579  # the advisory lock for changing the layout
SERVER_SETTINGS = "server_version_num", "synchronous_commit", "fsync", "server_encoding", "server_version"
_RECORD = """
CREATE TABLE schema_migrations (
    number bigint PRIMARY KEY, name text NOT NULL, at bigint NOT NULL, layout text NOT NULL,
    beside bigint NOT NULL -- the oldest layout of which a version may go on beside this one
)
"""
_DONE = "INSERT INTO schema_migrations (number, name, at, layout, beside) VALUES ($1, $2, $3, $4, $5)"
# The existing tables, columns, indexes and triggers, as words.
_LAYOUT = """
SELECT format('%s.%s', table_name, column_name) FROM information_schema.columns WHERE table_schema = current_schema()
UNION ALL SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema()
UNION ALL SELECT tgname::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
"""


def load_own_migrations() -> list[Migration]:
    """Return the migrations of this version, in order."""
    return load_migrations(FOLDER)


async def check_server(raw: RawConnection) -> None:
    """Check that this PostgreSQL server is suitable. Raises StorageError."""
    rows = await raw.fetch("SELECT name, setting FROM pg_settings WHERE name = ANY($1)", list(SERVER_SETTINGS))
    found = {row[0]: row[1] for row in rows}
    if int(found["server_version_num"]) < OLDEST_SERVER:
        raise StorageError(TOO_OLD.format(version=found["server_version"], needed=OLDEST_SERVER // 10_000))
    if found["server_encoding"] != "UTF8":
        raise StorageError(WRONG_ENCODING.format(encoding=found["server_encoding"]))
    if await raw.fetchval("SELECT pg_is_in_recovery()"):
        raise StorageError(READ_REPLICA)
    if found["synchronous_commit"] == "off":
        raise StorageError(ASYNC_COMMITS)
    if found["fsync"] == "off":
        log.warning(FSYNC_OFF)


async def migrate_database(raw: RawConnection, migrations: Sequence[Migration], at: int) -> None:
    """Apply the new migrations. A database that is refused is not written to.

    If several processes start at once, one migrates and the others wait for it.
    """
    await raw.fetchval("SELECT pg_advisory_lock($1)", LAYOUT_LOCK)
    try:
        done = await layout_number(raw)
        if done:
            await versions.check_layout(raw, len(migrations))
            await _check_layout(raw, done)
        for migration in migrations[done:]:
            await _apply_migration(raw, migration, at)
    finally:
        if not raw.is_closed():
            await raw.fetchval("SELECT pg_advisory_unlock($1)", LAYOUT_LOCK)


async def layout_number(raw: RawConnection) -> int:
    """Return the number of the last applied migration: 0 for an empty database."""
    sql = "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema()"
    tables = {row[0] for row in await raw.fetch(sql)}
    if not tables:
        return 0
    if "schema_migrations" not in tables:
        raise StorageError(FOREIGN_TABLES)
    done = [row[0] for row in await raw.fetch("SELECT number FROM schema_migrations ORDER BY number")]
    if done[:-1] != list(range(1, len(done))):
        raise StorageError(LAYOUT_CHANGED.format(missing="a migration"))
    return int(done[-1]) if done else 0


async def _apply_migration(raw: RawConnection, migration: Migration, at: int) -> None:
    """Apply one migration and record it, with the resulting layout, in one transaction."""
    async with raw.transaction():
        await versions.require_none_older(raw, migration)
        if migration.number == 1:
            await raw.execute(_RECORD)
        await raw.execute(migration.sql)
        layout = sorted(await _schema_objects(raw))
        await raw.execute(_DONE, migration.number, migration.name, at, "\n".join(layout), migration.oldest_compatible)


async def _check_layout(raw: RawConnection, done: int) -> None:
    """Check that everything the last migration created still exists."""
    objects = await raw.fetchval("SELECT layout FROM schema_migrations WHERE number = $1", done)
    missing = sorted(set(objects.splitlines()) - await _schema_objects(raw))
    if missing:
        raise StorageError(LAYOUT_CHANGED.format(missing=missing[0]))


async def _schema_objects(raw: RawConnection) -> set[str]:
    return {row[0] for row in await raw.fetch(_LAYOUT)}
