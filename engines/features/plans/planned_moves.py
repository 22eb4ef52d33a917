"""Planned moves: their rows, what a player may mark before their turn, and what has become of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from engines.features.plans.planning import CHANGED, ILLEGAL, TAKEN_BACK, Planning, planning_of
from engines.hosting.feature import DueMoves, Feature
from engines.hosting.match import MatchSnapshot, RequestRefused, StaleDecision
from engines.hosting.timing.due_times import full_number
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from engines.store.match_store import Status
from engines.store.rows import DropRow, ReplaceRow, Rows, RowTable, RowWrite

MARK, WITHDRAW = "move", "none"  # what a control asks for; others begin with CONDITION
CONDITION = "if "


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A move that a player marked for their next decision. It is made when their turn comes if its condition holds.

    `decision` is the number of that decision, `situation` what the plan depends on whatever its condition. `dropped` is
    the reason why it will not be made, which its player is told; conditions and reasons are words of the game. `moves`
    is the number of moves and undos of the match when it was marked; −1 if an older version stored it.
    """

    match: str
    user: int
    decision: int
    notation: str
    condition: str
    situation: str
    dropped: str = ""
    moves: int = -1


PLANNED_MOVES = RowTable("planned_moves", PlannedMove, key=2, seen="hand")


@dataclass(frozen=True, slots=True)
class PlanState:
    """What has become of a plan: it waits for its turn, is to be played now, fails for a reason, or is past."""

    kind: Literal["waits", "due", "fails", "past"]
    reason: str = ""


PAST = PlanState("past")


def open_planning(snapshot: MatchSnapshot, seat: int) -> Planning[Any, Any] | None:
    """Return the planning rules if a seat's player can plan a move now."""
    planning, info = planning_of(snapshot.game), snapshot.info
    if planning is None or info.status is not Status.RUNNING or not info.seats[seat].owner_plays:
        return None
    return planning if seat not in snapshot.decisions() and planning.moves(snapshot.view(seat)) else None


def next_decision(snapshot: MatchSnapshot, seat: int) -> int:
    """Return the number of the decision that a seat's plan is about, in a game with planning."""
    planning = planning_of(snapshot.game)
    assert planning is not None
    return full_number(snapshot.info, seat, planning.decision(snapshot.view(seat)))


def current_plan(snapshot: MatchSnapshot, seat: int, plan: PlannedMove | None) -> PlannedMove | None:
    """Return the plan, as it stands now, if it is about the seat's open or next decision."""
    plan = None if plan is None else carry_plan(snapshot, seat, plan)
    return None if plan is None or judge_plan(snapshot, seat, plan).kind == "past" else plan


def carry_plan(snapshot: MatchSnapshot, seat: int, plan: PlannedMove) -> PlannedMove:
    """Return a seat's plan after the undos since it was marked, which gave its decision another number.

    It is dropped if its player knew a move that was taken back, because they may have planned for it, and if their own
    move was: they take it back to choose again. Otherwise it counts again, even if the move had ruled it out.
    """
    since = [each for each in snapshot.undos if each.number > plan.moves >= 0]
    if not since:
        return plan
    undone = [move for each in since for move in each.moves]
    own = [move for move in undone if snapshot.mover_of(move) == seat]
    known = [move for move in undone if move <= plan.moves]
    decision = plan.decision + len(undone) + len(since) - len({*own} & {*known})
    is_dropped = own or known or plan.dropped == TAKEN_BACK
    return replace(plan, decision=decision, dropped=TAKEN_BACK if is_dropped else "", moves=snapshot.info.moves)


def change_plan(
    snapshot: MatchSnapshot, seat: int, decision: int, request: str, notation: str, old: PlannedMove | None
) -> PlannedMove | None:
    """Return the plan after a request: `move` with a notation, `if` and a condition, or `none` to withdraw it.

    Raises StaleDecision, and RequestRefused or IllegalMove with a sentence.
    """
    planning, user = planning_of(snapshot.game), snapshot.info.seats[seat].user
    if planning is None or snapshot.info.status is not Status.RUNNING or next_decision(snapshot, seat) != decision:
        raise StaleDecision
    view = snapshot.view(seat)
    if request == WITHDRAW:
        return None
    if open_planning(snapshot, seat) is None:
        raise StaleDecision
    old = current_plan(snapshot, seat, old)
    if request == MARK:
        move = snapshot.game.parse_move(notation)
        if move not in planning.moves(view):
            raise RequestRefused("You cannot plan that now. Please choose from what your hand offers.")
        condition = planning.conditions(view, move)[0]
        notation, moves = snapshot.game.format_move(move), snapshot.info.moves
        return PlannedMove(snapshot.info.id, user, decision, notation, condition, planning.situation(view), moves=moves)
    condition = request.removeprefix(CONDITION)
    if old is None or old.dropped:
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
    planning, info = planning_of(snapshot.game), snapshot.info
    if planning is None or info.status not in (Status.RUNNING, Status.PAUSED) or not info.seats[seat].owner_plays:
        return PAST
    view, plan = snapshot.view(seat), carry_plan(snapshot, seat, plan)
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
