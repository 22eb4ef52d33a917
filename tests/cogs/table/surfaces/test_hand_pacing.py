"""Tests how long deferred hands wait, with a manual clock."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

import pytest

from cogs.table.surfaces.hand_pacing import MAX_DELAY, QUIET_SECONDS, HandPacing
from cogs.table.transport.background_tasks import BackgroundTasks
from tests.cogs.waiting import let_tasks_run
from tests.manual_time import ManualTime


class PacedTable:
    def __init__(self, time: ManualTime) -> None:
        self._time = time
        self.shown: list[tuple[float, list[int]]] = []
        self.tasks = BackgroundTasks()
        self.pace = HandPacing(self._show, self.tasks, time)

    async def _show(self, match: str, seats: Collection[int]) -> None:
        self.shown.append((self._time.seconds, sorted(seats)))

    async def pass_to(self, seconds: float) -> None:
        while self._time.next_due() <= seconds:
            self._time.advance_to(self._time.next_due())
            await let_tasks_run()
        self._time.advance_to(seconds)
        await let_tasks_run()


@pytest.fixture
def table() -> PacedTable:
    return PacedTable(ManualTime())


async def test_a_stale_hand_follows_once_however_often_it_became_stale(table: PacedTable) -> None:
    for second in range(4):
        await table.pass_to(second)
        table.pace.defer_seats("m", (1, 2))
    await table.pass_to(3 + QUIET_SECONDS - 0.1)
    assert table.shown == []
    await table.pass_to(60)
    assert table.shown == [(3 + QUIET_SECONDS, [1, 2])]


async def test_a_hand_in_which_something_changes_all_the_time_follows_in_time(table: PacedTable) -> None:
    for tenth in range(600):
        await table.pass_to(tenth / 10)
        table.pace.defer_seats("m", (tenth % 3,))
    for seat in range(3):
        times = [at for at, seats in table.shown if seat in seats]
        assert len(times) == 7
        assert all(QUIET_SECONDS <= later - earlier <= MAX_DELAY + 0.31 for earlier, later in pairwise([0, *times]))


async def test_a_hand_that_changes_slowly_is_shown_each_time(table: PacedTable) -> None:
    for number in range(10):
        await table.pass_to(number * (QUIET_SECONDS + 1))
        table.pace.defer_seats("m", (1,))
        await let_tasks_run()
    await table.pass_to(60)
    assert table.shown == [(number * (QUIET_SECONDS + 1) + QUIET_SECONDS, [1]) for number in range(10)]


async def test_a_hand_that_was_shown_meanwhile_does_not_follow(table: PacedTable) -> None:
    table.pace.defer_seats("m", (0, 1))
    await table.pass_to(2)
    table.pace.mark_shown("m", (0, 5))
    table.pace.defer_seats("m", (0,))
    await table.pass_to(60)
    assert table.shown == [(QUIET_SECONDS, [1]), (2 + QUIET_SECONDS, [0])]


async def test_nothing_runs_when_nothing_waits(table: PacedTable) -> None:
    table.pace.defer_seats("m", ())
    table.pace.mark_shown("other", (1,))
    await let_tasks_run()
    assert not table.tasks._running
    table.pace.defer_seats("m", (1,))
    assert table.pace.is_waiting("m")
    await table.pass_to(QUIET_SECONDS)
    assert not table.tasks._running
    assert not table.pace.is_waiting("m")
    assert not table.pace._stale_hands


async def test_a_hand_that_became_stale_while_others_were_shown_is_not_forgotten(table: PacedTable) -> None:
    table.pace.defer_seats("m", (1,))
    await table.pass_to(1)
    table.pace.defer_seats("m", (2,))
    await table.pass_to(60)
    assert table.shown == [(QUIET_SECONDS, [1]), (1 + QUIET_SECONDS, [2])]


async def test_a_hidden_change_makes_nothing_later(table: PacedTable) -> None:
    table.pace.defer_seats("m", (1,))
    await table.pass_to(2)
    table.pace.defer_seats("m", (1,), unchanged={1})
    await table.pass_to(60)
    assert table.shown == [(QUIET_SECONDS, [1])]


async def test_a_hidden_change_makes_nothing_earlier(table: PacedTable) -> None:
    table.pace.defer_seats("m", (1,), unchanged={1})
    assert table.pace.count_waiting() == 0
    for second in (3, 6):
        await table.pass_to(second)
        table.pace.defer_seats("m", (1,))
    await table.pass_to(60)
    assert table.shown == [(6 + QUIET_SECONDS, [1])]


async def test_an_unchanged_hand_is_checked_all_the_same(table: PacedTable) -> None:
    """Their hand may change for another reason."""
    table.pace.defer_seats("m", (1,), unchanged={1})
    await let_tasks_run()
    await table.pass_to(60)
    assert table.shown == [(QUIET_SECONDS, [1])]
