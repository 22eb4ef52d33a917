"""Tracks when people could not reach the bot, and postpones deadlines by that time, also across restarts."""

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
    """Since when and why people in a partition cannot reach the bot. If `since` is None, they can."""

    partition: Partition
    is_active: bool = False
    loss_count: int = 0  # how often this process lost the partition
    since: int | None = None
    reasons: set[str] = field(default_factory=set)


class Downtime:
    """Tracks whether people can reach the bot: it runs, it is connected, and Discord answers.

    The bot records that it is alive every few minutes while something will be due, and at an orderly shutdown. One
    transaction postpones the deadlines and records that the bot is back, so a crash cannot postpone them twice. Each
    partition is tracked separately, from the time that this process holds it.
    """

    def __init__(self, matches: Matches, clock: Callable[[], int], tasks: BackgroundTasks) -> None:
        self._matches = matches
        self._clock = clock
        self._tasks = tasks
        self._partition = ALL_SERVERS
        self._downtimes = {0: _PartitionDowntime(ALL_SERVERS)}

    def assign_partitions(self, partition: Partition) -> None:
        """Set the partitions that this process looks after. Call this before `start_watching`."""
        self._partition = partition
        self._downtimes = {number: _PartitionDowntime(partition.only_number(number)) for number in partition.numbers}

    @property
    def is_reachable(self) -> bool:
        """Whether people in all watched partitions can reach the bot and their deadlines are postponed."""
        begun = [stretch for stretch in self._downtimes.values() if stretch.is_active]
        return bool(begun) and all(stretch.since is None for stretch in begun)

    def is_reachable_for(self, guild: int) -> bool:
        """Return whether people in a server can reach the bot and their deadlines are postponed."""
        stretch = self._downtimes.get(self._partition.number_of(guild))
        return stretch is not None and stretch.is_active and stretch.since is None

    def reachable_partition(self) -> Partition:
        """Return the partition of all servers whose people can reach the bot."""
        there = [number for number, stretch in self._downtimes.items() if stretch.is_active and stretch.since is None]
        return Partition(frozenset(there), self._partition.count)

    async def start_watching(self, partition: Partition | None = None) -> None:
        """Start to watch a partition; None means all that are assigned. Raises StoreFailure."""
        partition = partition or self._partition
        stretches = [
            self._downtimes.setdefault(number, _PartitionDowntime(partition.only_number(number)))
            for number in partition.numbers
        ]
        before = [stretch.loss_count for stretch in stretches]
        await self._matches.postpone_deadlines(None, partition)
        for stretch, lost in zip(stretches, before, strict=True):
            if stretch.loss_count != lost:  # another process has taken it over
                continue
            stretch.is_active = True
            stretch.since = self._clock() if stretch.reasons else None

    def stop_watching(self, partition: Partition) -> None:
        """Stop watching a partition that other processes take over."""
        for number in partition.numbers & self._downtimes.keys():
            self._downtimes[number].is_active = False
            self._downtimes[number].loss_count += 1
            self._downtimes[number].since = None

    def mark_unreachable(self, reason: str, number: int | None = None) -> None:
        """Note a reason why people cannot reach the bot: those of one partition number, or all."""
        for stretch in self._select_downtimes(number):
            stretch.reasons.add(reason)
            if stretch.since is None:
                stretch.since = self._clock()

    def mark_reachable(self, reason: str, number: int | None = None) -> None:
        """Remove such a reason. If none is left, postpone the deadlines in the background."""
        for stretch in self._select_downtimes(number):
            stretch.reasons.discard(reason)
            if stretch.is_active and not stretch.reasons and stretch.since is not None:
                self._tasks.start(f"back {sorted(stretch.partition.numbers)}", self._make_up_for, stretch)

    async def record_alive(self) -> None:
        """Record that the bot is alive for the reachable servers, if any."""
        if (part := self.reachable_partition()).numbers:
            with suppress(StoreFailure):  # then the previous record counts
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
