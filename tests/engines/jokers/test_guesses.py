"""Spectators guess who wins the round."""

from __future__ import annotations

import pytest

from engines.features.guesses.questions import NOBODY, GuessQuestion
from engines.jokers import JOKERS
from engines.jokers.guesses import LEFT_TO_DRAW
from engines.jokers.model import RoundResult, RoundScored
from tests.engines.jokers.positions import FULL, parse_position


@pytest.mark.parametrize(("draw", "is_open"), [(34, True), (LEFT_TO_DRAW, True), (LEFT_TO_DRAW - 1, False), (0, False)])
def test_a_round_is_asked_about_until_many_cards_are_drawn(draw: int, is_open: bool) -> None:
    question = JOKERS.guess_question(JOKERS.view(parse_position(f"draw: {draw}"), None), [])
    assert question == (GuessQuestion(1, (0, 1, NOBODY)) if is_open else None)


def test_a_declaration_closes_the_question() -> None:
    state = parse_position(f"hand: {FULL}")
    JOKERS.play(state, 0, JOKERS.parse_move("declare"))
    assert JOKERS.guess_question(JOKERS.view(state, None), []) is None


def test_only_true_declarations_are_made() -> None:
    results = [RoundResult(1, "declared", 1, ((), ()), ()), RoundResult(2, "empty", None, ((), ()), ())]
    events = [RoundScored(result=result, totals=(0, 0)) for result in results]
    assert JOKERS.guess_answers(events) == {1: {1}, 2: {NOBODY}}
