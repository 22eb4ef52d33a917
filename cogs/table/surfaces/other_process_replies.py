"""The messages with which other processes answer clicks: left alone until that is done, or its time is past."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from collections.abc import Callable

from cogs.table.state.server_lease import Held
from cogs.table.state.surface_store import Displays
from cogs.table.surfaces.message import Key
from cogs.table.transport.background_tasks import Tasks


def now() -> float:
    """Seconds on a clock of which only differences mean anything."""
    return asyncio.get_running_loop().time()


class Elsewhere:
    """Knows them, as far as it was told that others have changed a match."""

    def __init__(self, held: Held, shown: Displays, over: Callable[[Key], None], tasks: Tasks) -> None:
        self._held = held
        self._shown = shown
        self._over = over
        self._tasks = tasks
        self._until: dict[Key, float] = {}
        self._heard: set[str] = set()  # of these it has to be asked

    def heard(self, match: str) -> None:
        """Another process has changed a match, and may be answering a click with one of its messages."""
        self._heard.add(match)

    def has(self, key: Key) -> bool:
        """Whether a message is to be left alone."""
        return key in self._until

    def of(self, match: str) -> bool:
        """Whether any of a match's is."""
        return any(key[0] == match for key in self._until)

    def forget(self, match: str) -> None:
        """Others look after the match."""
        self._heard.discard(match)
        self._until = {key: until for key, until in self._until.items() if key[0] != match}

    async def learn(self, match: str) -> None:
        """Ask, where there may be something new. What was shown by one who never said so is doubted."""
        if match not in self._heard:
            return
        self._heard.discard(match)
        try:
            answered = await self._held.answered(match)
            for (kind, seat), seconds in answered.items():
                if seconds <= 0:
                    await self._shown.doubt(match, kind, seat)
        except BaseException:
            self._heard.add(match)
            raise
        self._until = {key: until for key, until in self._until.items() if key[0] != match}
        for (kind, seat), seconds in answered.items():
            if seconds > 0:
                self._until[match, kind, seat] = now() + seconds
                self._tasks.start(f"elsewhere {match} {kind} {seat}", self._wait, (match, kind, seat))

    async def _wait(self, key: Key) -> None:
        """Have a message looked at when its time is past, unless it was answered with by then."""
        while (left := self._until.get(key, 0) - now()) > 0:  # noqa: ASYNC110  # it comes with time alone
            await sleep(left)
        if self._until.pop(key, None) is not None:
            self._heard.add(key[0])
            self._over(key)
