"""Tables that change with every move keep their size, however rarely PostgreSQL vacuums them itself."""

from __future__ import annotations

import pytest

from storage.postgres import Database, SurfaceStore, database
from tests.storage.postgres.test_opening import query


async def test_due_times_are_tidied_up_after_so_many_writes(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "TIDY_WRITES", 5)
    async with Database.open(address, clock=lambda: 7) as database_:
        for number in range(6):
            await SurfaceStore(database_).put_note("a", str(number))
    ((tidied,),) = await query(address, "SELECT last_vacuum FROM pg_stat_user_tables WHERE relname = 'due'")
    assert tidied is not None
