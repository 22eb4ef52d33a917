"""What planned moves add to hands, and the control with which players mark, change and withdraw one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from cogs.features.plans.plan_controls import REQUEST_PATTERN, plan_line, plan_rows
from cogs.table.actions.rights import Access, Phase, Who
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages.custom_ids import only_value
from cogs.table.pages.feature_pages import Facts, Offer
from cogs.table.pages.page import Row
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.plans.planned_moves import PLANNED_MOVES, change_plan
from engines.features.plans.planning import planning_of
from engines.hosting.match import MatchSnapshot, StaleDecision
from engines.kit.errors import IllegalMove
from engines.store.match_store import Status
from engines.store.rows import DropRow, PutRow

PLANNER = Access(Who.SEATED, Phase.RUNNING, answers_late=True)


async def change_own_plan(
    actions: TableActions, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]
) -> None:
    """Mark a move for the user's next decision, change its condition, or withdraw it, and redraw the hand.

    That changes nothing in the match.
    """
    decision, _, request = rest.partition(":")
    match, user, notation = visit.match, visit.user, only_value(values) if values else ""
    async with actions.surface_sync.hold_surface(match, "hand", visit.own_seat):
        why: StaleDecision | IllegalMove | None = None
        rows = await actions.context.surfaces.rows(PLANNED_MOVES, match)
        now = await actions.context.door.renew(visit)
        try:
            old = next((row for row in rows if row.user == user), None)
            plan = change_plan(now.snapshot, now.own_seat, int(decision), request, notation, old)
            write = PutRow(PLANNED_MOVES, plan) if plan else DropRow(PLANNED_MOVES, (match, user))
            await actions.reconciler.write_hand_row(match, now.own_seat, write)
            reply.is_saved = True
        except (StaleDecision, IllegalMove) as refused:
            why = refused
        await actions.hands.draw_hand(reply, now, why)


class PlansUI(FeatureUI):
    """Planned moves: the reader's plan, on their own hand alone."""

    name = "plans"
    tables = (PLANNED_MOVES,)
    old_controls = (OldControl(rf"d:(?P<match>[a-z0-9]{{8}}):(?P<rest>{REQUEST_PATTERN})", "change"),)

    def needs_rows(self, snapshot: MatchSnapshot) -> bool:
        """Whether moves can be planned in the match now."""
        return snapshot.info.status is Status.RUNNING and planning_of(snapshot.game) is not None

    def hand_line(self, facts: Facts) -> Iterable[Offer[str]]:
        """Return what has become of the plan. It goes before what the reader has written."""
        seat = facts.snapshot.info.seat_of(facts.reader)
        return () if seat is None else [Offer(line, rank=1) for line in plan_line(facts, seat)]

    def hand_rows(self, facts: Facts) -> Iterable[Row]:
        """Return the controls that make a plan or change it."""
        seat = facts.snapshot.info.seat_of(facts.reader)
        return () if seat is None else plan_rows(facts, seat)

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the list, and the buttons."""
        return (FeatureControl("change", partial(change_own_plan, actions), PLANNER, rest=REQUEST_PATTERN, edits=True),)
