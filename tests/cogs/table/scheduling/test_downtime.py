"""When the bot was not there: what it makes good, and since when."""

from __future__ import annotations

import asyncio
from typing import Any

from cogs.table.scheduling.downtime import Absence
from cogs.table.transport.background_tasks import Tasks
from engines.store.match_store import StoreFailure
from engines.store.partition import SHIFT, WHOLE, Part


class Noted:
    """Matches that note what they are told; they fail so many times first."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.failing = 0

    async def absent(self, since: int | None = None, part: Part = WHOLE) -> None:
        if self.failing:
            self.failing -= 1
            raise StoreFailure("No room.")
        self.told.append(since if part == WHOLE else (since, *sorted(part.numbers)))

    async def alive(self, part: Part = WHOLE) -> None:
        self.told.append("alive" if part == WHOLE else ("alive", *sorted(part.numbers)))


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
    monkeypatch.setattr("cogs.table.scheduling.downtime.sleep", lambda seconds: asyncio.sleep(0))
    bench.absence.gone("discord")
    bench.noted.failing = 2
    bench.absence.back("discord")
    await rest()
    await rest()
    assert (bench.absence.there, bench.noted.told) == (True, [None, 1000])


async def test_parts_of_the_servers_are_away_and_back_by_themselves() -> None:
    bench = Bench()
    bench.absence.divide(Part.all(4))
    await bench.absence.begin()
    bench.now += 10
    bench.absence.gone("gateway", 2)
    there = [bench.absence.there_for(number << SHIFT) for number in range(8)]
    assert there == [True, True, False, True] * 2
    assert not bench.absence.there
    await bench.absence.note()
    assert bench.noted.told.pop() == ("alive", 0, 1, 3), "that it is there is noted for those for whom it is"
    bench.now += 10
    bench.absence.gone("discord")
    bench.absence.back("gateway", 2)
    assert not bench.absence.there_for(0)
    bench.now += 10
    bench.absence.back("discord")
    await rest()
    assert bench.absence.there
    assert bench.noted.told == [(None, 0, 1, 2, 3), (1020, 0), (1020, 1), (1010, 2), (1020, 3)]


async def test_servers_of_parts_that_others_look_after_are_none_of_its_own() -> None:
    bench = Bench()
    bench.absence.divide(Part.read("0-1/4"))
    await bench.absence.begin()
    bench.absence.gone("gateway", 3)
    assert bench.absence.there
    assert [bench.absence.there_for(number << SHIFT) for number in range(4)] == [True, True, False, False]


async def test_a_part_is_made_good_when_it_is_gained_whatever_was_before() -> None:
    bench = Bench()
    bench.absence.divide(Part.all(2))
    bench.absence.gone("gateway", 1)
    await bench.absence.begin(Part.all(2).only(0))
    assert [bench.absence.there_for(number << SHIFT) for number in range(2)] == [True, False]
    bench.now = 9000
    await bench.absence.begin(Part.all(2).only(1))
    bench.now = 9010
    bench.absence.back("gateway", 1)
    await rest()
    assert bench.noted.told == [(None, 0), (None, 1), (9000, 1)]
    bench.absence.gone("gateway", 1)
    bench.absence.lost(Part.all(2).only(1))
    bench.absence.back("gateway", 1)
    await rest()
    assert bench.noted.told[3:] == [], "another process makes that good"
    assert not bench.absence.there_for(1 << SHIFT)


async def test_a_part_that_is_lost_while_it_begins_is_none_of_its_own() -> None:
    """Else it would note that its people can be reached, whoever looks after it, and hide that nobody does."""
    bench, both = Bench(), Part.read("0-1/2")
    bench.absence.divide(both)
    absent = bench.noted.absent

    async def lost(since: int | None = None, part: Part = WHOLE) -> None:
        await absent(since, part)
        bench.absence.lost(both.only(1))

    bench.noted.absent = lost  # type: ignore[method-assign]
    await bench.absence.begin(both)
    assert bench.absence.there_part() == both.only(0)
    bench.noted.absent = absent  # type: ignore[method-assign]
    await bench.absence.begin(both.only(1))
    assert bench.absence.there_part() == both
