"""Guesses if several processes, some of an older version, share the database."""

from __future__ import annotations

from engines.features.guesses.guessing import Guess
from storage.postgres import Database, MatchStore
from tests.feature_rows import put_guess
from tests.storage.postgres.test_opening import query
from tests.storage.samples import start_running


async def test_a_version_that_knows_no_guesses_forgets_them_all_the_same(address: str) -> None:
    async with Database.open(address, clock=lambda: 7) as database:
        matches = MatchStore(database)
        for match in ("m1", "m2", "m3"):
            info = await start_running(matches, match)
            for user in (7, 8):
                await put_guess(matches, Guess(match, 1, user, "Dora", (0,)), info.revision)
        await matches.request_forgetting(7)
        await query(address, "DELETE FROM forgetting WHERE match = 'm1' AND \"user\" = 7")
        assert await query(address, 'SELECT match FROM guesses WHERE "user" = 7 ORDER BY 1') == [("m2",), ("m3",)]
        await query(address, "DELETE FROM forgetting WHERE match = ''")
        assert await query(address, 'SELECT DISTINCT "user" FROM guesses') == [(8,)]
        for table in ("behind", "due", "events", "history", "bases", "states", "seats", "forgetting", "matches"):
            await query(address, f"DELETE FROM {table} WHERE match = 'm3'")
        assert await query(address, "SELECT match FROM guesses ORDER BY 1") == [("m1",), ("m2",)]
