"""The part of a hand that plans a move ahead: a list of moves, or the marked one with its conditions. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, cast, runtime_checkable

from cogs.screens.words import capitalize
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.hand_controls import MAX_LINES
from cogs.table.pages.page import Line, Menu, Page, Press, Row, Text, press_rows
from engines.features.plans.planned_moves import (
    CONDITION,
    MARK,
    PLANNED_MOVES,
    WITHDRAW,
    PlannedMove,
    current_plan,
    judge_plan,
    next_decision,
    offered_conditions,
    open_planning,
)

PLACEHOLDER = "Play ahead"
REQUEST_PATTERN = r"\d{1,6}:[a-z]{1,20}(?: [A-Za-z0-9]{1,20})?"
"""A decision, and what is asked for: see `change_plan`."""


@runtime_checkable
class WordsPlans(Protocol):
    """What the screen of a game implements whose players can mark moves ahead."""

    def plan_label(self, move: Any) -> str:
        """Return a move as its button will name it."""

    def plan_order(self, moves: Sequence[Any]) -> Sequence[Any]:
        """Return moves in the order in which their buttons will stand."""

    def condition_text(self, condition: str) -> str:
        """Return a condition of a planned move in a few words, to follow its name: `if hearts ♥ are led`."""

    def dropped_text(self, reason: str) -> str:
        """Return in a sentence that a planned move was dropped, and why."""


def change_id(match: str, decision: int, request: str) -> str:
    """Return the custom id of the list of moves to plan, or of a button that changes or withdraws the plan."""
    return feature_id("plans", match, "change", f"{decision}:{request}")


def plan_line(facts: Facts, seat: int) -> Iterable[str]:
    """Return what has become of the reader's plan, as a line of small print."""
    snapshot, plan = facts.snapshot, plan_of(facts, seat)
    if plan is None:
        return
    screen, state = cast(WordsPlans, facts.screen), judge_plan(snapshot, seat, plan)
    label = screen.plan_label(snapshot.game.parse_move(plan.notation))
    marked = f"Planned: {label} · {screen.condition_text(plan.condition)}"
    yield f"-# {screen.dropped_text(state.reason) if state.kind == 'fails' else marked}"


def plan_page(facts: Facts, seat: int) -> Page | None:
    """Return the same apart from the hand, for its owner alone; None if there is nothing to play ahead."""
    rows = tuple(plan_rows(facts, seat))
    text = "\n".join((f"**{PLACEHOLDER}**", *plan_line(facts, seat)))
    return Page((Text(text), *rows), reader=facts.snapshot.info.seats[seat].user) if rows else None


def plan_rows(facts: Facts, seat: int) -> Iterable[Row]:
    """Return the list of moves to plan, or the buttons that change the plan."""
    snapshot, planning = facts.snapshot, open_planning(facts.snapshot, seat)
    if planning is None:
        return ()
    screen, plan = cast(WordsPlans, facts.screen), plan_of(facts, seat)
    match, decision = snapshot.info.id, next_decision(snapshot, seat)
    if plan is None or judge_plan(snapshot, seat, plan).kind == "fails":
        moves = screen.plan_order(planning.moves(snapshot.view(seat)))
        lines = [Line(screen.plan_label(move), snapshot.game.format_move(move)) for move in moves[:MAX_LINES]]
        return (Row(Menu(change_id(match, decision, MARK), PLACEHOLDER, tuple(lines))),)
    others = [each for each in offered_conditions(snapshot, seat, plan) if each != plan.condition]
    return press_rows(
        [
            *(
                Press(capitalize(screen.condition_text(each)), change_id(match, decision, f"{CONDITION}{each}"))
                for each in others
            ),
            Press("Withdraw", change_id(match, decision, WITHDRAW)),
        ]
    )


def plan_of(facts: Facts, seat: int) -> PlannedMove | None:
    """Return the reader's plan, as it stands now."""
    return current_plan(facts.snapshot, seat, next(iter(facts.rows.of(PLANNED_MOVES)), None))
