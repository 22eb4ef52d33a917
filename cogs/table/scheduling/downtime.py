"""When the bot was not there for people to play: deadlines come later by that time, over restarts, too."""

from __future__ import annotations

import logging
from asyncio import sleep
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from cogs.table.transport.background_tasks import Tasks, growing
from engines.hosting.matches import Matches
from engines.store.match_store import StoreFailure
from engines.store.partition import WHOLE, Part

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds


@dataclass(slots=True)
class _Stretch:
    """Since when, and why, the people of some servers cannot reach the bot; None: they can."""

    part: Part
    begun: bool = False
    lost: int = 0  # how often
    since: int | None = None
    why: set[str] = field(default_factory=set)


class Absence:
    """Whether people can reach the bot: it runs, it is connected, and Discord answers.

    That it is there is noted every few minutes while something will be due, and when it ends in good order. What was
    missed is made good by the transaction that notes that it is there again, so no crash makes it good twice. Where
    servers are divided, each part of them is away and back by itself, and begins when it is held.
    """

    def __init__(self, matches: Matches, clock: Callable[[], int], tasks: Tasks) -> None:
        self._matches = matches
        self._clock = clock
        self._tasks = tasks
        self._part = WHOLE
        self._stretches = {0: _Stretch(WHOLE)}

    def divide(self, part: Part) -> None:
        """The bot looks after these servers, each part by itself; to be said before it begins."""
        self._part = part
        self._stretches = {number: _Stretch(part.only(number)) for number in part.numbers}

    @property
    def there(self) -> bool:
        """Whether people can reach the bot, wherever they are, and what they missed is made good."""
        begun = [stretch for stretch in self._stretches.values() if stretch.begun]
        return bool(begun) and all(stretch.since is None for stretch in begun)

    def there_for(self, guild: int) -> bool:
        """Whether those of a server can, and what they missed is made good."""
        stretch = self._stretches.get(self._part.number(guild))
        return stretch is not None and stretch.begun and stretch.since is None

    def there_part(self) -> Part:
        """The parts whose people can."""
        there = [number for number, stretch in self._stretches.items() if stretch.begun and stretch.since is None]
        return Part(frozenset(there), self._part.of)

    async def begin(self, part: Part | None = None) -> None:
        """The bot looks after these servers from now on; None: all that it may. Raises StoreFailure."""
        part = part or self._part
        stretches = [self._stretches.setdefault(number, _Stretch(part.only(number))) for number in part.numbers]
        before = [stretch.lost for stretch in stretches]
        await self._matches.absent(None, part)
        for stretch, lost in zip(stretches, before, strict=True):
            if stretch.lost != lost:  # others look after it by now
                continue
            stretch.begun = True
            stretch.since = self._clock() if stretch.why else None

    def lost(self, part: Part) -> None:
        """Others look after these servers from now on."""
        for number in part.numbers & self._stretches.keys():
            self._stretches[number].begun = False
            self._stretches[number].lost += 1
            self._stretches[number].since = None

    def gone(self, why: str, number: int | None = None) -> None:
        """Something keeps people from reaching the bot from now on: those of one part, or all."""
        for stretch in self._chosen(number):
            stretch.why.add(why)
            if stretch.since is None:
                stretch.since = self._clock()

    def back(self, why: str, number: int | None = None) -> None:
        """That does so no longer."""
        for stretch in self._chosen(number):
            stretch.why.discard(why)
            if stretch.begun and not stretch.why and stretch.since is not None:
                self._tasks.start(f"back {sorted(stretch.part.numbers)}", self._make_good, stretch)

    async def note(self) -> None:
        """Note for which servers the bot is there, if it is for any."""
        if (part := self.there_part()).numbers:
            with suppress(StoreFailure):  # then it was there when that was last noted
                await self._matches.alive(part)

    def _chosen(self, number: int | None) -> Iterable[_Stretch]:
        if number is None:
            return self._stretches.values()
        return [self._stretches[number]] if number in self._stretches else []

    async def _make_good(self, stretch: _Stretch) -> None:
        for pause in growing(FIRST_PAUSE, LONGEST_PAUSE):
            since = stretch.since
            if since is None or stretch.why or not stretch.begun:
                return
            try:
                await self._matches.absent(since, stretch.part)
            except StoreFailure:
                await sleep(pause)
                continue
            stretch.since = self._clock() if stretch.why else None
            return
