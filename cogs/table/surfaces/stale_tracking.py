"""Saves in batches which matches are fully shown, what was edited, and players' activity: a start redraws the rest."""

from __future__ import annotations

import asyncio
import logging

from cogs.table.channels.table_services import TableServices
from engines.store.match_store import StoreFailure

log = logging.getLogger(__name__)
SAVE_DELAY = 5.0  # seconds; a crash loses at most this much, and those matches are redrawn


class StaleTracker:
    """The revision at which each match was fully shown, until it is saved. One write covers many matches."""

    def __init__(self, services: TableServices) -> None:
        self._services = services
        self._unsaved_revisions: dict[str, int] = {}
        for on_unsaved in (services.surfaces.on_unsaved, services.matches.activity.on_unsaved):
            on_unsaved.append(self._start_saving)

    def mark_current(self, match: str, revision: int) -> None:
        """Note that a match is fully shown at that revision. Returns at once."""
        self._unsaved_revisions[match] = revision
        self._start_saving()

    def has_unsaved(self, match: str) -> bool:
        """Whether a match's revision is not saved yet."""
        return match in self._unsaved_revisions

    def mark_stale(self, match: str) -> None:
        """Note that a match has to be redrawn."""
        self._unsaved_revisions.pop(match, None)

    async def save_state(self) -> None:
        """Save everything noted so far. If that fails, the matches are redrawn after a restart; nothing is lost."""
        # first, so that a match that is woken during these writes is not marked current
        await asyncio.gather(self._services.surfaces.save_edits(), self._save_activity())
        revisions, self._unsaved_revisions = (
            {match: at for match, at in self._unsaved_revisions.items() if self._services.lease.holds_match(match)},
            {},
        )
        try:
            await self._services.surfaces.mark_current(revisions)
        except StoreFailure as why:
            log.info("Which matches are current could not be saved: %s", why)

    async def _save_activity(self) -> None:
        try:
            await self._services.matches.activity.save_activity()
        except StoreFailure as why:
            log.info("Players' activity could not be saved: %s", why)

    def _start_saving(self) -> None:
        self._services.tasks.start_loop(self._services.clock, "settle", self._save_later)

    async def _save_later(self) -> None:
        while (
            self._unsaved_revisions
            or self._services.surfaces.has_unsaved()
            or self._services.matches.activity.has_unsaved_activity()
        ):
            await self._services.clock.sleep(SAVE_DELAY)
            await self.save_state()
