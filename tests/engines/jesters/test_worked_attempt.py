"""The attempt that Jesters' rules page works through happens as it is told there."""

from __future__ import annotations

from fractions import Fraction

from engines.jesters.components import catalogue
from engines.jesters.requirements.evaluation import is_met, reroll_chance
from tests.engines.jesters.positions import card_with, parse_position, performance_with, play_moves
from tests.games import game_root


def test_the_worked_attempt_is_what_happens() -> None:
    page = " ".join((game_root("jesters") / "docs" / "rules" / "jesters.md").read_text(encoding="utf-8").split())
    story = page.partition("### An example")[2].partition("## What Gifts do")[0]
    assert "*pair, one blue*" in story
    assert "They show blue 3, blue 5 and red 4." in story
    assert "A 3 makes a pair with the other blue die, a 4 one with the red die: two faces out of six." in story
    number = performance_with("pair, one blue")
    tweak, other = card_with(bottom="±1 blue"), card_with(bottom="±1 red")
    dealt = f"hands: {tweak} {other} | board: {number} 1 2 3 | perform: {number} B3 B5 R4"
    asked, dice = catalogue.performance(number).requirement, ((1, 3), (1, 5), (0, 4))
    assert not is_met(asked, dice)
    assert is_met(asked, ((1, 4), (1, 5), (0, 4)))
    assert reroll_chance(asked, dice, [1]) == Fraction(1, 3)
    for moves, succeeds in (
        ([f"spend {tweak} 1 4"], True),
        ([f"reroll {other}", "mark 2", "roll"], True),
        ([], False),
    ):
        state = parse_position(dealt, rolls="3")
        middle = sum(state.middle)
        play_moves(state, *moves, "finish")
        assert (number in state.completed[0]) == succeeds
        assert sum(state.middle) - middle == (3 if succeeds else 0)
        assert sum(state.dice[0]) == (0 if succeeds else 3)
