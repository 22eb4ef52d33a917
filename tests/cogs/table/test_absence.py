"""When the bot was not there: what it makes good, and since when."""

from __future__ import annotations

import asyncio
from typing import Any

from cogs.table.absence import Absence
from cogs.table.tasks import Tasks
from engines.store import StoreFailure


class Noted:
    """Matches that note what they are told; they fail so many times first."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.failing = 0

    async def absent(self, since: int | None = None) -> None:
        if self.failing:
            self.failing -= 1
            raise StoreFailure("No room.")
        self.told.append(since)

    async def alive(self) -> None:
        self.told.append("alive")


class Bench:
    def __init__(self) -> None:
        self.now = 1000
        self.noted = Noted()
        self.absence = Absence(self.noted, lambda: self.now, Tasks())  # type: ignore[arg-type]  # all it asks of them


async def rest() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_it_is_there_once_it_has_begun_and_what_was_before_is_made_good() -> None:
    bench = Bench()
    assert not bench.absence.there
    await bench.absence.note()
    assert bench.noted.told == [], "before its start is made good, nothing may be noted"
    await bench.absence.begin()
    assert bench.absence.there
    await bench.absence.note()
    assert bench.noted.told == [None, "alive"]


async def test_several_reasons_at_once_are_one_absence_from_the_first_to_the_last() -> None:
    bench = Bench()
    await bench.absence.begin()
    bench.absence.gone("gateway")
    bench.now = 1100
    bench.absence.gone("discord")
    bench.absence.back("gateway")
    await rest()
    assert not bench.absence.there
    await bench.absence.note()
    bench.now = 1200
    bench.absence.back("discord")
    assert not bench.absence.there, "it is not made good yet"
    await rest()
    assert (bench.absence.there, bench.noted.told) == (True, [None, 1000])


async def test_what_befell_it_before_it_began_is_no_absence_of_its_own() -> None:
    bench = Bench()
    bench.absence.gone("gateway")
    bench.absence.back("gateway")
    await bench.absence.begin()
    await rest()
    assert (bench.absence.there, bench.noted.told) == (True, [None])


async def test_a_start_while_it_cannot_be_reached_is_made_good_when_it_can() -> None:
    bench = Bench()
    bench.absence.gone("gateway")
    bench.now = 1500
    await bench.absence.begin()
    assert not bench.absence.there
    bench.now = 1700
    bench.absence.back("gateway")
    await rest()
    assert (bench.absence.there, bench.noted.told) == (True, [None, 1500])


async def test_it_is_not_there_before_the_store_has_kept_what_is_made_good(monkeypatch: Any) -> None:
    bench = Bench()
    await bench.absence.begin()
    monkeypatch.setattr("cogs.table.absence.sleep", lambda seconds: asyncio.sleep(0))
    bench.absence.gone("discord")
    bench.noted.failing = 2
    bench.absence.back("discord")
    await rest()
    await rest()
    assert (bench.absence.there, bench.noted.told) == (True, [None, 1000])
