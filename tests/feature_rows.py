"""Rows of features, as tests write and read them."""

from __future__ import annotations

from engines.features.guesses.guessing import GUESS_ROWS, Guess
from engines.features.notes import PLAYER_NOTES, PlayerNote
from engines.store.rows import DropRow, PutRow, RowStorage


async def put_guess(store: RowStorage, guess: Guess, revision: int) -> None:
    await store.write_rows([PutRow(GUESS_ROWS, guess)], guess.match, revision)


async def load_guesses(store: RowStorage, match: str) -> list[Guess]:
    return await store.load_rows(GUESS_ROWS, match)


async def put_player_note(store: RowStorage, match: str, user: int, note: str) -> None:
    write = PutRow(PLAYER_NOTES, PlayerNote(match, user, note)) if note else DropRow(PLAYER_NOTES, (match, user))
    await store.write_rows([write], match)


async def player_notes(store: RowStorage, match: str) -> dict[int, str]:
    return {row.user: row.note for row in await store.load_rows(PLAYER_NOTES, match)}
