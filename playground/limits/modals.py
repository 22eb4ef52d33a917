"""Limits of modals and of autocomplete responses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from playground.limits.base import Limit, LimitProblem, RequestPart, Subject
from playground.limits.checks import (
    choice_check,
    count_check,
    int_or_default,
    length_check,
    range_check,
    text_or_empty,
    unique_check,
)
from playground.limits.components import LABEL, TEXT_INPUT, all_component_fields
from playground.limits.parts import object_items

_MAX_INTEGER: Final = 2**53


def _check_input_range(part: RequestPart) -> Iterator[LimitProblem]:
    if int_or_default(part.body, "min_length", 0) > int_or_default(part.body, "max_length", 4000):
        yield LimitProblem(("min_length",), "TEXT_INPUT_MIN_LENGTH_TOO_LARGE", "min_length is above max_length")


def _check_input_default(part: RequestPart) -> Iterator[LimitProblem]:
    most = int_or_default(part.body, "max_length", 4000)
    if len(text_or_empty(part.body, "value")) > most:
        yield LimitProblem(("value",), "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")


def _check_label_child(part: RequestPart) -> Iterator[LimitProblem]:
    if not isinstance(part.body.get("component"), dict):
        yield LimitProblem(("component",), "BASE_TYPE_REQUIRED", "This field is required")


def _check_choice_names(part: RequestPart) -> Iterator[LimitProblem]:
    for index, offered in enumerate(object_items(part.body.get("choices"))):
        if not 1 <= len(text_or_empty(offered, "name")) <= 100:
            path = ("choices", index, "name")
            yield LimitProblem(path, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")


def _check_choice_values(part: RequestPart) -> Iterator[LimitProblem]:
    for index, offered in enumerate(object_items(part.body.get("choices"))):
        value = offered.get("value")
        too_long = isinstance(value, str) and len(value) > 100
        too_large = isinstance(value, int | float) and abs(value) > _MAX_INTEGER
        if value is None or too_long or too_large:
            text = "Must be 1 to 100 characters or a number within 2^53."
            yield LimitProblem(("choices", index, "value"), "BASE_TYPE_BAD_LENGTH", text)


_C: Final = Subject.COMPONENT
_SAME_ID: Final = unique_check(
    all_component_fields("custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
)

ROWS: Final = (
    Limit(
        "modal.title",
        "A modal's title has 1 to 45 characters",
        Subject.MODAL,
        length_check("title", 1, 45, required=True),
    ),
    Limit(
        "modal.custom_id",
        "A modal's custom_id has 1 to 100 characters",
        Subject.MODAL,
        length_check("custom_id", 1, 100, required=True),
    ),
    Limit(
        "modal.components",
        "A modal has 1 to 5 top-level components",
        Subject.MODAL,
        count_check("components", 1, 5, required=True),
    ),
    Limit("modal.custom_id.unique", "Each custom_id in a modal is unique", Subject.MODAL, _SAME_ID),
    Limit(
        "label.label",
        "A label has 1 to 45 characters",
        _C,
        length_check("label", 1, 45, required=True),
        types=(LABEL,),
    ),
    Limit(
        "label.description",
        "A label's description has at most 100 characters",
        _C,
        length_check("description", 0, 100),
        types=(LABEL,),
    ),
    Limit("label.component", "A label has a component", _C, _check_label_child, types=(LABEL,)),
    Limit(
        "input.style",
        "A text input's style is 1 or 2",
        _C,
        choice_check("style", (1, 2), required=True),
        types=(TEXT_INPUT,),
    ),
    Limit("input.min", "min_length is 0 to 4000", _C, range_check("min_length", 0, 4000), types=(TEXT_INPUT,)),
    Limit("input.max", "max_length is 1 to 4000", _C, range_check("max_length", 1, 4000), types=(TEXT_INPUT,)),
    Limit("input.range", "min_length ≤ max_length", _C, _check_input_range, types=(TEXT_INPUT,)),
    Limit(
        "input.default", "A text input's default is within its maximum", _C, _check_input_default, types=(TEXT_INPUT,)
    ),
    Limit(
        "input.placeholder",
        "A text input's placeholder has at most 100 characters",
        _C,
        length_check("placeholder", 0, 100),
        types=(TEXT_INPUT,),
    ),
    Limit("autocomplete.count", "At most 25 answers", Subject.CHOICES, count_check("choices", 0, 25, required=True)),
    Limit("autocomplete.name", "An answer's name has 1 to 100 characters", Subject.CHOICES, _check_choice_names),
    Limit("autocomplete.value", "An answer's value has at most 100 characters", Subject.CHOICES, _check_choice_values),
)
