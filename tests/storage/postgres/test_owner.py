"""Reports if several processes, some of an older version, share the database."""

from __future__ import annotations

from engines.store.owner_storage import Report
from storage.postgres import Database, MatchStore, SurfaceStore
from tests.storage.postgres.test_opening import query
from tests.storage.samples import start_running


async def test_a_version_that_knows_no_reports_forgets_them_all_the_same(address: str) -> None:
    async with Database.open(address, clock=lambda: 7) as database:
        matches, surfaces = MatchStore(database), SurfaceStore(database)
        for number, (match, user) in enumerate((("m1", 7), ("m2", 8), ("m3", 9))):
            await start_running(matches, match)
            await surfaces.put_report_draft(Report(number, match, user, "text", 7))
        await matches.request_forgetting(7)
        await query(address, "DELETE FROM forgetting WHERE match = ''")
        assert await query(address, "SELECT match FROM reports ORDER BY 1") == [("m2",), ("m3",)]
        for table in ("behind", "due", "events", "history", "bases", "states", "seats", "forgetting", "matches"):
            await query(address, f"DELETE FROM {table} WHERE match = 'm3'")
        assert await query(address, "SELECT match FROM reports ORDER BY 1") == [("m2",)]
