"""Follows the changes of matches: wakes what waits for them, also if other processes made them.

A regular sweep finds the changes of other processes that got lost.
"""

from __future__ import annotations

import logging
from itertools import count

from cogs.table.channels.table_services import TableServices
from cogs.table.scheduling.computer_turns import ComputerPlayers
from cogs.table.scheduling.downtime import Downtime
from cogs.table.scheduling.retention import Retention
from cogs.table.surfaces.reconciler import Reconciler
from engines.store.match_store import StoreFailure
from engines.store.partition import Partition


class MatchWaker:
    """Follows all changes of matches that this process makes or hears of."""

    def __init__(self, services: TableServices, reconciler: Reconciler, computers: ComputerPlayers) -> None:
        self._services = services
        self._reconciler = reconciler
        self._computers = computers
        services.matches.editor.on_changed.append(self.wake)
        reconciler.on_hand_row.append(self._continue)

    def wake(self, match: str) -> None:
        """Wake a match that may have changed. If another process looks after it, the store notifies that one."""
        if self._services.matches.cache.server_of(match) is not None and not self._services.lease.holds_match(match):
            self._reconciler.start_ephemeral_refresh(match)
            return
        if not self._computers.is_moving(match):
            self._reconciler.wake(match)
        self._computers.wake(match)

    def _continue(self, match: str) -> None:
        """Continue a match if a row made a move due. The store notifies the process that looks after it."""
        if self._services.lease.holds_match(match):
            self._computers.wake(match)


log = logging.getLogger(__name__)
SWEEP_SECONDS = 5.0  # seconds between two sweeps for lost notifications
SWEEPS_PER_CHECK = 6  # sweeps between two runs of `on_rare_sweep`
LOOKUP_DELAY = 0.2  # seconds in which unknown matches are collected for one lookup
MAX_KNOWN = 10_000  # cached match ids per collection
SURFACES_WRITTEN = -1  # the revision that reports a write to a match's messages or people


class ChangeFeed:
    """Invalidates the caches of a match that another process changed, and wakes the match."""

    def __init__(
        self,
        services: TableServices,
        reconciler: Reconciler,
        waker: MatchWaker,
        downtime: Downtime,
        retention: Retention,
    ) -> None:
        self._waker = waker
        self._downtime = downtime
        self._retention = retention
        self._idle_revisions: dict[str, int] = {}  # matches, each with the revision at which it was last found idle
        self._services = services
        self._reconciler = reconciler
        self._unknown_matches: set[str] = set()  # reported matches whose server is not known yet
        self._foreign_matches: set[str] = set()  # matches that other processes look after
        self._written_matches: set[str] = set()  # matches with a surface write that is not applied yet
        self._due_may_differ = False  # whether due times may have changed since the last sweep

    def start(self) -> None:
        """Start to sweep if there may be other processes."""
        if not self._services.lease.is_only_process:
            self._services.tasks.start_loop(self._services.clock, "sweep", self._sweep)

    def gain_partition(self, partition: Partition) -> None:
        """Drop all cached state of a gained partition."""
        self._foreign_matches.clear()
        self._idle_revisions.clear()
        self._services.matches.cache.evict_partition(partition)
        self._services.surfaces.invalidate_all()
        self._reconciler.surface_sync.readers.invalidate()

    def receive_change(self, match: str, revision: int) -> None:
        """Handle another process's change to a match or its messages. Returns at once."""
        if self._services.matches.cache.server_of(match) is not None:
            self._apply_change(match, revision)
        elif match not in self._foreign_matches:
            self._unknown_matches.add(match)
            self._services.tasks.start_loop(self._services.clock, "change feed", self._poll_soon)
        if revision == SURFACES_WRITTEN:
            self._services.surfaces.invalidate(match)

    def _apply_change(self, match: str, revision: int) -> None:
        is_ours, people = self._services.lease.holds_match(match), self._services.matches.cache.seated_people(match)
        newer = self._services.matches.cache.drop_if_older(match, revision)
        if revision == SURFACES_WRITTEN:
            self._services.surfaces.invalidate(match)
            self._services.surfaces.invalidate_people(people)
            self._reconciler.surface_sync.readers.invalidate(people)
        self._due_may_differ = True
        if not is_ours:
            self._reconciler.start_ephemeral_refresh(match)
        elif newer or revision == SURFACES_WRITTEN or self._is_overlooked(match, revision):
            self._reconciler.note_foreign_change(match)
            self._waker.wake(match)

    def _is_overlooked(self, match: str, revision: int) -> bool:
        """Return whether the match is idle although it may be stale. True at most once per revision."""
        if not self._reconciler.is_idle(match) or self._idle_revisions.get(match) == revision:
            return False
        if len(self._idle_revisions) > MAX_KNOWN:
            self._idle_revisions.clear()
        self._idle_revisions[match] = revision
        return True

    async def _poll_soon(self) -> None:
        await self._services.clock.sleep(LOOKUP_DELAY)
        await self._poll_changes()

    async def _sweep(self) -> None:
        for sweeps in count(1):
            await self._services.clock.sleep(SWEEP_SECONDS)
            await self._poll_changes()
            if not sweeps % SWEEPS_PER_CHECK:
                await self._downtime.record_alive()
                self._retention.start_forgetting()  # other processes may have received requests
            if self._due_may_differ:
                self._due_may_differ = False
                self._services.matches.editor.on_due(0)

    async def _poll_changes(self) -> None:
        """Apply all changes that other processes made to this process's matches."""
        unknown, self._unknown_matches = self._unknown_matches, set()
        try:
            found = await self._services.lease.holding.changed_matches()
            # The store reports a surface write only once, so keep it until it is applied.
            self._written_matches |= {match for match, revision in found.items() if revision == SURFACES_WRITTEN}
            for match in sorted(self._written_matches):
                await self._services.matches.cache.drop_if_outdated(match)  # an earlier change may have gone unreported
        except StoreFailure as why:
            log.info("Could not read the changes of other processes: %s", why)
            self._unknown_matches |= unknown
            return
        changes = {**found, **dict.fromkeys(self._written_matches, SURFACES_WRITTEN)}
        self._written_matches.clear()
        if len(self._foreign_matches) > MAX_KNOWN:
            self._foreign_matches.clear()
        self._foreign_matches |= unknown - changes.keys()
        for match, revision in changes.items():
            if self._services.matches.cache.server_of(match) is not None:
                self._apply_change(match, revision)
            else:  # not cached here: show its current state
                self._services.surfaces.invalidate(match)
                self._due_may_differ = True
                self._reconciler.note_foreign_change(match)
                self._waker.wake(match)
