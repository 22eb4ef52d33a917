"""Channels and threads of a match: the permissions the bot needs there, and links to messages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import get_args

import discord

from cogs.screens.words import join_with_and
from cogs.table.wording.player_names import clean_name, markdown_name

REQUIRED_PERMISSIONS = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "embed_links": "Embed Links",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
}
HostChannel = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel
"""Channels that can host a match, in the channel itself or in its threads."""
THREAD_PERMISSIONS = {
    "create_public_threads": "Create Public Threads",
    "send_messages_in_threads": "Send Messages in Threads",
}


def missing_permissions(permissions: discord.Permissions, channel: object) -> list[str]:
    """The names of the permissions that the bot needs and lacks to host a match in a channel."""
    needed = dict(REQUIRED_PERMISSIONS)
    if isinstance(channel, discord.Thread):
        del needed["send_messages"]
        needed["send_messages_in_threads"] = THREAD_PERMISSIONS["send_messages_in_threads"]
        if channel.locked:
            needed["manage_threads"] = "Manage Threads"
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        needed["connect"] = "Connect"
    return [name for key, name in needed.items() if not getattr(permissions, key)]


def host_channels(client: discord.Client, guild: int, channels: Collection[int]) -> list[HostChannel]:
    """The given channels that exist in a server and can host a match, in the server's order."""
    found = client.get_guild(guild)
    channels_there = found.channels if found else ()
    fit = [
        channel for channel in channels_there if channel.id in channels and isinstance(channel, get_args(HostChannel))
    ]
    return sorted(fit, key=lambda channel: (channel.position, channel.id))


def parent_channel(channel: object) -> int:
    """The channel that a thread is in; 0 if `channel` is no thread."""
    return channel.parent_id if isinstance(channel, discord.Thread) else 0


def missing_thread_permissions(permissions: discord.Permissions) -> list[str]:
    """The names of the missing permissions that the bot needs only to make threads."""
    return [name for key, name in THREAD_PERMISSIONS.items() if not getattr(permissions, key)]


def permission_complaint(names: Sequence[str], channel: str = "") -> str:
    """A sentence for players that names the missing permissions, here or in another channel, which is mentioned."""
    word = "permission" if len(names) == 1 else "permissions"
    lacking = join_with_and([f"**{name}**" for name in names])
    return (
        f"I cannot host a match {'there' if channel else 'here'}: I need the {word} {lacking} in "
        f"{channel or 'this channel'}."
    )


def can_make_thread(channel: object) -> bool:
    """Whether the bot may make a thread for a match in a channel."""
    return isinstance(channel, discord.TextChannel) and not missing_thread_permissions(
        channel.permissions_for(channel.guild.me)
    )


@lru_cache(1024)  # every message shows it
def server_name(name: str) -> str:
    """A server's name, escaped for markdown; empty if unknown."""
    return markdown_name(clean_name(name, 100, "a server")) if name else ""


def message_url(guild: int, channel: int, message: int) -> str:
    """The URL of a message; `guild` is 0 for a direct message."""
    return f"https://discord.com/channels/{guild or '@me'}/{channel}/{message}"


def partial_message(client: discord.Client, channel: int, message: int) -> discord.PartialMessage:
    """A message that can be edited or deleted, from its ids alone."""
    return client.get_partial_messageable(channel).get_partial_message(message)
