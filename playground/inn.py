"""The Jesters' Inn: the guild every playground starts with. Its ids never change."""

from __future__ import annotations

from playground import ids
from playground.clock import Clock
from playground.permissions import ALL, EVERYONE, Permission
from playground.world import NEWS, TEXT, VOICE, Channel, Member, Overwrite, Role, User, World

_PEOPLE = (
    (ids.ADA, "Ada"),
    (ids.BELA, "Bela"),
    (ids.CHIDI, "Chidi"),
    (ids.DORA, "Dora"),
    (ids.EMIL, "Emil"),
    (ids.FUMI, "Fumi"),
    (ids.GRETA, "Greta"),
)
_NO_SENDING = int(Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS | Permission.CREATE_PUBLIC_THREADS)
_BOT_PERMISSIONS = EVERYONE | Permission.CREATE_PRIVATE_THREADS


def open_inn(clock: Clock) -> World:
    """The world as it is when the playground starts."""
    world = World(clock)
    _add_people(world)
    _add_roles(world)
    _add_channels(world)
    return world


def _add_people(world: World) -> None:
    world.users[ids.BOT] = User(ids.BOT, "motley", "Motley", bot=True)
    for user_id, name in _PEOPLE:
        world.users[user_id] = User(user_id, name.lower(), name, dms_closed=user_id == ids.EMIL)
    for user_id in world.users:
        world.members[user_id] = Member(user_id, ids.made_at(user_id))
    world.members[ids.BOT].role_ids.append(ids.BOT_ROLE)
    world.members[ids.ADA].role_ids.append(ids.ADMIN_ROLE)


def _add_roles(world: World) -> None:
    for role in (
        Role(ids.GUILD, "@everyone", EVERYONE, 0),
        Role(ids.BOT_ROLE, "Motley", _BOT_PERMISSIONS, 1, of_bot=ids.BOT),
        Role(ids.ADMIN_ROLE, "Innkeeper", ALL, 2),
    ):
        world.roles[role.id] = role


def _add_channels(world: World) -> None:
    quiet = Overwrite(ids.BOT_ROLE, 0, allow=0, deny=_NO_SENDING)
    hidden = Overwrite(ids.BOT_ROLE, 0, allow=0, deny=int(Permission.VIEW_CHANNEL))
    outside = Overwrite(ids.BOT_ROLE, 0, allow=0, deny=int(Permission.CONNECT))
    for channel in (
        Channel(ids.GAMES, TEXT, "games", 0, "Where the games are played."),
        Channel(ids.LOUNGE, TEXT, "lounge", 1, "Where everybody talks."),
        Channel(ids.NO_BOTS, TEXT, "no-bots", 2, "Motley may look but not speak here.", overwrites=(quiet,)),
        Channel(ids.CELLAR, TEXT, "cellar", 3, "Motley cannot even see this one.", overwrites=(hidden,)),
        Channel(ids.NEWS, NEWS, "news", 4, "What the house announces."),
        Channel(ids.SNUG, VOICE, "snug", 5, overwrites=(outside,)),
    ):
        world.add_channel(channel)
