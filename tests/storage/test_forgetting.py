"""What it takes to forget: no step reads a whole table, so that nobody waits for one however much there is."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from engines.forgetting import Forgets
from engines.shown import Preferences
from storage import Database, MatchStore, SurfaceStore, forgetting
from tests.storage.samples import lobby, played, rows, started

LARGE = {"matches", "seats", "states", "bases", "moves", "events", "history", "surfaces", "mentions", "due", "notes"}
STEPS = {
    "who is to be forgotten": (forgetting._FORGET,),
    "a match": (*forgetting._SCRUB_DEEDS, *forgetting._SCRUB_SEATS, forgetting._SCRUB),
    "a match erased": forgetting._ERASE,
    "old matches": (forgetting._CLOSED.replace("?", ":n"),),
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


def test_it_is_what_the_engines_need(matches: MatchStore) -> None:
    store: Forgets = matches
    assert store


async def test_what_is_kept_of_somebody_is_theirs_alone(matches: MatchStore) -> None:
    for number in range(3):
        info = lobby(f"m{number}")
        await matches.insert(info, by=5)
        change = started(info)
        await matches.commit(change)
        await matches.commit(played(change.info))  # by 6
    await matches.insert(lobby("m4", host=6, seats=()), by=6)
    (first, *_) = found = await matches.traces(5, 0, 9)
    assert [trace.match for trace in found] == ["m0", "m1", "m2"]
    assert [trace.match for trace in await matches.traces(5, 1, 1)] == ["m1"]
    assert [(number, seat.name) for number, seat in first.seats] == [(0, "Eve")]
    assert first.host
    assert not first.moves
    assert [deed.action for deed in first.deeds] == ["new", "start"]
    others = await matches.traces(6, 0, 9)
    assert [len(trace.moves) for trace in others] == [1, 1, 1, 0]
    assert not others[0].host
    assert await matches.traces(7, 0, 9) == []


async def test_settings_and_inbox_are_forgotten(surfaces: SurfaceStore) -> None:
    for user in (5, 6):
        await surfaces.put_inbox(user, 9, closed=False)
        await surfaces.prefer(user, lambda old: Preferences(words=True))
    await surfaces.forget_person(5)
    assert (await surfaces.inbox(5), await surfaces.preferences(5)) == (None, Preferences())
    assert (await surfaces.preferences(6)).words
    assert await surfaces.inbox(6) is not None


async def test_the_log_is_emptied_unless_somebody_reads(database: Database, matches: MatchStore, path: Path) -> None:
    await matches.insert(lobby(), by=5)
    assert _logged(path)
    with sqlite3.connect(path, isolation_level=None) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM matches").fetchall()
        await matches.insert(lobby("m2"), by=5)
        assert not await matches.wipe()
        reader.execute("ROLLBACK")
    reader.close()
    assert await matches.wipe()
    assert not _logged(path)
    assert await database.read(rows("SELECT COUNT(*) FROM matches"), what="") == [(2,)]


def _logged(path: Path) -> int:
    """How many bytes are in the log beside the file."""
    return Path(f"{path}-wal").stat().st_size
