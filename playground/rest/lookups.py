"""REST: the bot itself, the guild, its people, and the registration of commands."""

from __future__ import annotations

from typing import Any

from playground.rest.request import EMPTY, Answer, Call
from playground.world import ids, payloads
from playground.world.errors import DiscordError, refuse_unless
from playground.world.world import Json


async def me(call: Call) -> Answer:
    """GET /users/@me."""
    return Answer(payloads.me(call.world))


async def application(call: Call) -> Answer:
    """GET /oauth2/applications/@me and /applications/@me."""
    return Answer(payloads.application(call.world))


async def gateway_bot(call: Call) -> Answer:
    """GET /gateway/bot."""
    starts = call.house.starts
    return Answer({"url": call.gateway, "shards": starts.shards, "session_start_limit": starts.limit()})


async def user(call: Call) -> Answer:
    """GET /users/{user}."""
    return Answer(payloads.user(call.world.user(call.id("user"))))


async def my_guilds(call: Call) -> Answer:
    """GET /users/@me/guilds."""
    more: Json = {"icon": None, "owner": False, "features": [], "permissions": "0"}
    there = (guild for guild in call.world.guilds.values() if guild.bot_there)
    return Answer([{"id": str(guild.id), "name": guild.name, **more} for guild in there])


async def leave_guild(call: Call) -> Answer:
    """DELETE /users/@me/guilds/{guild}."""
    call.house.put_bot_out(call.guild())
    return EMPTY


async def guild(call: Call) -> Answer:
    """GET /guilds/{guild}."""
    return Answer(payloads.guild(call.guild()))


async def channels(call: Call) -> Answer:
    """GET /guilds/{guild}/channels."""
    return Answer([payloads.channel(call.world, channel) for channel in call.world.channels_in(call.guild())])


async def roles(call: Call) -> Answer:
    """GET /guilds/{guild}/roles."""
    return Answer([payloads.role(role) for role in call.guild().roles.values()])


async def member(call: Call) -> Answer:
    """GET /guilds/{guild}/members/{user}."""
    guild = call.guild()
    call.world.user(call.id("user"))
    return Answer(payloads.member(call.world, guild.member(call.id("user"))))


async def list_commands(call: Call) -> Answer:
    """GET /applications/{application}/[guilds/{guild}/]commands."""
    return Answer(call.house.commands.in_scope(_scope(call)))


async def put_commands(call: Call) -> Answer:
    """PUT /applications/{application}/[guilds/{guild}/]commands."""
    scope, bodies = _scope(call), _list(call.payload)
    call.check_limits()
    return Answer(call.house.commands.replace_all(scope, bodies))


async def add_command(call: Call) -> Answer:
    """POST /applications/{application}/[guilds/{guild}/]commands."""
    command, new = call.house.commands.add(_scope(call), call.body())
    return Answer(command, 201 if new else 200)


async def get_command(call: Call) -> Answer:
    """GET /applications/{application}/[guilds/{guild}/]commands/{command}."""
    return Answer(call.house.commands.get(_scope(call), call.id("command")))


async def change_command(call: Call) -> Answer:
    """PATCH /applications/{application}/[guilds/{guild}/]commands/{command}."""
    return Answer(call.house.commands.change(_scope(call), call.id("command"), call.body()))


async def remove_command(call: Call) -> Answer:
    """DELETE /applications/{application}/[guilds/{guild}/]commands/{command}."""
    call.house.commands.remove(_scope(call), call.id("command"))
    return EMPTY


def _scope(call: Call) -> int | None:
    refuse_unless(call.id("application") == ids.APPLICATION, DiscordError.MISSING_ACCESS)
    return call.id("guild") if "guild" in call.args else None


def _list(payload: Any) -> list[Json]:
    refuse_unless(isinstance(payload, list), DiscordError.INVALID_JSON)
    commands: list[Json] = payload
    return commands
