"""Paces updates of hands that are not urgent, so that quick moves cost one edit instead of many."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from cogs.table.transport.background_tasks import BackgroundTasks

QUIET_SECONDS = 4.0  # seconds without changes before a hand is updated; one edit shows all changes
MAX_DELAY = 8.0  # seconds that a hand waits at most if changes keep coming


def now() -> float:
    """Seconds on a monotonic clock; only differences are meaningful."""
    return asyncio.get_running_loop().time()


@dataclass(slots=True)
class StaleHand:
    """When a hand became stale, and when it changed last."""

    stale_since: float
    changed_at: float

    @property
    def due_at(self) -> float:
        """When the hand is updated."""
        return min(self.changed_at + QUIET_SECONDS, self.stale_since + MAX_DELAY)


class HandPacing:
    """Updates stale hands a few seconds after their last change, and after `MAX_DELAY` at the latest.

    During quick moves a hand is rarely edited right before its player becomes due. Slow moves are shown one by one.
    All of this is in memory: after a restart every stale match is redrawn.
    """

    def __init__(self, show: Callable[[str, Collection[int]], Awaitable[None]], tasks: BackgroundTasks) -> None:
        self._show = show
        self._tasks = tasks
        self._stale_hands: dict[str, dict[int, StaleHand]] = {}  # by match and seat

    def defer_seats(self, match: str, seats: Collection[int]) -> None:
        """Mark these seats as stale. A seat that was already stale waits longer, up to `MAX_DELAY`."""
        if not seats:
            return
        behind, last = self._stale_hands.setdefault(match, {}), now()
        for seat in seats:
            behind.setdefault(seat, StaleHand(last, last)).changed_at = last
        self._tasks.start(f"follow {match}", self._show_when_due, match)

    def mark_shown(self, match: str, seats: Collection[int]) -> None:
        """Mark these seats as current: an update is under way."""
        behind = self._stale_hands.get(match, {})
        for seat in seats:
            behind.pop(seat, None)

    def forget(self, match: str) -> None:
        """Drop all waiting updates of a match."""
        self._stale_hands.get(match, {}).clear()

    def is_waiting(self, match: str) -> bool:
        """Whether an update of the match is waiting."""
        return bool(self._stale_hands.get(match))

    def count_waiting(self) -> int:
        """The number of waiting updates in all matches."""
        return sum(map(len, self._stale_hands.values()))

    async def _show_when_due(self, match: str) -> None:
        behind = self._stale_hands[match]
        try:
            while behind:
                until = min(each.due_at for each in behind.values())
                if (left := until - now()) > 0:
                    await sleep(left)
                ready = [seat for seat, each in behind.items() if each.due_at <= max(until, now())]
                self.mark_shown(match, ready)
                if ready:
                    await self._show(match, ready)
        finally:
            del self._stale_hands[match]
