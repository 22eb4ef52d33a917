"""Discord's own objects, made from the world."""

from __future__ import annotations

from typing import Any

from playground.world import ids
from playground.world.clock import iso
from playground.world.permissions import permissions_in
from playground.world.world import VOICE, Channel, Guild, Json, Member, Role, User, World


def user(person: User) -> Json:
    """A user object."""
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
    }


def me(world: World) -> Json:
    """The bot, as it sees itself."""
    own = {"verified": True, "mfa_enabled": False, "locale": "en-US", "email": None}
    return user(world.users[ids.BOT]) | own


def application(world: World) -> Json:
    """The bot's application."""
    return {
        "id": str(ids.APPLICATION),
        "name": world.users[ids.BOT].name,
        "description": "Tabletop games of jesters, jokers and wizards.",
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": user(world.users[ids.ADA]),
        "team": None,
        "verify_key": "0" * 64,
        "flags": 0,
        "approximate_guild_count": sum(guild.bot_there for guild in world.guilds.values()),
        "approximate_user_install_count": 0,
        "install_params": {"scopes": ["bot", "applications.commands"], "permissions": "0"},
        "integration_types_config": {"0": {}},
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
    }


def member(world: World, of: Member) -> Json:
    """A member object with its user."""
    return {
        "user": user(world.users[of.user_id]),
        "nick": None,
        "avatar": None,
        "roles": [str(role_id) for role_id in of.role_ids],
        "joined_at": iso(of.joined_at),
        "premium_since": None,
        "communication_disabled_until": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }


def role(of: Role) -> Json:
    """A role object."""
    made: Json = {
        "id": str(of.id),
        "name": of.name,
        "permissions": str(of.permissions),
        "position": of.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": of.of_bot is not None,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    if of.of_bot is not None:
        made["tags"] = {"bot_id": str(of.of_bot)}
    return made


def channel(world: World, of: Channel) -> Json:
    """A channel object: a channel of a guild, a thread or a DM."""
    if of.is_dm:
        return _dm(world, of)
    return _guild_channel(of) if of.thread is None else _thread(of)


def partial_channel(world: World, of: Channel, for_user: int) -> Json:
    """A channel as an interaction shows it: with that person's permissions in it."""
    return channel(world, of) | {"permissions": str(permissions_in(world, for_user, of))}


def page_channel(world: World, of: Channel) -> Json:
    """A channel as the page gets it: a DM also says whose it is."""
    made = channel(world, of)
    return made | {"person": str(of.recipient_id)} if of.is_dm else made


def guild(of: Guild) -> Json:
    """A guild as REST shows it."""
    return {
        "id": str(of.id),
        "name": of.name,
        "owner_id": str(of.owner_id),
        "icon": None,
        "roles": [role(each) for each in of.roles.values()],
        "emojis": [],
        "stickers": [],
        "features": [],
        "afk_timeout": 300,
        "afk_channel_id": None,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": "en-US",
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "approximate_member_count": len(of.members),
        "approximate_presence_count": len(of.members),
    }


def gateway_guild(world: World, of: Guild) -> Json:
    """A guild as GUILD_CREATE shows it: with its channels, its threads, and only the bot among its members."""
    empty: dict[str, list[Any]] = {
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }
    return (
        guild(of)
        | empty
        | {
            "joined_at": iso(of.members[ids.BOT].joined_at),
            "large": False,
            "unavailable": False,
            "member_count": len(of.members),
            "members": [member(world, of.members[ids.BOT])],
            "channels": [_guild_channel(c) for c in world.channels_in(of)],
            "threads": [_thread(c) for c in world.threads_in(of)],
        }
    )


def thread_member(of: Channel, user_id: int) -> Json:
    """That somebody is in a thread."""
    assert of.thread is not None
    return {
        "id": str(of.id),
        "user_id": str(user_id),
        "join_timestamp": iso(of.thread.members[user_id]),
        "flags": 0,
    }


def _common(of: Channel) -> Json:
    last = of.last_message_id
    return {"id": str(of.id), "type": of.type, "last_message_id": None if last is None else str(last), "flags": 0}


def _dm(world: World, of: Channel) -> Json:
    assert of.recipient_id is not None
    return _common(of) | {"recipients": [user(world.users[of.recipient_id])]}


def _guild_channel(of: Channel) -> Json:
    voice = {"bitrate": 64_000, "user_limit": 0, "rtc_region": None} if of.type == VOICE else {}
    return (
        _common(of)
        | voice
        | {
            "guild_id": str(of.guild_id),
            "name": of.name,
            "position": of.position,
            "topic": of.topic,
            "nsfw": False,
            "parent_id": None,
            "rate_limit_per_user": 0,
            "permission_overwrites": [
                {"id": str(o.target_id), "type": o.type, "allow": str(o.allow), "deny": str(o.deny)}
                for o in of.overwrites
            ],
        }
    )


def _thread(of: Channel) -> Json:
    state = of.thread
    assert state is not None
    made = _common(of) | {
        "guild_id": str(of.guild_id),
        "name": of.name,
        "parent_id": str(of.parent_id),
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
            "archive_timestamp": iso(state.archived_at),
            "create_timestamp": iso(state.created_at),
        },
    }
    if ids.BOT in state.members:
        made["member"] = thread_member(of, ids.BOT)
    return made
