"""Limits of registered commands and of threads."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final
from unicodedata import category

from playground.limits.base import Check, Json, Limit, LimitProblem, PayloadPath, RequestPart, Subject
from playground.limits.checks import (
    BAD_LENGTH,
    CHOICES,
    choice_check,
    count_check,
    is_int,
    length_check,
    range_check,
    text_or_empty,
    unique_check,
)
from playground.limits.parts import object_items

_CHAT_INPUT: Final = 1
_TOO_MANY_CODE: Final = 30032
_SUBCOMMANDS: Final = (1, 2)
_STRING_OPTION: Final = 3
_ARCHIVE_MINUTES: Final = (60, 1440, 4320, 10080)
_CONTEXTS: Final = range(3)  # a server, the bot's direct messages, other private channels
_INSTALLS: Final = range(2)  # to a server, by a user
_COMMAND_ONLY_FIELDS: Final = ("contexts", "integration_types", "default_member_permissions", "dm_permission", "nsfw")
_SCRIPT_RANGES: Final = ("\u0900", "\u097f", "\u0e00", "\u0e7f")


def _is_command_name(name: Any) -> bool:
    """Return whether it fits Discord's pattern for names of chat commands and options, in lower case."""
    if not isinstance(name, str) or not 1 <= len(name) <= 32:
        return False
    return name == name.lower() and all(_is_name_character(character) for character in name)


def _is_name_character(character: str) -> bool:
    thai_or_devanagari = any(low <= character <= high for low, high in (_SCRIPT_RANGES[:2], _SCRIPT_RANGES[2:]))
    return character in "-_'" or category(character)[0] in "LN" or thai_or_devanagari


def _is_chat_command(body: Json) -> bool:
    return (body.get("type") or _CHAT_INPUT) == _CHAT_INPUT


def _check_command_name(part: RequestPart) -> Iterator[LimitProblem]:
    name = part.body.get("name")
    if part.is_edit and name is None:
        return
    fits = _is_command_name(name) if _is_chat_command(part.body) else 1 <= len(text_or_empty(part.body, "name")) <= 32
    if not fits:
        yield _bad_name_problem(name)


def _check_option_name(part: RequestPart) -> Iterator[LimitProblem]:
    if not _is_command_name(part.body.get("name")):
        yield _bad_name_problem(part.body.get("name"))


def _bad_name_problem(name: Any) -> LimitProblem:
    return LimitProblem(("name",), "APPLICATION_COMMAND_INVALID_NAME", f"Command name is invalid: {name!r}")


def _check_command_description(part: RequestPart) -> Iterator[LimitProblem]:
    if _is_chat_command(part.body) and not (part.is_edit and "description" not in part.body):
        yield from length_check("description", 1, 100, required=True)(part)


def _check_command_count(part: RequestPart) -> Iterator[LimitProblem]:
    if sum(_is_chat_command(command) for command in part.items) > 100:
        yield LimitProblem((), "", "Maximum number of application commands reached (100)")


def _command_names(part: RequestPart) -> Iterator[tuple[PayloadPath, Any]]:
    for index, command in enumerate(part.items):
        yield (index, "name"), (command.get("type") or _CHAT_INPUT, command.get("name"))


def _option_names(part: RequestPart) -> Iterator[tuple[PayloadPath, Any]]:
    for index, option in enumerate(object_items(part.body.get("options"))):
        yield ("options", index, "name"), option.get("name")


def _check_required_first(part: RequestPart) -> Iterator[LimitProblem]:
    optional_seen = False
    for index, option in enumerate(object_items(part.body.get("options"))):
        if option.get("type") in _SUBCOMMANDS:
            continue
        if option.get("required") and optional_seen:
            text = "Required options must be placed before non-required options"
            yield LimitProblem(("options", index), "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", text)
        optional_seen |= not option.get("required")


def _check_option_nesting(part: RequestPart) -> Iterator[LimitProblem]:
    kind, parent = part.body.get("type"), (part.parent or {}).get("type") or _CHAT_INPUT
    top = "options" not in part.path[:-2]
    if kind == 2 and not top:
        yield _misplaced_problem("A subcommand group must be at the top level")
    elif kind == 1 and not top and parent != 2:
        yield _misplaced_problem("A subcommand must be at the top level or in a group")
    elif kind not in _SUBCOMMANDS and not top and parent == 2:
        yield _misplaced_problem("A group may only contain subcommands")


def _misplaced_problem(text: str) -> LimitProblem:
    return LimitProblem(
        ("type",), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", f"Sub-command options are misplaced: {text}"
    )


def _check_subcommands_unmixed(part: RequestPart) -> Iterator[LimitProblem]:
    kinds = {option.get("type") in _SUBCOMMANDS for option in object_items(part.body.get("options"))}
    if len(kinds) > 1:
        text = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        yield LimitProblem(("options",), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)


def _check_choices(part: RequestPart) -> Iterator[LimitProblem]:
    for index, offered in enumerate(object_items(part.body.get("choices"))):
        for field in ("name", "value"):
            value = offered.get(field)
            text_expected = field == "name" or part.body.get("type") == _STRING_OPTION
            bad_text = not isinstance(value, str) or not 1 <= len(value) <= 100
            if bad_text if text_expected else value is None:
                path = ("choices", index, field)
                yield LimitProblem(path, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")


def _check_choices_or_autocomplete(part: RequestPart) -> Iterator[LimitProblem]:
    if part.body.get("autocomplete") and part.body.get("choices"):
        text = "An option may have choices or autocomplete, not both"
        yield LimitProblem(("autocomplete",), "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", text)


def _check_total_size(part: RequestPart) -> Iterator[LimitProblem]:
    if _command_size(part.body) > 8000:
        text = "Command exceeds maximum size (8000)"
        yield LimitProblem((), "APPLICATION_COMMAND_TOO_LARGE", text)


def _command_size(node: Json) -> int:
    own = sum(len(text_or_empty(node, field)) for field in ("name", "description"))
    own += sum(
        len(text_or_empty(c, "name")) + len(text_or_empty(c, "value")) for c in object_items(node.get("choices"))
    )
    return own + sum(_command_size(option) for option in object_items(node.get("options")))


def _check_value_range(part: RequestPart) -> Iterator[LimitProblem]:
    for low, high in (("min_value", "max_value"), ("min_length", "max_length")):
        least, most = part.body.get(low), part.body.get(high)
        if least is not None and most is not None and least > most:
            yield LimitProblem((low,), "NUMBER_TYPE_MAX", f"{low} is above {high}.")


def _subset_check(field: str, allowed: Collection[int]) -> Check:
    """Check for a non-empty set of values; absent or null is allowed."""

    def check(part: RequestPart) -> Iterator[LimitProblem]:
        values = part.body.get(field)
        if values is None:
            return
        if not isinstance(values, list) or not values:
            yield LimitProblem((field,), BAD_LENGTH, f"Must be between 1 and {len(allowed)} in length.")
            return
        for index, value in enumerate(values):
            if not is_int(value) or value not in allowed:
                yield LimitProblem((field, index), CHOICES, f"Value must be one of {set(allowed)}.")
            elif value in values[:index]:
                yield LimitProblem(
                    (field, index), "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value"
                )

    return check


def _check_ignored_fields(part: RequestPart) -> Iterator[LimitProblem]:
    """Report fields that Discord accepts but ignores: a command must not rely on them."""
    for field in _COMMAND_ONLY_FIELDS:
        if part.body.get(field) is not None:
            text = f"{field} is ignored here: only a whole command has it, not a subcommand or an option"
            yield LimitProblem((field,), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)


def _check_thread_name(part: RequestPart) -> Iterator[LimitProblem]:
    """Count UTF-16 units, which is the safe reading of Discord's 100 characters."""
    yield from length_check("name", 1, 100, required=not part.is_edit)(part)
    name = text_or_empty(part.body, "name")
    if len(name) <= 100 < len(name.encode("utf-16-le", "surrogatepass")) // 2:
        yield LimitProblem(("name",), BAD_LENGTH, "Must be between 1 and 100 in length.")


_COMMAND: Final = Subject.COMMAND
_OPTION: Final = Subject.OPTION
_SAME_COMMAND: Final = unique_check(
    _command_names, "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
)
_SAME_OPTION: Final = unique_check(
    _option_names, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists"
)
_INSTALLED: Final = _subset_check("integration_types", _INSTALLS)

ROWS: Final = (
    Limit(
        "commands.count",
        "Maximum number of application commands reached (100)",
        Subject.COMMANDS,
        _check_command_count,
        code=_TOO_MANY_CODE,
    ),
    Limit("commands.unique", "Command names are unique", Subject.COMMANDS, _SAME_COMMAND),
    Limit("command.name", "1 to 32 lower-case letters, digits, - or _", _COMMAND, _check_command_name),
    Limit(
        "command.description", "A command's description has 1 to 100 characters", _COMMAND, _check_command_description
    ),
    Limit("command.options", "A command has at most 25 options", _COMMAND, count_check("options", 0, 25)),
    Limit("command.options.unique", "Option names in a command are unique", _COMMAND, _SAME_OPTION),
    Limit("command.options.order", "Required options come before optional ones", _COMMAND, _check_required_first),
    Limit("command.options.mixed", "Subcommands and other options do not mix", _COMMAND, _check_subcommands_unmixed),
    Limit(
        "command.total",
        "Names, descriptions and values of a command have at most 8000 characters",
        _COMMAND,
        _check_total_size,
    ),
    Limit(
        "command.contexts",
        "A command's contexts are some of 0, 1 and 2",
        _COMMAND,
        _subset_check("contexts", _CONTEXTS),
    ),
    Limit("command.installs", "A command's installations are 0, 1 or both", _COMMAND, _INSTALLED),
    Limit(
        "option.declared",
        "Only whole commands have contexts, installations and permissions",
        _OPTION,
        _check_ignored_fields,
    ),
    Limit("option.name", "1 to 32 lower-case letters, digits, - or _", _OPTION, _check_option_name),
    Limit(
        "option.description",
        "An option's description has 1 to 100 characters",
        _OPTION,
        length_check("description", 1, 100, required=True),
    ),
    Limit("option.type", "An option's type is 1 to 11", _OPTION, choice_check("type", range(1, 12), required=True)),
    Limit("option.nesting", "Groups contain subcommands, subcommands contain options", _OPTION, _check_option_nesting),
    Limit("option.options", "A subcommand or group has at most 25 options", _OPTION, count_check("options", 0, 25)),
    Limit("option.options.unique", "Option names in a subcommand are unique", _OPTION, _SAME_OPTION),
    Limit("option.options.order", "Required options come before optional ones", _OPTION, _check_required_first),
    Limit("option.choices", "An option has at most 25 choices", _OPTION, count_check("choices", 0, 25)),
    Limit("option.choice", "A choice's name and text have 1 to 100 characters", _OPTION, _check_choices),
    Limit(
        "option.autocomplete",
        "An option has choices or autocomplete, not both",
        _OPTION,
        _check_choices_or_autocomplete,
    ),
    Limit("option.range", "An option's minimum does not exceed its maximum", _OPTION, _check_value_range),
    Limit("thread.name", "A thread's name has 1 to 100 characters", Subject.THREAD, _check_thread_name),
    Limit(
        "thread.archive",
        "A thread is archived after 60, 1440, 4320 or 10080 minutes",
        Subject.THREAD,
        choice_check("auto_archive_duration", _ARCHIVE_MINUTES),
    ),
    Limit(
        "thread.slowmode",
        "A slow mode has at most 21600 seconds",
        Subject.THREAD,
        range_check("rate_limit_per_user", 0, 21600),
    ),
)
