"""Lessons that were offered, if an older version has written them among the games of the preferences, or still does."""

from __future__ import annotations

from engines.features.lessons import LESSONS_OFFERED, OfferedLesson
from engines.store.rows import PutRow
from storage.postgres import Database, MatchStore, SurfaceStore
from storage.postgres.connection.schema import load_own_migrations
from tests.storage.postgres.test_opening import empty, open_and_close, query  # noqa: F401  # a fixture

OLD = """INSERT INTO preferences ("user", call, words, worth, met) VALUES ({user}, 0, true, false, '{met}')"""


async def test_none_is_lost(empty: str) -> None:  # noqa: F811
    steps = load_own_migrations()
    (moving,) = [step.number for step in steps if step.name.endswith("_offered_lessons")]
    await open_and_close(empty, *(step for step in steps if step.number < moving))
    known = {5: "court lesson:jest lesson:wizard wizard", 6: "lesson:court", 7: "jest", 8: ""}
    for user, lessons in known.items():
        await query(empty, OLD.format(user=user, met=lessons))
    async with Database.open(empty, clock=lambda: 7) as database:
        offered = await MatchStore(database).load_rows(LESSONS_OFFERED)
        assert offered == [OfferedLesson(5, "jest"), OfferedLesson(5, "wizard"), OfferedLesson(6, "court")]
        games = [(await SurfaceStore(database).preferences(user)).met for user in known]
        assert games == [{"court", "wizard"}, set(), {"jest"}, set()]


async def test_rows_of_an_older_version_beside_this_one_count_and_are_forgotten(address: str) -> None:
    async with Database.open(address, clock=lambda: 7) as database:
        matches, surfaces = MatchStore(database), SurfaceStore(database)
        await query(address, OLD.format(user=5, met="lesson:wizard wizard"))
        await query(address, "UPDATE preferences SET met = 'jest lesson:jest lesson:wizard wizard'")
        await matches.write_rows([PutRow(LESSONS_OFFERED, OfferedLesson(6, "court"))])
        assert await matches.load_rows(LESSONS_OFFERED, 5) == [OfferedLesson(5, "jest"), OfferedLesson(5, "wizard")]
        assert (await surfaces.preferences(5)).met == {"jest", "wizard"}
        await matches.request_forgetting(5)
        await query(address, "DELETE FROM forgetting WHERE match = '' AND \"user\" = 5")
        assert await matches.load_rows(LESSONS_OFFERED) == [OfferedLesson(6, "court")]
