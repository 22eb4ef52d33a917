"""REST handlers for the bot itself, guilds, people, and command registration."""

from __future__ import annotations

from typing import Any

from playground.rest.request import NO_CONTENT, ApiCall, ApiResponse
from playground.world import ids, payloads
from playground.world.errors import DiscordError, refuse_unless
from playground.world.world import Json


async def get_me(call: ApiCall) -> ApiResponse:
    """GET /users/@me."""
    return ApiResponse(payloads.bot_user_object(call.world))


async def get_application(call: ApiCall) -> ApiResponse:
    """GET /oauth2/applications/@me and /applications/@me."""
    return ApiResponse(payloads.application_object(call.world))


async def get_gateway_bot(call: ApiCall) -> ApiResponse:
    """GET /gateway/bot."""
    starts = call.simulation.start_limit
    return ApiResponse({"url": call.gateway_url, "shards": starts.shards, "session_start_limit": starts.limit_object()})


async def get_user(call: ApiCall) -> ApiResponse:
    """GET /users/{user}."""
    return ApiResponse(payloads.user_object(call.world.user(call.snowflake("user"))))


async def list_my_guilds(call: ApiCall) -> ApiResponse:
    """GET /users/@me/guilds."""
    more: Json = {"icon": None, "banner": None, "owner": False, "features": [], "permissions": "0"}
    guilds = (guild for guild in call.world.guilds.values() if guild.has_bot)
    return ApiResponse([{"id": str(guild.id), "name": guild.name, **more} for guild in guilds])


async def leave_guild(call: ApiCall) -> ApiResponse:
    """DELETE /users/@me/guilds/{guild}."""
    call.simulation.remove_bot(call.bot_guild())
    return NO_CONTENT


async def get_guild(call: ApiCall) -> ApiResponse:
    """GET /guilds/{guild}."""
    return ApiResponse(payloads.guild_object(call.bot_guild()))


async def list_channels(call: ApiCall) -> ApiResponse:
    """GET /guilds/{guild}/channels."""
    return ApiResponse(
        [payloads.channel_object(call.world, channel) for channel in call.world.channels_in(call.bot_guild())]
    )


async def list_roles(call: ApiCall) -> ApiResponse:
    """GET /guilds/{guild}/roles."""
    return ApiResponse([payloads.role_object(role) for role in call.bot_guild().roles.values()])


async def get_member(call: ApiCall) -> ApiResponse:
    """GET /guilds/{guild}/members/{user}."""
    guild = call.bot_guild()
    call.world.user(call.snowflake("user"))
    return ApiResponse(payloads.member_object(call.world, guild.member(call.snowflake("user"))))


async def list_commands(call: ApiCall) -> ApiResponse:
    """GET /applications/{application}/[guilds/{guild}/]commands."""
    return ApiResponse(call.simulation.commands.commands_in_scope(_command_scope(call)))


async def put_commands(call: ApiCall) -> ApiResponse:
    """PUT /applications/{application}/[guilds/{guild}/]commands."""
    scope, bodies = _command_scope(call), _command_list(call.payload)
    call.check_limits()
    return ApiResponse(call.simulation.commands.replace_commands(scope, bodies))


async def add_command(call: ApiCall) -> ApiResponse:
    """POST /applications/{application}/[guilds/{guild}/]commands."""
    command, new = call.simulation.commands.add_command(_command_scope(call), call.checked_body())
    return ApiResponse(command, 201 if new else 200)


async def get_command(call: ApiCall) -> ApiResponse:
    """GET /applications/{application}/[guilds/{guild}/]commands/{command}."""
    return ApiResponse(call.simulation.commands.get_command(_command_scope(call), call.snowflake("command")))


async def change_command(call: ApiCall) -> ApiResponse:
    """PATCH /applications/{application}/[guilds/{guild}/]commands/{command}."""
    return ApiResponse(
        call.simulation.commands.change_command(_command_scope(call), call.snowflake("command"), call.checked_body())
    )


async def remove_command(call: ApiCall) -> ApiResponse:
    """DELETE /applications/{application}/[guilds/{guild}/]commands/{command}."""
    call.simulation.commands.remove_command(_command_scope(call), call.snowflake("command"))
    return NO_CONTENT


def _command_scope(call: ApiCall) -> int | None:
    refuse_unless(call.snowflake("application") == ids.APPLICATION, DiscordError.MISSING_ACCESS)
    return call.snowflake("guild") if "guild" in call.path_arguments else None


def _command_list(payload: Any) -> list[Json]:
    refuse_unless(isinstance(payload, list), DiscordError.INVALID_JSON)
    commands: list[Json] = payload
    return commands
