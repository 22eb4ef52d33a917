"""Direct message channels, first contacts and preferences of people, and the bot's own notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from engines.store.surface_storage import ContactChange, Inbox, Preferences
from storage.shared.stores.due_times import CHANGE_CALL_DELAY
from storage.shared.stores.rests import user_matches
from storage.shared.stores.rows import forget_everywhere
from storage.shared.stores.statements import PUT_NOTE, SharedStore, Statements, T

_PUT_INBOX = """
INSERT INTO inboxes ("user", channel, closed, reached) VALUES ($1, $2, $3, $4)
ON CONFLICT ("user") DO UPDATE SET channel = excluded.channel, closed = excluded.closed, reached = excluded.reached
"""
_INBOX = 'SELECT channel, closed, reached FROM inboxes WHERE "user" = $1'
_FIRST_CONTACT = 'SELECT at FROM first_contacts WHERE "user" = $1'
_PUT_FIRST_CONTACT = """
INSERT INTO first_contacts ("user", at) VALUES ($1, $2) ON CONFLICT ("user") DO UPDATE SET at = excluded.at
"""
# A person without a row gets one first, so that there is a row to lock: concurrent changes all count.
_NEW_PREFERENCES = """
INSERT INTO preferences ("user", call, words, worth, met, take_backs) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT DO NOTHING
"""
_PUT_PREFERENCES = (
    'UPDATE preferences SET call = $2, words = $3, worth = $4, met = $5, take_backs = $6 WHERE "user" = $1'
)
_PREFERENCES = 'SELECT call, words, worth, met, take_backs FROM preferences WHERE "user" = $1'
_NOTE = "SELECT value FROM notes WHERE key = $1"
_NEW_NOTE = "INSERT INTO notes (key, value) VALUES ($1, '') ON CONFLICT DO NOTHING RETURNING 1"


class PeopleStore(SharedStore):
    """The part of the surface store that knows people, and the bot's own notes."""

    async def inbox(self, user: int) -> Inbox | None:
        """Return a user's direct message channel, if known."""
        rows = await self._fetch("inbox", _INBOX, user)
        return Inbox(rows[0][0], bool(rows[0][1]), bool(rows[0][2])) if rows else None

    async def put_inbox(self, user: int, inbox: Inbox) -> None:
        """Save a user's direct message channel."""
        await self._execute("inbox", _PUT_INBOX, user, *inbox)

    async def first_contact(self, user: int) -> int:
        """Return the second in which writing to a person was counted as a first contact; 0 if none is known."""
        rows = await self._fetch("first contact", _FIRST_CONTACT, user)
        return int(rows[0][0]) if rows else 0

    async def change_first_contact(
        self, user: int, key: str, change: Callable[[str | None, int], ContactChange[T]]
    ) -> T:
        """Change a note together with a person's first contact and return the result; concurrent changes all count."""

        async def write(raw: Statements) -> T:
            note = await self._lock_note(key, raw)  # also for the person: nobody changes first contacts without it
            old = await raw.fetchval(_FIRST_CONTACT, user) or 0
            value, new, result = change(note, old)
            await raw.execute(PUT_NOTE, key, value)
            if new != old:
                await raw.execute(_PUT_FIRST_CONTACT, user, new)
            return result

        return await self._write(write, "first contact")

    async def erase_first_contacts(self, before: int) -> None:
        """Delete the first contacts that were counted before this second."""
        await self._execute("old first contacts", "DELETE FROM first_contacts WHERE at < $1", before)

    async def preferences(self, user: int) -> Preferences:
        """Return a person's preferences."""
        rows = await self._fetch("settings", _PREFERENCES, user)
        return _parse_preferences(rows[0]) if rows else Preferences()

    async def change_preferences(self, user: int, change: Callable[[Preferences], Preferences]) -> None:
        """Change a person's preferences; concurrent changes all count."""

        async def write(raw: Statements) -> None:
            await raw.execute(_NEW_PREFERENCES, user, *_preference_values(Preferences()))
            old = _parse_preferences(await raw.fetchrow(f"{_PREFERENCES} {self._dialect.lock_rows}", user))
            new = change(old)
            await raw.execute(_PUT_PREFERENCES, user, *_preference_values(new))
            await raw.execute(self._dialect.mark_user_matches, user)
            if new.call != old.call:
                await raw.execute(CHANGE_CALL_DELAY, user, new.call)

        await self._write(write, "settings", find=partial(user_matches, user))

    async def forget_person(self, user: int) -> None:
        """Forget a person's preferences, rest, rows of features and direct message channel."""

        async def forget(raw: Statements) -> None:
            for table in ("preferences", "inboxes", "first_contacts", "breaks"):
                await raw.execute(f'DELETE FROM {table} WHERE "user" = $1', user)
            await forget_everywhere(user, raw)

        await self._write(forget, "settings, notes and direct messages, forgotten")

    async def read_note(self, key: str) -> str | None:
        """Return one of the bot's own notes."""
        rows = await self._fetch("note", _NOTE, key)
        return rows[0][0] if rows else None

    async def put_note(self, key: str, value: str) -> None:
        """Save a note."""
        await self._execute("note", PUT_NOTE, key, value)

    async def change_note(self, key: str, change: Callable[[str | None], tuple[str, T]]) -> T:
        """Change a note and return the result; concurrent changes all count."""

        async def write(raw: Statements) -> T:
            value, result = change(await self._lock_note(key, raw))
            await raw.execute(PUT_NOTE, key, value)
            return result

        return await self._write(write, "note")

    async def _lock_note(self, key: str, raw: Statements) -> str | None:
        """Lock a note until the commit, and return it; None if it is new."""
        # a missing note comes first, so that there is a row to lock; until the commit nobody else sees it
        is_new = await raw.fetchval(_NEW_NOTE, key)
        old: str = await raw.fetchval(f"{_NOTE} {self._dialect.lock_rows}", key)
        return None if is_new else old


def _parse_preferences(row: Sequence[Any]) -> Preferences:
    call, words, worth, offered, requests = row
    return Preferences(call, bool(words), bool(worth), frozenset(offered.split()), bool(requests))


def _preference_values(preferences: Preferences) -> tuple[object, ...]:
    return (
        preferences.call,
        preferences.words,
        preferences.worth,
        " ".join(sorted(preferences.met)),
        preferences.requests,
    )
