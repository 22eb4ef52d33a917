"""Spectators guess who makes their bid."""

from __future__ import annotations

import pytest

from engines.features.guesses.questions import NOBODY
from engines.wizard import WIZARD
from engines.wizard.model import RoundScored, Score
from tests.engines.wizard.positions import parse_position


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("phase: bid | bids: - - - | hand: 2H", True),
        ("phase: trump | turned: wizard | hand: 2H 3H", True),
        ("hand: 2H", True),
        ("trick: 2S | hand: 2H", False),  # its only trick has begun
        ("trick: 2S 3S | hand: 2H 3H", True),
    ],
)
def test_a_round_is_asked_about_until_its_first_trick_ends(text: str, is_open: bool) -> None:
    question = WIZARD.guess_question(WIZARD.view(parse_position(text), None), [])
    assert (question is not None) is is_open
    if question is not None:
        assert (question.choices, question.several) == ((0, 1, 2, NOBODY), True)


def test_nothing_is_asked_after_the_first_trick() -> None:
    state = parse_position("trick: 2S 3S | hand: 4S 3H")
    WIZARD.play(state, 2, WIZARD.parse_move("play 4S"))
    assert WIZARD.guess_question(WIZARD.view(state, None), []) is None


def test_those_who_made_their_bid_are_right() -> None:
    def scored(number: int, *bids: tuple[int, int]) -> RoundScored:
        return RoundScored(round=number, scores=tuple(Score(*bid, 0) for bid in bids), totals=(0, 0, 0))

    events = [scored(1, (0, 0), (1, 0), (1, 1)), scored(2, (2, 0), (1, 0), (0, 2))]
    assert WIZARD.guess_answers(events) == {1: {0, 2}, 2: {NOBODY}}
