"""What other processes on the same store do: told at once, as a rule, and found by a sweep where that was lost."""

from __future__ import annotations

import logging
from asyncio import sleep
from collections.abc import Awaitable, Callable
from itertools import count

from cogs.table.state.server_lease import Held
from cogs.table.state.surface_store import Displays
from cogs.table.surfaces.reconciler import Keeper
from cogs.table.transport.background_tasks import Tasks
from engines.hosting.matches import Matches
from engines.store.match_store import StoreFailure
from engines.store.partition import Part

log = logging.getLogger(__name__)
SWEEP = 5.0  # seconds between two looks for what nobody has told
RARELY = 6  # sweeps until it is noted that the bot is there, and asked whether somebody wants to be forgotten
SOON = 0.2  # seconds in which those that are told of are looked up together, where they are not known here
MOST = 10_000  # matches of others that are known to be none of ours
WRITTEN = -1  # the revision of a match of whose messages, or people, something was written


class News:
    """Has what is known of a match forgotten once another process has changed it, and the match looked at."""

    def __init__(
        self,
        held: Held,
        matches: Matches,
        shown: Displays,
        keeper: Keeper,
        changed: Callable[[str], None],
        due_changed: Callable[[], None],
        rarely: Callable[[], Awaitable[None]],
        tasks: Tasks,
    ) -> None:
        self._rarely = rarely
        self._idle: dict[str, int] = {}  # of which it was seen at that revision that nothing was being done about them
        self._held = held
        self._matches = matches
        self._shown = shown
        self._keeper = keeper
        self._changed = changed
        self._due_changed = due_changed
        self._tasks = tasks
        self._unknown: set[str] = set()  # told of, and not known whose they are
        self._others: set[str] = set()  # known to be others'
        self._written: set[str] = set()  # of whose messages something was written that is still to be heard of
        self._due = False  # whether something else may be due since the last sweep

    def begin(self) -> None:
        """Sweep from now on, where there may be other processes."""
        if not self._held.alone:
            self._tasks.start("sweep", self._sweep)

    def gained(self, part: Part) -> None:
        """These servers' matches are ours from now on: nothing that is known of them counts."""
        self._others.clear()
        self._idle.clear()
        self._matches.forget_part(part)
        self._shown.renew_all()
        self._keeper.showing.readers.renew()

    def told(self, match: str, revision: int) -> None:
        """Another process has changed a match, or written of its messages. Returns at once."""
        if self._matches.server_of(match) is not None:
            self._heard(match, revision)
        elif match not in self._others:
            self._unknown.add(match)
            self._tasks.start("news", self._soon)
        if revision == WRITTEN:
            self._shown.renew(match)

    def _heard(self, match: str, revision: int) -> None:
        ours, people = self._held.holds(match), self._matches.people(match)
        newer = self._matches.heard(match, revision)
        if revision == WRITTEN:
            self._shown.renew(match)
            self._shown.renew_people(people)
            self._keeper.showing.readers.renew(people)
        self._due = True
        if not ours:
            self._keeper.refresh(match)
        elif newer or revision == WRITTEN or self._overlooked(match, revision):
            self._keeper.heard(match)
            self._changed(match)

    def _overlooked(self, match: str, revision: int) -> bool:
        """Whether all of it is not known to be shown, and nothing is being done about that: once a revision."""
        if not self._keeper.idle(match) or self._idle.get(match) == revision:
            return False
        if len(self._idle) > MOST:
            self._idle.clear()
        self._idle[match] = revision
        return True

    async def _soon(self) -> None:
        await sleep(SOON)
        await self._look()

    async def _sweep(self) -> None:
        for sweeps in count(1):
            await sleep(SWEEP)
            await self._look()
            if not sweeps % RARELY:
                await self._rarely()
            if self._due:
                self._due = False
                self._due_changed()

    async def _look(self) -> None:
        """Hear of everything that others have done in our matches."""
        unknown, self._unknown = self._unknown, set()
        try:
            found = await self._held.holding.news()
            self._written |= {match for match, revision in found.items() if revision == WRITTEN}  # that is told once
            for match in sorted(self._written):
                await self._matches.moved_on(match)  # of a change before that, nobody may have told
        except StoreFailure as why:
            log.info("What other processes do is not known just now: %s", why)
            self._unknown |= unknown
            return
        news = {**found, **dict.fromkeys(self._written, WRITTEN)}
        self._written.clear()
        if len(self._others) > MOST:
            self._others.clear()
        self._others |= unknown - news.keys()
        for match, revision in news.items():
            if self._matches.server_of(match) is not None:
                self._heard(match, revision)
            else:  # nothing of it is known here: whatever it is now is shown
                self._shown.renew(match)
                self._due = True
                self._keeper.heard(match)
                self._changed(match)
