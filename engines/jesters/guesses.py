"""What spectators can guess in Jesters: whose attempt is the first to succeed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.features.guesses.questions import NOBODY, GuessQuestion
from engines.jesters.events import AttemptStarted, FavoritePlaced, TaskCompleted
from engines.jesters.view import View
from engines.kit.contract import Event


def guess_question(view: View, events: Sequence[Event]) -> GuessQuestion | None:
    """Ask in each round, until its first attempt begins."""
    if view.phase == "over":
        return None
    for event in reversed(events):
        if isinstance(event, AttemptStarted):
            return None
        if isinstance(event, FavoritePlaced):  # the round before is over
            break
    return GuessQuestion(view.round, (*range(view.seats), NOBODY))


def guess_answers(events: Sequence[Event]) -> Mapping[int, frozenset[int]]:
    """Return who was the first to complete a Performance or the Favorite, by round."""
    answers: dict[int, frozenset[int]] = {}
    first = NOBODY
    for event in events:
        if isinstance(event, TaskCompleted) and first == NOBODY:
            first = event.seat
        elif isinstance(event, FavoritePlaced) and event.played:
            answers[event.place + 1] = frozenset({first})
            first = NOBODY
    return answers
