"""Handles the settings of a server for its tables. Every command and click checks Manage Server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import discord

from cogs.table.actions.context import ActionContext
from cogs.table.actions.door import managed_server
from cogs.table.channels import channel_access
from cogs.table.pages import server_settings_pages
from cogs.table.pages.page import Page
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import RequestRefused
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS

OUTSIDE_TEXT = "Use this command in a server that you manage."


class ServerSettingsActions:
    """Requests to show and change a server's settings."""

    def __init__(self, context: ActionContext) -> None:
        self._context = context

    async def show_settings(self, reply: InteractionReply) -> None:
        """Show all settings with their controls."""
        guild = managed_server(reply.interaction, OUTSIDE_TEXT)
        await reply.send_page(await self._settings_page(guild))

    async def change_setting(self, reply: InteractionReply, name: str, values: Sequence[str]) -> None:
        """Change one setting of the server. It applies at once."""
        guild = reply.interaction.guild_id or 0
        change = partial(
            server_settings_pages.apply_choice, games=self._context.matches.games, name=name, values=tuple(values)
        )
        chosen = change(DEFAULT_SERVER_SETTINGS)  # refuses an unknown choice before anything is written
        if strange := chosen.channels - {room.channel for room in self._known_channels(guild, values)}:
            word = "One of these channels is" if len(strange) == 1 else "Some of these channels are"
            raise RequestRefused(f"{word} no longer on this server. Choose again with `/motley server`.")
        await self._context.matches.lobbies.change_server_settings(guild, change)
        await self.show_changed(reply)

    async def show_changed(self, reply: InteractionReply) -> None:
        """Answer a control that has changed a setting, also one of a feature."""
        reply.is_saved = True
        page = await self._settings_page(reply.interaction.guild_id or 0)
        await reply.show_page(page)

    def elsewhere_text(
        self,
        asker: discord.User | discord.Member,
        guild: int,
        channels: frozenset[int],
        where: str = server_settings_pages.HERE,
    ) -> str:
        """Return why no table can be opened `where` somebody asks, and the channels that allow one and that they see.

        It names no channels to somebody who is not known as a member of that server.
        """
        host_channels = channel_access.host_channels(self._context.client, guild, channels)
        member = asker if isinstance(asker, discord.Member) and asker.guild.id == guild else None
        visible = [each for each in host_channels if member and each.permissions_for(member).view_channel]
        return server_settings_pages.elsewhere_text(
            [_channel_access(each) for each in visible], hidden=bool(host_channels), where=where
        )

    async def _settings_page(self, guild: int) -> Page:
        server = await self._context.matches.lobbies.server_settings(guild)
        return server_settings_pages.settings_page(
            server,
            self._known_channels(guild, map(str, server.channels)),
            self._context.matches.lobbies.limits,
            [(game, self._context.screens[key]) for key, game in self._context.matches.games.items()],
            await self._context.surface_sync.features.server_blocks(guild),
        )

    def _known_channels(self, guild: int, channels: Iterable[str]) -> list[server_settings_pages.ChannelAccess]:
        """Return those of the given channel ids that exist in the server."""
        wanted = frozenset(int(each) for each in channels if each.isascii() and each.isdecimal())
        return [
            _channel_access(channel) for channel in channel_access.host_channels(self._context.client, guild, wanted)
        ]


def _channel_access(channel: channel_access.HostChannel) -> server_settings_pages.ChannelAccess:
    lacking = channel_access.missing_permissions(channel.permissions_for(channel.guild.me), channel)
    return server_settings_pages.ChannelAccess(channel.id, tuple(lacking))
