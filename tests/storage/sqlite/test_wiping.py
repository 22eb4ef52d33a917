"""Forgetting, counting and finding read no whole table, so that nobody waits long however much data there is."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engines.store.match_store import LIVE, Status
from storage import Database, MatchStore
from storage.shared.stores import forgetting, new_matches
from storage.shared.stores.matches import find_sql
from storage.sqlite.statements import DIALECT, mark
from tests.storage.samples import lobby_info, query_rows

LARGE = {"matches", "seats", "states", "bases", "moves", "events", "history", "surfaces", "mentions", "due", "notes"}
STEPS = {
    "who is to be forgotten": (forgetting._REQUEST_FORGETTING,),
    "a match": (
        *forgetting._SCRUB_ACTIONS,
        forgetting._SCRUB_REASONS,
        forgetting._SCRUBBED,
        forgetting._SCRUB_HANDS,
        forgetting._SCRUB_SEATS,
        forgetting._RECORD_FORGETTING,
        forgetting._SCRUB,
    ),
    "a match erased": forgetting._ERASE,
    "old matches": (f"SELECT match FROM matches WHERE {DIALECT.closed} LIMIT $2",),
    "servers": (forgetting._GUILDS,),
    "what is kept": (forgetting._TRACES,),
}


@pytest.mark.parametrize("step", STEPS)
async def test_no_step_reads_a_whole_table(step: str, database: Database) -> None:
    def scanned(raw: sqlite3.Connection) -> set[str]:
        plans = [
            row[3]
            for sql in STEPS[step]
            for row in raw.execute(f"EXPLAIN QUERY PLAN {mark(sql)}", (1,) * len({*re.findall(r"[$]\d", sql)}))
        ]
        assert plans
        return {found[1] for plan in plans if (found := re.match(r"SCAN (\w+)", plan))}

    assert not await database.read(scanned, what="") & LARGE


async def test_the_log_is_emptied_unless_somebody_reads(database: Database, matches: MatchStore, path: Path) -> None:
    log = Path(f"{path}-wal")
    await matches.insert(lobby_info(), by=5)
    assert file_bytes(log)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM matches").fetchall()
        await matches.insert(lobby_info("m2"), by=5)
        assert not await matches.wipe_deleted()
    assert await matches.wipe_deleted()
    assert not file_bytes(log)
    assert len(await matches.find()) == 2


def file_bytes(path: Path) -> int:
    return path.stat().st_size


async def test_counting_and_finding_what_goes_on_needs_no_look_at_matches_that_are_over(database: Database) -> None:
    for index, sql, values in (
        ("lobbies_by_guild", new_matches.COUNT_LOBBIES, (5, 1)),
        ("tables_by_guild", new_matches.COUNT_TABLES, (5, 1, False)),
        ("tables_by_host", new_matches.COUNT_HOSTED, (5, False)),
    ):
        hinted = mark(sql.format(index=getattr(DIALECT, index)))
        plan = await database.read(query_rows(f"EXPLAIN QUERY PLAN {hinted}", *values), what="plan")
        assert index in plan[0][3]

    sql, found = find_sql(DIALECT, LIVE, 1, None, None)
    plan = await database.read(query_rows(f"EXPLAIN QUERY PLAN {mark(sql)}", *found), what="plan")
    assert "matches_by_status" in str(plan)


async def test_a_persons_matches_and_those_that_follow_another_are_found_by_their_index(database: Database) -> None:
    for statuses in (LIVE, frozenset({Status.OVER}), frozenset(Status)):
        sql, found = find_sql(DIALECT, statuses, None, 5, None)
        plan = await database.read(query_rows(f"EXPLAIN QUERY PLAN {mark(sql)}", *found), what="plan")
        assert "seats_by_user" in str(plan)
        assert "matches_by_status" not in str(plan)
    sql, found = find_sql(DIALECT, LIVE, None, None, "m0")
    for statement, values in ((sql, found), (new_matches.IS_TAKEN, ["m1", "m0"])):
        plan = await database.read(query_rows(f"EXPLAIN QUERY PLAN {mark(statement)}", *values), what="plan")
        assert "matches_played_again" in str(plan)
        assert "matches_by_status" not in str(plan)
