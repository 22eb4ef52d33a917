"""The guilds a playground starts with: the Jesters' Inn, and as many others as are wanted. Their ids never change."""

from __future__ import annotations

from typing import Final

from playground.world import ids
from playground.world.clock import Clock
from playground.world.permissions import ALL, EVERYONE, Permission
from playground.world.world import NEWS, TEXT, VOICE, Channel, Guild, Member, Overwrite, Role, User, World

_PEOPLE: Final = (
    (ids.ADA, "Ada"),
    (ids.BELA, "Bela"),
    (ids.CHIDI, "Chidi"),
    (ids.DORA, "Dora"),
    (ids.EMIL, "Emil"),
    (ids.FUMI, "Fumi"),
    (ids.GRETA, "Greta"),
)
_GUILDS: Final = ("The Jesters' Inn", "The Old Mill", "Harbour Lights", "Moonrakers")
_NO_SENDING: Final = int(
    Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS | Permission.CREATE_PUBLIC_THREADS
)
_BOT_PERMISSIONS: Final = EVERYONE | Permission.CREATE_PRIVATE_THREADS


def open_inn(clock: Clock, guilds: int = 1) -> World:
    """The world as it is when the playground starts, with so many guilds. Everybody is in all of them."""
    world = World(clock)
    world.users[ids.BOT] = User(ids.BOT, "motley", "Motley", bot=True)
    for user_id, name in _PEOPLE:
        world.users[user_id] = User(user_id, name.lower(), name, dms_closed=user_id == ids.EMIL)
    for number in range(guilds):
        _add_guild(world, number)
    return world


def _add_guild(world: World, number: int) -> None:
    guild = Guild(
        ids.elsewhere(ids.GUILD, number),
        _GUILDS[number] if number < len(_GUILDS) else f"Server {number + 1}",
        _PEOPLE[number % len(_PEOPLE)][0],
        ids.elsewhere(ids.BOT_ROLE, number),
        ids.elsewhere(ids.ADMIN_ROLE, number),
    )
    world.guilds[guild.id] = guild
    for user_id in world.users:
        guild.members[user_id] = Member(user_id, ids.made_at(user_id))
    guild.members[ids.BOT].role_ids.append(guild.bot_role_id)
    guild.members[guild.owner_id].role_ids.append(guild.admin_role_id)
    for role in (
        Role(guild.id, "@everyone", EVERYONE, 0),
        Role(guild.bot_role_id, "Motley", _BOT_PERMISSIONS, 1, of_bot=ids.BOT),
        Role(guild.admin_role_id, "Innkeeper", ALL, 2),
    ):
        guild.roles[role.id] = role
    for channel in _channels(guild.bot_role_id):
        channel.id = ids.elsewhere(channel.id, number)
        channel.guild_id = guild.id
        world.add_channel(channel)


def _channels(bot_role: int) -> tuple[Channel, ...]:
    quiet = Overwrite(bot_role, 0, allow=0, deny=_NO_SENDING)
    hidden = Overwrite(bot_role, 0, allow=0, deny=int(Permission.VIEW_CHANNEL))
    outside = Overwrite(bot_role, 0, allow=0, deny=int(Permission.CONNECT))
    return (
        Channel(ids.GAMES, TEXT, "games", 0, "Where the games are played."),
        Channel(ids.LOUNGE, TEXT, "lounge", 1, "Where everybody talks."),
        Channel(ids.NO_BOTS, TEXT, "no-bots", 2, "Motley may look but not speak here.", overwrites=(quiet,)),
        Channel(ids.CELLAR, TEXT, "cellar", 3, "Motley cannot even see this one.", overwrites=(hidden,)),
        Channel(ids.NEWS, NEWS, "news", 4, "What the house announces."),
        Channel(ids.SNUG, VOICE, "snug", 5, overwrites=(outside,)),
    )
