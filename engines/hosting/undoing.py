"""Undoes moves: the match returns to the state before one of them. A feature decides who may do that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engines.hosting.match import Match, MatchEdit, MatchHistory, replace_seat
from engines.hosting.match_changes import MatchEditor
from engines.hosting.timing.due_times import full_number
from engines.hosting.timing.restarted_clocks import clocks_after
from engines.hosting.timing.running_time import clock_stopped, postponed_deadlines, rest_seconds
from engines.kit.contract import AnyGame
from engines.store.match_store import ActionKind, Change, MatchInfo, Move
from engines.store.undoing import NOTHING_UNDONE, UnchangedDecision


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What is undone: the row that says so, the moves, and the match after it.

    `is_sealed`: others choose at the same time, and have seen no more of the move than that it was made. `is_practice`:
    the match no longer counts after it.
    """

    row: Move
    undone: tuple[Move, ...]
    history: MatchHistory
    is_sealed: bool
    is_practice: bool


def undo_moves(editor: MatchEditor, current: Match, plan: UndoPlan, action: ActionKind, by: int) -> MatchEdit:
    """Return to the state before the move, and number the decisions that come back after those that anybody has
    seen."""
    info, row, state = current.info, plan.row, plan.history.state
    seat = replace(info.seats[row.seat], missed=0)
    unchanged, now = unchanged_decisions(current.game, info, current.state, plan), editor.clock()
    rest_began = editor.rest_began(info.place.guild)
    rest = rest_seconds(info, replace(info, changed=now, undoing=NOTHING_UNDONE), rest_began)
    deadlines, stopped = postponed_deadlines(current.deadlines, rest), clock_stopped(now, rest_began)
    undoing = replace(
        info.undoing,
        request=None,
        clocks=clocks_after(current.game, info, current.state, state, deadlines, unchanged, stopped),
        kept=unchanged,
    )
    new = current.next_info(
        now,
        moves=row.number,
        seats=replace_seat(info, row.seat, seat),
        practice=info.practice or plan.is_practice,
        decision_offset=info.decision_offset + len(plan.undone) + 1,
        undoing=undoing,
    )
    checkpoint = current.game.checkpoint_adapter.dump_json(state).decode()
    change = Change(new, action, by, move=row, checkpoint=checkpoint, undone=plan.undone)
    return MatchEdit(change, state, history=plan.history)


def unchanged_decisions(game: AnyGame, info: MatchInfo, state: Any, plan: UndoPlan) -> tuple[UnchangedDecision, ...]:
    """Return the decisions that are open before and after moves are undone, with nothing else to see and to choose.

    They keep their numbers, and with them everything that is stored under a number: deadlines, pings, steps, advice and
    controls. That a sealed choice is open again is nothing to see.
    """
    after, before = plan.history.state, game.decisions(state)
    return tuple(
        UnchangedDecision(seat, decision.number, full_number(info, seat, decision.number) - decision.number)
        for seat, decision in game.decisions(after).items()
        if before.get(seat) == decision
        and game.moves(state, seat) == game.moves(after, seat)
        and (plan.is_sealed or game.view(state, seat) == game.view(after, seat))
    )
