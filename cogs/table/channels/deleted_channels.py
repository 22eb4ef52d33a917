"""Finds channels and threads that were deleted while the bot was not connected.

A channel that Discord does not list may be deleted, archived, or hidden from the bot. One small request per channel
tells which.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import discord

from cogs.table.channels.table_services import TableServices
from cogs.table.transport.background_tasks import exponential_backoff, retry_until_done
from cogs.table.transport.discord_internals import require_channel
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error, is_transient
from engines.store.match_store import MatchInfo

log = logging.getLogger(__name__)
REQUEST_PAUSE = 0.25  # seconds between two requests
FIRST_PAUSE, LONGEST_PAUSE = 1, 4  # seconds before the retry of a request that got no answer


class DeletedChannels:
    """Two queues processed in the background: servers to check, and channels to request."""

    def __init__(self, services: TableServices, on_deleted: Callable[[int, int], None]) -> None:
        """`on_deleted` receives the ids of the server and the deleted channel or thread."""
        self._services = services
        self._on_deleted = on_deleted
        self._servers: dict[int, None] = {}
        self._channels: dict[int, int] = {}  # the server of each channel

    def check_server(self, server: int) -> None:
        """Check the channels of a server's live matches; returns at once."""
        self._servers[server] = None
        self._services.tasks.start("look through servers", retry_until_done, self._services.clock, self._check_servers)

    def check_match(self, info: MatchInfo) -> None:
        """Check a match's channel and thread; returns at once."""
        guild = self._services.client.get_guild(info.place.guild)
        if guild is None or guild.unavailable:  # its channels are unknown
            return
        for channel in (info.place.channel, info.place.thread):
            if channel and guild.get_channel_or_thread(channel) is None:
                self._channels[channel] = guild.id
                self._services.tasks.start_loop(self._services.clock, "ask for channels", self._check_channels)

    async def _check_servers(self) -> None:
        while self._servers:
            server = next(iter(self._servers))
            if self._services.lease.holds_server(server):
                for info in await self._services.matches.lookup.find(guild=server):
                    self.check_match(info)
            self._servers.pop(server, None)

    async def _check_channels(self) -> None:
        pauses = exponential_backoff(FIRST_PAUSE, LONGEST_PAUSE)
        while self._channels:
            channel, server = next(iter(self._channels.items()))
            guild = self._services.client.get_guild(server)
            if (
                guild is not None
                and guild.get_channel_or_thread(channel) is None
                and self._services.lease.holds_server(server)
            ):
                try:
                    await require_channel(self._services.client, channel)
                except discord.NotFound:
                    log.info("Channel %d of server %d was deleted", channel, server)
                    self._on_deleted(server, channel)
                except NETWORK_ERRORS as error:
                    if is_transient(error):
                        log.info("Could not check whether channel %d was deleted: %s", channel, describe_error(error))
                        await self._services.clock.sleep(next(pauses))
                        continue
            pauses = exponential_backoff(FIRST_PAUSE, LONGEST_PAUSE)
            self._channels.pop(channel, None)
            await self._services.clock.sleep(REQUEST_PAUSE)
