"""Forgetting reads no whole table, so that nobody waits long however much data there is."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from storage import Database, MatchStore
from storage.sqlite import forgetting
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
    await matches.insert(lobby_info(), by=5)
    assert _log_size(path)
    with sqlite3.connect(path, isolation_level=None) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM matches").fetchall()
        await matches.insert(lobby_info("m2"), by=5)
        assert not await matches.wipe_deleted()
        reader.execute("ROLLBACK")
    reader.close()
    assert await matches.wipe_deleted()
    assert not _log_size(path)
    assert await database.read(query_rows("SELECT COUNT(*) FROM matches"), what="") == [(2,)]


def _log_size(path: Path) -> int:
    """Return the number of bytes in the log beside the file."""
    return Path(f"{path}-wal").stat().st_size
