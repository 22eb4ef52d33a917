"""Ends what nobody goes on with: lobbies, practice, and rests whose time is over."""

from __future__ import annotations

import logging

from cogs.table.channels.table_services import TableServices
from cogs.table.scheduling.downtime import Downtime
from cogs.table.surfaces.reconciler import Reconciler
from cogs.table.transport.background_tasks import retry_until_done
from engines.hosting.match import RequestRefused, status_sentence
from engines.store.match_store import DueTime, NotLeaseHolder, Status

log = logging.getLogger(__name__)


class Expiry:
    """Closes expired matches and ends rests, each in a task of its own."""

    def __init__(self, services: TableServices, reconciler: Reconciler, downtime: Downtime) -> None:
        self._services = services
        self._reconciler = reconciler
        self._downtime = downtime

    def start_closing(self, due: DueTime) -> None:
        """Close a lobby or practice match that is due. Returns at once."""
        self._services.tasks.start_loop(self._services.clock, f"close {due.match}", self._close_expired, due.match)

    def start_ending_rests(self, due: DueTime) -> None:
        """End the rests that are over. Returns at once."""
        self._services.tasks.start(f"rests {due.at}", retry_until_done, self._services.clock, self._end_rests)

    async def _close_expired(self, match: str) -> None:
        """Close a lobby that nobody started within a day, or a practice match in which nobody played for one."""
        try:
            info = (await self._services.matches.cache.get_snapshot(match)).info
            if not self._downtime.time_runs_for(info.place.guild):  # it is handed out again when it does
                return
            lobbies, practice = self._services.matches.lobbies, self._services.matches.practice
            close = lobbies.expire_lobby if info.status is Status.LOBBY else practice.end_idle_practice
            with self._services.lease.acting_for(info.place.guild):
                info = await close(match)
        except NotLeaseHolder:
            return
        except RequestRefused as refusal:  # started, played or cancelled since, or written by a newer version
            log.info("Did not close match %s: %s", match, refusal)
            return
        if info.status is not Status.EXPIRED:  # the table says it
            return
        await self._reconciler.announce(
            info.place, f"{self._services.matches.lookup.game_title(info.game)} (`{info.id}`): {status_sentence(info)}"
        )

    async def _end_rests(self) -> None:
        """End the rests whose time is over, if the clock is right. If not, they are due again when it is."""
        if self._downtime.is_clock_right:
            await self._services.matches.rests.end_expired_rests()
