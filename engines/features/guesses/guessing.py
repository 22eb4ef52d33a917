"""Guesses: spectators say what will happen, while its game asks them. Their rows and rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engines.features.guesses.questions import NOBODY, AsksGuesses, GuessQuestion
from engines.hosting.feature import Feature
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.match_changes import MatchEditor
from engines.kit.contract import Event
from engines.kit.seats import letter
from engines.store.match_store import UNDOING, Change, Status
from engines.store.rows import PutRow, Rows, RowTable, RowWrite
from engines.store.table_options import SWITCH, TableOption

CAN_GUESS: TableOption[bool] = TableOption(
    name="guesses",
    default=False,
    values=SWITCH,
    description="Spectators can guess along",
    rank=50,
    always_stored=True,
    phrases={True: "spectators can guess"},
    applies_to=lambda game: isinstance(game, AsksGuesses),
)
PLAYERS_KNOW = "You are playing in this match, so you cannot guess. Only spectators can."
CLOSED = "This question is closed. You can guess again when the next one is open: the table has a button then."


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


async def save_guess(
    editor: MatchEditor, match: str, user: int, name: str, number: int, choices: frozenset[int]
) -> tuple[MatchSnapshot, GuessQuestion]:
    """Store a person's guess for the question of that number, which must be open. They may replace it.

    It does not change the match, so no message is drawn again for it. Return the match at the moment of the guess, and
    the question.
    """

    async def build(snapshot: MatchSnapshot) -> list[PutRow]:
        question = require_watcher(snapshot, user, await closed_questions(editor, match))
        if question.number != number:
            raise RequestRefused(CLOSED)
        if not question.accepts(choices):
            raise RequestRefused("Please choose from what the list offers: players, or nobody.")
        return [PutRow(GUESS_ROWS, Guess(match, number, user, name, tuple(sorted(choices))))]

    snapshot = await editor.write_rows(match, build)
    return snapshot, require_watcher(snapshot, user)


async def own_guess(editor: MatchEditor, match: str, user: int, number: int) -> tuple[int, ...]:
    """Return what a person guessed for the question of that number; empty if they did not."""
    found = await editor.load_rows(GUESS_ROWS, match, number, user)
    return found[0].choices if found else ()


async def closed_questions(editor: MatchEditor, match: str) -> frozenset[int]:
    """Return the questions that stay closed after undos."""
    return frozenset(row.question for row in await editor.load_rows(CLOSED_ROWS, match))


def answered(snapshot: MatchSnapshot, guesses: Collection[Guess]) -> tuple[Guess, ...]:
    """Return the guesses for questions that are answered, by question and user. Nobody may see the others."""
    answers = question_answers(snapshot)
    return tuple(guess for guess in guesses if guess.question in answers)


def require_watcher(snapshot: MatchSnapshot, user: int, closed: Collection[int] = ()) -> GuessQuestion:
    """Return the open question, for somebody who never had a seat in this match. Raises RequestRefused."""
    if any(seat.user == user for seat in snapshot.info.seats):
        raise RequestRefused(PLAYERS_KNOW)
    if not snapshot.info.table_options.of(CAN_GUESS):
        raise RequestRefused("Nobody can guess in this match: its host did not turn guesses on.")
    question = open_question(snapshot, closed)
    if question is None:
        raise RequestRefused(CLOSED)
    return question


def open_question(snapshot: MatchSnapshot, closed: Collection[int] = ()) -> GuessQuestion | None:
    """Return the question that spectators can answer now, if there is one that is not closed."""
    game = snapshot.game
    if snapshot.info.status is not Status.RUNNING or not has_guesses(snapshot) or not isinstance(game, AsksGuesses):
        return None
    question: GuessQuestion | None = snapshot.compute_once(
        "guess question", lambda: game.guess_question(snapshot.view(None), _public_events(snapshot))
    )
    # Older versions stored closed questions with the undos.
    return None if question is not None and question.number in {*closed, *snapshot.info.undoing.closed} else question


def question_answers(snapshot: MatchSnapshot) -> Mapping[int, frozenset[int]]:
    """Return the right choices of all questions that are answered, by number."""
    game = snapshot.game
    if not has_guesses(snapshot) or not isinstance(game, AsksGuesses):
        return {}
    return snapshot.compute_once("guess answers", lambda: game.guess_answers(_public_events(snapshot)))


def has_guesses(snapshot: MatchSnapshot) -> bool:
    """Whether the match has guesses. Without all its events, which a migration to new rules drops, it has none."""
    info = snapshot.info
    return info.table_options.of(CAN_GUESS) and snapshot.state is not None and len(snapshot.movers) == info.moves


def _public_events(snapshot: MatchSnapshot) -> list[Event]:
    return [each.event for each in snapshot.events if each.event.is_visible_to(None)]


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
