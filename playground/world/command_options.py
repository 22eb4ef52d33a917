"""Checks and resolves command options, as Discord's client does before the bot gets them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from playground.world import ids, payloads
from playground.world.world import Guild, Json, User, World

_SUBCOMMANDS: Final = (1, 2)


def check_options(declared: list[Json], given: list[Json]) -> str | None:
    """Return a sentence that says what is wrong with the given options, or None."""
    known = {option["name"]: option for option in declared}
    for option in given:
        if option["name"] not in known:
            return f"There is no option {option['name']!r}."
        problem = _check_option(known[option["name"]], option)
        if problem:
            return problem
    return _check_required(declared, {option["name"] for option in given})


def resolve_values(world: World, guild: Guild | None, person: User, values: list[str]) -> Json:
    """Return the objects for the ids among the values: users, guild members, roles, channels."""
    resolved: Json = {}
    members, roles = (guild.members, guild.roles) if guild else ({}, {})
    for value in values:
        number = ids.parse_snowflake(value) or 0
        if number in world.users:
            resolved.setdefault("users", {})[value] = payloads.user_object(world.users[number])
        if number in members:
            member = payloads.member_object(world, members[number])
            del member["user"]
            resolved.setdefault("members", {})[value] = member | {"permissions": "0"}
        if number in roles:
            resolved.setdefault("roles", {})[value] = payloads.role_object(roles[number])
        if guild and number in world.channels and world.channels[number].guild_id == guild.id:
            channel = payloads.partial_channel(world, world.channels[number], person.id)
            resolved.setdefault("channels", {})[value] = channel
    return resolved


def _check_option(declared: Json, given: Json) -> str | None:
    if declared["type"] in _SUBCOMMANDS:
        return check_options(declared.get("options") or [], given.get("options") or [])
    value, name = given.get("value"), declared["name"]
    fits = _VALUE_CHECKS.get(declared["type"])
    if fits is not None and not fits(value):
        return f"The option {name!r} cannot be {value!r}."
    choices = declared.get("choices")
    if choices and value not in [choice["value"] for choice in choices]:
        return f"The option {name!r} cannot be {value!r}."
    return _check_range(declared, value)


def _check_range(declared: Json, value: Any) -> str | None:
    size = len(value) if isinstance(value, str) else value
    keys = ("min_length", "max_length") if isinstance(value, str) else ("min_value", "max_value")
    low, high = (declared.get(key) for key in keys)
    if low is not None and size < low:
        return f"The option {declared['name']!r} must be at least {low}."
    if high is not None and size > high:
        return f"The option {declared['name']!r} must be at most {high}."
    return None


def _check_required(declared: list[Json], given: set[str]) -> str | None:
    if declared and declared[0]["type"] in _SUBCOMMANDS:
        return None if len(given) == 1 else "Choose a subcommand."
    missing = [o["name"] for o in declared if o.get("required") and o["name"] not in given]
    return f"The option {missing[0]!r} is required." if missing else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_VALUE_CHECKS: Final[dict[int, Callable[[Any], bool]]] = {
    3: lambda value: isinstance(value, str) and len(value) <= 6000,
    4: lambda value: isinstance(value, int) and not isinstance(value, bool),
    5: lambda value: isinstance(value, bool),
    10: _is_number,
}
