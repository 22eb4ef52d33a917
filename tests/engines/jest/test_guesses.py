"""Spectators guess who takes a card that lies face down."""

from __future__ import annotations

from engines.features.guesses.questions import NOBODY, GuessQuestion
from engines.jest import JEST
from engines.jest.model import CardTaken, JestsRevealed, RoundDealt
from tests.engines.jest.positions import parse_position, play_lines

OFFERED = "4S|2H / 3D|4C / joker|2S"


def test_a_round_is_asked_about_until_its_first_card_is_taken() -> None:
    question = GuessQuestion(1, (0, 1, 2, NOBODY), several=True)
    assert JEST.guess_question(JEST.view(parse_position(OFFERED.replace("|", " ")), None), []) == question
    state = parse_position(OFFERED)
    assert JEST.guess_question(JEST.view(state, None), []) == question
    play_lines(state, "A take B up")
    assert JEST.guess_question(JEST.view(state, None), []) is None


def test_those_who_took_unseen_are_right_round_by_round() -> None:
    unseen, visible = CardTaken(seat=2, source=1, card=None), CardTaken(seat=0, source=2, card=5)
    events = [visible, unseen, CardTaken(seat=1, source=0, card=None), RoundDealt(round=2, deck=3), visible]
    assert JEST.guess_answers(events) == {1: {1, 2}}
    more = [
        *events,
        RoundDealt(round=3, deck=0),
        RoundDealt(round=4, deck=0),
        unseen,
        JestsRevealed(jests=((), (), ())),
    ]
    assert JEST.guess_answers(more) == {1: {1, 2}, 2: {NOBODY}, 3: {NOBODY}, 4: {2}}
