"""Builds Discord's objects from the world."""

from __future__ import annotations

from typing import Any

from playground.world import ids
from playground.world.clock import format_timestamp
from playground.world.permissions import permissions_in
from playground.world.world import VOICE_CHANNEL, Channel, Guild, Json, Member, Role, User, World


def user_object(person: User) -> Json:
    """Return a user object."""
    return {
        "id": str(person.id),
        "username": person.username,
        "global_name": None if person.bot else person.name,
        "discriminator": "0000" if person.bot else "0",
        "avatar": None,
        "bot": person.bot,
        "system": False,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }


def bot_user_object(world: World) -> Json:
    """Return the bot's user object as it sees itself."""
    own = {"verified": True, "mfa_enabled": False, "locale": "en-US", "email": None}
    return user_object(world.users[ids.BOT]) | own


def application_object(world: World) -> Json:
    """Return the bot's application."""
    return {
        "id": str(ids.APPLICATION),
        "name": world.users[ids.BOT].name,
        "description": "A bot on the playground.",
        "type": None,
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": user_object(world.people()[0]),
        "team": None,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "approximate_guild_count": sum(guild.has_bot for guild in world.guilds.values()),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "install_params": {"scopes": ["bot", "applications.commands"], "permissions": "0"},
        "integration_types_config": {"0": {}},
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
    }


def member_object(world: World, member: Member) -> Json:
    """Return a member object with its user."""
    return {
        "user": user_object(world.users[member.user_id]),
        "nick": member.nick,
        "avatar": None,
        "banner": None,
        "roles": [str(role_id) for role_id in member.role_ids],
        "joined_at": format_timestamp(member.joined_at),
        "premium_since": None,
        "communication_disabled_until": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }


def role_object(role: Role) -> Json:
    """Return a role object."""
    body: Json = {
        "id": str(role.id),
        "name": role.name,
        "permissions": str(role.permissions),
        "position": role.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": role.bot_id is not None,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    if role.bot_id is not None:
        body["tags"] = {"bot_id": str(role.bot_id)}
    return body


def channel_object(world: World, channel: Channel) -> Json:
    """Return a channel object: a channel of a guild, a thread or a DM."""
    if channel.is_dm:
        return _dm_object(world, channel)
    return _guild_channel_object(channel) if channel.thread is None else _thread_object(channel)


def partial_channel(world: World, channel: Channel, for_user: int) -> Json:
    """Return a channel as an interaction shows it: with the person's permissions in it."""
    return channel_object(world, channel) | {"permissions": str(permissions_in(world, for_user, channel))}


def page_channel(world: World, channel: Channel) -> Json:
    """Return a channel as the page shows it: a DM also names its person."""
    body = channel_object(world, channel)
    return body | {"person": str(channel.recipient_id)} if channel.is_dm else body


def guild_object(guild: Guild) -> Json:
    """Return a guild as REST shows it."""
    return {
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.owner_id),
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "application_id": None,
        "region": "deprecated",
        "vanity_url_code": None,
        "roles": [role_object(each) for each in guild.roles.values()],
        "emojis": [],
        "stickers": [],
        "features": [],
        "afk_timeout": 300,
        "afk_channel_id": None,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw": False,
        "nsfw_level": 0,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": "en-US",
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "safety_alerts_channel_id": None,
        "widget_enabled": False,
        "widget_channel_id": None,
        "max_presences": None,
        "max_members": 500_000,
        "max_video_channel_users": 25,
        "max_stage_video_channel_users": 50,
        "incidents_data": None,
        "approximate_member_count": len(guild.members),
        "approximate_presence_count": len(guild.members),
    }


def gateway_guild(world: World, guild: Guild) -> Json:
    """Return a guild for GUILD_CREATE: with channels and threads, but only the bot as a member."""
    empty: dict[str, list[Any]] = {
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }
    return (
        guild_object(guild)
        | empty
        | {
            "joined_at": format_timestamp(guild.members[ids.BOT].joined_at),
            "large": False,
            "unavailable": False,
            "member_count": len(guild.members),
            "members": [member_object(world, guild.members[ids.BOT])],
            "channels": [_guild_channel_object(c) for c in world.channels_in(guild)],
            "threads": [_thread_object(c) for c in world.threads_in(guild)],
        }
    )


def thread_member_object(thread: Channel, user_id: int) -> Json:
    """Return a thread's membership object."""
    assert thread.thread is not None
    return {
        "id": str(thread.id),
        "user_id": str(user_id),
        "join_timestamp": format_timestamp(thread.thread.members[user_id]),
        "flags": 0,
    }


def _common_fields(channel: Channel) -> Json:
    last = channel.last_message_id
    return {
        "id": str(channel.id),
        "type": channel.type,
        "last_message_id": None if last is None else str(last),
        "flags": 0,
    }


def _dm_object(world: World, channel: Channel) -> Json:
    assert channel.recipient_id is not None
    return _common_fields(channel) | {"recipients": [user_object(world.users[channel.recipient_id])]}


def _guild_channel_object(channel: Channel) -> Json:
    voice = {"bitrate": 64_000, "user_limit": 0, "rtc_region": None} if channel.type == VOICE_CHANNEL else {}
    return (
        _common_fields(channel)
        | voice
        | {
            "guild_id": str(channel.guild_id),
            "name": channel.name,
            "position": channel.position,
            "topic": channel.topic,
            "nsfw": False,
            "parent_id": None,
            "rate_limit_per_user": 0,
            "permission_overwrites": [
                {"id": str(o.target_id), "type": o.type, "allow": str(o.allow), "deny": str(o.deny)}
                for o in channel.overwrites
            ],
        }
    )


def _thread_object(channel: Channel) -> Json:
    state = channel.thread
    assert state is not None
    body = _common_fields(channel) | {
        "guild_id": str(channel.guild_id),
        "name": channel.name,
        "parent_id": str(channel.parent_id),
        "owner_id": str(state.owner_id),
        "rate_limit_per_user": 0,
        "message_count": 0,
        "total_message_sent": 0,
        "member_count": len(state.members),
        "applied_tags": [],
        "thread_metadata": {
            "archived": state.archived,
            "locked": state.locked,
            "auto_archive_duration": state.auto_archive_minutes,
            "archive_timestamp": format_timestamp(state.archived_at),
            "create_timestamp": format_timestamp(state.created_at),
        },
    }
    if ids.BOT in state.members:
        body["member"] = thread_member_object(channel, ids.BOT)
    return body
