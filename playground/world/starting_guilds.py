"""The guilds a playground starts with: the Jesters' Inn and any number of others. Their ids never change."""

from __future__ import annotations

from typing import Final

from playground.world import ids
from playground.world.clock import Clock
from playground.world.permissions import ALL_PERMISSIONS, EVERYONE_PERMISSIONS, Permission
from playground.world.world import (
    NEWS_CHANNEL,
    TEXT_CHANNEL,
    VOICE_CHANNEL,
    Channel,
    Guild,
    Member,
    Overwrite,
    Role,
    User,
    World,
)

_PEOPLE: Final = (
    (ids.ADA, "Ada"),
    (ids.BELA, "Bela"),
    (ids.CHIDI, "Chidi"),
    (ids.DORA, "Dora"),
    (ids.EMIL, "Emil"),
    (ids.FUMI, "Fumi"),
    (ids.GRETA, "Greta"),
)
_GUILD_NAMES: Final = ("The Jesters' Inn", "The Old Mill", "Harbour Lights", "Moonrakers")
_SENDING_PERMISSIONS: Final = int(
    Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS | Permission.CREATE_PUBLIC_THREADS
)
_BOT_PERMISSIONS: Final = EVERYONE_PERMISSIONS | Permission.CREATE_PRIVATE_THREADS


def create_starting_world(clock: Clock, guild_count: int, bot_name: str) -> World:
    """Create the starting world with that many guilds; everybody is in all of them."""
    world = World(clock)
    world.users[ids.BOT] = User(ids.BOT, bot_name.lower(), bot_name, bot=True)
    for user_id, name in _PEOPLE:
        world.users[user_id] = User(user_id, name.lower(), name, dms_closed=user_id == ids.EMIL)
    for number in range(guild_count):
        _add_guild(world, number)
    return world


def _add_guild(world: World, number: int) -> None:
    guild = Guild(
        ids.id_in_guild(ids.GUILD, number),
        _GUILD_NAMES[number] if number < len(_GUILD_NAMES) else f"Server {number + 1}",
        _PEOPLE[number % len(_PEOPLE)][0],
        ids.id_in_guild(ids.BOT_ROLE, number),
        ids.id_in_guild(ids.ADMIN_ROLE, number),
    )
    world.guilds[guild.id] = guild
    for user_id in world.users:
        guild.members[user_id] = Member(user_id, ids.snowflake_time(user_id))
    guild.members[ids.BOT].role_ids.append(guild.bot_role_id)
    guild.members[guild.owner_id].role_ids.append(guild.admin_role_id)
    for role in (
        Role(guild.id, "@everyone", EVERYONE_PERMISSIONS, 0),
        Role(guild.bot_role_id, world.users[ids.BOT].name, _BOT_PERMISSIONS, 1, bot_id=ids.BOT),
        Role(guild.admin_role_id, "Innkeeper", ALL_PERMISSIONS, 2),
    ):
        guild.roles[role.id] = role
    for channel in _make_channels(guild.bot_role_id):
        channel.id = ids.id_in_guild(channel.id, number)
        channel.guild_id = guild.id
        world.add_channel(channel)


def _make_channels(bot_role: int) -> tuple[Channel, ...]:
    quiet = Overwrite(bot_role, 0, allow=0, deny=_SENDING_PERMISSIONS)
    hidden = Overwrite(bot_role, 0, allow=0, deny=int(Permission.VIEW_CHANNEL))
    outside = Overwrite(bot_role, 0, allow=0, deny=int(Permission.CONNECT))
    return (
        Channel(ids.GAMES_CHANNEL, TEXT_CHANNEL, "games", 0, "Games are played here."),
        Channel(ids.LOUNGE_CHANNEL, TEXT_CHANNEL, "lounge", 1, "Everybody talks here."),
        Channel(
            ids.NO_BOTS_CHANNEL, TEXT_CHANNEL, "no-bots", 2, "The bot can read but not write here.", overwrites=(quiet,)
        ),
        Channel(
            ids.CELLAR_CHANNEL, TEXT_CHANNEL, "cellar", 3, "The bot cannot see this channel.", overwrites=(hidden,)
        ),
        Channel(ids.NEWS_CHANNEL, NEWS_CHANNEL, "news", 4, "Announcements of the inn."),
        Channel(ids.SNUG_CHANNEL, VOICE_CHANNEL, "snug", 5, overwrites=(outside,)),
    )
