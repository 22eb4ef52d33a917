"""Keeps of which matches all is shown, so that a start looks at the others alone, what was edited, and who is on the
way to a move: some seconds later, many at once.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep

from cogs.table.state.server_lease import Held
from cogs.table.state.surface_store import Displays
from cogs.table.transport.background_tasks import Tasks
from engines.hosting.matches import Matches
from engines.store.match_store import StoreFailure

log = logging.getLogger(__name__)
LATER = 5.0  # seconds; what a crash leaves unkept is looked at once more


class Settled:
    """What was shown at which revision, until that is kept. It costs a match no write of its own."""

    def __init__(self, matches: Matches, shown: Displays, tasks: Tasks, held: Held | None = None) -> None:
        self._held = held or Held()
        self._matches = matches
        self._shown = shown
        self._tasks = tasks
        self._new: dict[str, int] = {}
        shown.owing = matches.owing = self._soon

    def settled(self, match: str, revision: int) -> None:
        """All of a match is shown as it was at that revision. Returns at once."""
        self._new[match] = revision
        self._soon()

    def has(self, match: str) -> bool:
        """Whether that of a match is still to be kept."""
        return match in self._new

    def unsettled(self, match: str) -> None:
        """Something of it is to be shown again."""
        self._new.pop(match, None)

    async def keep(self) -> None:
        """Keep what is known so far. Where that fails nothing is lost: those matches are looked at once more."""
        # first: what is woken meanwhile is not said to be shown
        await asyncio.gather(self._shown.keep(), self._active())
        shown, self._new = {match: at for match, at in self._new.items() if self._held.holds(match)}, {}
        try:
            await self._shown.settled(shown)
        except StoreFailure as why:
            log.info("What is shown could not be kept: %s", why)

    async def _active(self) -> None:
        try:
            await self._matches.keep()
        except StoreFailure as why:
            log.info("Who is on the way to a move could not be kept: %s", why)

    def _soon(self) -> None:
        self._tasks.start("settle", self._keep_later)

    async def _keep_later(self) -> None:
        while self._new or self._shown.owes() or self._matches.owes():
            await sleep(LATER)
            await self.keep()
