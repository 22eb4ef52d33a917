"""Laws of what spectators guess: the questions, and their answers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engines.features.guesses.questions import NOBODY, AsksGuesses, GuessQuestion
from engines.kit.contract import Event, Game
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.walk import choose_move
from tests.until_over import until_over

MOST_CHOICES = 25  # lines of a list


def spectators_guess_about_what_they_may_know(helper: GameHelper, start: MatchStart) -> None:
    """A question is the same in all worlds that a spectator cannot tell apart, and the seats may be its choices."""
    game, rng = helper.game, Random(start.seed)
    if not isinstance(game, AsksGuesses):
        return
    for state, public in _public_walk(helper, start):
        question = _question(game, state, public)
        if question is not None:
            assert 2 <= len({*question.choices}) == len(question.choices) <= MOST_CHOICES
            assert {*question.choices} <= {*range(start.seats), NOBODY}
            assert NOBODY in question.choices or not question.several, "nobody may be right"
        if rng.random() < 0.2:
            other = helper.scramble_hidden(state, None, rng)
            assert _question(game, other, public) == question, "the question tells"
            assert _question(game, state, public) == question, "the question differs from one moment to the next"


def questions_close_before_their_answer_and_get_one(helper: GameHelper, start: MatchStart) -> None:
    """Each question is asked in one stretch, and answered afterwards, once and for all: at the end of the match at the
    latest. They are numbered in order.
    """
    if not isinstance(helper.game, AsksGuesses):
        return
    game, questions, is_open = helper.game, list[GuessQuestion](), False
    answers: dict[int, frozenset[int]] = {}
    for state, public in _public_walk(helper, start):
        question, known = _question(game, state, public), dict(game.guess_answers(public))
        assert {number: known.get(number) for number in answers} == answers, "an answer changes"
        if question is not None:
            assert question.number not in known, "the answer is known"
            assert game.decisions(state), "the match is over"
            if not questions or question != questions[-1]:
                assert not questions or question.number == questions[-1].number + 1, (
                    "it is asked again, or one is left out"
                )
                questions.append(question)
            else:
                assert is_open, "a question that was closed is open again"
        is_open = question is not None
        if questions and game.decisions(state):
            assert max(known, default=0) <= questions[-1].number, "nobody was asked"
        answers = known
    assert {question.number for question in questions} <= answers.keys(), "a question has no answer"
    for question in questions:
        right = answers.get(question.number)
        assert right is None or (right and right <= {*question.choices}), "the answer could not be chosen"
        assert right is None or len(right) == 1 or (question.several and NOBODY not in right)


def _public_walk(helper: GameHelper, start: MatchStart) -> Iterator[tuple[Any, list[Event]]]:
    """The states of a random match to its end, each with everything that a spectator has been told so far."""
    rng, state, public = Random(f"{start.seed} guesses"), helper.start_state(start), list[Event]()
    for _ in until_over(helper.game, state):
        yield state, public
        seat, move = choose_move(helper, state, rng)
        public += [event for event in helper.game.play(state, seat, move) if event.is_visible_to(None)]
    yield state, public


def _question(game: Game[Any, Any, Any, Any], state: Any, public: list[Event]) -> GuessQuestion | None:
    assert isinstance(game, AsksGuesses)
    return game.guess_question(game.view(state, None), public)
