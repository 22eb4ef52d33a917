"""Two versions side by side: the older one continues after an addition, but not if it would miss something."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from engines.store.match_store import StoreFailure
from storage import StorageError
from storage.postgres import Database, MatchStore
from storage.postgres.connection import errors, versions
from storage.postgres.connection.schema import load_own_migrations
from storage.shared.numbered_migrations import Migration
from tests.storage.postgres.test_opening import migration_numbers, open_and_close, open_refused, query
from tests.storage.samples import lobby_info, start_change

KNOWN = len(load_own_migrations())
ADDS = Migration(KNOWN + 1, "more", f"-- beside: {KNOWN}\nCREATE TABLE more (x bigint)")
TAKES = Migration(KNOWN + 1, "less", "DROP TABLE departed")  # a newer version removes it
OLDER = errors.OLDER_RUNS
NEWER = errors.NEWER.format(done=KNOWN + 1, known=KNOWN)


@asynccontextmanager
async def running_process(address: str, known: int = KNOWN) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    raw = await asyncpg.connect(address)
    try:
        await versions.enter_version(raw, known)
        yield raw
    finally:
        await raw.close()


async def test_an_older_version_goes_on_beside_what_was_added(address: str) -> None:
    async with running_process(address) as raw, running_process(address):  # also two that begin at once
        await open_and_close(address)
        await open_and_close(address, *load_own_migrations(), ADDS)
        await versions.check_layout(raw, KNOWN)
    await open_and_close(address)  # also one that starts now
    async with running_process(address):
        pass
    assert await migration_numbers(address) == [*range(1, KNOWN + 2)]


async def test_nothing_is_taken_away_while_an_older_version_runs(address: str) -> None:
    async with running_process(address):
        assert await open_refused(address, *load_own_migrations(), TAKES) == OLDER
        assert await migration_numbers(address) == [*range(1, KNOWN + 1)]
        await query(address, "SELECT * FROM departed")
    async with running_process(address, KNOWN + 1):
        await open_and_close(address, *load_own_migrations(), TAKES)
    assert await open_refused(address) == NEWER


async def test_an_older_version_that_nobody_saw_hears_of_it(address: str) -> None:
    """Its connection was lost while a newer version checked for running processes."""
    async with running_process(address) as raw:
        await raw.execute("SELECT pg_advisory_unlock_all()")
        await open_and_close(address, *load_own_migrations(), TAKES)
        with pytest.raises(StorageError, match=re.escape(NEWER)):
            await versions.check_layout(raw, KNOWN)
    with pytest.raises(StorageError, match=re.escape(NEWER)):
        async with running_process(address):
            pass


async def test_a_column_that_was_replaced_is_removed_a_release_later(address: str) -> None:
    """A version that supports the addition may run; one that does not may not."""
    later = Migration(KNOWN + 2, "least", f"-- beside: {KNOWN + 1}\nDROP TABLE departed")
    await open_and_close(address, *load_own_migrations(), ADDS)
    async with running_process(address, KNOWN + 1):
        async with running_process(address):
            assert await open_refused(address, *load_own_migrations(), ADDS, later) == OLDER
        await open_and_close(address, *load_own_migrations(), ADDS, later)
        assert await open_refused(address) == errors.NEWER.format(done=KNOWN + 2, known=KNOWN)
        await open_and_close(address, *load_own_migrations(), ADDS)


@pytest.mark.parametrize("number", [0, KNOWN + 2])
async def test_a_migration_names_a_layout_that_there_was(address: str, number: int) -> None:
    wrong = Migration(KNOWN + 1, "wrong", f"-- beside: {number}\nSELECT 1")
    with pytest.raises(StorageError, match="names a layout that does not come before it"):
        await open_and_close(address, *load_own_migrations(), wrong)


async def test_a_process_that_is_too_old_changes_and_shows_nothing_any_more(address: str) -> None:
    async with Database.open(address, clock=lambda: 7) as database:
        matches = MatchStore(database)
        await matches.insert(lobby_info(), by=5)
        database.is_outdated = True
        for refused in (matches.commit(start_change(lobby_info())), matches.load_info("m1")):
            with pytest.raises(StoreFailure, match="I am being updated"):
                await refused
    assert [row[0] for row in await query(address, "SELECT revision FROM matches")] == [0]
