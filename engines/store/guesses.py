"""The guesses of people who watch a match: the stored value, and the storage protocol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Guess:
    """What somebody guessed: the number of the question, and their choices (see `GuessQuestion`), in order."""

    match: str
    question: int
    user: int
    name: str
    choices: tuple[int, ...]


class GuessStorage(Protocol):
    """The storage of guesses. Methods raise StoreFailure."""

    async def put_guess(self, guess: Guess, revision: int) -> None:
        """Store a guess, instead of an earlier one of that person for that question.

        Raises WriteConflict if the match no longer has this revision, because its question may have closed.
        """

    async def load_guesses(self, match: str) -> list[Guess]:
        """Return all guesses of a match, by question and user."""
