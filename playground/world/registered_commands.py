"""The application commands that the bot has registered, globally and in guilds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from playground.world import ids
from playground.world.errors import ApiRefusal, DiscordError, refuse_unless
from playground.world.world import Json, World

CHAT_INPUT: Final = 1
ENTRY_POINT: Final = 4
_LAUNCHED_BY_DISCORD: Final = 2  # the handler of an Entry Point command
_LAUNCH: Final = {
    "type": ENTRY_POINT,
    "name": "launch",
    "handler": _LAUNCHED_BY_DISCORD,
    "integration_types": [0, 1],
    "contexts": [0, 1, 2],
}
"""The command that Discord registers by itself when the application's owner switches Activities on."""
_SERVER, _DIRECT = 0, 1  # contexts; as an installation, 0 is a server too


class CommandRegistry:
    """Stores the registered commands by scope: None for global, otherwise a guild's id."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._scopes: dict[int | None, dict[int, Json]] = {}
        self._permits: dict[tuple[int, int, int], bool] = {}  # by guild, command and person
        self.is_registered = False
        self.on_change: Callable[[], None] = lambda: None

    def all_commands(self) -> list[Json]:
        """Return every visible command; a guild's own command hides a global one of that name."""
        commands_by_id = {
            command["id"]: command for guild in self._world.guilds for command in self.visible_commands(guild)
        }
        return sorted(commands_by_id.values(), key=lambda command: str(command["name"]))

    def visible_commands(self, guild_id: int) -> list[Json]:
        """Return the commands that people see in a guild; in direct messages (0), also those of any guild."""
        guilds = [guild_id] if guild_id else list(self._world.guilds)
        commands: dict[tuple[int, str], Json] = {}
        for scope in (None, *guilds):
            for command in self._scope_commands(scope).values():
                commands[command["type"], command["name"]] = command
        return list(commands.values())

    def find_command(self, name: str, guild_id: int, kind: int = CHAT_INPUT) -> Json | None:
        """Return the command with that name in a guild, or in direct messages (0)."""
        return next((c for c in self.visible_commands(guild_id) if c["name"] == name and c["type"] == kind), None)

    def commands_in_scope(self, scope: int | None) -> list[Json]:
        """Return the commands of one scope."""
        return list(self._scope_commands(scope).values())

    def get_command(self, scope: int | None, command_id: int) -> Json:
        """Return a command, or raise Discord's refusal."""
        command = self._scope_commands(scope).get(command_id)
        if command is None:
            raise ApiRefusal(DiscordError.UNKNOWN_COMMAND)
        return command

    def replace_commands(self, scope: int | None, bodies: Iterable[Json]) -> list[Json]:
        """Replace all commands; equal names keep their ids. The Entry Point command must be included."""
        bodies = list(bodies)
        refuse_unless(
            self._entry_point(scope) is None or any(_kind(body) == ENTRY_POINT for body in bodies),
            DiscordError.ENTRY_POINT_LEFT_OUT,
        )
        before = {(c["type"], c["name"]): c for c in self._scope_commands(scope).values()}
        commands = [self._make_command(scope, body, before.get(_command_key(body))) for body in bodies]
        self._scopes[scope] = {int(command["id"]): command for command in commands}
        self._notify_changed()
        return commands

    def add_command(self, scope: int | None, body: Json) -> tuple[Json, bool]:
        """Register a command, replacing one of the same name; return it and whether it is new."""
        existing = next(
            (c for c in self._scope_commands(scope).values() if (c["type"], c["name"]) == _command_key(body)), None
        )
        command = self._make_command(scope, body, existing)
        self._scope_commands(scope)[int(command["id"])] = command
        self._notify_changed()
        return command, existing is None

    def change_command(self, scope: int | None, command_id: int, body: Json) -> Json:
        """Change a registered command."""
        command = self._make_command(
            scope, self.get_command(scope, command_id) | body, self.get_command(scope, command_id)
        )
        self._scope_commands(scope)[command_id] = command
        self._notify_changed()
        return command

    def remove_command(self, scope: int | None, command_id: int) -> None:
        """Remove a command."""
        self.get_command(scope, command_id)
        del self._scope_commands(scope)[command_id]
        self._notify_changed()

    def permit_command(self, guild_id: int, command: Json, person_id: int, *, allowed: bool) -> None:
        """Show a command to one person in a guild, or hide it, in spite of its default permissions."""
        self._permits[guild_id, int(command["id"]), person_id] = allowed

    def find_permit(self, guild_id: int, command: Json, person_id: int) -> bool | None:
        """Return whether a guild's settings show a command to that person; None if they do not say."""
        return self._permits.get((guild_id, int(command["id"]), person_id))

    def switch_activities_on(self) -> None:
        """Switch Activities on, as the application's owner can: Discord adds the Entry Point command."""
        if self._entry_point(None) is None:
            launch = self._make_command(None, _LAUNCH, None)
            self._scope_commands(None)[int(launch["id"])] = launch
            self.on_change()

    def _entry_point(self, scope: int | None) -> Json | None:
        return next(
            (command for command in self._scope_commands(scope).values() if _kind(command) == ENTRY_POINT), None
        )

    def _scope_commands(self, scope: int | None) -> dict[int, Json]:
        if scope is not None and scope not in self._world.guilds:
            raise ApiRefusal(DiscordError.MISSING_ACCESS)
        return self._scopes.setdefault(scope, {})

    def _notify_changed(self) -> None:
        self.is_registered = True
        self.on_change()

    def _make_command(self, scope: int | None, body: Json, before: Json | None) -> Json:
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
            "id": before["id"] if before else str(self._world.snowflakes.next_id()),
            "application_id": str(ids.APPLICATION),
            "version": str(self._world.snowflakes.next_id()),
        }
        if command["integration_types"] is None:
            command["integration_types"] = [_SERVER]
        if command["default_member_permissions"] is not None:
            command["default_member_permissions"] = str(command["default_member_permissions"])
        if scope is not None:
            command["guild_id"] = str(scope)
        return command


def is_usable(command: Json, *, in_dm: bool) -> bool:
    """Return whether it can be used in direct messages, or in a server where the bot is installed."""
    if in_dm and "guild_id" in command:
        return False
    contexts = command["contexts"]
    if contexts is None:
        contexts = [_SERVER, _DIRECT] if command["dm_permission"] else [_SERVER]
    return _SERVER in command["integration_types"] and (_DIRECT if in_dm else _SERVER) in contexts


def _command_key(body: Json) -> tuple[int, str]:
    return _kind(body), str(body["name"])


def _kind(body: Json) -> int:
    return body.get("type") or CHAT_INPUT
