"""Databases from before due times and clocks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from engines.features.lessons import LESSONS_OFFERED, OfferedLesson
from engines.store.surface_storage import Preferences
from engines.store.table_options import TableOptions
from storage import Database, MatchStore, SurfaceStore
from storage.sqlite.file.schema import load_migrations
from tests.storage.sqlite.conftest import NOW


async def test_lobbies_of_before_there_were_due_times_still_close(path: Path) -> None:
    steps = load_migrations()
    old = [step for step in steps if step.number < 7]
    async with Database.open(path, clock=lambda: NOW, migrations=old):
        pass
    with closing(sqlite3.connect(path)) as raw, raw:
        columns = "match, game, rules, options, status, host, guild, channel, thread, revision, moves, votes, reason"
        for match, status in (("m1", "lobby"), ("m2", "running")):
            raw.execute(
                f"INSERT INTO matches ({columns}, created, changed) "
                f"VALUES ('{match}', 'wizard', 1, '{{}}', '{status}', 5, 1, 2, 0, 0, 0, '[]', '', 1000, 1000)"
            )
        raw.execute("INSERT INTO pings VALUES ('m2', 1, 7, 'nonce', 8, 9, 'sent')")
    async with Database.open(path, clock=lambda: NOW) as database:
        (due,), _ = await MatchStore(database).load_due(10**6)
        assert (due.kind, due.seat, due.decision, due.at) == ("expiry", -1, 0, 1000 + 24 * 60 * 60)
        running = await MatchStore(database).load_info("m2")
        assert running is not None
        assert running.table_options == TableOptions(clock=None), "a match that is older than clocks has got one"
        (mention,) = await SurfaceStore(database).mentions("m2")
        assert (mention.seat, mention.message) == (1, 9)


async def test_practice_of_before_it_ended_by_itself_ends_a_day_after_the_newest_change(path: Path) -> None:
    steps = load_migrations()
    (ending,) = [step.number for step in steps if step.name.endswith("_practice")]
    old = [step for step in steps if step.number < ending]
    async with Database.open(path, clock=lambda: NOW, migrations=old):
        pass
    with closing(sqlite3.connect(path)) as raw, raw:
        columns = "match, game, rules, options, status, host, guild, channel, thread, revision, moves, votes, reason"
        for match, status, practice, changed in (
            ("m1", "running", 1, 1000),
            ("m2", "running", 0, 2000),
            ("m3", "over", 1, 1000),
        ):
            raw.execute(
                f"INSERT INTO matches ({columns}, created, changed, practice) "
                f"VALUES ('{match}', 'wizard', 1, '{{}}', '{status}', 5, 1, 2, 0, 4, 0, '[]', '', 1000, {changed}, "
                f"{practice})"
            )
    async with Database.open(path, clock=lambda: NOW) as database:
        (due,), _ = await MatchStore(database).load_due(10**6)
        assert (due.kind, due.match, due.decision, due.at) == ("expiry", "m1", 4, 2000 + 24 * 60 * 60)


async def test_lessons_that_were_offered_have_a_table_of_their_own_and_none_is_lost(path: Path) -> None:
    steps = load_migrations()
    (moving,) = [step.number for step in steps if step.name.endswith("_offered_lessons")]
    async with Database.open(path, clock=lambda: NOW, migrations=[step for step in steps if step.number < moving]):
        pass
    known = {5: "court lesson:jest lesson:wizard wizard", 6: "lesson:court", 7: "jest", 8: ""}
    with closing(sqlite3.connect(path)) as raw, raw:
        for user, lessons in known.items():
            raw.execute(
                "INSERT INTO preferences (user, call, words, worth, met) VALUES (?, 0, 1, 0, ?)", (user, lessons)
            )
    async with Database.open(path, clock=lambda: NOW) as database:
        offered = await MatchStore(database).load_rows(LESSONS_OFFERED)
        assert offered == [OfferedLesson(5, "jest"), OfferedLesson(5, "wizard"), OfferedLesson(6, "court")]
        surfaces = SurfaceStore(database)
        games = [(await surfaces.preferences(user)).met for user in known]
        assert games == [{"court", "wizard"}, set(), {"jest"}, set()]
        assert await surfaces.preferences(6) == Preferences(0, words=True, worth=False)
