"""Live matches are counted and found without scanning all matches ever played in a server."""

from __future__ import annotations

import sqlite3

import pytest

from engines.store.match_store import LIVE
from storage import Database
from storage.sqlite import matches as kept
from tests.storage.samples import query_rows


@pytest.mark.parametrize("kind", ["lobbies", "tables"])
async def test_counting_what_goes_on_needs_no_look_at_matches_that_are_over(database: Database, kind: str) -> None:
    sql = {"lobbies": kept._COUNT_LOBBIES, "tables": kept._COUNT_TABLES}[kind]
    plan = await database.read(query_rows(f"EXPLAIN QUERY PLAN {sql}", 5, 1), what="plan")
    assert f"{kind}_by_guild" in plan[0][3]


async def test_nor_does_finding_it(database: Database) -> None:
    def plan(raw: sqlite3.Connection) -> str:
        asked: list[str] = []
        raw.set_trace_callback(asked.append)
        kept._find_matches(LIVE, 1, None, None, raw)
        raw.set_trace_callback(None)
        return str(raw.execute(f"EXPLAIN QUERY PLAN {asked[0]}").fetchall())

    assert "matches_by_status" in await database.read(plan, what="plan")
