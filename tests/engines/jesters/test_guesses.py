"""Spectators guess whose attempt is the first of the round to succeed."""

from __future__ import annotations

from engines.features.guesses.questions import NOBODY, GuessQuestion
from engines.jesters import JESTERS
from engines.jesters.events import AttemptFailed, AttemptStarted, FavoritePlaced, TaskCompleted
from tests.engines.jesters.positions import parse_position

STARTED = AttemptStarted(seat=1, target=3, dice=())
FAILED = AttemptFailed(seat=1, target=3, dice=(), failures=1, cards=1)


def task_completed(seat: int) -> TaskCompleted:
    return TaskCompleted(seat=seat, target=3, dice=())


def favorite_placed(place: int, played: bool = True) -> FavoritePlaced:
    return FavoritePlaced(favorite=1, place=place, played=played)


def test_a_round_is_asked_about_until_its_first_attempt() -> None:
    first, second = (JESTERS.view(parse_position(f"round: {number}"), None) for number in (1, 2))
    question = GuessQuestion(1, (0, 1, 2, NOBODY))
    assert JESTERS.guess_question(first, []) == question
    assert JESTERS.guess_question(first, [STARTED]) is None
    assert JESTERS.guess_question(first, [STARTED, FAILED]) is None
    assert JESTERS.guess_question(second, [STARTED, FAILED, favorite_placed(0)]) == GuessQuestion(2, question.choices)
    assert JESTERS.guess_question(second, [favorite_placed(0), STARTED]) is None


def test_the_first_success_of_each_round_is_right() -> None:
    events = [STARTED, FAILED, task_completed(2), task_completed(1), favorite_placed(0), STARTED, FAILED]
    assert JESTERS.guess_answers(events) == {1: {2}}
    assert JESTERS.guess_answers([*events, favorite_placed(1), task_completed(0)]) == {1: {2}, 2: {NOBODY}}


def test_rounds_that_are_not_played_have_no_answer() -> None:
    events = [task_completed(0), favorite_placed(0), favorite_placed(1, played=False), favorite_placed(2, played=False)]
    assert JESTERS.guess_answers(events) == {1: {0}}
