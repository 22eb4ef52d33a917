"""Discord's permission bits, and what people and the bot may do in a channel."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntFlag
from typing import TYPE_CHECKING

from playground.world import ids

if TYPE_CHECKING:
    from playground.world.world import Channel, Guild, World


class Permission(IntFlag):
    """The permission bits that the playground uses."""

    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    SPEAK = 1 << 21
    CHANGE_NICKNAME = 1 << 26
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40


ALL_PERMISSIONS = (1 << 53) - 1
EVERYONE_PERMISSIONS = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.ADD_REACTIONS
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CONNECT
    | Permission.SPEAK
    | Permission.CHANGE_NICKNAME
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)
DM_PERMISSIONS = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.ADD_REACTIONS
    | Permission.MENTION_EVERYONE
    | Permission.USE_EXTERNAL_EMOJIS
)
_NEED_SENDING = int(Permission.EMBED_LINKS | Permission.ATTACH_FILES | Permission.MENTION_EVERYONE)


def permissions_in(world: World, user_id: int, channel: Channel) -> int:
    """Return all permissions of a person or the bot in a channel, as bits; 0 for people who are not there."""
    if channel.is_dm:
        return DM_PERMISSIONS if user_id in (ids.BOT, channel.recipient_id) else 0
    guild = world.guilds[channel.guild_id]
    if user_id not in guild.members:
        return 0
    if channel.parent_id is not None:
        return permissions_in(world, user_id, world.channels[channel.parent_id])
    base = guild_permissions(guild, user_id)
    return (
        ALL_PERMISSIONS if base == ALL_PERMISSIONS else _drop_implied(_apply_overwrites(guild, user_id, channel, base))
    )


def guild_permissions(guild: Guild, user_id: int) -> int:
    """Return what a member's roles allow in the whole guild."""
    if user_id == guild.owner_id:
        return ALL_PERMISSIONS
    bits = 0
    for role_id in (guild.id, *guild.members[user_id].role_ids):
        bits |= guild.roles[role_id].permissions
    return ALL_PERMISSIONS if bits & Permission.ADMINISTRATOR else bits


def _apply_overwrites(guild: Guild, user_id: int, channel: Channel, bits: int) -> int:
    for targets in ([guild.id], guild.members[user_id].role_ids, [user_id]):
        bits = _apply_target_overwrites(channel, targets, bits)
    return bits


def _apply_target_overwrites(channel: Channel, targets: Iterable[int], bits: int) -> int:
    wanted = set(targets)
    allow = deny = 0
    for overwrite in channel.overwrites:
        if overwrite.target_id in wanted:
            allow, deny = allow | overwrite.allow, deny | overwrite.deny
    return bits & ~deny | allow


def _drop_implied(bits: int) -> int:
    if not bits & Permission.VIEW_CHANNEL:
        return 0
    if not bits & Permission.SEND_MESSAGES:
        bits &= ~_NEED_SENDING
    return bits
