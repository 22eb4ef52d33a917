"""Limits of selects that Discord fills itself: with people, roles or channels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from playground.limits.base import Limit, LimitProblem, PayloadPath, RequestPart, Subject
from playground.limits.checks import int_or_default, is_int, unique_check
from playground.limits.parts import object_items
from playground.world import ids

CHANNEL_SELECT: Final = 8
SELECT_CONTENTS: Final = {5: ("user",), 6: ("role",), 7: ("user", "role"), CHANNEL_SELECT: ("channel",)}
_CHANNEL_TYPES: Final = (0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16)


def _offered_kinds(part: RequestPart) -> tuple[str, ...]:
    kind: Any = part.body.get("type")
    return SELECT_CONTENTS.get(kind, ()) if is_int(kind) else ()


def _check_defaults(part: RequestPart) -> Iterator[LimitProblem]:
    """Check that the default values are of the select's kind, each with an id."""
    for index, value in enumerate(object_items(part.body.get("default_values"))):
        kinds = _offered_kinds(part)
        if value.get("type") not in kinds:
            path = ("default_values", index, "type")
            yield LimitProblem(path, "BASE_TYPE_CHOICES", f"Value must be one of {kinds}.")
        if ids.parse_snowflake(str(value.get("id"))) is None:
            text = f'Value "{value.get("id")}" is not snowflake.'
            yield LimitProblem(("default_values", index, "id"), "NUMBER_TYPE_COERCE", text)


def _check_enough_defaults(part: RequestPart) -> Iterator[LimitProblem]:
    """Check that there are no fewer default values than min_values; another limit checks the maximum."""
    chosen = len(object_items(part.body.get("default_values")))
    if _offered_kinds(part) and 0 < chosen < int_or_default(part.body, "min_values", 1):
        text = f"{chosen} values are chosen by default, less than min_values"
        yield LimitProblem(("default_values",), "SELECT_COMPONENT_TOO_FEW_DEFAULTS", text)


def _default_ids(part: RequestPart) -> Iterator[tuple[PayloadPath, Any]]:
    for index, value in enumerate(object_items(part.body.get("default_values"))):
        yield ("default_values", index, "id"), str(value.get("id"))


def _check_channel_types(part: RequestPart) -> Iterator[LimitProblem]:
    types = part.body.get("channel_types")
    if types is None:
        return
    listed = types if isinstance(types, list) else [types]
    for index, kind in enumerate(listed):
        if part.body.get("type") != CHANNEL_SELECT or not is_int(kind) or kind not in _CHANNEL_TYPES:
            path = ("channel_types", index)
            yield LimitProblem(
                path, "BASE_TYPE_CHOICES", f"Value must be one of {_CHANNEL_TYPES}, in a channel select."
            )


_C: Final = Subject.COMPONENT
_SAME_DEFAULT: Final = unique_check(
    _default_ids, "SELECT_COMPONENT_DEFAULT_VALUE_DUPLICATED", "The specified default value is already used"
)

ROWS: Final = (
    Limit("select.default_values", "Default values are of the kind that the select offers", _C, _check_defaults),
    Limit("select.default_values.unique", "Default values are unique", _C, _SAME_DEFAULT),
    Limit(
        "select.default_values.least",
        "If there are default values, there are at least min_values of them",
        _C,
        _check_enough_defaults,
    ),
    Limit("select.channel_types", "Only a channel select has channel types, and they exist", _C, _check_channel_types),
)
