"""The part of a hand that plans a move ahead: a list of moves, or the marked one with its conditions. Pure."""

from __future__ import annotations

from dataclasses import replace

from cogs.screens.screen import GameScreen, Screen
from cogs.screens.words import capitalize
from cogs.table.pages import custom_ids
from cogs.table.pages.hand_controls import MAX_LINES, HandControls
from cogs.table.pages.page import Line, Menu, Press, Row, press_rows
from cogs.table.pages.screen_layout import Reader
from engines.features.plans.planned_moves import (
    CONDITION,
    MARK,
    WITHDRAW,
    current_plan,
    judge_plan,
    next_decision,
    offered_conditions,
    open_planning,
)
from engines.hosting.match import MatchSnapshot

PLACEHOLDER = "Play ahead"


def add_planning(
    snapshot: MatchSnapshot, seat: int, screen: GameScreen, drawn: Screen, controls: HandControls, reader: Reader
) -> tuple[Screen, HandControls, Reader]:
    """Return a hand with the reader's planned move and the controls to plan one.

    What became of the plan stands in the place of the values and of the note, so that the hand gets no taller.
    """
    plan = current_plan(snapshot, seat, reader.plan)
    said = ""
    if plan is not None:
        state = judge_plan(snapshot, seat, plan)
        label = screen.plan_label(snapshot.game.parse_move(plan.notation))
        marked = f"Marked: {label} · {screen.condition_text(plan.condition)}"
        said = screen.dropped_text(state.reason) if state.kind == "fails" else marked
        drawn, reader = replace(drawn, worth_text=said), replace(reader, worth=True, lines=())
        plan = None if state.kind == "fails" else plan
    planning = open_planning(snapshot, seat)
    if planning is None:
        return drawn, controls, reader
    view = snapshot.view(seat)
    match, decision = snapshot.info.id, next_decision(snapshot, seat)
    if plan is None:
        moves = [(screen.plan_label(move), snapshot.game.format_move(move)) for move in planning.moves(view)]
        lines = tuple(Line(label, notation) for label, notation in moves[:MAX_LINES])
        rows: tuple[Row, ...] = (Row(Menu(custom_ids.plan_id(match, decision, MARK), PLACEHOLDER, lines)),)
    else:
        others = [each for each in offered_conditions(snapshot, seat, plan) if each != plan.condition]
        rows = press_rows(
            [
                *(
                    Press(
                        capitalize(screen.condition_text(each)),
                        custom_ids.plan_id(match, decision, f"{CONDITION}{each}"),
                    )
                    for each in others
                ),
                Press("Withdraw", custom_ids.plan_id(match, decision, WITHDRAW)),
            ]
        )
    return drawn, replace(controls, remaining=(*controls.remaining, *rows)), reader
