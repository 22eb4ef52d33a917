"""The routes of Discord's REST API that the playground implements. Any other is refused with a log entry."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from playground.rest import application_emoji, channels, interactions, lookups, messages
from playground.rest.request import ApiCall, ApiResponse
from playground.simulation.rate_limits import RateLimit

Handler = Callable[[ApiCall], Awaitable[ApiResponse]]
_FIVE_IN_FIVE_SECONDS: Final = RateLimit(5, 5.0)
_FIVE_IN_TWO_SECONDS: Final = RateLimit(5, 2.0)


@dataclass(frozen=True, slots=True)
class Route:
    """A method, a path with {names} in plain ASCII, its handler, its rate limit, and whether it needs the token."""

    method: str
    path: str
    handler: Handler
    rate_limit: RateLimit | None = None
    needs_bot_token: bool = True

    def match(self, method: str, path: str) -> dict[str, str] | None:
        """Return the path's arguments if the request is for this route."""
        found = self.method == method and _path_pattern(self.path).fullmatch(path)
        return found.groupdict() if found else None


@cache
def _path_pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[!-.0-~]+)", path))


_MESSAGE: Final = "/channels/{channel}/messages/{message}"
_THREAD_MEMBERS: Final = "/channels/{channel}/thread-members"
_WEBHOOK: Final = "/webhooks/{application}/{token}"
_GLOBAL: Final = "/applications/{application}/commands"
_EMOJI: Final = "/applications/{application}/emojis"
_GUILD: Final = "/applications/{application}/guilds/{guild}/commands"

ROUTES: Final = (
    Route("GET", "/users/@me", lookups.get_me),
    Route("GET", "/oauth2/applications/@me", lookups.get_application),
    Route("GET", "/applications/@me", lookups.get_application),
    Route("GET", "/gateway/bot", lookups.get_gateway_bot),
    Route("GET", "/users/@me/guilds", lookups.list_my_guilds),
    Route("DELETE", "/users/@me/guilds/{guild}", lookups.leave_guild),
    Route("POST", "/users/@me/channels", channels.open_dm),
    Route("GET", "/users/{user}", lookups.get_user),
    Route("GET", "/guilds/{guild}", lookups.get_guild),
    Route("GET", "/guilds/{guild}/channels", lookups.list_channels),
    Route("GET", "/guilds/{guild}/roles", lookups.list_roles),
    Route("GET", "/guilds/{guild}/members/{user}", lookups.get_member),
    Route("GET", "/guilds/{guild}/threads/active", channels.list_active_threads),
    Route("GET", "/channels/{channel}", channels.get_channel),
    Route("PATCH", "/channels/{channel}", channels.edit_channel),
    Route("DELETE", "/channels/{channel}", channels.delete_channel),
    Route("POST", "/channels/{channel}/typing", messages.trigger_typing),
    Route("GET", "/channels/{channel}/messages", messages.list_messages, _FIVE_IN_FIVE_SECONDS),
    Route("POST", "/channels/{channel}/messages", messages.create_message, _FIVE_IN_FIVE_SECONDS),
    Route("GET", _MESSAGE, messages.get_message, _FIVE_IN_FIVE_SECONDS),
    Route("PATCH", _MESSAGE, messages.edit_message, _FIVE_IN_FIVE_SECONDS),
    Route("DELETE", _MESSAGE, messages.delete_message, RateLimit(5, 1.0)),
    Route("POST", "/channels/{channel}/threads", channels.start_thread),
    Route("POST", _MESSAGE + "/threads", channels.start_thread_from_message),
    Route("GET", _THREAD_MEMBERS, channels.list_thread_members),
    Route("PUT", _THREAD_MEMBERS + "/@me", channels.join_thread),
    Route("DELETE", _THREAD_MEMBERS + "/@me", channels.leave_thread),
    Route("PUT", _THREAD_MEMBERS + "/{user}", channels.add_thread_member),
    Route("DELETE", _THREAD_MEMBERS + "/{user}", channels.remove_thread_member),
    Route("POST", "/interactions/{interaction}/{token}/callback", interactions.create_response, needs_bot_token=False),
    Route("POST", _WEBHOOK, interactions.create_follow_up, _FIVE_IN_TWO_SECONDS, needs_bot_token=False),
    Route(
        "GET", _WEBHOOK + "/messages/@original", interactions.get_original, _FIVE_IN_TWO_SECONDS, needs_bot_token=False
    ),
    Route(
        "PATCH",
        _WEBHOOK + "/messages/@original",
        interactions.edit_original,
        _FIVE_IN_TWO_SECONDS,
        needs_bot_token=False,
    ),
    Route(
        "DELETE",
        _WEBHOOK + "/messages/@original",
        interactions.delete_original,
        _FIVE_IN_TWO_SECONDS,
        needs_bot_token=False,
    ),
    Route(
        "GET", _WEBHOOK + "/messages/{message}", interactions.get_follow_up, _FIVE_IN_TWO_SECONDS, needs_bot_token=False
    ),
    Route(
        "PATCH",
        _WEBHOOK + "/messages/{message}",
        interactions.edit_follow_up,
        _FIVE_IN_TWO_SECONDS,
        needs_bot_token=False,
    ),
    Route(
        "DELETE",
        _WEBHOOK + "/messages/{message}",
        interactions.delete_follow_up,
        _FIVE_IN_TWO_SECONDS,
        needs_bot_token=False,
    ),
    Route("GET", _EMOJI, application_emoji.list_emoji),
    Route("POST", _EMOJI, application_emoji.create_emoji),
    Route("GET", _EMOJI + "/{emoji}", application_emoji.get_emoji),
    Route("PATCH", _EMOJI + "/{emoji}", application_emoji.rename_emoji),
    Route("DELETE", _EMOJI + "/{emoji}", application_emoji.delete_emoji),
    Route("GET", _GLOBAL, lookups.list_commands),
    Route("PUT", _GLOBAL, lookups.put_commands),
    Route("POST", _GLOBAL, lookups.add_command),
    Route("GET", _GLOBAL + "/{command}", lookups.get_command),
    Route("PATCH", _GLOBAL + "/{command}", lookups.change_command),
    Route("DELETE", _GLOBAL + "/{command}", lookups.remove_command),
    Route("GET", _GUILD, lookups.list_commands),
    Route("PUT", _GUILD, lookups.put_commands),
    Route("POST", _GUILD, lookups.add_command),
    Route("GET", _GUILD + "/{command}", lookups.get_command),
    Route("PATCH", _GUILD + "/{command}", lookups.change_command),
    Route("DELETE", _GUILD + "/{command}", lookups.remove_command),
)


def find_route(method: str, path: str) -> tuple[Route, dict[str, str]] | None:
    """Return the first route that fits, and its arguments; literal paths come before those with names."""
    for route in ROUTES:
        args = route.match(method, path)
        if args is not None:
            return route, args
    return None


def major_parameter(args: dict[str, str]) -> str:
    """Return the part of a path by which rate limits are counted."""
    return args.get("token") or args.get("channel") or args.get("guild") or ""
