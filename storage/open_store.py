"""The one door to what is kept: a path is a file of SQLite's, an address is a PostgreSQL database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from engines.store.forgetting import Records
from engines.store.process_group import Together
from engines.store.server_ownership import Alone, Holding
from engines.store.surface_storage import Shown
from storage import sqlite
from storage.shared.errors import StorageError
from storage.shared.group_commit import Told

SCHEMES = ("postgresql://", "postgres://")
NO_EXTRA = (
    "PostgreSQL needs asyncpg, which is not installed: .venv/bin/python -m pip install --require-hashes "
    "-r requirements/postgres.txt"
)


@dataclass(frozen=True, slots=True)
class Opened:
    """What is open: matches and what was shown, how many matches go on, and a look through all that is kept.

    `holding`: which servers this process looks after; `together`: what it takes for several processes to run on it,
    where they can.
    """

    matches: Records
    surfaces: Shown
    live: Callable[[], Awaitable[Mapping[tuple[str, str], int]]]
    look_through: Callable[[], Awaitable[None]]
    holding: Holding
    together: Together | None = None


def is_address(where: str) -> bool:
    """Whether that is PostgreSQL's address, and no path."""
    return where.startswith(SCHEMES)


@asynccontextmanager
async def opened(where: str | Path, *, clock: Callable[[], float], told: Told | None = None) -> AsyncIterator[Opened]:
    """Open it, a file for this process alone; `clock` gives Unix seconds, `told` is told of writes.

    Raises StorageError, with a sentence, where that cannot be.
    """
    if isinstance(where, str) and is_address(where):
        try:
            from storage import postgres
        except ModuleNotFoundError as error:
            raise StorageError(NO_EXTRA) from error
        async with (
            postgres.Database.open(where, clock=clock, told=told) as database,
            postgres.Leases.watched(database) as leases,
        ):
            matches = postgres.MatchStore(database)
            surfaces, together = postgres.SurfaceStore(database), postgres.Together(database)
            yield Opened(matches, surfaces, matches.live, database.look_through, leases, together)
        return
    async with sqlite.Database.open(where, clock=clock, told=told) as file:
        kept = sqlite.MatchStore(file)
        yield Opened(kept, sqlite.SurfaceStore(file), kept.live, file.look_through, Alone())
