"""A small server as Discord describes it: its channel, its people, and the bot."""

from __future__ import annotations

from typing import Any

from cogs.pictures.emoji_names import all_emoji, emoji_name
from tests.game_uis import GAME_UIS

Json = dict[str, Any]
GUILD, CHANNEL, BOT, APPLICATION = 9001, 9002, 9003, 9004
PUBLIC_THREAD = 11
ALL_PERMISSIONS = str((1 << 50) - 1)  # permissions
JOINED_AT = "2026-01-01T00:00:00+00:00"


def user_object(number: int, name: str) -> Json:
    own = {"id": str(number), "username": name.lower(), "global_name": name, "bot": number == BOT}
    return own | {"discriminator": "0", "avatar": None}


def member_object(number: int, name: str, permissions: str = ALL_PERMISSIONS) -> Json:
    about = {"roles": [], "joined_at": JOINED_AT, "deaf": False, "mute": False, "flags": 0, "permissions": permissions}
    return {"user": user_object(number, name), **about}


def application_emoji() -> list[Json]:
    """The application's emoji after an upload, so that what they show is looked at as well."""
    drawings = all_emoji(front.emoji for front in GAME_UIS.values())
    about = {"roles": [], "require_colons": True, "managed": False, "animated": False, "available": True}
    return [{"id": str(7000 + place), "name": emoji_name(key, drawings), **about} for place, key in enumerate(drawings)]


def guild_object(number: int = GUILD, name: str = "The Inn", room: int = CHANNEL) -> Json:
    everybody = {"id": str(number), "name": "@everyone", "permissions": ALL_PERMISSIONS, "position": 0, "flags": 0}
    everybody |= {"colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None}, "color": 0}
    everybody |= dict.fromkeys(("hoist", "managed", "mentionable"), False)
    here = {"id": str(number), "name": name, "owner_id": "1", "member_count": 9, "joined_at": JOINED_AT}
    return here | {
        "roles": [everybody],
        "members": [member_object(BOT, "Motley")],
        "channels": [channel_object(room, number)],
        **dict.fromkeys(("large", "unavailable"), False),
        **dict.fromkeys(("verification_level", "default_message_notifications", "explicit_content_filter"), 0),
        **dict.fromkeys(("mfa_level", "nsfw_level", "premium_tier", "system_channel_flags", "afk_timeout"), 0),
        **{key: [] for key in ("emojis", "stickers", "features", "voice_states", "presences", "threads")},
        **{key: [] for key in ("stage_instances", "guild_scheduled_events", "soundboard_sounds")},
    }


def channel_object(number: int = CHANNEL, server: int = GUILD) -> Json:
    where = {"id": str(number), "guild_id": str(server), "parent_id": None, "position": 0}
    return {"type": 0, "name": "games", "permission_overwrites": [], **where}


def thread_object(number: int, name: str, parent: int = CHANNEL, server: int = GUILD) -> Json:
    state = {"archived": False, "locked": False, "auto_archive_duration": 1440, "archive_timestamp": JOINED_AT}
    where = {"id": str(number), "guild_id": str(server), "parent_id": str(parent), "owner_id": str(BOT)}
    counts = {"message_count": 0, "member_count": 1}
    return {"type": PUBLIC_THREAD, "name": name, "thread_metadata": state, **where, **counts}


def inbox_object(number: int, person: Json) -> Json:
    return {"id": str(number), "type": 1, "recipients": [person]}
