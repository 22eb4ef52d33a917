"""People who post where a match was played, from direct messages or another server: Discord does not check those."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from cogs.table.channels.channel_access import missing_permissions
from cogs.table.transport.network_errors import is_transient
from engines.hosting.match import RequestRefused
from engines.store.match_store import Place

NOT_MEMBER = "This match was played in a server that you are not in, so you cannot post anything there."
NOT_WRITER = "You cannot write in the channel where this match was played, so you cannot post anything there."
NO_PLACE = "I can no longer post where this match was played: the channel is gone, or I cannot see it."


@dataclass(frozen=True, slots=True)
class Poster:
    """A member of a match's server who may see the match's channel and write there."""

    member: discord.Member
    lacking: tuple[str, ...]  # the names of the permissions that the bot needs there to host a match, and lacks


async def find_poster(client: discord.Client, place: Place, user: int) -> Poster:
    """Return a person as a member of the server now. A process that is not connected to the server asks for all of it.

    Raises RequestRefused if they are not in the server or may not see the channel or write there, and transient errors.
    """
    try:
        guild = client.get_guild(place.guild)
        if guild is None or guild.unavailable:
            guild = await client.fetch_guild(place.guild, with_counts=False)
        member = await _find_member(guild, user)
        channel = guild.get_channel_or_thread(place.channel) or await guild.fetch_channel(place.channel)
        parent = channel
        if isinstance(channel, discord.Thread):
            parent = guild.get_channel(channel.parent_id) or await guild.fetch_channel(channel.parent_id)
        assert not isinstance(parent, discord.Thread), "the parent of a thread is no thread"
        own = client.user
        me = guild.me or await guild.fetch_member(own.id if own else 0)
    except discord.HTTPException as error:
        if is_transient(error):
            raise
        raise RequestRefused(NO_PLACE) from None
    if not await _may_write(member, channel, parent, has_thread=bool(place.thread)):
        raise RequestRefused(NOT_WRITER)
    return Poster(member, tuple(missing_permissions(parent.permissions_for(me), channel)))


async def _find_member(guild: discord.Guild, user: int) -> discord.Member:
    try:
        return await guild.fetch_member(user)
    except discord.HTTPException as error:
        if is_transient(error):
            raise
        raise RequestRefused(NOT_MEMBER) from None


async def _may_write(
    member: discord.Member,
    channel: discord.abc.GuildChannel | discord.Thread,
    parent: discord.abc.GuildChannel,
    *,
    has_thread: bool,
) -> bool:
    """Return whether somebody may see a channel and write there, or in the match's own thread."""
    permissions = parent.permissions_for(member)
    if not permissions.view_channel:
        return False
    if not isinstance(channel, discord.Thread):
        return permissions.send_messages or (has_thread and permissions.send_messages_in_threads)
    if channel.is_private() and not permissions.manage_threads:
        try:
            await channel.fetch_member(member.id)
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            return False
    return permissions.send_messages_in_threads
