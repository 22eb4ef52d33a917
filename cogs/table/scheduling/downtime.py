"""Decides whether time runs for a match. Postpones deadlines by the time for which it rested, also across restarts."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from cogs.table.channels.table_services import TableServices
from cogs.table.scheduling.discord_time import DiscordTime, Moment
from cogs.table.transport.connectivity import Connectivity
from engines.store.listeners import Listeners
from engines.store.match_store import StoreFailure
from engines.store.partition import ALL_SERVERS, Partition

log = logging.getLogger(__name__)
BEAT_SECONDS = 1.0  # seconds between two heartbeats
LATE_SECONDS = 4.0  # seconds between two heartbeats from which on the process counts as having been absent


@dataclass(slots=True)
class _PartitionDowntime:
    """Since when and why time rests in a partition. If `since` is None, it runs."""

    partition: Partition
    is_active: bool = False
    is_new: bool = False  # whether the time before this process held it is not made good yet
    loss_count: int = 0  # how often this process lost the partition
    since: int | None = None
    again: int | None = None  # since when time rests once more, if that began while deadlines are being postponed
    reasons: set[str] = field(default_factory=set)

    def rest(self, since: int) -> None:
        """Let time rest from that second on, if it does not yet."""
        if self.since is None:
            self.since = since
        elif self.again is None:
            self.again = since


class Downtime:
    """Decides whether time runs: people can reach the bot, and its clock is right.

    People can reach it if it runs, is connected, and Discord answers. A process that was stopped, or whose machine
    slept, notices that by its late heartbeat, or at the first question whether time runs. Then, as after a start,
    Discord has to confirm the clock before time runs again.

    The bot records that it is alive every few minutes while something will be due, and at an orderly shutdown. One
    transaction postpones the deadlines and records that the bot is back, so a crash cannot postpone them twice. Each
    partition is tracked separately, from the time that this process holds it.
    """

    def __init__(self, services: TableServices, discord_time: DiscordTime, connectivity: Connectivity) -> None:
        self._services = services
        self._discord_time = discord_time
        self._last_beat: Moment | None = None
        self._seconds_ahead = 0  # by which the clock was ahead of the time that counts at that beat
        self.on_back = Listeners[[]]()  # called when deadlines were postponed and time runs again
        self._partition = ALL_SERVERS
        self._rest_elsewhere: Mapping[int, int] = {}
        self._downtimes = {0: _PartitionDowntime(ALL_SERVERS)}
        discord_time.on_changed.append(self._apply_clock)
        discord_time.on_doubt.append(connectivity.start_probing)
        connectivity.on_changed.append(self._apply_connectivity)
        services.matches.editor.follow_time(self)

    def assign_partitions(self, partition: Partition, rest_elsewhere: Mapping[int, int]) -> None:
        """Set the partitions that this process looks after. Call this before `start_watching`.

        `rest_elsewhere` says of partitions that other processes look after since when time rests there.
        """
        self._rest_elsewhere = rest_elsewhere
        self._partition = partition
        self._downtimes = {number: _PartitionDowntime(partition.only_number(number)) for number in partition.numbers}

    @property
    def is_clock_right(self) -> bool:
        """Whether the clock can be trusted. Without that, nothing expires and nothing is erased anywhere."""
        self.notice_absence()
        return self._discord_time.is_right

    def seconds_ahead(self) -> int:
        """Return by how many seconds the clock is ahead of the time that counts; 0 if it is right.

        After a jump, until Discord has answered, that is the time that the clock would show without the jump. What is
        stored then is right if somebody set the clock wrongly, and is postponed like the rest if the machine slept.
        """
        self.notice_absence()
        return self._seconds_ahead if self._last_beat is not None else self._known_seconds_ahead()

    def rest_began(self, guild: int) -> int | None:
        """Return since when time rests in a server; None if it runs. Everything that ends by itself asks this first.

        It is 0 until what happened before this process looked after the server is made good.
        """
        self.notice_absence()
        number = self._partition.number_of(guild)
        stretch = self._downtimes.get(number)
        if stretch is None or not stretch.is_active:
            return 0 if self._services.lease.holds_server(guild) else self._rest_elsewhere.get(number)
        return stretch.since

    def time_runs_for(self, guild: int) -> bool:
        """Return whether this process looks after a server, and time runs there."""
        self.notice_absence()
        stretch = self._downtimes.get(self._partition.number_of(guild))
        return stretch is not None and stretch.is_active and stretch.since is None

    def running_partition(self) -> Partition:
        """Return the partition of all servers in which time runs."""
        self.notice_absence()
        numbers = [number for number, stretch in self._downtimes.items() if stretch.is_active and stretch.since is None]
        return Partition(frozenset(numbers), self._partition.count)

    async def start_watching(self, partition: Partition | None = None) -> None:
        """Start to watch a partition; None means all that are assigned. Raises StoreFailure.

        If the clock is not right yet, time rests, and what was missed is made good later.
        """
        partition = partition or self._partition
        stretches = [
            self._downtimes.setdefault(number, _PartitionDowntime(partition.only_number(number)))
            for number in partition.numbers
        ]
        before = [stretch.loss_count for stretch in stretches]
        self.notice_absence()
        if self._last_beat is None:
            self._last_beat = self._discord_time.moment()
            self._seconds_ahead = self._known_seconds_ahead()
        self._services.tasks.start_loop(self._services.clock, "heartbeat", self._beat)
        if is_right := self._discord_time.is_right:
            await self._services.matches.due_times.put_times_right(partition)
            await self._services.matches.due_times.postpone_deadlines(None, partition)
        for stretch, lost in zip(stretches, before, strict=True):
            if stretch.loss_count != lost:  # another process has taken it over
                continue
            stretch.is_active, stretch.is_new = True, not is_right
            stretch.since = self._now() if stretch.reasons else None
            if not is_right:
                stretch.rest(0)
        if not is_right and self._discord_time.is_right:  # meanwhile
            self._apply_clock(True)

    def stop_watching(self, partition: Partition) -> None:
        """Stop watching a partition that other processes take over."""
        for number in partition.numbers & self._downtimes.keys():
            self._downtimes[number].is_active = False
            self._downtimes[number].loss_count += 1
            self._downtimes[number].since = self._downtimes[number].again = None
            self._downtimes[number].is_new = False

    def mark_unreachable(self, reason: str, number: int | None = None) -> None:
        """Note a reason why people cannot reach the bot: those of one partition number, or all."""
        now = self._now()  # an absence that ends with a lost connection began earlier
        for stretch in self._select_downtimes(number):
            stretch.reasons.add(reason)
            stretch.rest(now)

    def mark_reachable(self, reason: str, number: int | None = None) -> None:
        """Remove such a reason. If none is left, postpone the deadlines in the background."""
        for stretch in self._select_downtimes(number):
            stretch.reasons.discard(reason)
            self._start_making_up(stretch)

    def notice_absence(self) -> None:
        """Compare both clocks with the last heartbeat. If one of them jumped, time rests from that heartbeat on."""
        if self._last_beat is None:  # nothing is watched yet
            return
        last, self._last_beat = self._last_beat, self._discord_time.moment()
        passed, jumped = self._last_beat.tick - last.tick, self._last_beat.wall - last.wall
        if passed <= LATE_SECONDS and -LATE_SECONDS <= jumped <= LATE_SECONDS:
            if self._discord_time.seconds_ahead is not None:
                self._seconds_ahead = self._known_seconds_ahead()
            return
        log.warning("Nothing ran for %d s (%d s by the wall clock). Deadlines will be postponed.", passed, jumped)
        for stretch in self._downtimes.values():
            if stretch.is_active:
                stretch.rest(last.wall - self._seconds_ahead)
        self._seconds_ahead += int(jumped - passed)
        self._discord_time.doubt()

    async def record_alive(self) -> None:
        """Record that the bot is alive for the servers in which time runs, if any."""
        if (part := self.running_partition()).numbers:
            with suppress(StoreFailure):  # then the previous record counts
                await self._services.matches.due_times.record_alive(part)

    def _known_seconds_ahead(self) -> int:
        """Return by how many seconds the clock is ahead of Discord's, if it is known to be wrong; otherwise 0."""
        return (self._discord_time.seconds_ahead or 0) if self._discord_time.problem else 0

    def _now(self) -> int:
        """Return the time that counts, in Unix seconds."""
        ahead = self.seconds_ahead()
        return self._services.clock.now() - ahead

    def _select_downtimes(self, number: int | None) -> Iterable[_PartitionDowntime]:
        if number is None:
            return self._downtimes.values()
        return [self._downtimes[number]] if number in self._downtimes else []

    async def _beat(self) -> None:
        """Notice absences, and ask for Discord's time while the clock is not right."""
        while True:
            await self._services.clock.sleep(BEAT_SECONDS)
            self.notice_absence()
            self._discord_time.ask_again()

    def _apply_connectivity(self, is_down: bool) -> None:
        (self.mark_unreachable if is_down else self.mark_reachable)("discord")

    def _apply_clock(self, is_right: bool) -> None:
        """Let time rest if the clock is wrong. If it is right again, postpone the deadlines in the background."""
        for stretch in self._downtimes.values():
            if is_right:
                self._start_making_up(stretch)
            elif stretch.is_active and self._last_beat is not None:  # the clock may have jumped since
                stretch.rest(self._last_beat.wall - self._seconds_ahead)

    def _start_making_up(self, stretch: _PartitionDowntime) -> None:
        if self._can_make_up(stretch):
            self._services.tasks.start_loop(
                self._services.clock, f"back {sorted(stretch.partition.numbers)}", self._make_up_for, stretch
            )

    def _can_make_up(self, stretch: _PartitionDowntime) -> bool:
        return stretch.is_active and stretch.since is not None and not stretch.reasons and self._discord_time.is_right

    async def _make_up_for(self, downtime: _PartitionDowntime) -> None:
        while self._can_make_up(downtime):
            downtime.again = None
            due_times = self._services.matches.due_times
            await due_times.put_times_right(downtime.partition)
            since = None if downtime.is_new else downtime.since  # another process may have taken over meanwhile
            await due_times.postpone_deadlines(since, downtime.partition)
            if downtime.is_active:
                downtime.is_new, downtime.since = False, downtime.again
                self.on_back()
