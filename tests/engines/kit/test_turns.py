"""Whose turn it is: one seat's decision, nobody's after the end; what is said to the others, and the places then."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from engines.kit.contract import Decision, Outcome, rank_places
from engines.kit.turns import NO_DECISIONS, decision_in_turn, out_of_turn_error, single_decision


@dataclass(slots=True)
class State:
    """Three seats; the second one is in turn."""

    phase: str = "bid"
    turn: int = 1
    numbers: list[int] = field(default_factory=lambda: [4, 7, 4])


def test_the_seat_in_turn_decides_what_the_phase_is_called_and_its_moves_are_counted() -> None:
    assert decision_in_turn(State()) == {1: Decision("bid", 7, due=True)}
    assert decision_in_turn(State(phase="play", turn=2)) == single_decision(2, "play", 4) == {2: Decision("play", 4)}


def test_nobody_decides_when_the_game_is_over() -> None:
    assert decision_in_turn(State(phase="over")) == NO_DECISIONS == {}


@pytest.mark.parametrize(("phase", "sentence"), [("bid", "It is not your turn."), ("over", "The game is over.")])
def test_somebody_who_is_not_asked_is_told_so_and_no_rule_is_cited(phase: str, sentence: str) -> None:
    refusal = out_of_turn_error(State(phase=phase))
    assert (refusal.rule, refusal.reason) == (None, sentence)


@pytest.mark.parametrize(
    ("worth", "expected"),
    [
        ((3, 1, 2), (1, 3, 2)),
        ((5, 5, 2), (1, 1, 3)),
        ((2, 5, 5, 1), (3, 1, 1, 4)),
        ((0, 0), (1, 1)),
        ((-4,), (1,)),
        (((3, 1), (3, 2), (4, 0)), (3, 2, 1)),
        ((), ()),
    ],
)
def test_the_greatest_is_first_and_equal_ones_share_a_place(worth: tuple[Any, ...], expected: tuple[int, ...]) -> None:
    assert rank_places(worth) == expected


def test_the_winners_are_all_seats_in_first_place() -> None:
    assert Outcome.from_points([7, 9, 9]) == Outcome((3, 1, 1), (7, 9, 9))
    assert Outcome.from_points([7, 9, 9]).winners == (1, 2)
