"""Which hands may wait, and how long: by a clock that is told to pass."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from itertools import pairwise

import pytest

from cogs.table.surfaces import hand_pacing
from cogs.table.surfaces.hand_pacing import GAP, LONGEST, Pace
from cogs.table.transport.background_tasks import Tasks
from tests.manual_time import ManualTime


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> ManualTime:
    """The time by which hands wait."""
    made = ManualTime()
    monkeypatch.setattr(hand_pacing, "now", made.now)
    monkeypatch.setattr(hand_pacing, "sleep", made.sleep)
    return made


class Table:
    """A match whose hands are shown, and when."""

    def __init__(self, time: ManualTime) -> None:
        self._time = time
        self.shown: list[tuple[float, list[int]]] = []
        self.tasks = Tasks()
        self.pace = Pace(self._show, self.tasks)

    async def _show(self, match: str, seats: Collection[int]) -> None:
        self.shown.append((self._time.seconds, sorted(seats)))

    async def pass_to(self, seconds: float) -> None:
        """Let it be so late."""
        while self._time.next_due() <= seconds:
            self._time.pass_to(self._time.next_due())
            await rest()
        self._time.pass_to(seconds)
        await rest()


async def rest() -> None:
    """Have everything run that can."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_what_fell_behind_follows_once_however_often_it_did(time: ManualTime) -> None:
    table = Table(time)
    for second in range(4):
        await table.pass_to(second)
        table.pace.later("m", (1, 2))
    await table.pass_to(3 + GAP - 0.1)
    assert table.shown == []
    await table.pass_to(60)
    assert table.shown == [(3 + GAP, [1, 2])]


async def test_a_hand_in_which_something_changes_all_the_time_follows_in_time(time: ManualTime) -> None:
    table = Table(time)
    for tenth in range(600):
        await table.pass_to(tenth / 10)
        table.pace.later("m", (tenth % 3,))
    for seat in range(3):
        times = [at for at, seats in table.shown if seat in seats]
        assert len(times) == 7
        assert all(GAP <= later - earlier <= LONGEST + 0.31 for earlier, later in pairwise([0, *times]))


async def test_what_changes_at_leisure_is_shown_each_time(time: ManualTime) -> None:
    table = Table(time)
    for number in range(10):
        await table.pass_to(number * (GAP + 1))
        table.pace.later("m", (1,))
        await rest()
    await table.pass_to(60)
    assert table.shown == [(number * (GAP + 1) + GAP, [1]) for number in range(10)]


async def test_what_was_shown_meanwhile_does_not_follow(time: ManualTime) -> None:
    table = Table(time)
    table.pace.later("m", (0, 1))
    await table.pass_to(2)
    table.pace.caught_up("m", (0, 5))
    table.pace.later("m", (0,))
    await table.pass_to(60)
    assert table.shown == [(GAP, [1]), (2 + GAP, [0])]


async def test_nothing_runs_when_nothing_waits(time: ManualTime) -> None:
    table = Table(time)
    table.pace.later("m", ())
    table.pace.caught_up("other", (1,))
    await rest()
    assert not table.tasks._running
    table.pace.later("m", (1,))
    assert table.pace.waits("m")
    await table.pass_to(GAP)
    assert not table.tasks._running
    assert not table.pace.waits("m")
    assert not table.pace._behind


async def test_what_fell_behind_while_others_were_shown_is_not_forgotten(time: ManualTime) -> None:
    table = Table(time)
    table.pace.later("m", (1,))
    await table.pass_to(1)
    table.pace.later("m", (2,))
    await table.pass_to(60)
    assert table.shown == [(GAP, [1]), (1 + GAP, [2])]
