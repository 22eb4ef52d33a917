"""What version 1.0.0 forgets and erases beside this one, by its own statements: nothing is left in newer tables."""

from __future__ import annotations

from typing import Any

import pytest

from engines.features.registry import TABLES
from engines.store.rows import PutRow
from engines.store.surface_storage import ContactChange
from storage.postgres import Database, MatchStore, SurfaceStore
from tests.features.samples import SAMPLES
from tests.storage.postgres.test_opening import query
from tests.storage.samples import start_running

PERSON, MATCH = 5, "m1"
OWN_TABLES = ("preferences", "inboxes", "breaks", "player_notes", "planned_moves", "guesses", "reports")
TABLES_OF_MATCHES = (
    *("behind", "due", "mentions", "surfaces", "events", "history", "moves", "bases", "states", "deals"),
    *("seats", "forgetting", "player_notes", "planned_moves", "guesses", "reports", "matches"),
)
FORGET_PERSON = (
    *(f'DELETE FROM {table} WHERE "user" = {PERSON}' for table in OWN_TABLES),
    f"DELETE FROM forgetting WHERE match = '' AND \"user\" = {PERSON}",
)
ERASE_MATCH = tuple(f"DELETE FROM {table} WHERE match = '{MATCH}'" for table in TABLES_OF_MATCHES)
# The core keeps the seat and the actions of a person until their matches are done.
NAMING = """
SELECT table_name::text FROM information_schema.columns
WHERE table_schema = 'public' AND column_name = '{}' AND table_name NOT IN ('seats', 'moves', 'forgetting')
"""


@pytest.fixture
async def _fill_tables(address: str) -> None:
    """Two matches, and rows in every table of a feature and of first contacts."""
    async with Database.open(address, clock=lambda: 7) as database:
        matches, surfaces = MatchStore(database), SurfaceStore(database)
        for match in (MATCH, "m2"):
            await start_running(matches, match)
        await matches.write_rows([PutRow(table, row) for table in TABLES for row in SAMPLES[table.name]])
        await surfaces.change_first_contact(PERSON, "contacts", lambda note, contact: ContactChange("", 7, None))
        await matches.request_forgetting(PERSON)


async def tables_with(address: str, column: str, value: Any) -> list[str]:
    found = [name for (name,) in await query(address, NAMING.format(column))]
    return [name for name in found if await query(address, f"SELECT 1 FROM {name} WHERE \"{column}\" = '{value}'")]


@pytest.mark.usefixtures("_fill_tables")
async def test_nothing_about_a_person_that_it_forgets_is_left(address: str) -> None:
    assert {"first_contacts", "lessons_offered", "planned_moves"} <= {*await tables_with(address, "user", PERSON)}
    for statement in FORGET_PERSON:
        await query(address, statement)
    assert await tables_with(address, "user", PERSON) == []


@pytest.mark.usefixtures("_fill_tables")
async def test_nothing_about_a_match_that_it_erases_is_left(address: str) -> None:
    assert {"closed_questions", "late_reactions"} <= {*await tables_with(address, "match", MATCH)}
    for statement in ERASE_MATCH:
        await query(address, statement)
    assert await tables_with(address, "match", MATCH) == []
