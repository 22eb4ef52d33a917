"""Which hands may wait, and until when: what comes of a move for those who are not due follows in its own time."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from cogs.table.transport.background_tasks import Tasks

GAP = 4.0  # seconds; whatever changes in them is shown by one edit
LONGEST = 8.0  # seconds that this may take where something changes all the time


def now() -> float:
    """Seconds on a clock of which only differences mean anything."""
    return asyncio.get_running_loop().time()


@dataclass(slots=True)
class Behind:
    """Since when a hand has been behind, and when something in it changed last."""

    first: float
    last: float

    @property
    def due(self) -> float:
        """When it is shown."""
        return min(self.last + GAP, self.first + LONGEST)


class Pace:
    """Has seats be shown some seconds after what happened last in them, and in time where that goes on.

    So amid quick moves whoever becomes due is less often shown their hand right before, and what comes at a leisurely
    pace is shown move by move.
    Nothing of this is kept: after a restart everything is looked at anew.
    """

    def __init__(self, show: Callable[[str, Collection[int]], Awaitable[None]], tasks: Tasks) -> None:
        self._show = show
        self._tasks = tasks
        self._behind: dict[str, dict[int, Behind]] = {}  # by match and seat

    def later(self, match: str, seats: Collection[int]) -> None:
        """These may be behind now; who was so before may wait longer for that, but not for ever."""
        if not seats:
            return
        behind, last = self._behind.setdefault(match, {}), now()
        for seat in seats:
            behind.setdefault(seat, Behind(last, last)).last = last
        self._tasks.start(f"follow {match}", self._follow, match)

    def caught_up(self, match: str, seats: Collection[int]) -> None:
        """These are being shown as they are now."""
        behind = self._behind.get(match, {})
        for seat in seats:
            behind.pop(seat, None)

    def forget(self, match: str) -> None:
        """Nothing of a match follows any more."""
        self._behind.get(match, {}).clear()

    def waits(self, match: str) -> bool:
        """Whether something of the match is to follow."""
        return bool(self._behind.get(match))

    def waiting(self) -> int:
        """How much is to follow, of all matches."""
        return sum(map(len, self._behind.values()))

    async def _follow(self, match: str) -> None:
        behind = self._behind[match]
        try:
            while behind:
                until = min(each.due for each in behind.values())
                if (left := until - now()) > 0:
                    await sleep(left)
                ready = [seat for seat, each in behind.items() if each.due <= max(until, now())]
                self.caught_up(match, ready)
                if ready:
                    await self._show(match, ready)
        finally:
            del self._behind[match]
