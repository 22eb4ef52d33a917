"""Which hands may wait, and until when: what comes of a move for those who are not due follows in its own time."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from cogs.table.transport.background_tasks import BackgroundTasks

QUIET_SECONDS = 4.0  # seconds; whatever changes in them is shown by one edit
MAX_DELAY = 8.0  # seconds that this may take where something changes all the time


def now() -> float:
    """Seconds on a clock of which only differences mean anything."""
    return asyncio.get_running_loop().time()


@dataclass(slots=True)
class StaleHand:
    """Since when a hand has been behind, and when something in it changed last."""

    stale_since: float
    changed_at: float

    @property
    def due_at(self) -> float:
        """When it is shown."""
        return min(self.changed_at + QUIET_SECONDS, self.stale_since + MAX_DELAY)


class HandPacing:
    """Has seats be shown some seconds after what happened last in them, and in time where that goes on.

    So amid quick moves whoever becomes due is less often shown their hand right before, and what comes at a leisurely
    pace is shown move by move.
    Nothing of this is kept: after a restart everything is looked at anew.
    """

    def __init__(self, show: Callable[[str, Collection[int]], Awaitable[None]], tasks: BackgroundTasks) -> None:
        self._show = show
        self._tasks = tasks
        self._stale_hands: dict[str, dict[int, StaleHand]] = {}  # by match and seat

    def defer_seats(self, match: str, seats: Collection[int]) -> None:
        """These may be behind now; who was so before may wait longer for that, but not for ever."""
        if not seats:
            return
        behind, last = self._stale_hands.setdefault(match, {}), now()
        for seat in seats:
            behind.setdefault(seat, StaleHand(last, last)).changed_at = last
        self._tasks.start(f"follow {match}", self._show_when_due, match)

    def mark_shown(self, match: str, seats: Collection[int]) -> None:
        """These are being shown as they are now."""
        behind = self._stale_hands.get(match, {})
        for seat in seats:
            behind.pop(seat, None)

    def forget(self, match: str) -> None:
        """Nothing of a match follows any more."""
        self._stale_hands.get(match, {}).clear()

    def is_waiting(self, match: str) -> bool:
        """Whether something of the match is to follow."""
        return bool(self._stale_hands.get(match))

    def count_waiting(self) -> int:
        """How much is to follow, of all matches."""
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
