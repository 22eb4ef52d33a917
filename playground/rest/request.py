"""One request of the bot, as the handlers of the REST routes see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playground.limits import Request, SentFile, Violation, error_tree, violations
from playground.simulation.simulation import House
from playground.world.errors import DiscordError, Refusal, refuse_unless
from playground.world.messages import Upload
from playground.world.permissions import Permission, permissions_in
from playground.world.world import VOICE, Channel, Guild, Json, World

from playground.world import ids  # isort: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """A status and a JSON body; None is an empty body."""

    body: Any = None
    status: int = 200


EMPTY = Answer(None, 204)


@dataclass(frozen=True, slots=True)
class Call:
    """A request that has found its route."""

    house: House
    method: str
    path: str
    args: dict[str, str]
    query: dict[str, str]
    payload: Any
    uploads: tuple[Upload, ...]
    gateway: str = ""  # the address of the gateway for whoever asks

    @property
    def world(self) -> World:
        """The world the request is about."""
        return self.house.world

    def id(self, name: str) -> int:
        """A snowflake from the path."""
        return as_snowflake(f"{name}_id", self.args[name])

    def body(self, before: Json | None = None) -> Json:
        """The JSON object that was sent, once it is within Discord's limits. `before` is the message it edits."""
        self.check_limits(before)
        refuse_unless(isinstance(self.payload, dict), DiscordError.INVALID_JSON)
        body: Json = self.payload
        return body

    def check_limits(self, before: Json | None = None) -> None:
        """Refuse the request as Discord would if it breaks a limit."""
        files = tuple(SentFile(upload.field, upload.filename, len(upload.data)) for upload in self.uploads)
        found = violations(Request(self.method, self.path, self.query, self.payload, files, before))
        if found:
            raise Outside(found)

    def refuse_locked(self, channel: Channel) -> None:
        """Refuse when the channel is a locked thread and the bot may not manage threads."""
        if channel.thread is not None and channel.thread.locked and not self.may(channel, Permission.MANAGE_THREADS):
            raise Refusal(self.house.faults.locked_answer)

    def may(self, channel: Channel, permission: Permission) -> bool:
        """Whether the bot has that permission in the channel."""
        return bool(permissions_in(self.world, ids.BOT, channel) & permission)

    def guild(self) -> Guild:
        """The guild of the path, refused when the bot is not in it."""
        guild = self.world.guild(self.id("guild"))
        refuse_unless(guild.bot_there, DiscordError.UNKNOWN_GUILD)
        return guild

    def channel(self, *needed: Permission) -> Channel:
        """The channel of the path, refused when the bot cannot see it or lacks a permission in it."""
        channel = self.world.channel(self.id("channel"))
        require(self.world, channel, *needed)
        return channel


class Outside(Refusal):
    """A request is outside Discord's limits."""

    def __init__(self, found: list[Violation]) -> None:
        first = found[0].limit
        same = [violation for violation in found if violation.limit.code == first.code]
        super().__init__(DiscordError.INVALID_FORM, tree=error_tree(same))
        self.status = first.status
        self.body["code"] = first.code
        self.found = found
        if first.code != DiscordError.INVALID_FORM.code:
            self.body = {"message": first.says, "code": first.code}


def require(world: World, channel: Channel, *needed: Permission) -> None:
    """Refuse unless the bot sees the channel and has these permissions there."""
    granted = permissions_in(world, ids.BOT, channel)
    refuse_unless(bool(granted & Permission.VIEW_CHANNEL), DiscordError.MISSING_ACCESS)
    if channel.type == VOICE:  # its chat is for those who may come in
        refuse_unless(bool(granted & Permission.CONNECT), DiscordError.MISSING_ACCESS)
    for permission in needed:
        refuse_unless(bool(granted & permission), DiscordError.MISSING_PERMISSIONS)


def refuse_archived(channel: Channel) -> None:
    """Refuse when the channel is an archived thread."""
    refuse_unless(channel.thread is None or not channel.thread.archived, DiscordError.THREAD_ARCHIVED)


def as_snowflake(field: str, value: object) -> int:
    """The number of an id in a path, query or body, refused when it is none."""
    found = ids.number(str(value))
    if found is None:
        problem = {"code": "NUMBER_TYPE_COERCE", "message": f'Value "{value}" is not snowflake.'}
        raise Refusal(DiscordError.INVALID_FORM, tree={field: {"_errors": [problem]}})
    return found
