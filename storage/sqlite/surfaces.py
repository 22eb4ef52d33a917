"""Writes surfaces and mentions into a file."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from engines.store.surface_storage import Mention, Surface, SurfaceKind
from storage.shared.stores import surfaces as shared
from storage.shared.stores.owner import OwnerStore
from storage.shared.stores.people import PeopleStore
from storage.shared.stores.rows import RowStore
from storage.shared.stores.statements import MARK_STALE, Statements
from storage.sqlite.statements import FileStore

# Clear only the shown revision, and only if nothing is half done.
_CLEAR = """
DELETE FROM behind WHERE match = $1
    AND (SELECT revision FROM matches WHERE match = $1) = $2
    AND NOT EXISTS (SELECT 1 FROM surfaces WHERE match = $1 AND (nonce <> '' OR old <> 0))
    AND NOT EXISTS (SELECT 1 FROM mentions WHERE match = $1 AND state <> 'sent')
"""


class SurfaceStore(FileStore, shared.SurfaceReader, PeopleStore, OwnerStore, RowStore):
    """Durable storage of surfaces. A put replaces the row with the same key. A single process is never refused."""

    async def mark_current(self, revisions: Mapping[str, int]) -> None:
        """Record that all surfaces of these matches are current at these revisions."""
        await self._execute_many("current surfaces", _CLEAR, revisions.items())

    async def mark_stale(self, matches: Collection[str]) -> None:
        """Mark these matches as stale for the process that looks after them."""
        await self._execute_many("stale matches", MARK_STALE, [(match,) for match in matches])

    async def doubt(self, match: str, kind: SurfaceKind, seat: int = -1) -> None:
        """Mark a surface as uncertain, and forget why it was given up."""
        await self._put(f"{kind} of match {match}", shared.DOUBT_SURFACE, (match, kind, seat), match)

    async def put_reply(self, surface: Surface) -> None:
        """Record that another process has answered a click with this message."""
        what = f"{surface.kind} of match {surface.match}"
        await self._put(what, shared.PUT_REPLY, shared.reply_values(surface), surface.match)

    async def put(self, surface: Surface, epoch: int | None = None) -> None:
        """Save a surface of a stored match."""
        what, values = f"{surface.kind} of match {surface.match}", shared.surface_values(surface)
        await self._put(what, shared.PUT_SURFACE, values, shared.unfinished_match(surface))

    async def put_edits(self, surfaces: Collection[Surface]) -> None:
        """Save what edited messages show, unless they were replaced or show something newer."""
        await self._execute_many("edited messages", shared.PUT_EDIT, [*map(shared.edit_values, surfaces)])

    async def drop(self, match: str, kind: SurfaceKind, seat: int = -1, epoch: int | None = None) -> None:
        """Delete a surface, if it exists."""
        await self._execute(f"{kind} of match {match}", shared.DROP_SURFACE, match, kind, seat)

    async def put_mention(self, mention: Mention, epoch: int | None = None) -> None:
        """Save a mention of a stored match."""
        unfinished_match = mention.match if mention.state != "sent" else ""
        what, values = f"mention of match {mention.match}", shared.mention_values(mention)
        await self._put(what, shared.PUT_MENTION, values, unfinished_match)

    async def drop_mention(self, match: str, seat: int, decision: int, epoch: int | None = None) -> None:
        """Delete a mention, if it exists."""
        await self._execute(f"mention of match {match}", shared.DROP_MENTION, match, seat, decision)

    async def _put(self, what: str, sql: str, values: tuple[object, ...], unfinished_match: str) -> None:
        """Write with a statement; it leaves something half done in `unfinished_match`."""

        async def put(raw: Statements) -> None:
            await raw.execute(sql, *values)
            if unfinished_match:
                await raw.execute(MARK_STALE, unfinished_match)

        await self._write(put, what)

    async def _execute_many(self, what: str, sql: str, rows: Collection[tuple[object, ...]]) -> None:
        async def execute(raw: Statements) -> None:
            await raw.executemany(sql, rows)

        await self._write(execute, what)
