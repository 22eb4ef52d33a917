"""A small server: its channel, its people, and the bot; as the playground keeps them, and as Discord describes them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from cogs.pictures.emoji_names import all_emoji, emoji_name
from playground.world import ids
from playground.world import payloads as world_payloads
from playground.world.application_emoji import StoredEmoji
from playground.world.clock import Clock
from playground.world.world import PUBLIC_THREAD as PUBLIC_THREAD
from playground.world.world import TEXT_CHANNEL, Channel, Guild, Member, Role, User, World
from tests.game_uis import GAME_UIS

Json = dict[str, Any]
GUILD, CHANNEL, BOT, APPLICATION = 9001, 9002, ids.BOT, ids.APPLICATION
ALL_PERMISSIONS = str((1 << 50) - 1)  # permissions
OWNER = 1
FIRST_EMOJI = 7000


def user_object(number: int, name: str) -> Json:
    return world_payloads.user_object(_person(number, name))


def create_world(clock: Clock, people: Mapping[str, int]) -> World:
    """The bot and people with their direct messages, without a server."""
    world = World(clock)
    world.users = {BOT: User(BOT, "motley", "Motley", bot=True)}
    world.users |= {number: _person(number, name) for name, number in people.items()}
    for person in world.people():
        world.open_dm(person.id)
    return world


def add_guild(world: World, number: int, channel: int) -> None:
    """Add a server with one channel, where everybody may do everything."""
    guild = Guild(number, "The Inn" if number == GUILD else f"Server {number}", OWNER, 0, 0)
    guild.roles = {number: Role(number, "@everyone", int(ALL_PERMISSIONS), 0)}
    guild.members = {user: Member(user, world.clock.now()) for user in world.users}
    world.guilds[number] = guild
    world.add_channel(Channel(channel, TEXT_CHANNEL, "games", guild_id=number))


def application_emoji(world: World) -> dict[int, StoredEmoji]:
    """The application's emoji after an upload, so that what they show is looked at as well."""
    names = enumerate(_emoji_names(), FIRST_EMOJI)
    return {number: StoredEmoji(number, name, b"", "image/png", world.users[BOT]) for number, name in names}


@cache
def _emoji_names() -> tuple[str, ...]:
    drawings = all_emoji(game_ui.emoji for game_ui in GAME_UIS.values())
    return tuple(emoji_name(key, drawings) for key in drawings)


def _person(number: int, name: str) -> User:
    return User(number, name.lower(), name)
