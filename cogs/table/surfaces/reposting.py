"""What Discord tells of servers: where something was given up, it is tried again; what is taken away is posted anew."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count

import discord
from discord.ext import commands

from cogs.table.channels.deleted_channels import Missing
from cogs.table.state.server_lease import Held
from cogs.table.state.surface_store import Displays
from cogs.table.surfaces.reconciler import Keeper
from cogs.table.transport.background_tasks import Tasks, persist
from engines.hosting.match import Refused
from engines.hosting.matches import Matches
from engines.store.match_store import Info, NotHeld, Status
from engines.store.partition import Part
from engines.store.surface_storage import Kind

LATELY = 7 * 24 * 60 * 60  # seconds in which a match was opened whose result is posted yet
KINDS: tuple[Kind, ...] = ("lobby", "table")  # of messages that stand in a server
Which = Callable[[Info], bool]


class Mending(commands.Cog):
    """Listens. A message that is deleted is told to nobody who may not read messages: `status` looks for those."""

    def __init__(
        self,
        client: discord.Client,
        matches: Matches,
        shown: Displays,
        keeper: Keeper,
        clock: Callable[[], int],
        tasks: Tasks,
        held: Held,
    ) -> None:
        self._held = held
        self._matches = matches
        self._shown = shown
        self._keeper = keeper
        self._clock = clock
        self._tasks = tasks
        self._numbers = count()
        self._begun = False
        self.missing = Missing(client, matches, tasks, held, self._look)

    def begin(self) -> None:
        """Matches resume: those in the servers that are known by now are looked at one by one."""
        self._begun = True

    @commands.Cog.listener()
    async def on_session(self, part: Part) -> None:
        """A session has begun: of what went before it in its servers nobody was told."""
        self._try_again(lambda info: part.has(info.place.guild))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, again perhaps: of what was deleted meanwhile nobody has told it."""
        self._try_again(lambda info: info.place.guild == guild.id)
        self.missing.look_through(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A session has begun, or the server can be reached again: what was deleted before is told by nobody."""
        if self._begun:
            self.missing.look_through(guild.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """A role may do other things now."""
        if before.permissions != after.permissions:
            self._try_again(lambda info: info.place.guild == after.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The bot has other roles now; of nobody else it is told."""
        if before.roles != after.roles:
            self._try_again(lambda info: info.place.guild == after.guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """A channel may be open to the bot now."""
        if before.overwrites != after.overwrites:
            self._try_again(lambda info: info.place.channel == after.id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread may be unlocked now. Where it is in the archive yet, showing something there takes it out."""
        if not payload.data.get("thread_metadata", {}).get("locked"):
            self._try_again(lambda info: info.place.thread == payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone, with its threads."""
        self._look(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone."""
        self._look(payload.guild_id, payload.thread_id)

    # Inside

    def _try_again(self, which: Which) -> None:
        self._keeper.told()  # what is not known to be given up yet is not found below
        self._start(self._retry, which)

    def _look(self, guild: int, channel: int) -> None:
        self._start(self._find_gone, guild, channel)

    def _start(self, work: Callable[..., Awaitable[None]], *args: object) -> None:
        """In the background, however often it takes until the store can be read."""
        self._tasks.start(f"mend {next(self._numbers)}", persist, work, *args)

    async def _retry(self, which: Which) -> None:
        """Try again what was given up of these matches."""
        for match in await self._shown.given_up(self._clock() - LATELY, self._held.part):
            with suppress(Refused):
                info = (await self._matches.look(match)).info
                if which(info) and self._held.has(info.place.guild):
                    await self._keeper.try_again(match)

    async def _find_gone(self, guild: int, gone: int) -> None:
        """Find what stood in a channel that is gone, and post it elsewhere."""
        for info in await self._matches.find(guild=guild):
            if gone in (info.place.channel, info.place.thread):
                with suppress(Refused):
                    await self._miss(info)

    async def _miss(self, info: Info) -> None:
        """Close a lobby that nobody can join or start any more; of another match see which messages are there.

        Where another process does so, that may not have been told.
        """
        try:
            with self._held.acting(info.place.guild):
                if info.status is Status.LOBBY:
                    await self._matches.lose(info.id)
                else:
                    await self._keeper.make_sure(info.id)
        except NotHeld:
            for kind in KINDS:
                await self._shown.doubt(info.id, kind)
