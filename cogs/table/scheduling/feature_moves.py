"""Settles planned moves: finds those that are due, drops those whose condition failed, and deletes past ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from cogs.table.state.surface_store import SurfaceCache
from engines.features.plans.planned_moves import PAST, carry_plan, judge_plan
from engines.hosting.match import MatchSnapshot
from engines.store.surface_storage import PlannedMove


class PlannedMoves:
    """The planned moves of all matches. Only their owners' hands show them; nothing else depends on them."""

    def __init__(self, surfaces: SurfaceCache, wake: Callable[..., None]) -> None:
        self._surfaces = surfaces
        self._wake = wake  # redraws a match, and the hands of some seats at once

    async def settle(self, snapshot: MatchSnapshot, *, fresh: bool = False) -> Mapping[int, PlannedMove]:
        """Return the planned moves whose turn has come, by seat. Plans that came to nothing are stored as such.

        If `fresh`, no plan is overlooked that another process has just changed.
        """
        match, due = snapshot.info.id, dict[int, PlannedMove]()
        for user, stored in [*(await self._surfaces.planned_moves(match, fresh=fresh)).items()]:
            seat = snapshot.info.seat_of(user)
            plan = stored if seat is None else carry_plan(snapshot, seat, stored)
            state = PAST if seat is None else judge_plan(snapshot, seat, plan)
            if seat is None or state.kind == "past":
                await self._surfaces.put_planned_move(match, user, None)
                self._wake(match)
                continue
            if state.kind == "due":
                due[seat] = plan
            plan = replace(plan, dropped=state.reason)
            if plan != stored:
                await self._surfaces.put_planned_move(match, user, plan)
                self._wake(match, seat)
        return due
