"""Whose turn it is: one seat's decision, nobody's after the end, and what is said to the others."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from engines.kit.contract import Decision
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


@pytest.mark.parametrize(("phase", "said"), [("bid", "It is not your turn."), ("over", "The game is over.")])
def test_who_is_not_asked_is_told_so_and_no_rule_is_cited(phase: str, said: str) -> None:
    refusal = out_of_turn_error(State(phase=phase))
    assert (refusal.rule, refusal.reason) == (None, said)
