"""Writes surfaces and mentions into PostgreSQL; several processes fence their writes."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

from engines.store.match_store import NotLeaseHolder
from engines.store.surface_storage import Mention, Surface, SurfaceKind
from storage.postgres.connection.connection import RawConnection
from storage.postgres.store import PostgresStore
from storage.postgres.writing import stale_surfaces
from storage.postgres.writing.fenced import FencedStatement, fenced_statement
from storage.postgres.writing.writer import Job, MatchWork, SingleStatement, WriteWork
from storage.shared.stores import surfaces as shared
from storage.shared.stores.owner import OwnerStore
from storage.shared.stores.people import PeopleStore
from storage.shared.stores.rows import RowStore
from storage.shared.tables import MENTIONS, SURFACES, quote_columns, replace_row_sql

_SURFACE, _MENTION = quote_columns(SURFACES.columns), quote_columns(MENTIONS.columns)
# Writes by several processes are fenced. A write by the lease holder ends the replies of others with that message.
PUT_SURFACE_FENCED = fenced_statement(
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
EDIT_SURFACE_FENCED = fenced_statement(
    SURFACES.types_of(*shared.EDIT_COLUMNS),
    """UPDATE surfaces AS s SET digest = a.digest, shown = a.shown, done = a.done FROM asked AS a
    WHERE s.match = a.match AND s.kind = a.kind AND s.seat = a.seat
        AND s.channel = a.channel AND s.message = a.message AND s.shown <= a.shown""",
    is_of_surface=True,
    holder_only=True,
)
DROP_SURFACE_FENCED = fenced_statement(
    SURFACES.types_of(*SURFACES.key),
    "DELETE FROM surfaces AS s USING asked AS a WHERE s.match = a.match AND s.kind = a.kind AND s.seat = a.seat",
    is_of_surface=True,
)
PUT_MENTION_FENCED = fenced_statement(
    MENTIONS.types_of(),
    f"INSERT INTO mentions ({_MENTION}) SELECT {_MENTION} FROM asked {replace_row_sql(MENTIONS)}",
    """marked AS (
        INSERT INTO behind (match) SELECT DISTINCT match FROM asked WHERE state <> 'sent' ORDER BY match
        ON CONFLICT DO NOTHING
    )""",
)
DROP_MENTION_FENCED = fenced_statement(
    MENTIONS.types_of(*MENTIONS.key),
    """DELETE FROM mentions AS s USING asked AS a
    WHERE s.match = a.match AND s.seat = a.seat AND s.decision = a.decision""",
)
_END_REPLY = """
DELETE FROM answering WHERE match = $1 AND kind = $2 AND seat = $3 AND process = $4 RETURNING until > clock_timestamp()
"""


class SurfaceStore(PostgresStore, shared.SurfaceReader, PeopleStore, OwnerStore, RowStore):
    """Durable storage of surfaces. A put replaces the row with the same key. Methods raise StoreFailure."""

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
        values, unfinished_match = shared.surface_values(surface), shared.unfinished_match(surface)
        put = SingleStatement(shared.PUT_SURFACE, values, unfinished_match)
        await self._write_fenced(put, PUT_SURFACE_FENCED, surface.match, surface.kind, epoch)

    async def put_edits(self, surfaces: Collection[Surface]) -> None:
        """Save what edited messages show, unless they were replaced or show something newer."""
        await asyncio.gather(*map(self._put_edit, surfaces))

    async def drop(self, match: str, kind: SurfaceKind, seat: int = -1, epoch: int | None = None) -> None:
        """Delete a surface, if it exists."""
        put = SingleStatement(shared.DROP_SURFACE, (match, kind, seat))
        await self._write_fenced(put, DROP_SURFACE_FENCED, match, kind, epoch)

    async def put_mention(self, mention: Mention, epoch: int | None = None) -> None:
        """Save a mention of a stored match."""
        unfinished_match = mention.match if mention.state != "sent" else ""
        put = SingleStatement(shared.PUT_MENTION, shared.mention_values(mention), unfinished_match)
        await self._write_fenced(put, PUT_MENTION_FENCED, mention.match, "mention", epoch)

    async def drop_mention(self, match: str, seat: int, decision: int, epoch: int | None = None) -> None:
        """Delete a mention, if it exists."""
        put = SingleStatement(shared.DROP_MENTION, (match, seat, decision))
        await self._write_fenced(put, DROP_MENTION_FENCED, match, "mention", epoch)

    async def _put_edit(self, surface: Surface) -> None:
        database = self._database
        values = shared.edit_values(surface)
        job: Job = SingleStatement(shared.PUT_EDIT, values)
        if database.process_number:
            job = database.fence_write(EDIT_SURFACE_FENCED, values, 0)
        with suppress(NotLeaseHolder):  # the current lease holder finds it marked as uncertain
            await database.write(job, what="edited messages")

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


async def _doubt_surface(match: str, kind: SurfaceKind, seat: int, raw: RawConnection) -> None:
    await raw.execute("DELETE FROM answering WHERE match = $1 AND kind = $2 AND seat = $3", match, kind, seat)
    await raw.execute(shared.DOUBT_SURFACE, match, kind, seat)


async def _put_reply(surface: Surface, process: int, raw: RawConnection) -> None:
    """Record a reply; it counts if the message was left alone for it, or no other process could have changed it."""
    was_reserved = await raw.fetchval(_END_REPLY, surface.match, surface.kind, surface.seat, process)
    digest = surface.digest if was_reserved or not process else ""
    await raw.execute(shared.PUT_REPLY, *shared.reply_values(replace(surface, digest=digest)))
