"""Breaks: a person says until when they rest, and their clocks and pings wait, as far as each table allows.

Part of `Matches`, and called through it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from engines.hosting.match import RequestRefused
from engines.hosting.seating import Seating

HOUR, DAY = 60 * 60, 24 * 60 * 60
BREAK_SECONDS: Mapping[str, int] = {
    "2 hours": 2 * HOUR,
    "8 hours": 8 * HOUR,
    "1 day": DAY,
    "2 days": 2 * DAY,
    "3 days": 3 * DAY,
    "7 days": 7 * DAY,
}


class Breaks(Seating):
    """Begins and ends breaks. A move does not end a break: only its player does, or its time.

    The store moves all due times of a break in one transaction, in every match of its player.
    """

    async def break_until(self, user: int) -> int:
        """Return the second at which a person's break ends, or 0 if they are on none."""
        until = await self._store.break_until(user)
        return until if until > self._clock() else 0

    async def take_break(self, user: int, length: str) -> int:
        """Begin a person's break, or replace the one they are on. Return the second at which it ends."""
        seconds = BREAK_SECONDS.get(length)
        if seconds is None:
            raise RequestRefused(f"A break lasts {', '.join(BREAK_SECONDS)}. Nothing has changed.")
        until = self._clock() + seconds
        await self._change_break(user, until)
        return until

    async def end_break(self, user: int) -> None:
        """End a person's break now."""
        if not await self.break_until(user):
            raise RequestRefused("You are not on a break.")
        await self._change_break(user, 0)

    async def end_expired_breaks(self) -> None:
        """End the breaks whose time is over."""
        self._reload_matches(await self._store.end_expired_breaks(self._clock()))

    async def _change_break(self, user: int, until: int) -> None:
        """Store a break. If that fails, it may be uncertain whether the person's matches have changed."""
        changed = [match for match, current in self._cache.items() if current.info.seat_of(user) is not None]
        try:
            changed = await self._store.change_break(user, until, self._clock())
        finally:
            self._reload_matches(changed)

    def _reload_matches(self, matches: Collection[str]) -> None:
        """Load these matches again when they are needed next, and notify that due times may have changed."""
        for match in matches:
            self._cache.pop(match, None)
            self.on_changed(match)
        if matches:
            self.on_due(0)
