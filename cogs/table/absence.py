"""When the bot was not there for people to play: deadlines come later by that time, over restarts, too."""

from __future__ import annotations

import logging
from asyncio import sleep
from collections.abc import Callable
from contextlib import suppress

from cogs.table.tasks import Tasks, growing
from engines.matches import Matches
from engines.store import StoreFailure

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds


class Absence:
    """Whether people can reach the bot: it runs, it is connected, and Discord answers.

    That it is there is noted every few minutes while something will be due, and when it ends in good order. What was
    missed is made good by the transaction that notes that it is there again, so no crash makes it good twice.
    """

    def __init__(self, matches: Matches, clock: Callable[[], int], tasks: Tasks) -> None:
        self._matches = matches
        self._clock = clock
        self._tasks = tasks
        self._begun = False
        self._since: int | None = None  # since when it has been away; None: it is not
        self._why: set[str] = set()

    @property
    def there(self) -> bool:
        """Whether people can reach the bot, and what they missed is made good."""
        return self._begun and self._since is None

    async def begin(self) -> None:
        """The bot has started. Raises StoreFailure."""
        await self._matches.absent()
        self._begun = True
        self._since = self._clock() if self._why else None

    def gone(self, why: str) -> None:
        """Something keeps people from reaching the bot from now on."""
        self._why.add(why)
        if self._since is None:
            self._since = self._clock()

    def back(self, why: str) -> None:
        """That does so no longer."""
        self._why.discard(why)
        if self._begun and not self._why and self._since is not None:
            self._tasks.start("back", self._make_good)

    async def note(self) -> None:
        """Note that the bot is there, if it is."""
        if self.there:
            with suppress(StoreFailure):  # then it was there when that was last noted
                await self._matches.alive()

    async def _make_good(self) -> None:
        for pause in growing(FIRST_PAUSE, LONGEST_PAUSE):
            since = self._since
            if since is None or self._why:
                return
            try:
                await self._matches.absent(since)
            except StoreFailure:
                await sleep(pause)
                continue
            self._since = self._clock() if self._why else None
            return
