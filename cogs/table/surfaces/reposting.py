"""What Discord tells of servers: where something was given up, it is tried again; what is taken away is posted anew."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count

import discord
from discord.ext import commands

from cogs.table.channels.deleted_channels import DeletedChannels
from cogs.table.state.server_lease import ServerLease
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.surfaces.reconciler import Reconciler
from cogs.table.transport.background_tasks import BackgroundTasks, retry_on_store_failure
from engines.hosting.match import RequestRefused
from engines.hosting.matches import Matches
from engines.store.match_store import MatchInfo, NotLeaseHolder, Status
from engines.store.partition import Partition
from engines.store.surface_storage import SurfaceKind

RECENT_SECONDS = 7 * 24 * 60 * 60  # seconds in which a match was opened whose result is posted yet
SERVER_KINDS: tuple[SurfaceKind, ...] = ("lobby", "table")  # of messages that stand in a server
MatchFilter = Callable[[MatchInfo], bool]


class Reposting(commands.Cog):
    """Listens. A message that is deleted is told to nobody who may not read messages: `status` looks for those."""

    def __init__(
        self,
        client: discord.Client,
        matches: Matches,
        surfaces: SurfaceCache,
        reconciler: Reconciler,
        clock: Callable[[], int],
        tasks: BackgroundTasks,
        lease: ServerLease,
    ) -> None:
        self._lease = lease
        self._matches = matches
        self._surfaces = surfaces
        self._reconciler = reconciler
        self._clock = clock
        self._tasks = tasks
        self._numbers = count()
        self._has_begun = False
        self.deleted_channels = DeletedChannels(client, matches, tasks, lease, self._start_search)

    def begin(self) -> None:
        """Matches resume: those in the servers that are known by now are looked at one by one."""
        self._has_begun = True

    @commands.Cog.listener()
    async def on_session(self, partition: Partition) -> None:
        """A session has begun: of what went before it in its servers nobody was told."""
        self._start_retry(lambda info: partition.has_server(info.place.guild))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, again perhaps: of what was deleted meanwhile nobody has told it."""
        self._start_retry(lambda info: info.place.guild == guild.id)
        self.deleted_channels.check_server(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A session has begun, or the server can be reached again: what was deleted before is told by nobody."""
        if self._has_begun:
            self.deleted_channels.check_server(guild.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """A role may do other things now."""
        if before.permissions != after.permissions:
            self._start_retry(lambda info: info.place.guild == after.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The bot has other roles now; of nobody else it is told."""
        if before.roles != after.roles:
            self._start_retry(lambda info: info.place.guild == after.guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """A channel may be open to the bot now."""
        if before.overwrites != after.overwrites:
            self._start_retry(lambda info: info.place.channel == after.id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread may be unlocked now. Where it is in the archive yet, showing something there takes it out."""
        if not payload.data.get("thread_metadata", {}).get("locked"):
            self._start_retry(lambda info: info.place.thread == payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone, with its threads."""
        self._start_search(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone."""
        self._start_search(payload.guild_id, payload.thread_id)

    # Inside

    def _start_retry(self, which: MatchFilter) -> None:
        self._reconciler.note_recovery()  # what is not known to be given up yet is not found below
        self._start(self._retry_given_up, which)

    def _start_search(self, guild: int, channel: int) -> None:
        self._start(self._find_matches_in, guild, channel)

    def _start(self, work: Callable[..., Awaitable[None]], *args: object) -> None:
        """In the background, however often it takes until the store can be read."""
        self._tasks.start(f"mend {next(self._numbers)}", retry_on_store_failure, work, *args)

    async def _retry_given_up(self, which: MatchFilter) -> None:
        """Try again what was given up of these matches."""
        for match in await self._surfaces.given_up_matches(self._clock() - RECENT_SECONDS, self._lease.partition):
            with suppress(RequestRefused):
                info = (await self._matches.get_snapshot(match)).info
                if which(info) and self._lease.holds_server(info.place.guild):
                    await self._reconciler.retry_given_up(match)

    async def _find_matches_in(self, guild: int, channel: int) -> None:
        """Find what stood in a channel that is gone, and post it elsewhere."""
        for info in await self._matches.find(guild=guild):
            if channel in (info.place.channel, info.place.thread):
                with suppress(RequestRefused):
                    await self._handle_deleted(info)

    async def _handle_deleted(self, info: MatchInfo) -> None:
        """Close a lobby that nobody can join or start any more; of another match see which messages are there.

        Where another process does so, that may not have been told.
        """
        try:
            with self._lease.acting_for(info.place.guild):
                if info.status is Status.LOBBY:
                    await self._matches.close_lost_lobby(info.id)
                else:
                    await self._reconciler.verify_surfaces(info.id)
        except NotLeaseHolder:
            for kind in SERVER_KINDS:
                await self._surfaces.doubt(info.id, kind)
