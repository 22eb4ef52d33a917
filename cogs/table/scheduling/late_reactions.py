"""Retries what features could not write with a change of a match: see `engines.hosting.reactions`."""

from __future__ import annotations

from collections.abc import Callable

from cogs.table.state.operator_warnings import OperatorWarnings
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.transport.background_tasks import BackgroundTasks
from engines.hosting.matches import Matches
from engines.store.clock import Clock

PAUSE = 60  # seconds between two looks
GIVEN_UP = (
    "After many tries, something could not be counted for {count} matches: {features}. My log has the error. "
    "What I show about these matches is incomplete."
)


class LateReactions:
    """Retries late reactions, with the pauses that each has stored, and says which it has given up."""

    def __init__(
        self,
        matches: Matches,
        surfaces: SurfaceCache,
        wake: Callable[[str], None],
        clock: Clock,
        tasks: BackgroundTasks,
        warnings: OperatorWarnings,
    ) -> None:
        self._matches = matches
        self._surfaces = surfaces
        self._wake = wake
        self._clock = clock
        self._tasks = tasks
        self._warnings = warnings

    def start(self) -> None:
        """Start to retry. Returns at once."""
        self._tasks.start_loop(self._clock, "late reactions", self._run)

    async def _run(self) -> None:
        while True:
            done, given_up = await self._matches.late_reactions.retry_reactions()
            if done:
                await self._surfaces.mark_stale(done)
            for match in done:
                self._wake(match)
            if given_up:
                count, names = len({late.match for late in given_up}), sorted({late.feature for late in given_up})
                self._warnings.add("late reactions", GIVEN_UP.format(count=count, features=", ".join(names)))
            else:
                self._warnings.drop("late reactions")
            await self._clock.sleep(PAUSE)
