"""What spectators can guess in Jest: who takes a card that lies face down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.features.guesses.questions import NOBODY, GuessQuestion, right_seats
from engines.jest.model import CardTaken, JestsRevealed, RoundDealt
from engines.jest.view import View, round_count
from engines.kit.contract import Event


def guess_question(view: View, events: Sequence[Event]) -> GuessQuestion | None:
    """Ask in each round, until its first card is taken."""
    if view.phase == "over" or view.takes:
        return None
    return GuessQuestion(view.round, (*range(view.seats), NOBODY), several=True)


def guess_answers(events: Sequence[Event]) -> Mapping[int, frozenset[int]]:
    """Return who took a face-down card, by round."""
    answers: dict[int, frozenset[int]] = {}
    unseen: list[int] = []
    for event in events:
        if isinstance(event, CardTaken) and event.card is None:
            unseen.append(event.seat)
        elif isinstance(event, RoundDealt | JestsRevealed):  # the round before is over
            number = event.round - 1 if isinstance(event, RoundDealt) else round_count(len(event.jests))
            answers[number] = right_seats(unseen)
            unseen = []
    return answers
