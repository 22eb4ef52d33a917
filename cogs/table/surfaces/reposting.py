"""Listens to Discord's server events: retries messages that were given up, and reposts messages that were deleted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count

import discord
from discord.ext import commands

from cogs.table.channels.deleted_channels import DeletedChannels
from cogs.table.channels.table_services import TableServices
from cogs.table.surfaces.reconciler import Reconciler
from cogs.table.transport.background_tasks import retry_until_done
from engines.hosting.match import RequestRefused
from engines.store.match_store import MatchInfo, NotLeaseHolder, Status
from engines.store.partition import Partition
from engines.store.surface_storage import SurfaceKind

RECENT_SECONDS = 7 * 24 * 60 * 60  # a result is still posted if its match was opened this recently
SERVER_KINDS: tuple[SurfaceKind, ...] = ("lobby", "table")  # messages in a server
MatchFilter = Callable[[MatchInfo], bool]


class Reposting(commands.Cog):
    """Listens to server events. The bot has no intent that reports deleted messages: `status` looks for those."""

    def __init__(self, services: TableServices, reconciler: Reconciler) -> None:
        self._services = services
        self._reconciler = reconciler
        self._numbers = count()
        self._has_begun = False
        self.deleted_channels = DeletedChannels(services, self._start_search)

    def begin(self) -> None:
        """Start to check servers as they become available. Called when matches resume."""
        self._has_begun = True

    @commands.Cog.listener()
    async def on_session(self, partition: Partition) -> None:
        """Retry after a new session: events before it were missed."""
        self._start_retry(lambda info: partition.has_server(info.place.guild))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Retry and check after an invitation: the bot may have missed deletions while it was not in the server."""
        self._start_retry(lambda info: info.place.guild == guild.id)
        self.deleted_channels.check_server(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Check for deleted channels after a new session or an outage: those events were missed."""
        if self._has_begun:
            self.deleted_channels.check_server(guild.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Retry after a role's permissions changed."""
        if before.permissions != after.permissions:
            self._start_retry(lambda info: info.place.guild == after.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Retry after the bot's roles changed; Discord reports no other members."""
        if before.roles != after.roles:
            self._start_retry(lambda info: info.place.guild == after.guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Retry after a channel's permissions changed."""
        if before.overwrites != after.overwrites:
            self._start_retry(lambda info: info.place.channel == after.id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Retry after a thread was unlocked. If it is archived, the retry unarchives it."""
        if not payload.data.get("thread_metadata", {}).get("locked"):
            self._start_retry(lambda info: info.place.thread == payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Repost what was in a deleted channel and its threads."""
        self._start_search(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Repost what was in a deleted thread."""
        self._start_search(payload.guild_id, payload.thread_id)

    # Inside

    def _start_retry(self, which: MatchFilter) -> None:
        self._reconciler.surface_sync.poster.note_recovery()  # covers messages that are just being given up
        self._start(self._retry_given_up, which)

    def _start_search(self, guild: int, channel: int) -> None:
        self._start(self._find_matches_in, guild, channel)

    def _start(self, work: Callable[..., Awaitable[None]], *args: object) -> None:
        """Run work in the background, and retry it until the store can be read."""
        self._services.tasks.start(f"mend {next(self._numbers)}", retry_until_done, self._services.clock, work, *args)

    async def _retry_given_up(self, which: MatchFilter) -> None:
        for match in await self._services.surfaces.store.given_up_matches(
            self._services.clock.now() - RECENT_SECONDS, self._services.lease.holding.partition
        ):
            with suppress(RequestRefused):
                info = (await self._services.matches.cache.get_snapshot(match)).info
                if which(info) and self._services.lease.holds_server(info.place.guild):
                    await self._reconciler.retry_given_up(match)

    async def _find_matches_in(self, guild: int, channel: int) -> None:
        for info in await self._services.matches.lookup.find(guild=guild):
            if channel in (info.place.channel, info.place.thread):
                with suppress(RequestRefused):
                    await self._handle_deleted(info)

    async def _handle_deleted(self, info: MatchInfo) -> None:
        """Close the lobby, which nobody can join any more; for a started match, check which messages still exist.

        If another process looks after the server, mark the messages uncertain for it: it may have missed the event.
        """
        try:
            with self._services.lease.acting_for(info.place.guild):
                if info.status is Status.LOBBY:
                    await self._services.matches.lobbies.close_lost_lobby(info.id)
                else:
                    await self._reconciler.verify_surfaces(info.id)
        except NotLeaseHolder:
            for kind in SERVER_KINDS:
                await self._services.surfaces.doubt(info.id, kind)
