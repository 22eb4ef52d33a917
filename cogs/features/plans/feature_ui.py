"""What planned moves add to hands, and the control with which players mark, change and withdraw one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from cogs.features.plans.plan_controls import PLACEHOLDER, REQUEST_PATTERN, plan_line, plan_page, plan_rows
from cogs.table.actions.rights import Access, Phase, Who
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages.custom_ids import feature_id, only_value
from cogs.table.pages.feature_pages import Facts, Offer
from cogs.table.pages.menu_entries import MenuEntry, MenuGroup
from cogs.table.pages.page import Press, Row
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.plans.planned_moves import PLANNED_MOVES, change_plan, open_planning
from engines.features.plans.planning import planning_of
from engines.hosting.match import MatchSnapshot, RequestRefused, StaleDecision
from engines.kit.errors import IllegalMove
from engines.store.match_store import Status
from engines.store.rows import DropRow, PutRow, Rows

OPENER = Access(Who.SEATED, Phase.RUNNING)
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


async def show_own_plan(
    actions: TableActions, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]
) -> None:
    """Show the user alone what they can play ahead, or what they have marked."""
    screen, rows = actions.screens[visit.info.game], await actions.context.surfaces.rows(PLANNED_MOVES, visit.match)
    own = tuple(row for row in rows if row.user == visit.user)
    page = plan_page(Facts(visit.snapshot, screen, Rows(((PLANNED_MOVES, own),)), visit.user), visit.own_seat)
    if page is None:
        raise RequestRefused("You cannot plan a move right now. Your hand offers this while you wait for your turn.")
    await reply.send_page(page)


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

    def menu_entries(self, facts: Facts) -> Iterable[MenuEntry]:
        """Return the button to the controls that a hand has at its end, for those who come from the table."""
        info = facts.snapshot.info
        seat = info.seat_of(facts.reader)
        if seat is not None and open_planning(facts.snapshot, seat) is not None:
            yield MenuEntry(MenuGroup.NOW, 20, Press(PLACEHOLDER, feature_id("plans", info.id, "open")))

    def hand_rows(self, facts: Facts) -> Iterable[Row]:
        """Return the controls that make a plan or change it."""
        seat = facts.snapshot.info.seat_of(facts.reader)
        return () if seat is None else plan_rows(facts, seat)

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button in the menu, and the list and the buttons that it and hands show."""
        return (
            FeatureControl("open", partial(show_own_plan, actions), OPENER),
            FeatureControl("change", partial(change_own_plan, actions), PLANNER, rest=REQUEST_PATTERN, edits=True),
        )
