"""What those who manage a server choose for its tables; who may, is asked with every command and every click."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import discord

from cogs.table.actions.manager_rights import managed
from cogs.table.channels import channel_access
from cogs.table.pages import server_settings_pages
from cogs.table.pages.page import Page
from cogs.table.pages.server_settings_pages import Room
from cogs.table.transport.interaction_response import Answer
from engines.hosting.match import Refused
from engines.store.server_settings import Server

if TYPE_CHECKING:
    from cogs.table.actions.table_actions import Desk

OUTSIDE = "Use this in the server that you manage."


class Servers:
    """The desk's part for the settings of a server."""

    def __init__(self, desk: Desk) -> None:
        self._client = desk.client
        self._matches = desk.matches

    async def show(self, answer: Answer) -> None:
        """All settings, with their controls."""
        guild = managed(answer.interaction, OUTSIDE)
        await answer.page(self._page(guild, await self._matches.server(guild)))

    async def choose(self, answer: Answer, name: str, values: Sequence[str]) -> None:
        """Change one of them; it counts at once."""
        guild = managed(answer.interaction, OUTSIDE)
        chosen = server_settings_pages.choice(name, values)
        if strange := set(chosen.get("channels", ())) - {room.channel for room in self._rooms(guild, values)}:
            word = "One of these channels is" if len(strange) == 1 else "Some of these channels are"
            raise Refused(f"{word} not in this server any more. Choose again: /motley server.")
        server = await self._matches.arrange(guild, lambda old: replace(old, **chosen))
        answer.saved = True
        page = self._page(guild, server)
        await (answer.update(page) if answer.own else answer.page(page))

    def elsewhere(self, asker: discord.Interaction, guild: int, channels: frozenset[int]) -> str:
        """That no table may be opened where somebody wants to, and in which of the channels that they see one may."""
        there = channel_access.rooms(self._client, guild, channels)
        who = asker.user if isinstance(asker.user, discord.Member) and asker.guild_id == guild else None
        seen = [each for each in there if who is None or each.permissions_for(who).view_channel]
        return server_settings_pages.elsewhere([_room(each) for each in seen], hidden=bool(there))

    def _page(self, guild: int, server: Server) -> Page:
        return server_settings_pages.page(server, self._rooms(guild, map(str, server.channels)), self._matches.limits)

    def _rooms(self, guild: int, channels: Iterable[str]) -> list[Room]:
        """Those of the channels that there are in a server."""
        wanted = frozenset(int(each) for each in channels if each.isascii() and each.isdecimal())
        return [_room(channel) for channel in channel_access.rooms(self._client, guild, wanted)]


def _room(channel: channel_access.Hosting) -> Room:
    lacking = channel_access.missing(channel.permissions_for(channel.guild.me), channel)
    return Room(channel.id, tuple(lacking))
