"""The guesses of people who watch: implements engines.store.guesses."""

from __future__ import annotations

import json
import sqlite3
from functools import partial

from engines.store.guesses import Guess
from engines.store.match_store import WriteConflict
from storage.shared.match_rows import MOVED_ON
from storage.sqlite.database import Database

_PUT = """
INSERT INTO guesses (match, question, user, name, choices)
SELECT match, :question, :user, :name, :choices FROM matches WHERE match = :match AND revision = :revision
ON CONFLICT (match, question, user) DO UPDATE SET name = excluded.name, choices = excluded.choices
"""
_LOAD = "SELECT match, question, user, name, choices FROM guesses WHERE match = ? ORDER BY question, user"
_OF_USER = f"SELECT * FROM ({_LOAD}) WHERE user = ?"


class GuessStore:
    """The part of the match store that knows what people guess."""

    _database: Database

    async def put_guess(self, guess: Guess, revision: int) -> None:
        """Store a guess. Raises WriteConflict if the match no longer has this revision."""
        await self._database.write(partial(_put_guess, guess, revision), what=f"match {guess.match}, a guess")

    async def load_guesses(self, match: str) -> list[Guess]:
        """Return all guesses of a match, by question and user."""

        def load(raw: sqlite3.Connection) -> list[Guess]:
            return [_parse_guess(row) for row in raw.execute(_LOAD, (match,))]

        return await self._database.read(load, what=f"match {match}, guesses")


def guesses_of(raw: sqlite3.Connection, match: str, user: int) -> tuple[Guess, ...]:
    """Return what a person guessed in a match."""
    return tuple(_parse_guess(row) for row in raw.execute(_OF_USER, (match, user)))


def _put_guess(guess: Guess, revision: int, raw: sqlite3.Connection) -> None:
    values = {
        "match": guess.match,
        "question": guess.question,
        "user": guess.user,
        "name": guess.name,
        "choices": json.dumps(guess.choices),
        "revision": revision,
    }
    if raw.execute(_PUT, values).rowcount == 0:
        raise WriteConflict(MOVED_ON)


def _parse_guess(row: tuple[str, int, int, str, str]) -> Guess:
    match, question, user, name, choices = row
    return Guess(match, question, user, name, tuple(json.loads(choices)))
