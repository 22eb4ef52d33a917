"""Forgetting, counting and finding read no whole table, so that nobody waits long however much data there is."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engines.store.match_store import LIVE
from storage import Database, MatchStore
from storage.sqlite import forgetting
from storage.sqlite import matches as kept
from tests.storage.samples import lobby_info, query_rows

LARGE = {"matches", "seats", "states", "bases", "moves", "events", "history", "surfaces", "mentions", "due", "notes"}
STEPS = {
    "who is to be forgotten": (forgetting._REQUEST_FORGETTING,),
    "a match": (*forgetting._SCRUB_ACTIONS, *forgetting._SCRUB_SEATS, forgetting._SCRUB),
    "a match erased": forgetting._ERASE,
    "old matches": (forgetting._CLOSED_MATCHES.replace("?", ":n"),),
    "servers": (forgetting._GUILDS,),
    "what is kept": (forgetting._TRACES,),
}
VALUES = {"user": 5, "match": "m1", "nobody": -1, "name": "", "at": 0, "votes": "[]", "n": 1, "skip": 0, "most": 9}


@pytest.mark.parametrize("step", STEPS)
async def test_no_step_reads_a_whole_table(step: str, database: Database) -> None:
    def scanned(raw: sqlite3.Connection) -> set[str]:
        plans = [row[3] for sql in STEPS[step] for row in raw.execute(f"EXPLAIN QUERY PLAN {sql}", VALUES)]
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
    stays = (False, 5, "match")
    for index, sql, values in (
        ("lobbies_by_guild", kept._COUNT_LOBBIES, (5, 1)),
        ("tables_by_guild", kept._COUNT_TABLES, (5, 1, *stays)),
        ("tables_by_host", kept._COUNT_HOSTED, (5, *stays)),
    ):
        plan = await database.read(query_rows(f"EXPLAIN QUERY PLAN {sql}", *values), what="plan")
        assert index in plan[0][3]

    def plan_finding(raw: sqlite3.Connection) -> str:
        asked: list[str] = []
        raw.set_trace_callback(asked.append)
        kept._find_matches(LIVE, 1, None, None, raw)
        raw.set_trace_callback(None)
        return str(raw.execute(f"EXPLAIN QUERY PLAN {asked[0]}").fetchall())

    assert "matches_by_status" in await database.read(plan_finding, what="plan")
