"""What the table's core calls of the guesses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engines.features.guesses.guessing import CAN_GUESS, question_answers
from engines.features.guesses.questions import NOBODY
from engines.features.guesses.rows import CLOSED_ROWS, GUESS_ROWS, ClosedQuestion
from engines.hosting.feature import Feature
from engines.hosting.match import MatchSnapshot
from engines.kit.seats import letter
from engines.store.match_store import UNDOING, Change
from engines.store.rows import PutRow, Rows, RowWrite


class GuessesFeature(Feature):
    """Guesses change no match. An undo keeps the questions closed whose answers were seen."""

    name = "guesses"
    tables = (GUESS_ROWS, CLOSED_ROWS)
    table_options = (CAN_GUESS,)
    reacts_to = UNDOING

    def react(self, before: MatchSnapshot, change: Change, state: Any) -> Iterable[RowWrite]:
        """Keep the answered questions closed, if this takes a move back."""
        match = change.info.id
        numbers = question_answers(before) if change.undone else ()
        return [PutRow(CLOSED_ROWS, ClosedQuestion(match, number)) for number in numbers]

    def personal_data(self, rows: Rows) -> Mapping[str, Any]:
        """Return the guesses, with letters for seats."""
        guesses = [
            {"question": each.question, "guess": [*map(_choice_text, each.choices)], "your name there": each.name}
            for each in rows.of(GUESS_ROWS)
        ]
        return {"guesses while you watched": guesses}


def _choice_text(choice: int) -> str:
    return "nobody" if choice == NOBODY else letter(choice)


GUESSES = GuessesFeature()
