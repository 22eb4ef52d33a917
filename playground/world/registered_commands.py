"""The application commands the bot has registered, globally and in guilds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from playground.world import ids
from playground.world.errors import DiscordError, Refusal, refuse_unless
from playground.world.world import Json, World

CHAT_INPUT: Final = 1
ENTRY_POINT: Final = 4
_LAUNCHED_BY_DISCORD: Final = 2  # who handles an Entry Point command
_LAUNCH: Final = {
    "type": ENTRY_POINT,
    "name": "launch",
    "handler": _LAUNCHED_BY_DISCORD,
    "integration_types": [0, 1],
    "contexts": [0, 1, 2],
}
"""What Discord registers by itself when the application's owner switches Activities on."""
_SERVER, _DIRECT = 0, 1  # contexts; of installations 0 is a server's as well


class Commands:
    """Holds the registered commands by scope: None for global, else a guild's id."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._scopes: dict[int | None, dict[int, Json]] = {None: {}, **{guild: {} for guild in world.guilds}}
        self.registered = False
        self.on_change: Callable[[], None] = lambda: None

    def all(self) -> list[Json]:
        """Every command that somebody sees somewhere; a guild's own stand there for a global one of that name."""
        shown = {command["id"]: command for guild in self._world.guilds for command in self.seen_in(guild)}
        return sorted(shown.values(), key=lambda command: str(command["name"]))

    def seen_in(self, guild_id: int) -> list[Json]:
        """Those that a person of a guild sees; in direct messages (0), those that are any guild's own, too."""
        guilds = [guild_id] if guild_id else list(self._world.guilds)
        shown: dict[tuple[int, str], Json] = {}
        for scope in (None, *guilds):
            for command in self._scopes[scope].values():
                shown[command["type"], command["name"]] = command
        return list(shown.values())

    def find(self, name: str, guild_id: int, kind: int = CHAT_INPUT) -> Json | None:
        """The command a person means by a name in a guild, or in direct messages (0)."""
        return next((c for c in self.seen_in(guild_id) if c["name"] == name and c["type"] == kind), None)

    def in_scope(self, scope: int | None) -> list[Json]:
        """The commands of one scope."""
        return list(self._of(scope).values())

    def get(self, scope: int | None, command_id: int) -> Json:
        """One command, or Discord's refusal."""
        command = self._of(scope).get(command_id)
        if command is None:
            raise Refusal(DiscordError.UNKNOWN_COMMAND)
        return command

    def replace_all(self, scope: int | None, bodies: Iterable[Json]) -> list[Json]:
        """Register exactly these; a command keeps its id by its name. The Entry Point command must be among them."""
        bodies = list(bodies)
        refuse_unless(
            self._entry_point(scope) is None or any(_kind(body) == ENTRY_POINT for body in bodies),
            DiscordError.ENTRY_POINT_LEFT_OUT,
        )
        before = {(c["type"], c["name"]): c for c in self._of(scope).values()}
        made = [self._made(scope, body, before.get(_key(body))) for body in bodies]
        self._scopes[scope] = {int(command["id"]): command for command in made}
        self._changed()
        return made

    def add(self, scope: int | None, body: Json) -> tuple[Json, bool]:
        """Register one, over the one of the same name if there is one; and whether it is new."""
        existing = next((c for c in self._of(scope).values() if (c["type"], c["name"]) == _key(body)), None)
        command = self._made(scope, body, existing)
        self._of(scope)[int(command["id"])] = command
        self._changed()
        return command, existing is None

    def change(self, scope: int | None, command_id: int, body: Json) -> Json:
        """Change a registered command."""
        command = self._made(scope, self.get(scope, command_id) | body, self.get(scope, command_id))
        self._of(scope)[command_id] = command
        self._changed()
        return command

    def remove(self, scope: int | None, command_id: int) -> None:
        """Take a command away."""
        self.get(scope, command_id)
        del self._of(scope)[command_id]
        self._changed()

    def switch_activities_on(self) -> None:
        """The application's owner switches Activities on, and Discord adds the Entry Point command."""
        if self._entry_point(None) is None:
            launch = self._made(None, _LAUNCH, None)
            self._scopes[None][int(launch["id"])] = launch
            self.on_change()

    def _entry_point(self, scope: int | None) -> Json | None:
        return next((command for command in self._of(scope).values() if _kind(command) == ENTRY_POINT), None)

    def _of(self, scope: int | None) -> dict[int, Json]:
        if scope not in self._scopes:
            raise Refusal(DiscordError.MISSING_ACCESS)
        return self._scopes[scope]

    def _changed(self) -> None:
        self.registered = True
        self.on_change()

    def _made(self, scope: int | None, body: Json, before: Json | None) -> Json:
        command: Json = {
            "type": CHAT_INPUT,
            "description": "",
            "options": [],
            "default_member_permissions": None,
            "nsfw": False,
            "contexts": None,
            "integration_types": [0],
            "dm_permission": True,
            **body,
            "id": before["id"] if before else str(self._world.snowflakes.next()),
            "application_id": str(ids.APPLICATION),
            "version": str(self._world.snowflakes.next()),
        }
        if scope is not None:
            command["guild_id"] = str(scope)
        return command


def usable(command: Json, *, direct: bool) -> bool:
    """Whether it can be used there: in the bot's direct messages, or in the server, on which the bot is installed."""
    if direct and "guild_id" in command:
        return False
    installs = [_SERVER] if command["integration_types"] is None else command["integration_types"]
    contexts = command["contexts"]
    if contexts is None:
        contexts = [_SERVER, _DIRECT] if command["dm_permission"] else [_SERVER]
    return _SERVER in installs and (_DIRECT if direct else _SERVER) in contexts


def _key(body: Json) -> tuple[int, str]:
    return _kind(body), str(body["name"])


def _kind(body: Json) -> int:
    return body.get("type") or CHAT_INPUT
