"""Planned moves: what a player may mark before their turn, and what has become of it. Pure functions of snapshots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from engines.hosting.match import MatchSnapshot, RequestRefused, StaleDecision
from engines.kit.errors import IllegalMove
from engines.kit.planning import CHANGED, ILLEGAL, Planning
from engines.store.match_store import Status
from engines.store.surface_storage import PlannedMove

MARK, WITHDRAW = "move", "none"  # what a control asks for; others begin with CONDITION
CONDITION = "if "


@dataclass(frozen=True, slots=True)
class PlanState:
    """What has become of a plan: it waits for its turn, is to be played now, fails for a reason, or is past."""

    kind: Literal["waits", "due", "fails", "past"]
    reason: str = ""


PAST = PlanState("past")


def open_planning(snapshot: MatchSnapshot, seat: int) -> Planning[Any, Any] | None:
    """Return the planning rules if a seat's player can plan a move now."""
    planning, info = snapshot.game.planning, snapshot.info
    if planning is None or info.status is not Status.RUNNING or not info.seats[seat].owner_plays:
        return None
    return planning if seat not in snapshot.decisions() and planning.moves(snapshot.view(seat)) else None


def next_decision(snapshot: MatchSnapshot, seat: int) -> int:
    """Return the number of the decision that a seat's plan is about, in a game with planning."""
    assert snapshot.game.planning is not None
    return snapshot.game.planning.decision(snapshot.view(seat)) + snapshot.info.decision_offset


def current_plan(snapshot: MatchSnapshot, seat: int, plan: PlannedMove | None) -> PlannedMove | None:
    """Return the plan if it is about the seat's open or next decision."""
    return None if plan is None or judge_plan(snapshot, seat, plan).kind == "past" else plan


def change_plan(
    snapshot: MatchSnapshot, seat: int, decision: int, request: str, notation: str, old: PlannedMove | None
) -> PlannedMove | None:
    """Return the plan after a request: `move` with a notation, `if` and a condition, or `none` to withdraw it.

    Raises StaleDecision, and RequestRefused or IllegalMove with a sentence.
    """
    planning, view = snapshot.game.planning, snapshot.view(seat)
    if planning is None or snapshot.info.status is not Status.RUNNING or next_decision(snapshot, seat) != decision:
        raise StaleDecision
    if request == WITHDRAW:
        return None
    if open_planning(snapshot, seat) is None:
        raise StaleDecision
    if request == MARK:
        move = snapshot.game.parse_move(notation)
        if move not in planning.moves(view):
            raise RequestRefused("You cannot mark that now. Please choose from what your hand offers.")
        condition = planning.conditions(view, move)[0]
        return PlannedMove(decision, snapshot.game.format_move(move), condition, planning.situation(view))
    condition = request.removeprefix(CONDITION)
    if old is None or old.decision != decision or old.dropped:
        raise StaleDecision
    if condition not in offered_conditions(snapshot, seat, old):
        raise RequestRefused("That condition is not offered now.")
    return replace(old, condition=condition)


def offered_conditions(snapshot: MatchSnapshot, seat: int, plan: PlannedMove) -> Sequence[str]:
    """Return the conditions that the plan of a waiting seat can have now."""
    planning = open_planning(snapshot, seat)
    if planning is None:
        return ()
    return planning.conditions(snapshot.view(seat), snapshot.game.parse_move(plan.notation))


def judge_plan(snapshot: MatchSnapshot, seat: int, plan: PlannedMove) -> PlanState:
    """Return what has become of a plan. One that was dropped fails until its decision is made, for the same reason."""
    planning, info = snapshot.game.planning, snapshot.info
    if planning is None or info.status not in (Status.RUNNING, Status.PAUSED) or not info.seats[seat].owner_plays:
        return PAST
    view = snapshot.view(seat)
    if next_decision(snapshot, seat) != plan.decision:
        return PAST
    if reason := plan.dropped or _failure(snapshot, seat, planning, plan, view):
        return PlanState("fails", reason)
    decision = snapshot.decisions().get(seat)
    return PlanState("waits" if decision is None or not decision.due else "due")


def _failure(snapshot: MatchSnapshot, seat: int, planning: Planning[Any, Any], plan: PlannedMove, view: Any) -> str:
    if planning.situation(view) != plan.situation:
        return CHANGED
    try:
        move = snapshot.game.parse_move(plan.notation)
        if reason := planning.failure(view, move, plan.condition):
            return reason
        if seat in snapshot.decisions():
            snapshot.game.check(snapshot.state, seat, move)
    except IllegalMove:
        return ILLEGAL
    return ""
