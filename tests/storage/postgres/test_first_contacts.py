"""First contacts if several processes, some of an older version, share the database."""

from __future__ import annotations

import asyncio

from engines.store.surface_storage import ContactChange
from storage.postgres import Database, MatchStore, SurfaceStore
from tests.storage.postgres.test_opening import query
from tests.storage.samples import start_running


async def test_a_version_that_knows_no_first_contacts_forgets_them_all_the_same(address: str) -> None:
    async with Database.open(address, clock=lambda: 7) as database:
        matches, surfaces = MatchStore(database), SurfaceStore(database)
        await start_running(matches, "m1")
        for user in (5, 6):
            await surfaces.change_first_contact(user, "contacts", lambda note, contact: ContactChange("", 7, None))
            await matches.request_forgetting(user)
        await query(address, "DELETE FROM forgetting WHERE match = 'm1'")
        assert await query(address, "SELECT count(*) FROM first_contacts") == [(2,)]
        await query(address, "DELETE FROM forgetting WHERE match = '' AND \"user\" = 5")
        assert await query(address, 'SELECT "user" FROM first_contacts') == [(6,)]


async def test_two_processes_that_count_the_same_person_at_once_count_them_once(address: str) -> None:
    def count(note: str | None, contact: int) -> ContactChange[bool]:
        return ContactChange(str(int(note or 0) + (not contact)), contact or 7, not contact)

    async with Database.open(address, clock=lambda: 7) as one, Database.open(address, clock=lambda: 7) as other:
        stores = [SurfaceStore(one), SurfaceStore(other)] * 20
        changes = (each.change_first_contact(number // 4, "count", count) for number, each in enumerate(stores))
        assert sum(await asyncio.gather(*changes)) == 10
        assert await stores[0].read_note("count") == "10"
