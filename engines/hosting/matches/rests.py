"""Rests: until when the clocks and pings of people wait, as far as each table allows. A feature says why."""

from __future__ import annotations

from dataclasses import replace

from engines.hosting.match_changes import MatchEditor
from engines.store.match_store import Seat


class Rests:
    """Begins and ends rests. The store moves all due times of a rest in one transaction, in every match of its person.

    A change that fails may have happened nevertheless.
    """

    def __init__(self, editor: MatchEditor) -> None:
        self._editor = editor

    async def rest_until(self, user: int) -> int:
        """Return the second until which a person rests, or 0 if they do not."""
        until = await self._editor.store.rest_until(user)
        return until if until > self._editor.clock() else 0

    async def begin_rest(self, user: int, seconds: int) -> int:
        """Let a person rest for so many seconds from now, whatever was before. Return until when."""
        until = self._editor.clock() + seconds
        await self._change_rest(user, until)
        return until

    async def end_rest(self, user: int) -> None:
        """End a person's rest now."""
        await self._change_rest(user, 0)

    async def end_expired_rests(self) -> None:
        """End the rests whose time is over."""
        self._editor.reload_matches(await self._editor.store.end_expired_rests(self._editor.clock()))

    async def _change_rest(self, user: int, until: int) -> None:
        changed = self._editor.cache.cached_matches_of(user)
        try:
            changed = await self._editor.store.change_rest(user, until, self._editor.clock())
        finally:
            self._editor.reload_matches(changed)


async def with_rest(editor: MatchEditor, seat: Seat) -> Seat:
    """Return the seat of a person who joins a match, with the end of their rest if they rest."""
    return replace(seat, rest_until=await editor.store.rest_until(seat.user))
