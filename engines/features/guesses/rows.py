"""What is stored about guesses."""

from __future__ import annotations

from dataclasses import dataclass

from engines.store.rows import RowTable


@dataclass(frozen=True, slots=True)
class Guess:
    """What somebody guessed: the number of the question, and their choices (see `GuessQuestion`), in order."""

    match: str
    question: int
    user: int
    name: str
    choices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClosedQuestion:
    """A question that stays closed although an undo undid its answer, because people have seen that."""

    match: str
    question: int


GUESS_ROWS = RowTable("guesses", Guess, key=3)
CLOSED_ROWS = RowTable("closed_questions", ClosedQuestion, key=2)
