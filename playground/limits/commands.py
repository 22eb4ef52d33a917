"""Limits of registered commands and of threads."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final
from unicodedata import category

from playground.limits.base import Check, Fault, Json, Limit, Part, Subject, Where
from playground.limits.checks import BAD_LENGTH, CHOICES, choice, count, is_int, length, number, text_of, unique
from playground.limits.parts import objects

_CHAT_INPUT: Final = 1
_TOO_MANY: Final = 30032
_SUBCOMMANDS: Final = (1, 2)
_STRING: Final = 3
_MINUTES: Final = (60, 1440, 4320, 10080)
_CONTEXTS: Final = range(3)  # a server, the bot's direct messages, other private channels
_INSTALLS: Final = range(2)  # on a server, by a user
_OF_THE_WHOLE: Final = ("contexts", "integration_types", "default_member_permissions", "dm_permission", "nsfw")
_MARKS: Final = ("\u0900", "\u097f", "\u0e00", "\u0e7f")


def _is_name(name: Any) -> bool:
    """Discord's pattern for the names of chat commands and options, in lower case."""
    if not isinstance(name, str) or not 1 <= len(name) <= 32:
        return False
    return name == name.lower() and all(_may_stand_in_name(character) for character in name)


def _may_stand_in_name(character: str) -> bool:
    thai_or_devanagari = any(low <= character <= high for low, high in (_MARKS[:2], _MARKS[2:]))
    return character in "-_'" or category(character)[0] in "LN" or thai_or_devanagari


def _is_chat(body: Json) -> bool:
    return (body.get("type") or _CHAT_INPUT) == _CHAT_INPUT


def _command_name(part: Part) -> Iterator[Fault]:
    name = part.body.get("name")
    if part.editing and name is None:
        return
    fits = _is_name(name) if _is_chat(part.body) else 1 <= len(text_of(part.body, "name")) <= 32
    if not fits:
        yield _bad_name(name)


def _option_name(part: Part) -> Iterator[Fault]:
    if not _is_name(part.body.get("name")):
        yield _bad_name(part.body.get("name"))


def _bad_name(name: Any) -> Fault:
    return Fault(("name",), "APPLICATION_COMMAND_INVALID_NAME", f"Command name is invalid: {name!r}")


def _command_description(part: Part) -> Iterator[Fault]:
    if _is_chat(part.body) and not (part.editing and "description" not in part.body):
        yield from length("description", 1, 100, required=True)(part)


def _number_of_commands(part: Part) -> Iterator[Fault]:
    if sum(_is_chat(command) for command in part.items) > 100:
        yield Fault((), "", "Maximum number of application commands reached (100)")


def _names_of_commands(part: Part) -> Iterator[tuple[Where, Any]]:
    for index, command in enumerate(part.items):
        yield (index, "name"), (command.get("type") or _CHAT_INPUT, command.get("name"))


def _names_of_options(part: Part) -> Iterator[tuple[Where, Any]]:
    for index, option in enumerate(objects(part.body.get("options"))):
        yield ("options", index, "name"), option.get("name")


def _required_first(part: Part) -> Iterator[Fault]:
    optional_seen = False
    for index, option in enumerate(objects(part.body.get("options"))):
        if option.get("type") in _SUBCOMMANDS:
            continue
        if option.get("required") and optional_seen:
            text = "Required options must be placed before non-required options"
            yield Fault(("options", index), "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", text)
        optional_seen |= not option.get("required")


def _option_nesting(part: Part) -> Iterator[Fault]:
    kind, parent = part.body.get("type"), (part.parent or {}).get("type") or _CHAT_INPUT
    top = "options" not in part.where[:-2]
    if kind == 2 and not top:
        yield _misplaced("A subcommand group stands at the top")
    elif kind == 1 and not top and parent != 2:
        yield _misplaced("A subcommand stands at the top or in a group")
    elif kind not in _SUBCOMMANDS and not top and parent == 2:
        yield _misplaced("A group holds subcommands only")


def _misplaced(text: str) -> Fault:
    return Fault(("type",), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", f"Sub-command options are misplaced: {text}")


def _unmixed(part: Part) -> Iterator[Fault]:
    kinds = {option.get("type") in _SUBCOMMANDS for option in objects(part.body.get("options"))}
    if len(kinds) > 1:
        text = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        yield Fault(("options",), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)


def _choices(part: Part) -> Iterator[Fault]:
    for index, offered in enumerate(objects(part.body.get("choices"))):
        for field in ("name", "value"):
            value = offered.get(field)
            text_expected = field == "name" or part.body.get("type") == _STRING
            bad_text = not isinstance(value, str) or not 1 <= len(value) <= 100
            if bad_text if text_expected else value is None:
                where = ("choices", index, field)
                yield Fault(where, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")


def _choices_or_autocomplete(part: Part) -> Iterator[Fault]:
    if part.body.get("autocomplete") and part.body.get("choices"):
        text = "An option has choices or autocomplete, not both"
        yield Fault(("autocomplete",), "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", text)


def _total(part: Part) -> Iterator[Fault]:
    if _size(part.body) > 8000:
        text = "Command exceeds maximum size (8000)"
        yield Fault((), "APPLICATION_COMMAND_TOO_LARGE", text)


def _size(node: Json) -> int:
    own = sum(len(text_of(node, field)) for field in ("name", "description"))
    own += sum(len(text_of(c, "name")) + len(text_of(c, "value")) for c in objects(node.get("choices")))
    return own + sum(_size(option) for option in objects(node.get("options")))


def _value_range(part: Part) -> Iterator[Fault]:
    for low, high in (("min_value", "max_value"), ("min_length", "max_length")):
        least, most = part.body.get(low), part.body.get(high)
        if least is not None and most is not None and least > most:
            yield Fault((low,), "NUMBER_TYPE_MAX", f"{low} is above {high}.")


def _some_of(field: str, allowed: Collection[int]) -> Check:
    """A set of values, one at least; absent or null is allowed."""

    def check(part: Part) -> Iterator[Fault]:
        values = part.body.get(field)
        if values is None:
            return
        if not isinstance(values, list) or not values:
            yield Fault((field,), BAD_LENGTH, f"Must be between 1 and {len(allowed)} in length.")
            return
        for index, value in enumerate(values):
            if not is_int(value) or value not in allowed:
                yield Fault((field, index), CHOICES, f"Value must be one of {set(allowed)}.")
            elif value in values[:index]:
                yield Fault((field, index), "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")

    return check


def _declared_in_vain(part: Part) -> Iterator[Fault]:
    """Discord itself takes these and ignores them: what a command relies on here does not hold there."""
    for field in _OF_THE_WHOLE:
        if part.body.get(field) is not None:
            text = f"{field} is ignored here: only a whole command has it, no subcommand or option"
            yield Fault((field,), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)


def _thread_name(part: Part) -> Iterator[Fault]:
    """Measured in units of UTF-16: the safe way to read Discord's 100 characters."""
    yield from length("name", 1, 100, required=not part.editing)(part)
    name = text_of(part.body, "name")
    if len(name) <= 100 < len(name.encode("utf-16-le", "surrogatepass")) // 2:
        yield Fault(("name",), BAD_LENGTH, "Must be between 1 and 100 in length.")


_ONE: Final = Subject.COMMAND
_OPTION: Final = Subject.OPTION
_SAME_COMMAND: Final = unique(
    _names_of_commands, "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
)
_SAME_OPTION: Final = unique(
    _names_of_options, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists"
)
_INSTALLED: Final = _some_of("integration_types", _INSTALLS)

ROWS: Final = (
    Limit(
        "commands.count",
        "Maximum number of application commands reached (100)",
        Subject.COMMANDS,
        _number_of_commands,
        code=_TOO_MANY,
    ),
    Limit("commands.unique", "No command name twice", Subject.COMMANDS, _SAME_COMMAND),
    Limit("command.name", "1 to 32 lower-case letters, digits, - or _", _ONE, _command_name),
    Limit("command.description", "A command's description has 1 to 100 characters", _ONE, _command_description),
    Limit("command.options", "A command has at most 25 options", _ONE, count("options", 0, 25)),
    Limit("command.options.unique", "No option name twice in a command", _ONE, _SAME_OPTION),
    Limit("command.options.order", "Required options stand before optional ones", _ONE, _required_first),
    Limit("command.options.mixed", "Subcommands do not stand beside other options", _ONE, _unmixed),
    Limit("command.total", "Names, descriptions and values of a command have at most 8000 characters", _ONE, _total),
    Limit("command.contexts", "A command's contexts are some of 0, 1 and 2", _ONE, _some_of("contexts", _CONTEXTS)),
    Limit("command.installs", "A command's installations are 0, 1 or both", _ONE, _INSTALLED),
    Limit(
        "option.declared", "Contexts, installations and permissions are a whole command's", _OPTION, _declared_in_vain
    ),
    Limit("option.name", "1 to 32 lower-case letters, digits, - or _", _OPTION, _option_name),
    Limit(
        "option.description",
        "An option's description has 1 to 100 characters",
        _OPTION,
        length("description", 1, 100, required=True),
    ),
    Limit("option.type", "An option's type is 1 to 11", _OPTION, choice("type", range(1, 12), required=True)),
    Limit("option.nesting", "Groups hold subcommands, subcommands hold options", _OPTION, _option_nesting),
    Limit("option.options", "A subcommand or group has at most 25 options", _OPTION, count("options", 0, 25)),
    Limit("option.options.unique", "No option name twice in a subcommand", _OPTION, _SAME_OPTION),
    Limit("option.options.order", "Required options stand before optional ones", _OPTION, _required_first),
    Limit("option.choices", "An option has at most 25 choices", _OPTION, count("choices", 0, 25)),
    Limit("option.choice", "A choice's name and text have 1 to 100 characters", _OPTION, _choices),
    Limit("option.autocomplete", "An option has choices or autocomplete, not both", _OPTION, _choices_or_autocomplete),
    Limit("option.range", "An option's minimum is not above its maximum", _OPTION, _value_range),
    Limit("thread.name", "A thread's name has 1 to 100 characters", Subject.THREAD, _thread_name),
    Limit(
        "thread.archive",
        "A thread is archived after 60, 1440, 4320 or 10080 minutes",
        Subject.THREAD,
        choice("auto_archive_duration", _MINUTES),
    ),
    Limit(
        "thread.slowmode",
        "A slow mode has at most 21600 seconds",
        Subject.THREAD,
        number("rate_limit_per_user", 0, 21600),
    ),
)
