"""What other processes on the same store do: told at once, as a rule, and found by a sweep where that was lost."""

from __future__ import annotations

import logging
from asyncio import sleep
from collections.abc import Awaitable, Callable
from itertools import count

from cogs.table.state.server_lease import ServerLease
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.surfaces.reconciler import Reconciler
from cogs.table.transport.background_tasks import BackgroundTasks
from engines.hosting.matches import Matches
from engines.store.match_store import StoreFailure
from engines.store.partition import Partition

log = logging.getLogger(__name__)
SWEEP_SECONDS = 5.0  # seconds between two looks for what nobody has told
SWEEPS_PER_CHECK = 6  # sweeps until it is noted that the bot is there, and asked whether somebody wants to be forgotten
LOOKUP_DELAY = 0.2  # seconds in which those that are told of are looked up together, where they are not known here
MAX_KNOWN = 10_000  # matches of others that are known to be none of ours
SURFACES_WRITTEN = -1  # the revision of a match of whose messages, or people, something was written


class ChangeFeed:
    """Has what is known of a match forgotten once another process has changed it, and the match looked at."""

    def __init__(
        self,
        lease: ServerLease,
        matches: Matches,
        surfaces: SurfaceCache,
        reconciler: Reconciler,
        on_changed: Callable[[str], None],
        on_due_changed: Callable[[], None],
        on_rare_sweep: Callable[[], Awaitable[None]],
        tasks: BackgroundTasks,
    ) -> None:
        self._on_rare_sweep = on_rare_sweep
        self._idle_revisions: dict[
            str, int
        ] = {}  # of which it was seen at that revision that nothing was being done about them
        self._lease = lease
        self._matches = matches
        self._surfaces = surfaces
        self._reconciler = reconciler
        self._on_changed = on_changed
        self._on_due_changed = on_due_changed
        self._tasks = tasks
        self._unknown_matches: set[str] = set()  # told of, and not known whose they are
        self._foreign_matches: set[str] = set()  # known to be others'
        self._written_matches: set[str] = set()  # of whose messages something was written that is still to be heard of
        self._due_may_differ = False  # whether something else may be due since the last sweep

    def start(self) -> None:
        """Sweep from now on, where there may be other processes."""
        if not self._lease.is_only_process:
            self._tasks.start("sweep", self._sweep)

    def gain_partition(self, partition: Partition) -> None:
        """These servers' matches are ours from now on: nothing that is known of them counts."""
        self._foreign_matches.clear()
        self._idle_revisions.clear()
        self._matches.evict_partition(partition)
        self._surfaces.invalidate_all()
        self._reconciler.surface_sync.readers.invalidate()

    def receive_change(self, match: str, revision: int) -> None:
        """Another process has changed a match, or written of its messages. Returns at once."""
        if self._matches.server_of(match) is not None:
            self._apply_change(match, revision)
        elif match not in self._foreign_matches:
            self._unknown_matches.add(match)
            self._tasks.start("news", self._poll_soon)
        if revision == SURFACES_WRITTEN:
            self._surfaces.invalidate(match)

    def _apply_change(self, match: str, revision: int) -> None:
        ours, people = self._lease.holds_match(match), self._matches.seated_people(match)
        newer = self._matches.drop_if_older(match, revision)
        if revision == SURFACES_WRITTEN:
            self._surfaces.invalidate(match)
            self._surfaces.invalidate_people(people)
            self._reconciler.surface_sync.readers.invalidate(people)
        self._due_may_differ = True
        if not ours:
            self._reconciler.start_ephemeral_refresh(match)
        elif newer or revision == SURFACES_WRITTEN or self._is_overlooked(match, revision):
            self._reconciler.note_foreign_change(match)
            self._on_changed(match)

    def _is_overlooked(self, match: str, revision: int) -> bool:
        """Whether all of it is not known to be shown, and nothing is being done about that: once a revision."""
        if not self._reconciler.is_idle(match) or self._idle_revisions.get(match) == revision:
            return False
        if len(self._idle_revisions) > MAX_KNOWN:
            self._idle_revisions.clear()
        self._idle_revisions[match] = revision
        return True

    async def _poll_soon(self) -> None:
        await sleep(LOOKUP_DELAY)
        await self._poll_changes()

    async def _sweep(self) -> None:
        for sweeps in count(1):
            await sleep(SWEEP_SECONDS)
            await self._poll_changes()
            if not sweeps % SWEEPS_PER_CHECK:
                await self._on_rare_sweep()
            if self._due_may_differ:
                self._due_may_differ = False
                self._on_due_changed()

    async def _poll_changes(self) -> None:
        """Hear of everything that others have done in our matches."""
        unknown, self._unknown_matches = self._unknown_matches, set()
        try:
            found = await self._lease.holding.changed_matches()
            self._written_matches |= {
                match for match, revision in found.items() if revision == SURFACES_WRITTEN
            }  # that is told once
            for match in sorted(self._written_matches):
                await self._matches.drop_if_outdated(match)  # of a change before that, nobody may have told
        except StoreFailure as why:
            log.info("What other processes do is not known just now: %s", why)
            self._unknown_matches |= unknown
            return
        news = {**found, **dict.fromkeys(self._written_matches, SURFACES_WRITTEN)}
        self._written_matches.clear()
        if len(self._foreign_matches) > MAX_KNOWN:
            self._foreign_matches.clear()
        self._foreign_matches |= unknown - news.keys()
        for match, revision in news.items():
            if self._matches.server_of(match) is not None:
                self._apply_change(match, revision)
            else:  # nothing of it is known here: whatever it is now is shown
                self._surfaces.invalidate(match)
                self._due_may_differ = True
                self._reconciler.note_foreign_change(match)
                self._on_changed(match)
