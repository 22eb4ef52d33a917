"""Surfaces, mentions, inboxes, personal settings and the bot's own notes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar, cast

from engines.store.match_store import NotLeaseHolder, Status
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.surface_storage import ContactChange, Inbox, Mention, Preferences, Surface, SurfaceKind
from storage.postgres.connection.connection import RawConnection
from storage.postgres.database import Database
from storage.postgres.owner import OwnerStore
from storage.postgres.rows import RowStore
from storage.postgres.writing import due_times, stale_surfaces
from storage.postgres.writing.fenced import FencedStatement, fenced_statement
from storage.postgres.writing.row_writes import forget_everywhere
from storage.postgres.writing.writer import Job, MatchWork, SingleStatement, WriteWork
from storage.shared.partition_queries import partition_condition
from storage.shared.table_sql import put_sql, replace_row_sql
from storage.shared.tables import MENTIONS, SURFACES, quote_columns

T = TypeVar("T")
_SURFACE, _MENTION = quote_columns(SURFACES.columns), quote_columns(MENTIONS.columns)

_PUT_SURFACE = put_sql(SURFACES)
_PUT_EDIT = """
UPDATE surfaces SET digest = $4, shown = $5, done = $6
WHERE match = $1 AND kind = $2 AND seat = $3 AND channel = $7 AND message = $8 AND shown <= $5
"""
_PUT_MENTION = put_sql(MENTIONS)
# Writes by several processes are fenced. A write by the lease holder ends the replies of others with that message.
PUT_SURFACE = fenced_statement(
    SURFACES.types_of(),
    f"INSERT INTO surfaces ({_SURFACE}) SELECT {_SURFACE} FROM asked {replace_row_sql(SURFACES)}",
    """ended AS (
        DELETE FROM answering AS a USING asked
        WHERE a.match = asked.match AND a.kind = asked.kind AND a.seat = asked.seat AND a.process <> $process
    )""",
    """marked AS (
        INSERT INTO behind (match) SELECT DISTINCT match FROM asked WHERE nonce <> '' OR old <> 0 OR digest = ''
        ORDER BY match ON CONFLICT DO NOTHING
    )""",
    is_of_surface=True,
)
# Edits are reported later, by the process that holds the server then.
_EDIT = SURFACES.types_of(*SURFACES.key, "digest", "shown", "done", "channel", "message")
EDIT_SURFACE = fenced_statement(
    _EDIT,
    """UPDATE surfaces AS s SET digest = a.digest, shown = a.shown, done = a.done FROM asked AS a
    WHERE s.match = a.match AND s.kind = a.kind AND s.seat = a.seat
        AND s.channel = a.channel AND s.message = a.message AND s.shown <= a.shown""",
    is_of_surface=True,
    holder_only=True,
)
DROP_SURFACE = fenced_statement(
    SURFACES.types_of(*SURFACES.key),
    "DELETE FROM surfaces AS s USING asked AS a WHERE s.match = a.match AND s.kind = a.kind AND s.seat = a.seat",
    is_of_surface=True,
)
PUT_MENTION = fenced_statement(
    MENTIONS.types_of(),
    f"INSERT INTO mentions ({_MENTION}) SELECT {_MENTION} FROM asked {replace_row_sql(MENTIONS)}",
    """marked AS (
        INSERT INTO behind (match) SELECT DISTINCT match FROM asked WHERE state <> 'sent' ORDER BY match
        ON CONFLICT DO NOTHING
    )""",
)
DROP_MENTION = fenced_statement(
    MENTIONS.types_of(*MENTIONS.key),
    """DELETE FROM mentions AS s USING asked AS a
    WHERE s.match = a.match AND s.seat = a.seat AND s.decision = a.decision""",
)
_PUT_INBOX = """
INSERT INTO inboxes ("user", channel, closed, reached) VALUES ($1, $2, $3, $4)
ON CONFLICT ("user") DO UPDATE SET channel = excluded.channel, closed = excluded.closed, reached = excluded.reached
"""
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
_NEW_NOTE = "INSERT INTO notes (key, value) VALUES ($1, '') ON CONFLICT DO NOTHING RETURNING TRUE"
_PUT_NOTE = "INSERT INTO notes (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_GIVEN_UP = f"""
SELECT match FROM matches
WHERE (status IN ({stale_surfaces.LIVE_STATUSES}) OR status = '{Status.OVER}' AND created >= $1)
    AND EXISTS (SELECT FROM surfaces WHERE surfaces.match = matches.match AND lost <> '')
"""
# If the message was replaced, or shows something newer, it must be checked.
_PUT_REPLY = """
UPDATE surfaces SET shown = GREATEST(shown, $4), digest = CASE
    WHEN channel = $5 AND message = $6 AND nonce = '' AND shown <= $4 THEN $7 ELSE '' END
WHERE match = $1 AND kind = $2 AND seat = $3
"""
_END_REPLY = """
DELETE FROM answering WHERE match = $1 AND kind = $2 AND seat = $3 AND process = $4 RETURNING until > clock_timestamp()
"""
_surface_values = attrgetter(*SURFACES.columns)
_reply_values = attrgetter(*SURFACES.key, "shown", "channel", "message", "digest")
_edit_values = attrgetter(*_EDIT)
_mention_values = attrgetter(*MENTIONS.columns)


class SurfaceStore(OwnerStore, RowStore):
    """Durable storage of surfaces. A put replaces the row with the same key. Methods raise StoreFailure."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def surfaces_of(self, match: str) -> list[Surface]:
        """Return the surfaces of a match."""
        sql = f"SELECT {_SURFACE} FROM surfaces WHERE match = $1 ORDER BY kind, seat"
        return [Surface(*row) for row in await self._fetch_rows(sql, match)]

    async def stale_matches(self, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return the matches of these servers that may have stale surfaces."""
        return await self._database.read(partial(stale_surfaces.find_stale, partition), what="stale matches")

    async def given_up_matches(self, since: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return matches with a surface that was given up: live ones, or finished ones opened since then."""
        return [
            str(match)
            for (match,) in await self._fetch_rows(f"{_GIVEN_UP}{partition_condition(partition)} ORDER BY match", since)
        ]

    async def mark_current(self, revisions: Mapping[str, int]) -> None:
        """Record that all surfaces of these matches are current at these revisions."""
        work = partial(stale_surfaces.clear_stale, revisions, self._database.process_number)
        await self._database.write(MatchWork(work, revisions), what="current surfaces")

    async def mark_stale(self, matches: Collection[str]) -> None:
        """Mark these matches as stale for the process that looks after them."""
        await self._database.write(
            MatchWork(lambda raw: stale_surfaces.notify_holders(raw, matches), matches), what="stale matches"
        )

    async def doubt(self, match: str, kind: SurfaceKind, seat: int = -1) -> None:
        """Mark a surface as uncertain, and forget why it was given up."""
        await self._write_and_notify(partial(_doubt_surface, match, kind, seat), match, kind)

    async def put_reply(self, surface: Surface) -> None:
        """Record that another process has answered a click with this message."""
        work = partial(_put_reply, surface, self._database.process_number)
        await self._write_and_notify(work, surface.match, surface.kind)

    async def put(self, surface: Surface, epoch: int | None = None) -> None:
        """Save a surface of a stored match."""
        match, values = surface.match, _surface_values(surface)
        unfinished_match = match if surface.nonce or surface.old or not surface.digest else ""
        await self._write_fenced(
            SingleStatement(_PUT_SURFACE, values, unfinished_match), PUT_SURFACE, match, surface.kind, epoch
        )

    async def put_edits(self, surfaces: Collection[Surface]) -> None:
        """Save what edited messages show, unless they were replaced or show something newer."""
        await asyncio.gather(*map(self._put_edit, surfaces))

    async def drop(self, match: str, kind: SurfaceKind, seat: int = -1, epoch: int | None = None) -> None:
        """Delete a surface, if it exists."""
        sql = "DELETE FROM surfaces WHERE match = $1 AND kind = $2 AND seat = $3"
        await self._write_fenced(SingleStatement(sql, (match, kind, seat)), DROP_SURFACE, match, kind, epoch)

    async def mentions(self, match: str) -> list[Mention]:
        """Return the mentions of a match."""
        sql = f"SELECT {_MENTION} FROM mentions WHERE match = $1 ORDER BY seat, decision"
        return [Mention(*row) for row in await self._fetch_rows(sql, match)]

    async def put_mention(self, mention: Mention, epoch: int | None = None) -> None:
        """Save a mention of a stored match."""
        unfinished_match = mention.match if mention.state != "sent" else ""
        put = SingleStatement(_PUT_MENTION, _mention_values(mention), unfinished_match)
        await self._write_fenced(put, PUT_MENTION, mention.match, "mention", epoch)

    async def drop_mention(self, match: str, seat: int, decision: int, epoch: int | None = None) -> None:
        """Delete a mention, if it exists."""
        sql = "DELETE FROM mentions WHERE match = $1 AND seat = $2 AND decision = $3"
        await self._write_fenced(SingleStatement(sql, (match, seat, decision)), DROP_MENTION, match, "mention", epoch)

    async def inbox(self, user: int) -> Inbox | None:
        """Return a user's direct message channel, if known."""
        rows = await self._fetch_rows('SELECT channel, closed, reached FROM inboxes WHERE "user" = $1', user)
        return Inbox(*rows[0]) if rows else None

    async def put_inbox(self, user: int, inbox: Inbox) -> None:
        """Save a user's direct message channel."""
        await self._execute(_PUT_INBOX, (user, *inbox), "inbox")

    async def first_contact(self, user: int) -> int:
        """Return the second in which writing to a person was counted as a first contact; 0 if none is known."""
        rows = await self._fetch_rows(_FIRST_CONTACT, user)
        return int(rows[0][0]) if rows else 0

    async def change_first_contact(
        self, user: int, key: str, change: Callable[[str | None, int], ContactChange[T]]
    ) -> T:
        """Change a note together with a person's first contact and return the result; concurrent changes all count."""

        async def write(raw: RawConnection) -> T:
            note = await _lock_note(key, raw)  # also for the person: nobody else changes first contacts without it
            old = await raw.fetchval(_FIRST_CONTACT, user) or 0
            value, new, result = change(note, old)
            await raw.execute(_PUT_NOTE, key, value)
            if new != old:
                await raw.execute(_PUT_FIRST_CONTACT, user, new)
            return result

        return cast("T", await self._database.write(write, what="first contact"))

    async def erase_first_contacts(self, before: int) -> None:
        """Delete the first contacts that were counted before this second."""
        await self._execute("DELETE FROM first_contacts WHERE at < $1", (before,), "old first contacts")

    async def preferences(self, user: int) -> Preferences:
        """Return a person's preferences."""
        return await self._database.read(partial(_read_preferences, user), what="settings")

    async def change_preferences(self, user: int, change: Callable[[Preferences], Preferences]) -> None:
        """Change a person's preferences; concurrent changes all count."""
        job = MatchWork(
            partial(_change_preferences, user, change), find_matches=partial(stale_surfaces.user_matches, user)
        )
        await self._database.write(job, what="settings")

    async def forget_person(self, user: int) -> None:
        """Forget a person's preferences, rest, rows of features and direct message channel."""

        async def forget(raw: RawConnection) -> None:
            await raw.execute('DELETE FROM preferences WHERE "user" = $1', user)
            await raw.execute('DELETE FROM inboxes WHERE "user" = $1', user)
            await raw.execute('DELETE FROM first_contacts WHERE "user" = $1', user)
            await raw.execute('DELETE FROM breaks WHERE "user" = $1', user)
            await forget_everywhere(user, raw)

        await self._database.write(forget, what="settings, notes and direct messages, forgotten")

    async def read_note(self, key: str) -> str | None:
        """Return one of the bot's own notes."""
        rows = await self._fetch_rows("SELECT value FROM notes WHERE key = $1", key)
        return str(rows[0][0]) if rows else None

    async def put_note(self, key: str, value: str) -> None:
        """Save a note."""
        await self._execute(_PUT_NOTE, (key, value), "note")

    async def change_note(self, key: str, change: Callable[[str | None], tuple[str, T]]) -> T:
        """Change a note and return the result; concurrent changes all count."""

        async def write(raw: RawConnection) -> T:
            value, result = change(await _lock_note(key, raw))
            await raw.execute(_PUT_NOTE, key, value)
            return result

        return cast("T", await self._database.write(write, what="note"))

    async def _fetch_rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        async def rows(raw: RawConnection) -> list[tuple[Any, ...]]:
            return [tuple(row) for row in await raw.fetch(sql, *values)]

        return await self._database.read(rows, what="surfaces")

    async def _put_edit(self, surface: Surface) -> None:
        database = self._database
        job: Job = SingleStatement(_PUT_EDIT, _edit_values(surface))
        if database.process_number:
            job = database.fence_write(EDIT_SURFACE, _edit_values(surface), 0)
        with suppress(NotLeaseHolder):  # the current lease holder finds it marked as uncertain
            await database.write(job, what="edited messages")

    async def _execute(self, sql: str, values: tuple[object, ...], what: str) -> None:
        await self._database.write(SingleStatement(sql, values), what=what)

    async def _write_fenced(
        self, put: SingleStatement, statement: FencedStatement, match: str, kind: str, epoch: int | None
    ) -> None:
        """Write under a lease epoch; without one, mark the match for its lease holder."""
        database = self._database
        if not database.process_number:
            await database.write(put, what=f"{kind} of match {match}")
        elif epoch is None:
            await self._write_and_notify(lambda raw: raw.execute(put.sql, *put.values), match, kind)
        else:
            await database.write(database.fence_write(statement, put.values, epoch), what=f"{kind} of match {match}")

    async def _write_and_notify(self, work: WriteWork, match: str, kind: str) -> None:
        """Write, and notify the process that holds the match's server."""

        async def call(raw: RawConnection) -> None:
            await work(raw)
            await stale_surfaces.notify_holders(raw, [match])

        await self._database.write(MatchWork(call, [match]), what=f"{kind} of match {match}")


async def _lock_note(key: str, raw: RawConnection) -> str | None:
    """Lock a note until the commit, and return it; None if it is new."""
    # a missing note comes first, so that there is a row to lock; until the commit nobody else sees it
    is_new = await raw.fetchval(_NEW_NOTE, key)
    old: str = await raw.fetchval("SELECT value FROM notes WHERE key = $1 FOR UPDATE", key)
    return None if is_new else old


async def _doubt_surface(match: str, kind: SurfaceKind, seat: int, raw: RawConnection) -> None:
    await raw.execute("DELETE FROM answering WHERE match = $1 AND kind = $2 AND seat = $3", match, kind, seat)
    sql = "UPDATE surfaces SET lost = '', digest = '' WHERE match = $1 AND kind = $2 AND seat = $3"
    await raw.execute(sql, match, kind, seat)


async def _put_reply(surface: Surface, process: int, raw: RawConnection) -> None:
    """Record a reply; it counts if the message was left alone for it, or no other process could have changed it."""
    was_reserved = await raw.fetchval(_END_REPLY, surface.match, surface.kind, surface.seat, process)
    digest = surface.digest if was_reserved or not process else ""
    await raw.execute(_PUT_REPLY, *_reply_values(replace(surface, digest=digest)))


async def _read_preferences(user: int, raw: RawConnection) -> Preferences:
    found = await raw.fetchrow(_PREFERENCES, user)
    if found is None:
        return Preferences()
    call, words, worth, met, requests = found
    return Preferences(call, words, worth, frozenset(met.split()), requests)


async def _change_preferences(user: int, change: Callable[[Preferences], Preferences], raw: RawConnection) -> None:
    await raw.execute(_NEW_PREFERENCES, user, *_preference_values(Preferences()))
    await raw.execute(f"{_PREFERENCES} FOR UPDATE", user)
    old = await _read_preferences(user, raw)
    new = change(old)
    await raw.execute(_PUT_PREFERENCES, user, *_preference_values(new))
    await stale_surfaces.notify_user_matches(raw, user)
    if new.call != old.call:
        await due_times.change_call_delay(raw, user, new.call)


def _preference_values(preferences: Preferences) -> tuple[object, ...]:
    return (
        preferences.call,
        preferences.words,
        preferences.worth,
        " ".join(sorted(preferences.met)),
        preferences.requests,
    )
