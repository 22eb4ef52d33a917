"""A small server as Discord describes it: its channel, its people, and the bot."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
GUILD, CHANNEL, BOT, APPLICATION = 9001, 9002, 9003, 9004
PUBLIC_THREAD = 11
ALL_PERMISSIONS = str((1 << 50) - 1)  # permissions
JOINED_AT = "2026-01-01T00:00:00+00:00"


def user_object(number: int, name: str) -> Json:
    """A person, or the bot."""
    return {
        "id": str(number),
        "username": name.lower(),
        "global_name": name,
        "discriminator": "0",
        "avatar": None,
        "bot": number == BOT,
    }


def member_object(number: int, name: str, permissions: str = ALL_PERMISSIONS) -> Json:
    """A person in the server."""
    about = {"roles": [], "joined_at": JOINED_AT, "deaf": False, "mute": False, "flags": 0, "permissions": permissions}
    return {"user": user_object(number, name), **about}


def guild_object(number: int = GUILD, name: str = "The Inn", room: int = CHANNEL) -> Json:
    """The server, with the bot in it."""
    everybody = {
        "id": str(number),
        "name": "@everyone",
        "permissions": ALL_PERMISSIONS,
        "position": 0,
        "color": 0,
        "hoist": False,
    }
    everybody |= {"colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None}}
    everybody |= {"managed": False, "mentionable": False, "flags": 0}
    empty: Json = {
        key: []
        for key in (
            *("emojis", "stickers", "features", "voice_states", "presences", "threads"),
            *("stage_instances", "guild_scheduled_events", "soundboard_sounds"),
        )
    }
    return empty | {
        "id": str(number),
        "name": name,
        "owner_id": "1",
        "roles": [everybody],
        "members": [member_object(BOT, "Motley")],
        "member_count": 9,
        "channels": [channel_object(room, number)],
        "large": False,
        "unavailable": False,
        "joined_at": JOINED_AT,
        **dict.fromkeys(("verification_level", "default_message_notifications", "explicit_content_filter"), 0),
        **dict.fromkeys(("mfa_level", "nsfw_level", "premium_tier", "system_channel_flags", "afk_timeout"), 0),
    }


def channel_object(number: int = CHANNEL, server: int = GUILD) -> Json:
    """The one text channel."""
    return {
        "id": str(number),
        "type": 0,
        "guild_id": str(server),
        "name": "games",
        "position": 0,
        "parent_id": None,
        "permission_overwrites": [],
    }


def thread_object(number: int, name: str, parent: int = CHANNEL, server: int = GUILD) -> Json:
    """A thread of that channel."""
    state = {"archived": False, "locked": False, "auto_archive_duration": 1440, "archive_timestamp": JOINED_AT}
    return {
        "id": str(number),
        "type": PUBLIC_THREAD,
        "guild_id": str(server),
        "parent_id": str(parent),
        "owner_id": str(BOT),
        "name": name,
        "message_count": 0,
        "member_count": 1,
        "thread_metadata": state,
    }


def inbox_object(number: int, person: Json) -> Json:
    """Somebody's direct messages."""
    return {"id": str(number), "type": 1, "recipients": [person]}
