"""Keeps of which matches all is shown, so that a start looks at the others alone, what was edited, and who is on the
way to a move: some seconds later, many at once.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep

from cogs.table.state.server_lease import ServerLease
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.transport.background_tasks import BackgroundTasks
from engines.hosting.matches import Matches
from engines.store.match_store import StoreFailure

log = logging.getLogger(__name__)
SAVE_DELAY = 5.0  # seconds; what a crash leaves unkept is looked at once more


class StaleTracker:
    """What was shown at which revision, until that is kept. It costs a match no write of its own."""

    def __init__(
        self, matches: Matches, surfaces: SurfaceCache, tasks: BackgroundTasks, lease: ServerLease | None = None
    ) -> None:
        self._lease = lease or ServerLease()
        self._matches = matches
        self._surfaces = surfaces
        self._tasks = tasks
        self._unsaved_revisions: dict[str, int] = {}
        surfaces.on_unsaved = matches.on_unsaved_activity = self._start_saving

    def mark_current(self, match: str, revision: int) -> None:
        """All of a match is shown as it was at that revision. Returns at once."""
        self._unsaved_revisions[match] = revision
        self._start_saving()

    def has_unsaved(self, match: str) -> bool:
        """Whether that of a match is still to be kept."""
        return match in self._unsaved_revisions

    def mark_stale(self, match: str) -> None:
        """Something of it is to be shown again."""
        self._unsaved_revisions.pop(match, None)

    async def save_state(self) -> None:
        """Keep what is known so far. Where that fails nothing is lost: those matches are looked at once more."""
        # first: what is woken meanwhile is not said to be shown
        await asyncio.gather(self._surfaces.save_edits(), self._save_activity())
        shown, self._unsaved_revisions = (
            {match: at for match, at in self._unsaved_revisions.items() if self._lease.holds_match(match)},
            {},
        )
        try:
            await self._surfaces.mark_current(shown)
        except StoreFailure as why:
            log.info("What is shown could not be kept: %s", why)

    async def _save_activity(self) -> None:
        try:
            await self._matches.save_activity()
        except StoreFailure as why:
            log.info("Who is on the way to a move could not be kept: %s", why)

    def _start_saving(self) -> None:
        self._tasks.start("settle", self._save_later)

    async def _save_later(self) -> None:
        while self._unsaved_revisions or self._surfaces.has_unsaved() or self._matches.has_unsaved_activity():
            await sleep(SAVE_DELAY)
            await self.save_state()
