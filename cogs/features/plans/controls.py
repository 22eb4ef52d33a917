"""Handles requests to mark a move ahead, to change its condition, and to withdraw it."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.features.plans.plan_controls import parse_request
from cogs.table.access.visit import Visit
from cogs.table.actions.table_actions import TableActions
from cogs.table.pages.custom_ids import only_value
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.plans.planned_moves import change_plan
from engines.features.plans.rows import PLANNED_MOVES
from engines.hosting.match import StaleDecision
from engines.kit.errors import IllegalMove
from engines.store.rows import DropRow, PutRow


class PlanActions:
    """Requests of players about their own plans. They change nothing in the match."""

    def __init__(self, actions: TableActions) -> None:
        self._hands = actions.hands
        self._context = actions.context
        self._reconciler = actions.reconciler
        self._surface_sync = actions.surface_sync

    async def change(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Mark a move for the user's next decision, change its condition, or withdraw it, and redraw the hand."""
        (decision, request), match, user = parse_request(rest), visit.match, visit.user
        notation = only_value(values) if values else ""
        async with self._surface_sync.hold_surface(match, "hand", visit.own_seat):
            why: StaleDecision | IllegalMove | None = None
            rows = await self._context.surfaces.rows(PLANNED_MOVES, match)
            now = await self._context.door.renew(visit)
            seat = now.own_seat
            try:
                old = next((row for row in rows if row.user == user), None)
                plan = change_plan(now.snapshot, seat, decision, request, notation, old)
                write = PutRow(PLANNED_MOVES, plan) if plan else DropRow(PLANNED_MOVES, (match, user))
                await self._reconciler.write_hand_row(match, seat, write)
                reply.is_saved = True
            except (StaleDecision, IllegalMove) as refused:
                why = refused
            await self._hands.draw_hand(reply, now, why)
