"""Who is to be called: what is handed out while an older moment is still being shown is not lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cogs.table.state.surface_store import Displays
from cogs.table.surfaces.reminders import Calls
from cogs.table.transport.background_tasks import Tasks
from cogs.table.transport.interrupted_edits import Overtaken
from engines.store.match_store import Due, Status
from engines.store.surface_storage import NOBODY
from tests.contract.helpers import HELPERS
from tests.contract.shown import looks
from tests.engines import at_tables
from tests.engines.memory_shown import MemoryShown
from tests.engines.memory_store import MemoryStore

NOTHING: Any = None  # nothing is asked of it here


async def test_a_call_survives_a_look_at_the_moment_before_its_decision() -> None:
    helper = HELPERS["wizard"]
    now = looks(helper, next(iter(helper.starts())))[0]
    before = replace(now, state=None, info=replace(now.info, status=Status.LOBBY))
    (seat,) = now.due()
    due = Due("call", now.info.id, seat, now.decisions()[seat].number, 5)
    shown, overtaken = Displays(MemoryShown(), lambda: 0), Overtaken(Tasks())
    calls = Calls(NOTHING, at_tables.over(MemoryStore(), at_tables.Clock()), shown, overtaken, lambda match: None)
    calls.add(due)
    assert await calls.to(before, seat) == NOBODY
    assert await calls._pending(before) == []
    assert await calls.to(now, seat) == due.decision
    assert await calls._pending(now) == [due]
