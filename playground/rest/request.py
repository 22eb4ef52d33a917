"""One request of the bot, as the REST handlers see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from playground.limits import Request, SentFile, Violation, error_tree, find_violations
from playground.simulation.simulation import Simulation
from playground.world.errors import ApiRefusal, DiscordError, refuse_unless
from playground.world.messages import Upload
from playground.world.permissions import Permission, permissions_in
from playground.world.world import VOICE_CHANNEL, Channel, Guild, Json, Message, World

from playground.world import ids  # isort: skip


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """A status, a JSON body (None is an empty body), and headers about rate limits."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


NO_CONTENT = ApiResponse(None, 204)


@dataclass(frozen=True, slots=True)
class ApiCall:
    """A request whose route was found."""

    simulation: Simulation
    method: str
    path: str
    path_arguments: dict[str, str]
    query: dict[str, str]
    payload: Any
    uploads: tuple[Upload, ...]
    gateway_url: str = ""  # the gateway's address for this caller

    @property
    def world(self) -> World:
        """The world the request is about."""
        return self.simulation.world

    def snowflake(self, name: str) -> int:
        """Return a snowflake from the path."""
        return require_snowflake(f"{name}_id", self.path_arguments[name])

    def checked_body(self, edited_message: Json | None = None) -> Json:
        """Return the JSON object that was sent, after checking it against Discord's limits.

        `edited_message` is the message that the request edits.
        """
        self.check_limits(edited_message)
        refuse_unless(isinstance(self.payload, dict), DiscordError.INVALID_JSON)
        body: Json = self.payload
        return body

    def check_limits(self, edited_message: Json | None = None) -> None:
        """Refuse the request as Discord would if it breaks a limit."""
        files = tuple(SentFile(upload.field, upload.filename, len(upload.data)) for upload in self.uploads)
        known = frozenset(map(str, self.simulation.emoji.by_id))
        found = find_violations(Request(self.method, self.path, self.query, self.payload, files, edited_message, known))
        if found:
            raise LimitsExceeded(found)

    def refuse_locked(self, channel: Channel) -> None:
        """Refuse if the channel is a locked thread and the bot may not manage threads."""
        if (
            channel.thread is not None
            and channel.thread.locked
            and not self.has_permission(channel, Permission.MANAGE_THREADS)
        ):
            raise ApiRefusal(self.simulation.faults.locked_answer)

    def has_permission(self, channel: Channel, permission: Permission) -> bool:
        """Return whether the bot has that permission in the channel."""
        return bool(permissions_in(self.world, ids.BOT, channel) & permission)

    def bot_guild(self) -> Guild:
        """Return the guild named in the path; refuse if the bot is not in it."""
        guild = self.world.guild(self.snowflake("guild"))
        refuse_unless(guild.has_bot, DiscordError.UNKNOWN_GUILD)
        return guild

    def accessible_channel(self, *permissions: Permission) -> Channel:
        """Return the channel named in the path; refuse if the bot cannot see it or lacks a permission."""
        channel = self.world.channel(self.snowflake("channel"))
        require_permissions(self.world, channel, *permissions)
        return channel

    def public_message(self, channel: Channel) -> Message:
        """Return the message named in the path; the bot's own token does not find ephemeral ones."""
        message = self.world.message(channel.id, self.snowflake("message"))
        refuse_unless(message.visible_to is None, DiscordError.UNKNOWN_MESSAGE)
        return message


class LimitsExceeded(ApiRefusal):
    """A request breaks Discord's limits."""

    def __init__(self, found: list[Violation]) -> None:
        first = found[0].limit
        same = [violation for violation in found if violation.limit.code == first.code]
        super().__init__(DiscordError.INVALID_FORM, tree=error_tree(same))
        self.status = first.status
        self.body["code"] = first.code
        self.violations = found
        if first.code != DiscordError.INVALID_FORM.code:
            self.body = {"message": first.description, "code": first.code}


def require_permissions(world: World, channel: Channel, *permissions: Permission) -> None:
    """Refuse unless the bot sees the channel and has these permissions there."""
    granted = permissions_in(world, ids.BOT, channel)
    refuse_unless(bool(granted & Permission.VIEW_CHANNEL), DiscordError.MISSING_ACCESS)
    if channel.type == VOICE_CHANNEL:  # its chat is for people who may connect
        refuse_unless(bool(granted & Permission.CONNECT), DiscordError.MISSING_ACCESS)
    for permission in permissions:
        refuse_unless(bool(granted & permission), DiscordError.MISSING_PERMISSIONS)


def refuse_archived(channel: Channel) -> None:
    """Refuse if the channel is an archived thread."""
    refuse_unless(channel.thread is None or not channel.thread.archived, DiscordError.THREAD_ARCHIVED)


def require_snowflake(field: str, value: object) -> int:
    """Return an id from a path, query or body as a number; refuse if it is not valid."""
    found = ids.parse_snowflake(str(value))
    if found is None:
        problem = {"code": "NUMBER_TYPE_COERCE", "message": f'Value "{value}" is not snowflake.'}
        raise ApiRefusal(DiscordError.INVALID_FORM, tree={field: {"_errors": [problem]}})
    return found
