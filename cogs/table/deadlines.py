"""Decisions whose time runs out: whoever is due is reminded once, and then the computer makes that one decision."""

from __future__ import annotations

import logging
from asyncio import sleep
from collections.abc import Awaitable, Callable

from cogs.table.computers import INSTEAD, Computers
from cogs.table.kept import Displays
from cogs.table.tasks import Tasks, growing
from engines.match import Refused
from engines.matches import Matches
from engines.store import Due, StoreFailure

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds


class Deadlines:
    """What is done when a deadline comes near or is there. Nothing of it is kept but the due times themselves.

    The move that is made takes its deadline away in one transaction, so a restart neither loses nor doubles it.
    """

    def __init__(
        self,
        matches: Matches,
        shown: Displays,
        computers: Computers,
        call: Callable[[Due], None],
        tasks: Tasks,
    ) -> None:
        self._matches = matches
        self._shown = shown
        self._computers = computers
        self._call = call
        self._tasks = tasks

    def run_out(self, due: Due) -> None:
        """The time of a decision has run out; returns at once."""
        self._tasks.start(f"late {due.match} {due.seat} {due.at}", self._tried, self._play, due)

    def remind(self, due: Due) -> None:
        """The time of a decision will run out; returns at once."""
        self._tasks.start(f"remind {due.match} {due.seat} {due.at}", self._tried, self._remind, due)

    async def _tried(self, act: Callable[[Due], Awaitable[None]], due: Due) -> None:
        """Do it, however often it takes until the store does its part."""
        for pause in growing(FIRST_PAUSE, LONGEST_PAUSE):
            try:
                await act(due)
                return
            except Refused as why:  # it was made in time, or the match has changed
                log.info("Match %s: nothing is done about a deadline: %s", due.match, why)
                return
            except StoreFailure:
                await sleep(pause)

    async def _play(self, due: Due) -> None:
        look = await self._matches.look(due.match)
        if look.clocks.get(due.seat) == due:
            await self._matches.run_out(due, INSTEAD, await self._computers.choose(look, due.seat, INSTEAD))

    async def _remind(self, due: Due) -> None:
        """Remind somebody, unless they like never to be called."""
        look = await self._matches.look(due.match)
        user = look.info.seats[due.seat].user if due.seat < len(look.info.seats) else 0
        if (await self._shown.preferences(user)).call is None:
            await self._matches.done(due)
        else:
            self._call(due)
