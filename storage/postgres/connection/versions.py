"""Which versions of Motley go on beside each other on one database, by the newest layout that each knows.

A layout changes in two steps. One release adds what the next one needs (expand), and older ones go on beside it. A
later one takes away what none that may still run asks for (contract), and goes on beside those alone. So each process
keeps a lock that says which layout it knows; before a newer one takes something away, it sees that nobody is there who
needs it.
"""

from __future__ import annotations

from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.errors import NEWER, OLDER_RUNS
from storage.shared.errors import StorageError
from storage.shared.numbered_migrations import Migration

LAYOUT_LOCK = 0x6D6F7476  # with the number of a layout: the lock of all that know no newer one
_NEWER = "SELECT MAX(number) FROM schema_migrations WHERE number > $1 AND beside > $1"


async def enter_version(raw: RawConnection, known_layout: int) -> None:
    """Be there, for as long as that connection is, as one that knows no newer layout. Raises StorageError."""
    await raw.execute("SELECT pg_advisory_lock_shared($1, $2)", LAYOUT_LOCK, known_layout)
    await check_layout(raw, known_layout)


async def check_layout(raw: RawConnection, known_layout: int) -> None:
    """Whether one that knows no newer layout may go on beside what the database holds now. Raises StorageError."""
    if newer := await raw.fetchval(_NEWER, known_layout):
        raise StorageError(NEWER.format(done=newer, known=known_layout))


async def require_none_older(raw: RawConnection, migration: Migration) -> None:
    """Before a migration, in its transaction: nobody runs who could not go on beside it. Raises StorageError."""
    for layout in range(1, migration.oldest_compatible):
        if not await raw.fetchval("SELECT pg_try_advisory_xact_lock($1, $2)", LAYOUT_LOCK, layout):
            raise StorageError(OLDER_RUNS)
