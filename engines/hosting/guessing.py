"""Guesses: people who watch a match say what will happen, while its game asks them.

Part of `Matches`, and called through it.
"""

from __future__ import annotations

from collections.abc import Mapping

from engines.hosting.breaks import Breaks
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.match_changes import NOT_WRITTEN, TRIES
from engines.kit.contract import Event
from engines.kit.guesses import GuessQuestion
from engines.store.guesses import Guess
from engines.store.match_store import Status, WriteConflict

NO_ANSWERS: Mapping[int, frozenset[int]] = {}
PLAYERS_KNOW = "You play in this match, so you cannot guess. Only people who watch can."
CLOSED = "This question is closed. You can guess again when the next one is open: the table has a button then."


class Guessing(Breaks):
    """Stores guesses. They do not change their match, so no message is drawn again for them."""

    async def save_guess(
        self, match: str, user: int, name: str, number: int, choices: frozenset[int]
    ) -> tuple[MatchSnapshot, GuessQuestion]:
        """Store a person's guess for the question of that number, which must be open. They may replace it.

        Return the match at the moment of the guess, and the question.
        """
        for _ in range(TRIES):
            async with self._exclusive_match(match) as current:
                snapshot = current.take_snapshot()
                question = require_watcher(snapshot, user)
                if question.number != number:
                    raise RequestRefused(CLOSED)
                if not question.accepts(choices):
                    raise RequestRefused("Please choose from what the list offers: players, or nobody.")
                guess = Guess(match, number, user, name, tuple(sorted(choices)))
                try:
                    await self._store.put_guess(guess, snapshot.info.revision)
                except WriteConflict:  # another process has changed the match, which may have closed the question
                    self._cache.pop(match, None)
                    continue
                return snapshot, question
        raise WriteConflict(NOT_WRITTEN)

    async def own_guess(self, match: str, user: int, number: int) -> tuple[int, ...]:
        """Return what a person guessed for the question of that number; empty if they did not."""
        guesses = await self._store.load_guesses(match)
        return next((each.choices for each in guesses if (each.question, each.user) == (number, user)), ())

    async def answered_guesses(self, snapshot: MatchSnapshot) -> tuple[Guess, ...]:
        """Return the guesses for questions that are answered, by question and user. Nobody may see the others."""
        answers = question_answers(snapshot)
        guesses = await self._store.load_guesses(snapshot.info.id) if answers else []
        return tuple(guess for guess in guesses if guess.question in answers)


def require_watcher(snapshot: MatchSnapshot, user: int) -> GuessQuestion:
    """Return the open question, for somebody who never had a seat in this match. Raises RequestRefused."""
    if any(seat.user == user for seat in snapshot.info.seats):
        raise RequestRefused(PLAYERS_KNOW)
    if not snapshot.info.house.guesses:
        raise RequestRefused("Nobody can guess in this match: its host has left guesses off.")
    question = open_question(snapshot)
    if question is None:
        raise RequestRefused(CLOSED)
    return question


def open_question(snapshot: MatchSnapshot) -> GuessQuestion | None:
    """Return the question that people who watch can answer now, if there is one."""
    if snapshot.info.status is not Status.RUNNING or not _has_guesses(snapshot):
        return None
    question: GuessQuestion | None = snapshot.compute_once(
        "guess question", lambda: snapshot.game.guess_question(snapshot.view(None), _public_events(snapshot))
    )
    return None if question is not None and question.number in snapshot.info.take_backs.closed else question


def question_answers(snapshot: MatchSnapshot) -> Mapping[int, frozenset[int]]:
    """Return the right choices of all questions that are answered, by number."""
    if not _has_guesses(snapshot):
        return NO_ANSWERS
    return snapshot.compute_once("guess answers", lambda: snapshot.game.guess_answers(_public_events(snapshot)))


def _has_guesses(snapshot: MatchSnapshot) -> bool:
    """Whether the match has guesses. Without all its events, which a migration to new rules drops, it has none."""
    return snapshot.info.house.guesses and snapshot.state is not None and len(snapshot.movers) == snapshot.info.moves


def _public_events(snapshot: MatchSnapshot) -> list[Event]:
    return [told.event for told in snapshot.events if told.event.is_visible_to(None)]
