"""Which versions of Motley go on beside each other on one database, by the newest layout that each knows.

A layout changes in two steps. One release adds what the next one needs (expand), and older ones go on beside it. A
later one takes away what none that may still run asks for (contract), and goes on beside those alone. So each process
keeps a lock that says which layout it knows; before a newer one takes something away, it sees that nobody is there who
needs it.
"""

from __future__ import annotations

from storage.postgres.connection.connection import Raw
from storage.postgres.connection.errors import NEWER, OLDER_RUNS
from storage.shared.errors import StorageError
from storage.shared.numbered_migrations import Migration

KNOWS = 0x6D6F7476  # with the number of a layout: the lock of all that know no newer one
_NEWER = "SELECT MAX(number) FROM schema_migrations WHERE number > $1 AND beside > $1"


async def enter(raw: Raw, known: int) -> None:
    """Be there, for as long as that connection is, as one that knows no newer layout. Raises StorageError."""
    await raw.execute("SELECT pg_advisory_lock_shared($1, $2)", KNOWS, known)
    await check(raw, known)


async def check(raw: Raw, known: int) -> None:
    """Whether one that knows no newer layout may go on beside what the database holds now. Raises StorageError."""
    if newer := await raw.fetchval(_NEWER, known):
        raise StorageError(NEWER.format(done=newer, known=known))


async def see_that_none_is_older(raw: Raw, migration: Migration) -> None:
    """Before a migration, in its transaction: nobody runs who could not go on beside it. Raises StorageError."""
    for layout in range(1, migration.beside):
        if not await raw.fetchval("SELECT pg_try_advisory_xact_lock($1, $2)", KNOWS, layout):
            raise StorageError(OLDER_RUNS)
