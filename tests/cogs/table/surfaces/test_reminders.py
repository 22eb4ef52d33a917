"""A reminder that is added while an older snapshot is being shown is not lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cogs.system_clock import SystemClock
from cogs.table.channels.table_services import TableServices
from cogs.table.state.server_lease import ServerLease
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.surfaces.reminders import Reminders
from cogs.table.transport.background_tasks import BackgroundTasks
from cogs.table.transport.interrupted_edits import InterruptedEdits
from engines.store.match_store import DueKind, DueTime, Status
from engines.store.surface_storage import NO_DECISION
from tests.contract.helpers import HELPERS
from tests.contract.shown import match_snapshots
from tests.engines import memory_matches
from tests.engines.memory_store import MemoryStore
from tests.engines.memory_surfaces import MemoryShown
from tests.server_time import SetServerTime

NOTHING: Any = None  # a dependency that this test does not use


def make_reminders() -> Reminders:
    cache, tasks, clock = SurfaceCache(MemoryShown(), lambda: 0), BackgroundTasks(), SystemClock()
    matches = memory_matches.make_matches(MemoryStore(), memory_matches.Clock())
    services = TableServices(NOTHING, matches, cache, clock, tasks, ServerLease())
    return Reminders(services, InterruptedEdits(tasks, clock), lambda match: None)


async def test_a_call_survives_a_look_at_the_moment_before_its_decision() -> None:
    helper = HELPERS["wizard"]
    now = match_snapshots(helper, next(iter(helper.starts())))[0]
    before = replace(now, state=None, info=replace(now.info, status=Status.LOBBY))
    (seat,) = now.due_seats()
    due = DueTime("call", now.info.id, seat, now.decisions()[seat].number, 5)
    calls = make_reminders()
    calls.add(due)
    assert await calls.pending_mark(before, seat) == NO_DECISION
    assert await calls._pending_reminders(before) == []
    assert await calls.pending_mark(now, seat) == due.decision
    assert await calls._pending_reminders(now) == [due]


@pytest.mark.parametrize(("kind", "lead", "comes"), [("call", 9, False), ("call", 10, True), ("reminder", 9, True)])
async def test_a_call_right_before_the_deadline_is_done_without_a_message(
    kind: DueKind, lead: int, comes: bool
) -> None:
    helper = HELPERS["wizard"]
    now = match_snapshots(helper, next(iter(helper.starts())))[0]
    (seat,) = now.due_seats()
    due = DueTime(kind, now.info.id, seat, now.decisions()[seat].number, 500)
    now = replace(now, deadlines={seat: replace(due, kind="clock", at=500 + lead)})
    calls = make_reminders()
    calls.add(due)
    assert await calls._pending_reminders(now) == ([due] if comes else [])
    assert await calls._pending_reminders(replace(now, deadlines={})) == ([due] if comes else [])


async def test_a_reminder_that_was_queued_before_a_rest_does_not_come_during_it() -> None:
    """It is due again when time runs, at its new time."""
    helper = HELPERS["wizard"]
    now = match_snapshots(helper, next(iter(helper.starts())))[0]
    (seat,) = now.due_seats()
    due = DueTime("reminder", now.info.id, seat, now.decisions()[seat].number, 500)
    calls = make_reminders()
    calls.add(due)
    calls._services.matches.editor.follow_time(SetServerTime(400))
    assert await calls._pending_reminders(now) == []
    calls._services.matches.editor.follow_time(SetServerTime())
    assert await calls._pending_reminders(now) == [], "its time has moved"
    calls.add(replace(due, at=900))
    assert await calls._pending_reminders(now) == [replace(due, at=900)]
