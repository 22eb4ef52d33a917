"""Decides which versions of Motley may run on one database at the same time.

A layout changes in two steps. One release adds what the next one needs (expand), and older versions keep running beside
it. A later release removes what no running version uses any more (contract). Each process holds a lock that names the
newest layout it supports. Before a newer version removes something, it checks that no process needs it.
"""

from __future__ import annotations

from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.errors import NEWER, OLDER_RUNS
from storage.shared.errors import StorageError
from storage.shared.numbered_migrations import Migration

LAYOUT_LOCK = 0x6D6F7476  # combined with a layout number: the lock of all processes that support no newer layout
_NEWER = "SELECT MAX(number) FROM schema_migrations WHERE number > $1 AND beside > $1"


async def enter_version(raw: RawConnection, known_layout: int) -> None:
    """Hold the lock of this layout while the connection lasts. Raises StorageError."""
    await raw.execute("SELECT pg_advisory_lock_shared($1, $2)", LAYOUT_LOCK, known_layout)
    await check_layout(raw, known_layout)


async def check_layout(raw: RawConnection, known_layout: int) -> None:
    """Check that a process that supports only this layout may run on the database. Raises StorageError."""
    if newer := await raw.fetchval(_NEWER, known_layout):
        raise StorageError(NEWER.format(done=newer, known=known_layout))


async def require_none_older(raw: RawConnection, migration: Migration) -> None:
    """Check, in the migration's transaction, that no incompatible process is running. Raises StorageError."""
    for layout in range(1, migration.oldest_compatible):
        if not await raw.fetchval("SELECT pg_try_advisory_xact_lock($1, $2)", LAYOUT_LOCK, layout):
            raise StorageError(OLDER_RUNS)
