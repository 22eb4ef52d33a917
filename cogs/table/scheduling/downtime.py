"""When the bot was not there for people to play: deadlines come later by that time, over restarts, too."""

from __future__ import annotations

import logging
from asyncio import sleep
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from cogs.table.transport.background_tasks import BackgroundTasks, exponential_backoff
from engines.hosting.matches import Matches
from engines.store.match_store import StoreFailure
from engines.store.partition import ALL_SERVERS, Partition

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds


@dataclass(slots=True)
class _PartitionDowntime:
    """Since when, and why, the people of some servers cannot reach the bot; None: they can."""

    partition: Partition
    is_active: bool = False
    loss_count: int = 0  # how often
    since: int | None = None
    reasons: set[str] = field(default_factory=set)


class Downtime:
    """Whether people can reach the bot: it runs, it is connected, and Discord answers.

    That it is there is noted every few minutes while something will be due, and when it ends in good order. What was
    missed is made good by the transaction that notes that it is there again, so no crash makes it good twice. Where
    servers are divided, each part of them is away and back by itself, and begins when it is held.
    """

    def __init__(self, matches: Matches, clock: Callable[[], int], tasks: BackgroundTasks) -> None:
        self._matches = matches
        self._clock = clock
        self._tasks = tasks
        self._partition = ALL_SERVERS
        self._downtimes = {0: _PartitionDowntime(ALL_SERVERS)}

    def assign_partitions(self, partition: Partition) -> None:
        """The bot looks after these servers, each part by itself; to be said before it begins."""
        self._partition = partition
        self._downtimes = {number: _PartitionDowntime(partition.only_number(number)) for number in partition.numbers}

    @property
    def is_reachable(self) -> bool:
        """Whether people can reach the bot, wherever they are, and what they missed is made good."""
        begun = [stretch for stretch in self._downtimes.values() if stretch.is_active]
        return bool(begun) and all(stretch.since is None for stretch in begun)

    def is_reachable_for(self, guild: int) -> bool:
        """Whether those of a server can, and what they missed is made good."""
        stretch = self._downtimes.get(self._partition.number_of(guild))
        return stretch is not None and stretch.is_active and stretch.since is None

    def reachable_partition(self) -> Partition:
        """The parts whose people can."""
        there = [number for number, stretch in self._downtimes.items() if stretch.is_active and stretch.since is None]
        return Partition(frozenset(there), self._partition.count)

    async def start_watching(self, partition: Partition | None = None) -> None:
        """The bot looks after these servers from now on; None: all that it may. Raises StoreFailure."""
        partition = partition or self._partition
        stretches = [
            self._downtimes.setdefault(number, _PartitionDowntime(partition.only_number(number)))
            for number in partition.numbers
        ]
        before = [stretch.loss_count for stretch in stretches]
        await self._matches.postpone_deadlines(None, partition)
        for stretch, lost in zip(stretches, before, strict=True):
            if stretch.loss_count != lost:  # others look after it by now
                continue
            stretch.is_active = True
            stretch.since = self._clock() if stretch.reasons else None

    def stop_watching(self, partition: Partition) -> None:
        """Others look after these servers from now on."""
        for number in partition.numbers & self._downtimes.keys():
            self._downtimes[number].is_active = False
            self._downtimes[number].loss_count += 1
            self._downtimes[number].since = None

    def mark_unreachable(self, reason: str, number: int | None = None) -> None:
        """Something keeps people from reaching the bot from now on: those of one part, or all."""
        for stretch in self._select_downtimes(number):
            stretch.reasons.add(reason)
            if stretch.since is None:
                stretch.since = self._clock()

    def mark_reachable(self, reason: str, number: int | None = None) -> None:
        """That does so no longer."""
        for stretch in self._select_downtimes(number):
            stretch.reasons.discard(reason)
            if stretch.is_active and not stretch.reasons and stretch.since is not None:
                self._tasks.start(f"back {sorted(stretch.partition.numbers)}", self._make_up_for, stretch)

    async def record_alive(self) -> None:
        """Note for which servers the bot is there, if it is for any."""
        if (part := self.reachable_partition()).numbers:
            with suppress(StoreFailure):  # then it was there when that was last noted
                await self._matches.record_alive(part)

    def _select_downtimes(self, number: int | None) -> Iterable[_PartitionDowntime]:
        if number is None:
            return self._downtimes.values()
        return [self._downtimes[number]] if number in self._downtimes else []

    async def _make_up_for(self, downtime: _PartitionDowntime) -> None:
        for pause in exponential_backoff(FIRST_PAUSE, LONGEST_PAUSE):
            since = downtime.since
            if since is None or downtime.reasons or not downtime.is_active:
                return
            try:
                await self._matches.postpone_deadlines(since, downtime.partition)
            except StoreFailure:
                await sleep(pause)
                continue
            downtime.since = self._clock() if downtime.reasons else None
            return
