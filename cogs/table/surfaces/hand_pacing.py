"""Paces updates of hands that are not urgent, so that quick moves cost one edit instead of many."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from cogs.table.transport.background_tasks import BackgroundTasks
from engines.store.clock import Clock

QUIET_SECONDS = 4.0  # seconds without changes before a hand is updated; one edit shows all changes
MAX_DELAY = 8.0  # seconds that a hand waits at most if changes keep coming


@dataclass(slots=True)
class StaleHand:
    """When a hand became stale, and when it changed last. `is_new`: whether its reader can know of the change."""

    stale_since: float
    changed_at: float
    is_new: bool = True

    @property
    def due_at(self) -> float:
        """When the hand is updated."""
        return min(self.changed_at + QUIET_SECONDS, self.stale_since + MAX_DELAY)


class HandPacing:
    """Updates stale hands a few seconds after their last change, and after `MAX_DELAY` at the latest.

    During quick moves a hand is rarely edited right before its player becomes due. Slow moves are shown one by one.
    All of this is in memory: after a restart every stale match is redrawn.

    What somebody else does in secret is checked for as well, but it changes no time at which a reader gets something.
    """

    def __init__(
        self, show: Callable[[str, Collection[int]], Awaitable[None]], tasks: BackgroundTasks, clock: Clock
    ) -> None:
        self.clock = clock
        self._show = show
        self._tasks = tasks
        self._stale_hands: dict[str, dict[int, StaleHand]] = {}  # by match and seat

    def defer_seats(self, match: str, seats: Collection[int], unchanged: Collection[int] = ()) -> None:
        """Mark these seats as stale. A seat that was already stale waits longer, up to `MAX_DELAY`.

        The readers of `unchanged` see nothing new in the match.
        """
        if not seats:
            return
        behind, now = self._stale_hands.setdefault(match, {}), self.clock.monotonic()
        for seat in seats:
            old, is_new = behind.get(seat), seat not in unchanged
            if old is None or (is_new and not old.is_new):
                behind[seat] = StaleHand(now, now, is_new)
            elif is_new:
                old.changed_at = now
        self._tasks.start_loop(self.clock, f"follow {match}", self._show_when_due, match)

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
        return sum(each.is_new for behind in self._stale_hands.values() for each in behind.values())

    async def _show_when_due(self, match: str) -> None:
        while behind := self._stale_hands[match]:
            until = min(each.due_at for each in behind.values())
            if (left := until - self.clock.monotonic()) > 0:
                await self.clock.sleep(left)
            ready = [seat for seat, each in behind.items() if each.due_at <= max(until, self.clock.monotonic())]
            self.mark_shown(match, ready)
            if ready:
                await self._show(match, ready)
        del self._stale_hands[match]
