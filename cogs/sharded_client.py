"""The bot with its servers divided among shards. Each shard has its own Discord session and reconnects by itself.

A process starts a session for each partition that it holds. If a partition moves to another process, the old session
stays until the new process has its own, so that some process always receives the clicks. If both receive a click, its
id ensures that it is handled once, and Discord refuses the second response.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

import discord

from cogs.client import MotleyBot
from cogs.table.transport.background_tasks import exponential_backoff
from cogs.table.transport.discord_internals import ManualShards, dispatch, recommended_shards
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.transport.network_errors import describe_error
from engines.store.match_store import StoreFailure
from engines.store.partition import Partition
from engines.store.process_group import TURN_SPACING, GroupStatus, ProcessGroup, ProcessStatus, SingleProcess

log = logging.getLogger(__name__)
DIRECT_MESSAGE_SHARD = 0  # the shard that receives all direct messages
FOLLOW_SECONDS = 1.0  # seconds between two status exchanges
FAST_POLL_SECONDS = 0.25  # the same while other processes take over
FIRST_PAUSE, MAX_PAUSE = 1, 5  # seconds of backoff before asking for an identify turn again
TAKEOVER_START_SECONDS = 10.0  # seconds that other processes may need to notice a takeover
LAST_REPLY_SECONDS = 5.0  # seconds that the last replies may take at shutdown
SIBLING_SECONDS = 120.0  # seconds after another process had a shard, in which it may still have answered a click
LEARN_SECONDS = 3.0  # seconds in which each process reports its new sessions
MAX_REMEMBERED = 200  # recent interactions that are remembered with whether they were answered


class ShardedBot(MotleyBot, ManualShards):
    """Motley over several shards: the configured ones, or Discord's recommended number, or this process's share."""

    def __init__(
        self, *args: Any, partition: Partition | None = None, process_group: ProcessGroup | None = None, **kwargs: Any
    ) -> None:
        """`process_group` is given if there may be other processes."""
        super().__init__(*args, **kwargs)
        self._chosen_partition = partition
        self._is_grouped = process_group is not None
        self._process_group = process_group or SingleProcess()
        self._group_status = GroupStatus()
        self._identify_buckets = 1
        self._guilds_before: dict[int, dict[int, discord.Guild]] = {}
        self._closed_since: dict[int, float] = {}  # disconnected shards, each with the monotonic time of its loss
        self._started_shards: set[int] = set()  # shards with a session, or one that discord.py is connecting
        self._connected_shards: set[int] = set()  # shards with a connected session
        self._interactions: OrderedDict[int, bool] = OrderedDict()  # interaction ids, each with whether it was answered
        self._shared_until: dict[int, float] = {}  # by shard, the monotonic time until which others may answer there
        self._is_leaving = False
        self._unheard_since: dict[int, int] = {}  # shards without a session in any process, each since a second
        self._status_changed = asyncio.Event()
        self._heartbeat_lock = asyncio.Lock()

    async def setup_hook(self) -> None:
        """Find out the number of shards and claim partitions, before any shard starts."""
        recommended, limit = await self._recommended()
        partition = await self.ownership.claim_partitions(self._chosen_partition, recommended)
        self.shard_count, self.shard_ids = partition.count, sorted(partition.numbers)
        self.expect_shards(partition.count, [] if self._is_grouped else self.shard_ids)
        self._identify_buckets = max(1, limit["max_concurrency"] if limit else 1)
        self.downtime.assign_partitions(partition, self._unheard_since)
        if self._is_grouped:
            for number in partition.numbers:
                self._mark_disconnected(number)
        log.info(
            "Shards: %d of %d%s",
            len(partition.numbers),
            partition.count,
            f"; Discord recommends {recommended}" if limit else "",
        )
        if limit and limit["remaining"] < len(partition.numbers):
            log.warning(
                "Discord allows only %d new sessions in the next %d s",
                limit["remaining"],
                limit["reset_after"] // 1000,
            )
        await super().setup_hook()

    async def _recommended(self) -> tuple[int, Mapping[str, int] | None]:
        """Return Discord's recommended number of shards and its session limit.

        If Discord does not answer, return the configured number and no limit.
        """
        try:
            return await recommended_shards(self)
        except (discord.GatewayNotFound, discord.RateLimited) as error:
            why = error.__cause__ or error
            if self._chosen_partition is None:
                raise why from None
            log.warning(
                "Discord did not recommend a number of shards (%s). Starting the configured shards.",
                describe_error(why),
            )
            return self._chosen_partition.count, None

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may identify. A shard that lost its session also waits for the usual spacing."""
        number = shard_id or 0
        self._note_closed_shards()
        closed = self._closed_since.get(number)
        await self._wait_for_identify_turn(
            number % self._identify_buckets,
            0.0 if closed is None else max(0.0, closed + TURN_SPACING - self.clock.monotonic()),
        )
        self._note_closed_shards()

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect and stay connected. If cancelled, first wait until other processes have taken over.

        The shards run in their own task, because a reconnecting shard swallows the cancellation.
        """
        shards = asyncio.create_task(super().connect(reconnect=reconnect), name="shards")
        self.tasks.start_loop(self.clock, "sessions", self._follow_group)
        try:
            await asyncio.wait({shards})
        except asyncio.CancelledError:
            await self._hand_over_sessions()
            raise
        finally:
            shards.cancel()
            self.tasks.stop("sessions")
        shards.result()

    async def close(self) -> None:
        """Close, and leave the group so that the others need not wait for a timeout."""
        await super().close()
        with suppress(StoreFailure):
            await self._process_group.leave_group()

    def is_ready(self) -> bool:
        """Return whether every wanted shard has a session, in this process or in another one of the group."""
        if not self._is_grouped:
            return super().is_ready()
        return (
            self._wanted_shards() <= self._connected_shards
            and {*(self.shard_ids or [0])} <= self._connected_shards | self._group_status.shards
        )

    def apply_partition_change(self, gained: Partition, lost: Partition) -> None:
        """Apply the change, and start or end sessions accordingly."""
        super().apply_partition_change(gained, lost)
        self._note_shared_shards(gained.numbers | lost.numbers)
        self._status_changed.set()

    async def on_ready(self) -> None:
        """Resume the matches: all shards are ready for the first time, or again."""
        self.resume_matches()

    async def on_shard_ready(self, shard_id: int) -> None:
        """Report a shard's new session."""
        self.emoji_reader.start_reading()
        dispatch(self, "session", self._partition_of({shard_id}))

    async def on_disconnect(self) -> None:
        """Do nothing: on_shard_disconnect handles this with the shard's number."""

    async def on_connect(self) -> None:
        """Do nothing: on_shard_connect handles this with the shard's number."""

    async def on_resumed(self) -> None:
        """Do nothing: on_shard_resumed handles this with the shard's number."""

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Count the shard's servers as unreachable, or the direct messages."""
        guilds = {guild.id: guild for guild in self.guilds if guild.shard_id == shard_id}
        if shard_id in self._started_shards:
            self._guilds_before[shard_id] = guilds
        else:
            self._forget_guilds(guilds)
        self._mark_disconnected(shard_id)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Count the shard as reachable in a new session. Servers missing from it removed the bot in the meantime."""
        for guild in self._guilds_before.pop(shard_id, {}).values():
            if self.get_guild(guild.id) is guild:
                self.report_removal(guild)
        self._mark_connected(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Count the shard as reachable again."""
        self._guilds_before.pop(shard_id, None)
        self._mark_connected(shard_id)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Remember an interaction that needs a response before shutdown."""
        await super().on_interaction(interaction)
        if interaction.type is not discord.InteractionType.autocomplete:
            self._interactions.setdefault(interaction.id, False)
            if len(self._interactions) > MAX_REMEMBERED:
                self._interactions.popitem(last=False)

    async def on_motley_answer(self, reply: InteractionReply) -> None:
        """Note that an interaction was answered."""
        self._interactions[reply.click_id] = True
        await super().on_motley_answer(reply)

    async def is_foreign_answer(self, interaction: discord.Interaction) -> bool:
        """Return whether no other process of the group can have answered: none had a session of that shard lately.

        The others are asked first, because a session may have begun a moment ago. If the store cannot tell, none is
        suspected.
        """
        if not self._is_grouped:
            return True
        guild = interaction.guild_id
        number = DIRECT_MESSAGE_SHARD if guild is None else self.partition.number_of(guild)
        if self._is_shared(number):
            return False
        await self.clock.sleep(LEARN_SECONDS)
        if self.is_closed():  # then it reports nothing any more
            return False
        try:
            await self._exchange_status()
        except StoreFailure:
            return False
        return not self._is_shared(number)

    def _is_shared(self, number: int) -> bool:
        """Return whether another process has a session of this shard, or had one until a moment ago."""
        return self.clock.monotonic() < self._shared_until.get(number, 0)

    def _note_shared_shards(self, numbers: Collection[int]) -> None:
        """Note shards of which another process may have a session."""
        until = self.clock.monotonic() + SIBLING_SECONDS
        self._shared_until |= dict.fromkeys(numbers, until)

    # Sessions

    async def _follow_group(self) -> None:
        """Keep one session per held partition, and exchange status with the group."""
        if self._is_grouped:
            self.resume_matches()
        while True:
            self._status_changed.clear()
            if self._wanted_shards() - self._started_shards:
                self.tasks.start_loop(self.clock, "begin sessions", self._start_missing_sessions)
            with suppress(StoreFailure):  # then the previous group status applies for now
                for number in sorted(
                    await self._exchange_status() & self._group_status.lasting_shards - self._wanted_shards()
                ):
                    await self._end_session(number)
            self._note_unheard_shards()
            if self._is_grouped and DIRECT_MESSAGE_SHARD not in self._started_shards:
                (
                    self.downtime.mark_reachable
                    if DIRECT_MESSAGE_SHARD in self._group_status.shards
                    else self.downtime.mark_unreachable
                )("direct messages")
            with suppress(TimeoutError):
                async with asyncio.timeout(FAST_POLL_SECONDS if self._is_leaving else FOLLOW_SECONDS):
                    await self._status_changed.wait()

    def _note_unheard_shards(self) -> None:
        """Note whose servers cannot reach any process. Their time rests, also for clicks in direct messages here."""
        covered = self._connected_shards | self._group_status.shards
        for number in range(self.shard_count or 1):
            if number in covered or not self._is_grouped:
                self._unheard_since.pop(number, None)
            else:  # it was lost since the last exchange
                self._unheard_since.setdefault(number, self.clock.now() - round(FOLLOW_SECONDS))

    async def _wait_until(self, condition: Callable[[], bool], max_seconds: float) -> bool:
        """Poll a condition until it holds or the time is up. Return whether it holds."""
        deadline = self.clock.monotonic() + max_seconds
        while not condition() and self.clock.monotonic() < deadline:  # other processes change it, so there is no event
            await self.clock.sleep(FAST_POLL_SECONDS)
        return condition()

    def _wanted_shards(self) -> frozenset[int]:
        """Return the shards of this process, or none while it hands over."""
        return frozenset() if self._is_leaving else self.partition.numbers

    async def _start_missing_sessions(self) -> None:
        while missing := self._wanted_shards() - self._started_shards:
            number = min(missing)
            self._started_shards.add(number)
            try:
                if (shard := self.get_shard(number)) is None:
                    await self.launch_session(number)
                else:
                    await shard.connect()
            except BaseException:  # else nobody would start it again
                self._started_shards.discard(number)
                raise

    async def _end_session(self, number: int) -> None:
        if (shard := self.get_shard(number)) is not None:
            log.info("Shard %d: session ended in this process", number)
            self._started_shards.discard(number)
            self._connected_shards.discard(number)
            await shard.disconnect()

    async def _wait_for_identify_turn(self, bucket: int, after: float) -> None:
        for pause in exponential_backoff(FIRST_PAUSE, MAX_PAUSE):
            try:
                await self._process_group.wait_for_turn(bucket, after)
                return
            except StoreFailure:
                await self.clock.sleep(pause)

    async def _exchange_status(self) -> frozenset[int]:
        """Exchange status with the group and return the shards announced as given up. Raises StoreFailure.

        Exchanges run one at a time. A process ends a session only after it announced that it gives the shard up and
        another announced that it keeps it. So two processes that give up the same shard never rely on each other.
        """
        async with self._heartbeat_lock:
            wanted, connected = self._wanted_shards(), frozenset(self._connected_shards)
            given_up = frozenset(self._started_shards - wanted)
            self._group_status = await self._process_group.send_heartbeat(
                ProcessStatus(self.settings.version, self.rate_limiter.needed_share(), connected, connected & wanted)
            )
            self._note_shared_shards(self._group_status.shards)
            self.rate_limiter.set_share(self._group_status.share, self._group_status.process_count)
            return given_up

    async def _hand_over_sessions(self) -> None:
        """Release all partitions, and answer clicks until other processes receive them."""
        if not self._is_grouped:
            return
        self._is_leaving = True
        with suppress(StoreFailure):
            await self.ownership.release_all()
        self._status_changed.set()
        if self._group_status.process_count > 1:
            log.info("Handing over %d shards", len(self._started_shards))
            longest = TAKEOVER_START_SECONDS + 2 * TURN_SPACING * len(self._started_shards) / self._identify_buckets
            if not await self._wait_until(
                lambda: not self._started_shards or self._group_status.process_count == 1, longest
            ):
                log.warning("No process took over %d shards within %d s", len(self._started_shards), longest)
        for number in sorted(self._started_shards):
            await self._end_session(number)
        await self._wait_until(lambda: all(self._interactions.values()), LAST_REPLY_SECONDS)

    async def _sync_commands(self) -> None:
        """Register the commands, one process at a time, and only if no newer version runs."""
        await self._exchange_status()
        async with self._process_group.exclusive_section("commands"):
            await self._exchange_status()
            if newer := self._group_status.newer_version(self.settings.version):
                log.info("Left the commands to version %s, which also runs", newer)
            else:
                await super()._sync_commands()

    # What people can reach

    def _present_servers(self) -> tuple[frozenset[int], Partition]:
        """Return the servers of this process's connected shards, and the partition that they cover."""
        partition = self._partition_of(self._connected_shards & self._wanted_shards())
        return frozenset(guild.id for guild in self.guilds if partition.has_server(guild.id)), partition

    def _partition_of(self, numbers: set[int] | frozenset[int]) -> Partition:
        return Partition(frozenset(numbers), self.shard_count or 1)

    def _forget_guilds(self, guilds: dict[int, discord.Guild]) -> None:
        """Drop these servers from discord.py's cache, because it receives no more updates for them."""
        for guild in guilds.values():
            if self.get_guild(guild.id) is guild:
                self.drop_guild(guild)

    def _note_closed_shards(self) -> None:
        """Notice closed shards at once. discord.py reports each only at its identify turn, maybe minutes later."""
        for number, shard in self.shards.items():
            if number in self._connected_shards and shard.is_closed():
                self._mark_disconnected(number)

    def _mark_disconnected(self, shard_id: int) -> None:
        self._connected_shards.discard(shard_id)
        if shard_id in self._started_shards:
            self._closed_since.setdefault(shard_id, self.clock.monotonic())
        self.downtime.mark_unreachable("gateway", shard_id)
        if shard_id == DIRECT_MESSAGE_SHARD:
            self.downtime.mark_unreachable("direct messages")

    def _mark_connected(self, shard_id: int) -> None:
        self._started_shards.add(shard_id)
        self._connected_shards.add(shard_id)
        self._closed_since.pop(shard_id, None)
        self._status_changed.set()
        self.downtime.mark_reachable("gateway", shard_id)
        if shard_id == DIRECT_MESSAGE_SHARD:
            self.downtime.mark_reachable("direct messages")
