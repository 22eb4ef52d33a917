"""The guesses of people who watch: implements engines.store.guesses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from engines.store.guesses import Guess
from engines.store.match_store import WriteConflict
from storage.postgres.connection.connection import RawConnection
from storage.postgres.database import Database
from storage.postgres.writing.writer import MatchWork
from storage.shared.match_rows import MOVED_ON

_PUT = """
INSERT INTO guesses (match, question, "user", name, choices)
SELECT match, $2::bigint, $3::bigint, $4::text, $5::text FROM matches WHERE match = $1 AND revision = $6
ON CONFLICT (match, question, "user") DO UPDATE SET name = excluded.name, choices = excluded.choices
RETURNING 1
"""
_COLUMNS = 'match, question, "user", name, choices'
_LOAD = f'SELECT {_COLUMNS} FROM guesses WHERE match = $1 ORDER BY question, "user"'
_OF_USER = f'SELECT {_COLUMNS} FROM guesses WHERE match = $1 AND "user" = $2 ORDER BY question'


class GuessStore:
    """The part of the match store that knows what people guess."""

    _database: Database

    async def put_guess(self, guess: Guess, revision: int) -> None:
        """Store a guess under the lock of its match. Raises WriteConflict if that no longer has this revision."""
        work = MatchWork(partial(_put_guess, guess, revision), [guess.match])
        await self._database.write(work, what=f"match {guess.match}, a guess")

    async def load_guesses(self, match: str) -> list[Guess]:
        """Return all guesses of a match, by question and user."""

        async def load(raw: RawConnection) -> list[Guess]:
            return [_parse_guess(tuple(row)) for row in await raw.fetch(_LOAD, match)]

        return await self._database.read(load, what=f"match {match}, guesses")


async def guesses_of(raw: RawConnection, match: str, user: int) -> tuple[Guess, ...]:
    """Return what a person guessed in a match."""
    return tuple(_parse_guess(tuple(row)) for row in await raw.fetch(_OF_USER, match, user))


async def _put_guess(guess: Guess, revision: int, raw: RawConnection) -> None:
    values = (guess.match, guess.question, guess.user, guess.name, json.dumps(guess.choices), revision)
    if await raw.fetchval(_PUT, *values) is None:
        raise WriteConflict(MOVED_ON)


def _parse_guess(row: Sequence[Any]) -> Guess:
    match, question, user, name, choices = row
    return Guess(match, question, user, name, tuple(json.loads(choices)))
