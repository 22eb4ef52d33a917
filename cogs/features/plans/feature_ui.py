"""What planned moves add to hands, and the control that they answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.features.plans.controls import PlanActions
from cogs.features.plans.plan_controls import REQUEST_PATTERN, plan_line, plan_rows
from cogs.table.access.rights import Access, Phase, Who
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages.feature_pages import Facts, Offer
from cogs.table.pages.page import Row
from engines.features.plans.planning import planning_of
from engines.features.plans.rows import PLANNED_MOVES
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import Status

PLANNER = Access(Who.SEATED, Phase.RUNNING, answers_late=True)


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
        return (FeatureControl("change", PlanActions(actions).change, PLANNER, rest=REQUEST_PATTERN, edits=True),)
