"""What the table's core calls of the planned moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engines.features.plans.planned_moves import PAST, carry_plan, judge_plan
from engines.features.plans.planning import planning_of
from engines.features.plans.rows import PLANNED_MOVES
from engines.hosting.feature import DueMoves, Feature
from engines.hosting.match import MatchSnapshot
from engines.kit.contract import AnyGame
from engines.store.rows import DropRow, ReplaceRow, Rows, RowWrite


class PlansFeature(Feature):
    """A plan waits for its turn. Only its owner's hand shows it; nothing else depends on it."""

    name = "plans"
    tables = (PLANNED_MOVES,)

    def can_move(self, game: AnyGame) -> bool:
        """Whether moves can be planned in this game."""
        return planning_of(game) is not None

    def due_moves(self, snapshot: MatchSnapshot, rows: Rows) -> DueMoves:
        """Return the planned moves whose turn has come. Plans that came to nothing are stored as such."""
        moves, writes = dict[int, str](), list[RowWrite]()
        for stored in rows.of(PLANNED_MOVES):
            seat = snapshot.info.seat_of(stored.user)
            plan = stored if seat is None else carry_plan(snapshot, seat, stored)
            state = PAST if seat is None else judge_plan(snapshot, seat, plan)
            if seat is None or state.kind == "past":
                writes.append(DropRow(PLANNED_MOVES, (stored.match, stored.user)))
                continue
            if state.kind == "due":
                moves[seat] = plan.notation
            plan = replace(plan, dropped=state.reason)
            if plan != stored:
                writes.append(ReplaceRow(PLANNED_MOVES, plan))
        return DueMoves(moves, writes)

    def personal_data(self, rows: Rows) -> Mapping[str, Any]:
        """Return the planned move."""
        plans = [
            {
                "decision": plan.decision,
                "move": plan.notation,
                "condition": plan.condition,
                "situation": plan.situation,
                "dropped": plan.dropped or None,
                "after move": plan.moves,
            }
            for plan in rows.of(PLANNED_MOVES)
        ]
        return {"your planned move": next(iter(plans), None)}


PLANS = PlansFeature()
