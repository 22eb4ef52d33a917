"""Opens the database: a path is an SQLite file, an address is a PostgreSQL database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from engines.store.forgetting import FullStorage
from engines.store.process_group import ProcessGroup
from engines.store.server_ownership import ServerOwnership, SoleOwnership
from engines.store.surface_storage import SurfaceStorage
from storage import sqlite
from storage.shared.errors import StorageError
from storage.shared.group_commit import TransactionCallback
from storage.shared.location import is_address

NO_EXTRA = (
    "PostgreSQL needs asyncpg, which is not installed. Run: .venv/bin/python -m pip install --require-hashes -r "
    "requirements/postgres.txt"
)


@dataclass(frozen=True, slots=True)
class StoreHandle:
    """An open store: matches, surfaces, the number of live matches, and an integrity check.

    `ownership` says which servers this process looks after. `process_group` lets several processes share the database;
    None for a file.
    """

    matches: FullStorage
    surfaces: SurfaceStorage
    count_live: Callable[[], Awaitable[Mapping[tuple[str, str], int]]]
    check_integrity: Callable[[], Awaitable[None]]
    ownership: ServerOwnership
    process_group: ProcessGroup | None = None


@dataclass(frozen=True, slots=True)
class OwnerHandle:
    """A store that is open for the owner's commands."""

    matches: FullStorage
    surfaces: SurfaceStorage


@asynccontextmanager
async def open_owner_storage(location: str | Path, now: int) -> AsyncIterator[OwnerHandle]:
    """Open the database for the owner's commands, even while bots run on it. `now` is the Unix second.

    Raises StorageError with a sentence for the operator.
    """
    if isinstance(location, str) and is_address(location):
        postgres = _load_postgres()
        async with postgres.Database.open(location, clock=lambda: now) as database:
            yield OwnerHandle(postgres.MatchStore(database), postgres.SurfaceStore(database))
        return
    async with sqlite.open_owner_file(location, now) as file:
        yield OwnerHandle(sqlite.MatchStore(file), sqlite.SurfaceStore(file))


@asynccontextmanager
async def open_store(
    location: str | Path, *, clock: Callable[[], float], on_transaction: TransactionCallback | None = None
) -> AsyncIterator[StoreHandle]:
    """Open the database; a file is locked for this process.

    `clock` gives Unix seconds; `on_transaction` is called for every transaction. Raises StorageError with a sentence
    for the operator.
    """
    if isinstance(location, str) and is_address(location):
        postgres = _load_postgres()
        async with (
            postgres.Database.open(location, clock=clock, on_transaction=on_transaction) as database,
            postgres.Leases.hold(database) as leases,
        ):
            matches = postgres.MatchStore(database)
            surfaces, together = postgres.SurfaceStore(database), postgres.PostgresGroup(database)
            yield StoreHandle(matches, surfaces, matches.count_live, database.check_integrity, leases, together)
        return
    async with sqlite.Database.open(location, clock=clock, on_transaction=on_transaction) as file:
        match_store = sqlite.MatchStore(file)
        yield StoreHandle(
            match_store, sqlite.SurfaceStore(file), match_store.count_live, file.check_integrity, SoleOwnership()
        )


def _load_postgres() -> ModuleType:
    """Import the part for PostgreSQL, whose library is optional. Raises StorageError."""
    try:
        from storage import postgres
    except ModuleNotFoundError as error:
        raise StorageError(NO_EXTRA) from error
    return postgres
