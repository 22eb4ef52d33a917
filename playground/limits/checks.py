"""The checks of most limits: lengths, counts, ranges and choices of a field."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from playground.limits.base import Check, Json, LimitProblem, RequestPart

REQUIRED: Final = "BASE_TYPE_REQUIRED"
BAD_LENGTH: Final = "BASE_TYPE_BAD_LENGTH"
CHOICES: Final = "BASE_TYPE_CHOICES"
_REQUIRED_TEXT: Final = "This field is required"


def length_check(field: str, low: int, high: int, *, required: bool = False) -> Check:
    """Check for a text of `low` to `high` characters; absent or null is allowed unless it is required."""

    def check(part: RequestPart) -> Iterator[LimitProblem]:
        value = part.body.get(field)
        if value is None:
            if required and not (part.is_edit and not part.is_in_modal and field not in part.body):
                yield LimitProblem((field,), REQUIRED, _REQUIRED_TEXT)
        elif not isinstance(value, str):
            yield LimitProblem((field,), "STRING_TYPE_CONVERT", "Could not interpret as a string.")
        elif not low <= len(value) <= high:
            yield LimitProblem((field,), BAD_LENGTH, f"Must be between {low} and {high} in length.")

    return check


def count_check(field: str, low: int, high: int, *, required: bool = False) -> Check:
    """Check for a list of `low` to `high` entries."""

    def check(part: RequestPart) -> Iterator[LimitProblem]:
        value = part.body.get(field)
        if value is None:
            if required:
                yield LimitProblem((field,), REQUIRED, _REQUIRED_TEXT)
        elif not isinstance(value, list):
            yield LimitProblem((field,), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType.")
        elif not low <= len(value) <= high:
            yield LimitProblem((field,), BAD_LENGTH, f"Must be between {low} and {high} in length.")

    return check


def range_check(field: str, low: int, high: int) -> Check:
    """Check for an integer from `low` to `high`; absent or null is allowed."""

    def check(part: RequestPart) -> Iterator[LimitProblem]:
        value = part.body.get(field)
        if value is not None and not (is_int(value) and low <= value <= high):
            yield LimitProblem((field,), "NUMBER_TYPE_MAX", f"int value should be between {low} and {high}.")

    return check


def choice_check(field: str, allowed: Collection[Any], *, required: bool = False) -> Check:
    """Check for one of a few values."""

    def check(part: RequestPart) -> Iterator[LimitProblem]:
        value = part.body.get(field)
        if value is None and not required:
            return
        if isinstance(value, bool) or value not in allowed:
            listed = ", ".join(str(one) for one in allowed)
            yield LimitProblem((field,), CHOICES, f"Value must be one of {{{listed}}}.")

    return check


def unique_check(
    values: Callable[[RequestPart], Iterator[tuple[tuple[str | int, ...], Any]]], reason: str, text: str
) -> Check:
    """Check that none of the values, which a part yields with their places, repeats."""

    def check(part: RequestPart) -> Iterator[LimitProblem]:
        keys: set[str] = set()
        for path, value in values(part):
            key = repr(value)
            if key in keys:
                yield LimitProblem(path, reason, text)
            keys.add(key)

    return check


def is_int(value: Any) -> bool:
    """Return whether it is a JSON integer."""
    return isinstance(value, int) and not isinstance(value, bool)


def int_or_default(body: Json, field: str, default: int) -> int:
    """Return an integer field, or the default if it is absent or no integer."""
    value = body.get(field)
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def text_or_empty(body: Json, field: str) -> str:
    """Return a text field, or '' if it is absent or no text."""
    value = body.get(field)
    return value if isinstance(value, str) else ""
