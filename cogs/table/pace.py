"""Which hands may wait, and until when: what comes of a move for those who are not due follows in its own time."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from collections.abc import Awaitable, Callable, Collection

from cogs.table.tasks import Tasks

GAP = 4.0  # seconds; whatever changes in them is shown by one edit


def now() -> float:
    """Seconds on a clock of which only differences mean anything."""
    return asyncio.get_running_loop().time()


class Pace:
    """Has seats be shown some seconds after they fell behind, however much has happened by then.

    Nothing of this is kept: after a restart everything is looked at anew.
    """

    def __init__(self, show: Callable[[str, Collection[int]], Awaitable[None]], tasks: Tasks) -> None:
        self._show = show
        self._tasks = tasks
        self._since: dict[str, dict[int, float]] = {}  # when the seats of a match fell behind

    def later(self, match: str, seats: Collection[int]) -> None:
        """These may be behind now; who was so before waits no longer for that."""
        if not seats:
            return
        since = self._since.setdefault(match, {})
        for seat in seats:
            since.setdefault(seat, now())
        self._tasks.start(f"follow {match}", self._follow, match)

    def caught_up(self, match: str, seats: Collection[int]) -> None:
        """These are being shown as they are now."""
        since = self._since.get(match, {})
        for seat in seats:
            since.pop(seat, None)

    def forget(self, match: str) -> None:
        """Nothing of a match follows any more."""
        self._since.get(match, {}).clear()

    def waits(self, match: str) -> bool:
        """Whether something of the match is to follow."""
        return bool(self._since.get(match))

    def waiting(self) -> int:
        """How much is to follow, of all matches."""
        return sum(map(len, self._since.values()))

    async def _follow(self, match: str) -> None:
        since = self._since[match]
        try:
            while since:
                first = min(since.values())
                if (left := first + GAP - now()) > 0:
                    await sleep(left)
                ready = [seat for seat, fell in since.items() if fell <= max(first, now() - GAP)]
                self.caught_up(match, ready)
                if ready:
                    await self._show(match, ready)
        finally:
            del self._since[match]
