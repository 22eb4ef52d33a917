"""The bot with its servers divided among several sessions at Discord: shards. Each goes and comes by itself.

A session is begun for each part that is held, and goes on when that part is another process's, until one that keeps it
has a session of its own: clicks are answered by whoever is told of them. One that both are told of is done once, by its
number, and what is answered second is refused by Discord.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import discord
from discord.ext import commands

from cogs.client import MotleyBot
from cogs.table.transport.background_tasks import exponential_backoff
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.transport.network_errors import describe_error
from engines.store.match_store import StoreFailure
from engines.store.partition import Partition
from engines.store.process_group import TURN_SPACING, GroupStatus, ProcessGroup, ProcessStatus, SingleProcess

if TYPE_CHECKING:
    from discord.types.gateway import SessionStartLimit

log = logging.getLogger(__name__)
DIRECT_MESSAGE_SHARD = 0  # the shard that is told of direct messages, wherever a match is played
FOLLOW_SECONDS, FAST_POLL_SECONDS = (
    1.0,
    0.25,
)  # seconds between two looks at how things stand; the second one while others take over
FIRST_PAUSE, MAX_PAUSE = 1, 5  # seconds until a turn is asked for again
TAKEOVER_START_SECONDS = 10.0  # seconds that others may need to see that something is to be taken over
LAST_REPLY_SECONDS = 5.0  # seconds that the last answers may take at the end
MAX_REMEMBERED = 200  # interactions of which it is known whether they were answered


class ShardedBot(MotleyBot, commands.AutoShardedBot):
    """Motley over several shards: those that are named, or as many as Discord recommends, or those it holds of them."""

    def __init__(
        self, *args: Any, partition: Partition | None = None, process_group: ProcessGroup | None = None, **kwargs: Any
    ) -> None:
        """`together`: there may be other processes."""
        super().__init__(*args, **kwargs)
        self._chosen_partition = partition
        self._is_grouped = process_group is not None
        self._process_group = process_group or SingleProcess()
        self._group_status = GroupStatus()
        self._identify_buckets = 1
        self._guilds_before: dict[int, dict[int, discord.Guild]] = {}
        self._closed_since: dict[int, float] = {}  # the shards that are gone, and since when
        self._started_shards: set[int] = set()  # those whose sessions are there, or will be; discord.py sees to that
        self._connected_shards: set[int] = set()  # those whose sessions are there
        self._interactions: OrderedDict[int, bool] = OrderedDict()  # interactions, and whether they were answered
        self._is_leaving = False
        self._status_changed = asyncio.Event()
        self._heartbeat_lock = asyncio.Lock()

    async def setup_hook(self) -> None:
        """Ask how many shards there are to be, before any begins."""
        recommended, limit = await self._recommended()
        partition = await self.ownership.claim_partitions(self._chosen_partition, recommended)
        self.shard_count, self.shard_ids = partition.count, sorted(partition.numbers)
        self._connection.shard_count = partition.count
        self._connection.shard_ids = (
            [] if self._is_grouped else self.shard_ids
        )  # after which of them it says that it is ready
        self._identify_buckets = max(1, limit["max_concurrency"] if limit else 1)
        self.downtime.assign_partitions(partition)
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
                "Discord allows %d new sessions only before %d s from now",
                limit["remaining"],
                limit["reset_after"] // 1000,
            )
        await super().setup_hook()

    async def _recommended(self) -> tuple[int, SessionStartLimit | None]:
        """How many shards Discord recommends, and its limit of sessions. If it refuses to say, those that are named."""
        try:
            recommended, _, limit = await self.http.get_bot_gateway()
        except (discord.GatewayNotFound, discord.RateLimited) as error:
            why = error.__cause__ or error
            if self._chosen_partition is None:
                raise why from None
            log.warning(
                "Discord does not say how many shards it recommends (%s): those that are named begin",
                describe_error(why),
            )
            return self._chosen_partition.count, None
        return recommended, limit

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may begin; one that begins anew was told to wait a little."""
        number = shard_id or 0
        self._note_closed_shards()
        closed = self._closed_since.get(number)
        await self._wait_for_identify_turn(
            number % self._identify_buckets, 0.0 if closed is None else max(0.0, closed + TURN_SPACING - _loop_time())
        )
        self._note_closed_shards()

    async def launch_shards(self) -> None:
        """Sessions begin when their parts are held."""

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect, and stay. Whoever cancels it has to wait until others have taken over, where there are any.

        In a task of its own, since a shard that begins anew keeps it from being cancelled.
        """
        shards = asyncio.create_task(super().connect(reconnect=reconnect), name="shards")
        following = asyncio.create_task(self._follow_group(), name="sessions")
        try:
            await asyncio.wait({shards, following}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await self._hand_over_sessions()
            raise
        finally:
            shards.cancel()
            following.cancel()
        for each in (following, shards):
            if each.done():
                each.result()

    async def close(self) -> None:
        """End; the others need not wait until they notice."""
        await super().close()
        with suppress(StoreFailure):
            await self._process_group.leave_group()

    def is_ready(self) -> bool:
        """Whether there is a session for all that is to have one, here or, where it may be elsewhere, there."""
        if not self._is_grouped:
            return super().is_ready()
        return (
            self._wanted_shards() <= self._connected_shards
            and {*(self.shard_ids or [0])} <= self._connected_shards | self._group_status.shards
        )

    def apply_partition_change(self, gained: Partition, lost: Partition) -> None:
        """What this process looks after has changed."""
        super().apply_partition_change(gained, lost)
        self._status_changed.set()

    async def on_ready(self) -> None:
        """All shards are there for the first time, or have all begun anew since."""
        self.resume_matches()

    async def on_shard_ready(self, shard_id: int) -> None:
        """A shard's session has begun."""
        self.dispatch("session", self._partition_of({shard_id}))

    async def on_disconnect(self) -> None:
        """Some shard is gone: which one is told besides."""

    async def on_connect(self) -> None:
        """Some shard is there: which one is told besides."""

    async def on_resumed(self) -> None:
        """Some shard goes on: which one is told besides."""

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """No click of its servers gets through from now on, or none in direct messages."""
        guilds = {guild.id: guild for guild in self.guilds if guild.shard_id == shard_id}
        if shard_id in self._started_shards:
            self._guilds_before[shard_id] = guilds
        else:
            self._forget_guilds(guilds)
        self._mark_disconnected(shard_id)

    async def on_shard_connect(self, shard_id: int) -> None:
        """They do again, in a new session; a server that this does not know has put the bot out meanwhile."""
        for guild in self._guilds_before.pop(shard_id, {}).values():
            if self.get_guild(guild.id) is guild:
                self._connection.parse_guild_delete({"id": guild.id})
        self._mark_connected(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """They do again."""
        self._guilds_before.pop(shard_id, None)
        self._mark_connected(shard_id)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Somebody asks for something."""
        if interaction.type is not discord.InteractionType.autocomplete:
            self._interactions.setdefault(interaction.id, False)
            if len(self._interactions) > MAX_REMEMBERED:
                self._interactions.popitem(last=False)

    async def on_motley_answer(self, reply: InteractionReply) -> None:
        """They have their answer."""
        self._interactions[reply.click_id] = True

    # Sessions

    async def _follow_group(self) -> None:
        """Have sessions for what is held; see how things stand among all processes."""
        if self._is_grouped:
            self.resume_matches()
        while True:
            self._status_changed.clear()
            if self._wanted_shards() - self._started_shards:
                self.tasks.start("begin sessions", self._start_missing_sessions)
            with suppress(StoreFailure):  # then how it stood before counts, and a share for a moment only
                for number in sorted(
                    await self._exchange_status() & self._group_status.lasting_shards - self._wanted_shards()
                ):
                    await self._end_session(number)
            if self._is_grouped and DIRECT_MESSAGE_SHARD not in self._started_shards:
                (
                    self.downtime.mark_reachable
                    if DIRECT_MESSAGE_SHARD in self._group_status.shards
                    else self.downtime.mark_unreachable
                )("direct messages")
            with suppress(TimeoutError):
                async with asyncio.timeout(FAST_POLL_SECONDS if self._is_leaving else FOLLOW_SECONDS):
                    await self._status_changed.wait()

    def _wanted_shards(self) -> frozenset[int]:
        """The shards that are this process's."""
        return frozenset() if self._is_leaving else self.partition.numbers

    async def _start_missing_sessions(self) -> None:
        """Begin the sessions that are missing, one after the other."""
        while missing := self._wanted_shards() - self._started_shards:
            number = min(missing)
            self._started_shards.add(number)
            if (shard := self.get_shard(number)) is None:
                await self.launch_shard(discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY, number)
            else:
                await shard.connect()

    async def _end_session(self, number: int) -> None:
        """End a session."""
        if (shard := self.get_shard(number)) is not None:
            log.info("Shard %d: this process is told of it no more", number)
            self._started_shards.discard(number)
            self._connected_shards.discard(number)
            await shard.disconnect()

    async def _wait_for_identify_turn(self, bucket: int, after: float) -> None:
        for pause in exponential_backoff(FIRST_PAUSE, MAX_PAUSE):
            try:
                await self._process_group.wait_for_turn(bucket, after)
                return
            except StoreFailure:
                await sleep(pause)

    async def _exchange_status(self) -> frozenset[int]:
        """Tell the others of us, and learn of them; which sessions they know now to be given up. Raises StoreFailure.

        One by one: of two that give up the same, each ends it only if another one keeps it, and neither takes the other
        for that.
        """
        async with self._heartbeat_lock:
            wanted, heard = self._wanted_shards(), frozenset(self._connected_shards)
            given_up = frozenset(self._started_shards - wanted)
            self._group_status = await self._process_group.send_heartbeat(
                ProcessStatus(self.version, self.rate_limiter.needed_share(), heard, heard & wanted)
            )
            self.rate_limiter.set_share(self._group_status.share, self._group_status.process_count)
            return given_up

    async def _hand_over_sessions(self) -> None:
        """Give back what is held, and answer clicks until the others are told of them."""
        if not self._is_grouped:
            return
        self._is_leaving = True
        with suppress(StoreFailure):
            await self.ownership.release_all()
        self._status_changed.set()
        if self._group_status.process_count > 1:
            log.info("%d shards are handed over", len(self._started_shards))
            longest = TAKEOVER_START_SECONDS + 2 * TURN_SPACING * len(self._started_shards) / self._identify_buckets
            if not await _wait_until(
                lambda: not self._started_shards or self._group_status.process_count == 1, longest
            ):
                log.warning("Nobody has taken over %d shards within %d s", len(self._started_shards), longest)
        for number in sorted(self._started_shards):
            await self._end_session(number)
        await _wait_until(lambda: all(self._interactions.values()), LAST_REPLY_SECONDS)

    async def _sync_commands(self) -> None:
        """Register the commands, by one process at a time, and by none that is older than another."""
        await self._exchange_status()
        async with self._process_group.exclusive_section("commands"):
            await self._exchange_status()
            if newer := self._group_status.newer_version(self.version):
                log.info("The commands are left to version %s, which runs beside this one", newer)
            else:
                await super()._sync_commands()

    # What people can reach

    def _present_servers(self) -> tuple[frozenset[int], Partition]:
        """Of what is looked after and heard of just now alone."""
        partition = self._partition_of(self._connected_shards & self._wanted_shards())
        return frozenset(guild.id for guild in self.guilds if partition.has_server(guild.id)), partition

    def _partition_of(self, numbers: set[int] | frozenset[int]) -> Partition:
        return Partition(frozenset(numbers), self.shard_count or 1)

    def _forget_guilds(self, guilds: dict[int, discord.Guild]) -> None:
        """Of these servers nothing is told any more: what is known of them would not stay true."""
        for guild in guilds.values():
            if self.get_guild(guild.id) is guild:
                self._connection._remove_guild(guild)

    def _note_closed_shards(self) -> None:
        """Of shards that are gone together each is told when its turn has come, which may be minutes later."""
        for number, shard in self.shards.items():
            if number in self._connected_shards and shard.is_closed():
                self._mark_disconnected(number)

    def _mark_disconnected(self, shard_id: int) -> None:
        self._connected_shards.discard(shard_id)
        if shard_id in self._started_shards:
            self._closed_since.setdefault(shard_id, _loop_time())
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


def _loop_time() -> float:
    return asyncio.get_running_loop().time()


async def _wait_until(condition: Callable[[], bool], max_seconds: float) -> bool:
    """Wait for others or people, but not for too long; whether that came to be."""
    deadline = _loop_time() + max_seconds
    while not condition() and _loop_time() < deadline:  # noqa: ASYNC110  # who is waited for is looked at now and then
        await sleep(FAST_POLL_SECONDS)
    return condition()
