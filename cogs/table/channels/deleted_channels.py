"""Channels and threads that were deleted while nobody told the bot: they are not among those that Discord names.

Whether one of those is gone is asked of Discord, by one small request at a time: a thread that is in the archive is not
named either, nor is what the bot may not see.
"""

from __future__ import annotations

import logging
from asyncio import sleep
from collections.abc import Callable

import discord

from cogs.table.state.server_lease import ServerLease
from cogs.table.transport.background_tasks import BackgroundTasks, exponential_backoff, retry_on_store_failure
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error, is_transient
from engines.hosting.matches import Matches
from engines.store.match_store import MatchInfo

log = logging.getLogger(__name__)
REQUEST_PAUSE = 0.25  # seconds between two questions
FIRST_PAUSE, LONGEST_PAUSE = 1, 4  # seconds until one is asked again to which there was no answer


class DeletedChannels:
    """Two queues that are worked off in the background: servers to look through, and channels to ask for."""

    def __init__(
        self,
        client: discord.Client,
        matches: Matches,
        tasks: BackgroundTasks,
        lease: ServerLease,
        on_deleted: Callable[[int, int], None],
    ) -> None:
        """`gone` is told of the server and the channel, or thread, that is gone."""
        self._client = client
        self._matches = matches
        self._tasks = tasks
        self._lease = lease
        self._on_deleted = on_deleted
        self._servers: dict[int, None] = {}
        self._channels: dict[int, int] = {}  # and the server of each

    def check_server(self, server: int) -> None:
        """Look for what is missing of that server's live matches; returns at once."""
        self._servers[server] = None
        self._tasks.start("look through servers", retry_on_store_failure, self._check_servers)

    def check_match(self, info: MatchInfo) -> None:
        """See whether one of a match's places is missing; returns at once."""
        guild = self._client.get_guild(info.place.guild)
        if guild is None or guild.unavailable:  # nothing is known of it
            return
        for channel in (info.place.channel, info.place.thread):
            if channel and guild.get_channel_or_thread(channel) is None:
                self._channels[channel] = guild.id
                self._tasks.start("ask for channels", self._check_channels)

    async def _check_servers(self) -> None:
        while self._servers:
            server = next(iter(self._servers))
            if self._lease.holds_server(server):
                for info in await self._matches.find(guild=server):
                    self.check_match(info)
            self._servers.pop(server, None)

    async def _check_channels(self) -> None:
        pauses = exponential_backoff(FIRST_PAUSE, LONGEST_PAUSE)
        while self._channels:
            channel, server = next(iter(self._channels.items()))
            guild = self._client.get_guild(server)
            if guild is not None and guild.get_channel_or_thread(channel) is None and self._lease.holds_server(server):
                try:
                    await self._client.http.get_channel(channel)  # of a kind that discord.py does not know, too
                except discord.NotFound:
                    log.info("Channel %d of server %d is gone", channel, server)
                    self._on_deleted(server, channel)
                except NETWORK_ERRORS as error:
                    if is_transient(error):
                        log.info("Whether channel %d is gone is not known: %s", channel, describe_error(error))
                        await sleep(next(pauses))
                        continue
            pauses = exponential_backoff(FIRST_PAUSE, LONGEST_PAUSE)
            self._channels.pop(channel, None)
            await sleep(REQUEST_PAUSE)
