"""Surfaces, mentions, inboxes, personal settings and the bot's own notes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

from engines.store.match_store import LIVE, Status
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.surface_storage import ContactChange, Inbox, Mention, Preferences, Surface, SurfaceKind
from storage.shared.partition_queries import partition_condition
from storage.shared.table_sql import put_sql
from storage.shared.tables import MENTIONS, SURFACES, quote_columns
from storage.sqlite import due_times, stale_surfaces
from storage.sqlite.owner import OwnerStore
from storage.sqlite.rows import RowStore, forget_everywhere, mark
from storage.sqlite.writer import FileAccess

T = TypeVar("T")
_SURFACE, _MENTION = quote_columns(SURFACES.columns), quote_columns(MENTIONS.columns)

_PUT_SURFACE = mark(put_sql(SURFACES))
_PUT_EDIT = """
UPDATE surfaces SET digest = ?4, shown = ?5, done = ?6
WHERE match = ?1 AND kind = ?2 AND seat = ?3 AND channel = ?7 AND message = ?8 AND shown <= ?5
"""
_PUT_MENTION = mark(put_sql(MENTIONS))
_PUT_INBOX = """
INSERT INTO inboxes (user, channel, closed, reached) VALUES (?, ?, ?, ?)
ON CONFLICT (user) DO UPDATE SET channel = excluded.channel, closed = excluded.closed, reached = excluded.reached
"""
_FIRST_CONTACT = "SELECT at FROM first_contacts WHERE user = ?"
_PUT_FIRST_CONTACT = """
INSERT INTO first_contacts (user, at) VALUES (?, ?) ON CONFLICT (user) DO UPDATE SET at = excluded.at
"""
_PUT_PREFERENCES = """
INSERT INTO preferences (user, call, words, worth, met, take_backs) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (user) DO UPDATE SET call = excluded.call, words = excluded.words, worth = excluded.worth,
    met = excluded.met, take_backs = excluded.take_backs
"""
_PUT_NOTE = "INSERT INTO notes (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_LIVE = ", ".join(f"'{status}'" for status in sorted(LIVE))
_GIVEN_UP = f"""
SELECT match FROM matches WHERE (status IN ({_LIVE}) OR status = '{Status.OVER}' AND created >= ?)
    AND EXISTS (SELECT 1 FROM surfaces WHERE surfaces.match = matches.match AND lost <> '')
"""
# If the message was replaced, or shows something newer, it must be checked.
_PUT_REPLY = """
UPDATE surfaces SET shown = MAX(shown, ?4), digest = CASE
    WHEN channel = ?5 AND message = ?6 AND nonce = '' AND shown <= ?4 THEN ?7 ELSE '' END
WHERE match = ?1 AND kind = ?2 AND seat = ?3
"""
_surface_values = attrgetter(*SURFACES.columns)
_reply_values = attrgetter(*SURFACES.key, "shown", "channel", "message", "digest")
_edit_values = attrgetter(*SURFACES.key, "digest", "shown", "done", "channel", "message")
_mention_values = attrgetter(*MENTIONS.columns)


class SurfaceStore(OwnerStore, RowStore):
    """Durable storage of surfaces. A put replaces the row with the same key. Methods raise StoreFailure."""

    _database: FileAccess

    def __init__(self, database: FileAccess) -> None:
        self._database = database

    async def surfaces_of(self, match: str) -> list[Surface]:
        """Return the surfaces of a match."""
        return await self._fetch_surfaces(f"SELECT {_SURFACE} FROM surfaces WHERE match = ? ORDER BY kind, seat", match)

    async def stale_matches(self, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return the matches of these servers that may have stale surfaces."""
        return await self._database.read(partial(stale_surfaces.find_stale, partition), what="stale matches")

    async def given_up_matches(self, since: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return matches with a surface that was given up: live ones, or finished ones opened since then."""
        rows = await self._fetch_rows(f"{_GIVEN_UP}{partition_condition(partition)} ORDER BY match", (since,))
        return [match for (match,) in rows]

    async def mark_current(self, revisions: Mapping[str, int]) -> None:
        """Record that all surfaces of these matches are current at these revisions."""
        await self._database.write(partial(stale_surfaces.clear_stale, revisions), what="current surfaces")

    async def mark_stale(self, matches: Collection[str]) -> None:
        """Mark these matches as stale for the process that looks after them."""
        await self._database.write(partial(stale_surfaces.mark_all_stale, matches), what="stale matches")

    async def doubt(self, match: str, kind: SurfaceKind, seat: int = -1) -> None:
        """Mark a surface as uncertain, and forget why it was given up."""
        sql = "UPDATE surfaces SET lost = '', digest = '' WHERE match = ? AND kind = ? AND seat = ?"
        await self._execute(sql, (match, kind, seat), f"{kind} of match {match}", match)

    async def put_reply(self, surface: Surface) -> None:
        """Record that another process has answered a click with this message."""
        await self._execute(
            _PUT_REPLY, _reply_values(surface), f"{surface.kind} of match {surface.match}", surface.match
        )

    async def put(self, surface: Surface, epoch: int | None = None) -> None:
        """Save a surface of a stored match. A single process is never refused."""
        unfinished_match = surface.match if surface.nonce or surface.old or not surface.digest else ""
        what = f"{surface.kind} of match {surface.match}"
        await self._execute(_PUT_SURFACE, _surface_values(surface), what, unfinished_match)

    async def put_edits(self, surfaces: Collection[Surface]) -> None:
        """Save what edited messages show, unless they were replaced or show something newer."""
        rows = [_edit_values(surface) for surface in surfaces]

        def write(raw: sqlite3.Connection) -> None:
            raw.executemany(_PUT_EDIT, rows)

        await self._database.write(write, what="edited messages")

    async def drop(self, match: str, kind: SurfaceKind, seat: int = -1, epoch: int | None = None) -> None:
        """Delete a surface, if it exists."""
        sql = "DELETE FROM surfaces WHERE match = ? AND kind = ? AND seat = ?"
        await self._execute(sql, (match, kind, seat), f"{kind} of match {match}")

    async def mentions(self, match: str) -> list[Mention]:
        """Return the mentions of a match."""
        return await self._fetch_mentions(
            f"SELECT {_MENTION} FROM mentions WHERE match = ? ORDER BY seat, decision", match
        )

    async def put_mention(self, mention: Mention, epoch: int | None = None) -> None:
        """Save a mention of a stored match."""
        unfinished_match = mention.match if mention.state != "sent" else ""
        await self._execute(
            _PUT_MENTION, _mention_values(mention), f"mention of match {mention.match}", unfinished_match
        )

    async def drop_mention(self, match: str, seat: int, decision: int, epoch: int | None = None) -> None:
        """Delete a mention, if it exists."""
        sql = "DELETE FROM mentions WHERE match = ? AND seat = ? AND decision = ?"
        await self._execute(sql, (match, seat, decision), f"mention of match {match}")

    async def inbox(self, user: int) -> Inbox | None:
        """Return a user's direct message channel, if known."""
        rows = await self._fetch_rows("SELECT channel, closed, reached FROM inboxes WHERE user = ?", (user,))
        return Inbox(rows[0][0], bool(rows[0][1]), bool(rows[0][2])) if rows else None

    async def put_inbox(self, user: int, inbox: Inbox) -> None:
        """Save a user's direct message channel."""
        await self._execute(_PUT_INBOX, (user, *inbox), "inbox")

    async def first_contact(self, user: int) -> int:
        """Return the second in which writing to a person was counted as a first contact; 0 if none is known."""
        rows = await self._fetch_rows(_FIRST_CONTACT, (user,))
        return int(rows[0][0]) if rows else 0

    async def change_first_contact(
        self, user: int, key: str, change: Callable[[str | None, int], ContactChange[T]]
    ) -> T:
        """Change a note together with a person's first contact and return the result; concurrent changes all count."""

        def write(raw: sqlite3.Connection) -> T:
            note = raw.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
            contact = raw.execute(_FIRST_CONTACT, (user,)).fetchone()
            old = contact[0] if contact else 0
            value, new, result = change(note[0] if note else None, old)
            raw.execute(_PUT_NOTE, (key, value))
            if new != old:
                raw.execute(_PUT_FIRST_CONTACT, (user, new))
            return result

        return await self._database.write(write, what="first contact")

    async def erase_first_contacts(self, before: int) -> None:
        """Delete the first contacts that were counted before this second."""
        await self._execute("DELETE FROM first_contacts WHERE at < ?", (before,), "old first contacts")

    async def preferences(self, user: int) -> Preferences:
        """Return a person's preferences."""
        return await self._database.read(partial(_read_preferences, user), what="settings")

    async def change_preferences(self, user: int, change: Callable[[Preferences], Preferences]) -> None:
        """Change a person's preferences; concurrent changes all count."""
        await self._database.write(partial(_change_preferences, user, change), what="settings")

    async def forget_person(self, user: int) -> None:
        """Forget a person's preferences, rest, rows of features and direct message channel."""

        def forget(raw: sqlite3.Connection) -> None:
            raw.execute("DELETE FROM preferences WHERE user = ?", (user,))
            raw.execute("DELETE FROM inboxes WHERE user = ?", (user,))
            raw.execute("DELETE FROM first_contacts WHERE user = ?", (user,))
            raw.execute("DELETE FROM breaks WHERE user = ?", (user,))
            forget_everywhere(user, raw)

        await self._database.write(forget, what="settings, notes and direct messages, forgotten")

    async def read_note(self, key: str) -> str | None:
        """Return one of the bot's own notes."""
        rows = await self._fetch_rows("SELECT value FROM notes WHERE key = ?", (key,))
        return rows[0][0] if rows else None

    async def put_note(self, key: str, value: str) -> None:
        """Save a note."""
        await self._execute(_PUT_NOTE, (key, value), "note")

    async def change_note(self, key: str, change: Callable[[str | None], tuple[str, T]]) -> T:
        """Change a note and return the result; concurrent changes all count."""

        def write(raw: sqlite3.Connection) -> T:
            row = raw.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
            value, result = change(row[0] if row else None)
            raw.execute(_PUT_NOTE, (key, value))
            return result

        return await self._database.write(write, what="note")

    async def _fetch_surfaces(self, sql: str, *values: object) -> list[Surface]:
        rows = await self._fetch_rows(sql, values)
        found = [Surface(*row) for row in rows]
        return [replace(surface, done=bool(surface.done)) for surface in found]

    async def _fetch_mentions(self, sql: str, *values: object) -> list[Mention]:
        return [Mention(*row) for row in await self._fetch_rows(sql, values)]

    async def _fetch_rows(self, sql: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        def rows(raw: sqlite3.Connection) -> list[tuple[Any, ...]]:
            return raw.execute(sql, values).fetchall()

        return await self._database.read(rows, what="surfaces")

    async def _execute(self, sql: str, values: tuple[object, ...], what: str, unfinished_match: str = "") -> None:
        """Write a statement; it leaves something half done in `unfinished_match`."""

        def write(raw: sqlite3.Connection) -> None:
            raw.execute(sql, values)
            if unfinished_match:
                stale_surfaces.mark_stale(raw, unfinished_match)

        await self._database.write(write, what=what)


def _read_preferences(user: int, raw: sqlite3.Connection) -> Preferences:
    found = raw.execute(
        "SELECT call, words, worth, met, take_backs FROM preferences WHERE user = ?", (user,)
    ).fetchone()
    if found is None:
        return Preferences()
    call, words, worth, met, requests = found
    return Preferences(call, bool(words), bool(worth), frozenset(met.split()), bool(requests))


def _change_preferences(user: int, change: Callable[[Preferences], Preferences], raw: sqlite3.Connection) -> None:
    old = _read_preferences(user, raw)
    new = change(old)
    met = " ".join(sorted(new.met))
    raw.execute(_PUT_PREFERENCES, (user, new.call, new.words, new.worth, met, new.requests))
    stale_surfaces.mark_user_matches(raw, user)
    if new.call != old.call:
        due_times.change_call_delay(raw, user, new.call)
