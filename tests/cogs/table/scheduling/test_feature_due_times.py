"""Rows of features become due without a match: once, where their server is looked after, and while time runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from cogs.table.channels.table_services import TableServices
from cogs.table.scheduling.feature_due_times import FIRST_RETRY, DueRows, FeatureDueTimes
from cogs.table.state.server_lease import ServerLease
from cogs.table.transport.background_tasks import BackgroundTasks
from engines.hosting.matches import Matches
from engines.store.rows import PutRow, Second
from tests.engines.memory_store import MemoryStore
from tests.features.sketches import NIGHTS, Night, Nights
from tests.manual_time import SetClock

NIGHT = Night(7, 1, "Friday", (3,), False, Second(100), Second(1_000))


class Server:
    """A bot with nights that open when they are due."""

    def __init__(self, *, is_broken: bool = False) -> None:
        self.clock = SetClock(900)
        self.matches = Matches(MemoryStore(), {}, self.clock.now, features=(Nights(),))
        self.opened: list[Night] = []
        self.resting: set[int] = set()
        self.is_broken = is_broken
        due = DueRows(NIGHTS, "starts", self.open)
        self.times = FeatureDueTimes(self.services(cast("BackgroundTasks", None)), [due], self.runs)

    def services(self, tasks: BackgroundTasks) -> TableServices:
        nothing: Any = None
        return TableServices(nothing, self.matches, nothing, self.clock, tasks, ServerLease())

    def runs(self, guild: int) -> bool:
        return guild not in self.resting

    async def open(self, night: Night) -> None:
        self.opened.append(night)
        if self.is_broken:
            raise KeyError("unforeseen")
        later = Second(night.starts + 7 * 86_400)
        await self.matches.editor.write_own_rows(PutRow(NIGHTS, replace(night, is_open=True, starts=later)))

    async def look(self, at: int) -> list[Any]:
        self.clock.at = at
        before = len(self.opened)
        await self.times._handle_all(self.times._due[0])
        return self.opened[before:]


async def test_a_row_is_handled_once_when_its_time_has_come() -> None:
    server = Server()
    await server.matches.editor.write_own_rows(PutRow(NIGHTS, NIGHT))
    assert await server.look(999) == []
    assert await server.look(1_000) == [NIGHT]
    assert await server.look(1_001) == []
    assert [night.is_open for night in await server.matches.editor.load_rows(NIGHTS)] == [True]
    assert len(await server.look(1_000 + 7 * 86_400)) == 1, "its next time comes"


async def test_nothing_is_due_while_time_rests() -> None:
    server = Server()
    server.resting = {7}
    await server.matches.editor.write_own_rows(PutRow(NIGHTS, NIGHT), PutRow(NIGHTS, replace(NIGHT, guild=8)))
    assert [night.guild for night in await server.look(1_000)] == [8]
    server.resting = set()
    assert [night.guild for night in await server.look(1_015)] == [7]


async def test_a_row_that_fails_stops_no_other_and_is_handled_again_later(caplog: pytest.LogCaptureFixture) -> None:
    server = Server(is_broken=True)
    await server.matches.editor.write_own_rows(PutRow(NIGHTS, NIGHT), PutRow(NIGHTS, replace(NIGHT, number=2)))
    assert [night.number for night in await server.look(1_000)] == [1, 2]
    assert "KeyError" in caplog.text
    assert await server.look(1_015) == []
    assert len(await server.look(1_000 + FIRST_RETRY)) == 2
    assert await server.look(1_000 + 2 * FIRST_RETRY) == [], "pauses grow"
    assert len(await server.look(1_000 + 3 * FIRST_RETRY)) == 2


async def test_a_bot_whose_features_have_no_such_rows_looks_for_nothing() -> None:
    server = Server()
    async with BackgroundTasks() as tasks:
        FeatureDueTimes(server.services(tasks), [], server.runs).start()
        assert not tasks._running
        FeatureDueTimes(server.services(tasks), server.times._due, server.runs).start()
        assert tasks._running
