"""Every route of Discord's REST API that the playground knows. Any other is refused, loudly."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from playground.rest import channels, interactions, lookups, messages
from playground.rest.request import Answer, Call
from playground.simulation.rate_limits import Pace

Handler = Callable[[Call], Awaitable[Answer]]
_FIVE: Final = Pace(5, 5.0)
_TOKEN: Final = Pace(5, 2.0)


@dataclass(frozen=True, slots=True)
class Route:
    """A method, a path with {names} in plain ASCII, who handles it, its pace, and whether it needs the bot's token."""

    method: str
    path: str
    handler: Handler
    pace: Pace | None = None
    by_bot: bool = True

    def match(self, method: str, path: str) -> dict[str, str] | None:
        """The path's arguments if the request is for this route."""
        found = self.method == method and re.fullmatch(re.sub(r"\{(\w+)\}", r"(?P<\1>[!-.0-~]+)", self.path), path)
        return found.groupdict() if found else None


_MESSAGE: Final = "/channels/{channel}/messages/{message}"
_THREAD_MEMBERS: Final = "/channels/{channel}/thread-members"
_WEBHOOK: Final = "/webhooks/{application}/{token}"
_GLOBAL: Final = "/applications/{application}/commands"
_GUILD: Final = "/applications/{application}/guilds/{guild}/commands"

ROUTES: Final = (
    Route("GET", "/users/@me", lookups.me),
    Route("GET", "/oauth2/applications/@me", lookups.application),
    Route("GET", "/applications/@me", lookups.application),
    Route("GET", "/gateway/bot", lookups.gateway_bot),
    Route("GET", "/users/@me/guilds", lookups.my_guilds),
    Route("DELETE", "/users/@me/guilds/{guild}", lookups.leave_guild),
    Route("POST", "/users/@me/channels", channels.open_dm),
    Route("GET", "/users/{user}", lookups.user),
    Route("GET", "/guilds/{guild}", lookups.guild),
    Route("GET", "/guilds/{guild}/channels", lookups.channels),
    Route("GET", "/guilds/{guild}/roles", lookups.roles),
    Route("GET", "/guilds/{guild}/members/{user}", lookups.member),
    Route("GET", "/guilds/{guild}/threads/active", channels.active_threads),
    Route("GET", "/channels/{channel}", channels.get),
    Route("PATCH", "/channels/{channel}", channels.edit),
    Route("DELETE", "/channels/{channel}", channels.delete),
    Route("POST", "/channels/{channel}/typing", messages.typing),
    Route("GET", "/channels/{channel}/messages", messages.history, _FIVE),
    Route("POST", "/channels/{channel}/messages", messages.create, _FIVE),
    Route("GET", _MESSAGE, messages.get, _FIVE),
    Route("PATCH", _MESSAGE, messages.edit, _FIVE),
    Route("DELETE", _MESSAGE, messages.delete, Pace(5, 1.0)),
    Route("POST", "/channels/{channel}/threads", channels.start_thread),
    Route("POST", _MESSAGE + "/threads", channels.start_thread_from_message),
    Route("GET", _THREAD_MEMBERS, channels.thread_members),
    Route("PUT", _THREAD_MEMBERS + "/@me", channels.join_thread),
    Route("DELETE", _THREAD_MEMBERS + "/@me", channels.leave_thread),
    Route("PUT", _THREAD_MEMBERS + "/{user}", channels.add_thread_member),
    Route("DELETE", _THREAD_MEMBERS + "/{user}", channels.remove_thread_member),
    Route("POST", "/interactions/{interaction}/{token}/callback", interactions.respond, by_bot=False),
    Route("POST", _WEBHOOK, interactions.follow_up, _TOKEN, by_bot=False),
    Route("GET", _WEBHOOK + "/messages/@original", interactions.get_original, _TOKEN, by_bot=False),
    Route("PATCH", _WEBHOOK + "/messages/@original", interactions.edit_original, _TOKEN, by_bot=False),
    Route("DELETE", _WEBHOOK + "/messages/@original", interactions.delete_original, _TOKEN, by_bot=False),
    Route("GET", _WEBHOOK + "/messages/{message}", interactions.get_follow_up, _TOKEN, by_bot=False),
    Route("PATCH", _WEBHOOK + "/messages/{message}", interactions.edit_follow_up, _TOKEN, by_bot=False),
    Route("DELETE", _WEBHOOK + "/messages/{message}", interactions.delete_follow_up, _TOKEN, by_bot=False),
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
    """The first route that fits, so literal paths stand before those with names; and its arguments."""
    for route in ROUTES:
        args = route.match(method, path)
        if args is not None:
            return route, args
    return None


def major_of(args: dict[str, str]) -> str:
    """The part of a path that rate limits are counted by."""
    return args.get("token") or args.get("channel") or args.get("guild") or ""
