"""Breaks: a person says until when they rest, and their clocks and pings wait, as far as each table allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engines.hosting.match import RequestRefused
from engines.hosting.match_changes import MatchEditor
from engines.store.match_store import Seat

HOUR, DAY = 60 * 60, 24 * 60 * 60
BREAK_SECONDS: Mapping[str, int] = {
    "2 hours": 2 * HOUR,
    "8 hours": 8 * HOUR,
    "1 day": DAY,
    "2 days": 2 * DAY,
    "3 days": 3 * DAY,
    "7 days": 7 * DAY,
}


class Breaks:
    """Begins and ends breaks. A move does not end a break: only its player does, or its time.

    The store moves all due times of a break in one transaction, in every match of its player.
    """

    def __init__(self, editor: MatchEditor) -> None:
        self._editor = editor

    async def rest_until(self, user: int) -> int:
        """Return the second at which a person's break ends, or 0 if they are on none."""
        until = await self._editor.store.rest_until(user)
        return until if until > self._editor.clock() else 0

    async def take_break(self, user: int, length: str) -> int:
        """Begin a person's break, or replace the one they are on. Return the second at which it ends."""
        seconds = BREAK_SECONDS.get(length)
        if seconds is None:
            raise RequestRefused(f"A break lasts {', '.join(BREAK_SECONDS)}. Nothing has changed.")
        until = self._editor.clock() + seconds
        await self._change_break(user, until)
        return until

    async def end_break(self, user: int) -> None:
        """End a person's break now."""
        if not await self.rest_until(user):
            raise RequestRefused("You are not on a break.")
        await self._change_break(user, 0)

    async def end_expired_rests(self) -> None:
        """End the breaks whose time is over."""
        self._editor.reload_matches(await self._editor.store.end_expired_rests(self._editor.clock()))

    async def _change_break(self, user: int, until: int) -> None:
        """Store a break. If that fails, it may be uncertain whether the person's matches have changed."""
        changed = self._editor.cache.cached_matches_of(user)
        try:
            changed = await self._editor.store.change_rest(user, until, self._editor.clock())
        finally:
            self._editor.reload_matches(changed)


async def with_rest(editor: MatchEditor, seat: Seat) -> Seat:
    """Return the seat of a person who joins a match, with the end of their break if they are on one."""
    return replace(seat, rest_until=await editor.store.rest_until(seat.user))
