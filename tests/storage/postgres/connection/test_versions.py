"""Two versions side by side: the older goes on beside what was only added, and not where it would miss something."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from engines.store.match_store import StoreFailure
from storage import StorageError
from storage.postgres import Database, MatchStore
from storage.postgres.connection import errors as said
from storage.postgres.connection import versions
from storage.postgres.connection.schema import ours
from storage.shared.numbered_migrations import Migration
from tests.storage.postgres.test_opening import opened, refusal, told
from tests.storage.samples import lobby, started

KNOWN = len(ours())
ADDS = Migration(KNOWN + 1, "more", f"-- beside: {KNOWN}\nCREATE TABLE more (x bigint)")
TAKES = Migration(KNOWN + 1, "less", "DROP TABLE departed")  # a newer version without it
OLDER = said.OLDER_RUNS
NEWER = said.NEWER.format(done=KNOWN + 1, known=KNOWN)


@asynccontextmanager
async def there(address: str, known: int = KNOWN) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """A process that runs, and knows no newer layout."""
    raw = await asyncpg.connect(address)
    try:
        await versions.enter(raw, known)
        yield raw
    finally:
        await raw.close()


async def layout(address: str) -> list[int]:
    return [row[0] for row in await told(address, "SELECT number FROM schema_migrations ORDER BY 1")]


async def test_an_older_version_goes_on_beside_what_was_added(address: str) -> None:
    async with there(address) as raw:
        await opened(address, *ours(), ADDS)
        await versions.check(raw, KNOWN)
    await opened(address)  # also one that begins then
    async with there(address):
        pass
    assert await layout(address) == [*range(1, KNOWN + 2)]


async def test_nothing_is_taken_away_while_an_older_version_runs(address: str) -> None:
    async with there(address):
        assert await refusal(address, *ours(), TAKES) == OLDER
        assert await layout(address) == [*range(1, KNOWN + 1)]
        await told(address, "SELECT * FROM departed")
    async with there(address, KNOWN + 1):
        await opened(address, *ours(), TAKES)
    assert await refusal(address) == NEWER


async def test_an_older_version_that_nobody_saw_hears_of_it(address: str) -> None:
    """Its connection was cut while a newer one looked who is there."""
    async with there(address) as raw:
        await raw.execute("SELECT pg_advisory_unlock_all()")
        await opened(address, *ours(), TAKES)
        with pytest.raises(StorageError, match=re.escape(NEWER)):
            await versions.check(raw, KNOWN)
    with pytest.raises(StorageError, match=re.escape(NEWER)):
        async with there(address):
            pass


async def test_what_was_added_first_is_taken_away_a_release_later(address: str) -> None:
    """Who knows what was added may run, who does not may not."""
    later = Migration(KNOWN + 2, "least", f"-- beside: {KNOWN + 1}\nDROP TABLE departed")
    await opened(address, *ours(), ADDS)
    async with there(address, KNOWN + 1):
        async with there(address):
            assert await refusal(address, *ours(), ADDS, later) == OLDER
        await opened(address, *ours(), ADDS, later)
        assert await refusal(address) == said.NEWER.format(done=KNOWN + 2, known=KNOWN)
        await opened(address, *ours(), ADDS)


@pytest.mark.parametrize("number", [0, KNOWN + 2])
async def test_a_migration_names_a_layout_that_there_was(address: str, number: int) -> None:
    wrong = Migration(KNOWN + 1, "wrong", f"-- beside: {number}\nSELECT 1")
    with pytest.raises(StorageError, match="names a layout that is none before it"):
        await opened(address, *ours(), wrong)


async def test_those_who_begin_at_once_do_not_keep_each_other_out(address: str) -> None:
    async with there(address), there(address):
        await opened(address)


async def test_who_has_become_too_old_changes_and_shows_nothing_any_more(address: str) -> None:
    async with Database.open(address, clock=lambda: 7) as database:
        matches = MatchStore(database)
        await matches.insert(lobby(), by=5)
        database.outdated = True
        for refused in (matches.commit(started(lobby())), matches.info("m1")):
            with pytest.raises(StoreFailure, match="I am being updated"):
                await refused
    assert [row[0] for row in await told(address, "SELECT revision FROM matches")] == [0]
