"""Private notes if several processes, some of an older version, share the database."""

from __future__ import annotations

from dataclasses import replace

from engines.store.match_store import Change, Status
from storage.postgres import Database, MatchStore, SurfaceStore
from tests.feature_rows import put_player_note
from tests.storage.postgres.test_opening import query
from tests.storage.samples import start_running


async def test_a_version_that_knows_no_notes_forgets_them_all_the_same(address: str) -> None:
    async with Database.open(address, clock=lambda: 7) as database:
        matches, surfaces = MatchStore(database), SurfaceStore(database)
        for match in ("m1", "m2", "m3"):
            await start_running(matches, match)
            for user in (5, 6):
                await put_player_note(surfaces, match, user, "a thought")
        await matches.request_forgetting(5)
        await query(address, "DELETE FROM forgetting WHERE match = 'm1' AND \"user\" = 5")
        assert await query(address, 'SELECT match FROM player_notes WHERE "user" = 5 ORDER BY 1') == [("m2",), ("m3",)]
        await query(address, "DELETE FROM forgetting WHERE match = ''")
        assert await query(address, 'SELECT DISTINCT "user" FROM player_notes') == [(6,)]
        for table in ("behind", "due", "events", "history", "bases", "states", "seats", "forgetting", "matches"):
            await query(address, f"DELETE FROM {table} WHERE match = 'm3'")
        assert await query(address, "SELECT match FROM player_notes ORDER BY 1") == [("m1",), ("m2",)]


async def test_every_process_that_cached_a_note_is_told_when_it_is_forgotten(address: str) -> None:
    async with Database.open(address, clock=lambda: 7) as database:
        matches, surfaces = MatchStore(database), SurfaceStore(database)
        for match in ("m1", "m2"):
            info = await start_running(matches, match)
            await matches.commit(Change(replace(info, status=Status.OVER, revision=info.revision + 1), "end"))
        await put_player_note(surfaces, "m1", 5, "a thought")
        await query(address, "DELETE FROM behind")
        for match in ("m1", "m2"):
            await matches.scrub_user(match, 5)
        assert await query(address, "SELECT match, others FROM behind") == [("m1", True)]
