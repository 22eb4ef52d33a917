"""Limits of modals, and of answers to autocomplete."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from playground.limits.base import Fault, Limit, Part, Subject
from playground.limits.checks import choice, count, length, number, number_or, of_type, text_of, unique
from playground.limits.components import LABEL, TEXT_INPUT, field_of_all
from playground.limits.parts import objects

_INTEGERS: Final = 2**53


def _input_range(part: Part) -> Iterator[Fault]:
    if of_type(TEXT_INPUT)(part) and number_or(part.body, "min_length", 0) > number_or(part.body, "max_length", 4000):
        yield Fault(("min_length",), "TEXT_INPUT_MIN_LENGTH_TOO_LARGE", "min_length is above max_length")


def _input_default(part: Part) -> Iterator[Fault]:
    most = number_or(part.body, "max_length", 4000)
    if of_type(TEXT_INPUT)(part) and len(text_of(part.body, "value")) > most:
        yield Fault(("value",), "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")


def _label_child(part: Part) -> Iterator[Fault]:
    if of_type(LABEL)(part) and not isinstance(part.body.get("component"), dict):
        yield Fault(("component",), "BASE_TYPE_REQUIRED", "This field is required")


def _choice_names(part: Part) -> Iterator[Fault]:
    for index, offered in enumerate(objects(part.body.get("choices"))):
        if not 1 <= len(text_of(offered, "name")) <= 100:
            where = ("choices", index, "name")
            yield Fault(where, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")


def _choice_values(part: Part) -> Iterator[Fault]:
    for index, offered in enumerate(objects(part.body.get("choices"))):
        value = offered.get("value")
        too_long = isinstance(value, str) and len(value) > 100
        too_large = isinstance(value, int | float) and abs(value) > _INTEGERS
        if value is None or too_long or too_large:
            text = "Must be 1 to 100 characters or a number within 2^53."
            yield Fault(("choices", index, "value"), "BASE_TYPE_BAD_LENGTH", text)


_C: Final = Subject.COMPONENT
_INPUT: Final = of_type(TEXT_INPUT)
_SAME_ID: Final = unique(
    field_of_all("custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
)

ROWS: Final = (
    Limit(
        "modal.title", "A modal's title has 1 to 45 characters", Subject.MODAL, length("title", 1, 45, required=True)
    ),
    Limit(
        "modal.custom_id",
        "A modal's custom_id has 1 to 100 characters",
        Subject.MODAL,
        length("custom_id", 1, 100, required=True),
    ),
    Limit(
        "modal.components",
        "A modal has 1 to 5 components at its top",
        Subject.MODAL,
        count("components", 1, 5, required=True),
    ),
    Limit("modal.custom_id.unique", "No custom_id twice in a modal", Subject.MODAL, _SAME_ID),
    Limit(
        "label.label", "A label has 1 to 45 characters", _C, length("label", 1, 45, when=of_type(LABEL), required=True)
    ),
    Limit(
        "label.description",
        "A label's description has at most 100 characters",
        _C,
        length("description", 0, 100, when=of_type(LABEL)),
    ),
    Limit("label.component", "A label has a component", _C, _label_child),
    Limit("input.style", "A text input's style is 1 or 2", _C, choice("style", (1, 2), when=_INPUT, required=True)),
    Limit("input.min", "min_length is 0 to 4000", _C, number("min_length", 0, 4000, when=_INPUT)),
    Limit("input.max", "max_length is 1 to 4000", _C, number("max_length", 1, 4000, when=_INPUT)),
    Limit("input.range", "min_length ≤ max_length", _C, _input_range),
    Limit("input.default", "A text input's default is within its maximum", _C, _input_default),
    Limit(
        "input.placeholder",
        "A text input's placeholder has at most 100 characters",
        _C,
        length("placeholder", 0, 100, when=_INPUT),
    ),
    Limit("autocomplete.count", "At most 25 answers", Subject.CHOICES, count("choices", 0, 25, required=True)),
    Limit("autocomplete.name", "An answer's name has 1 to 100 characters", Subject.CHOICES, _choice_names),
    Limit("autocomplete.value", "An answer's value has at most 100 characters", Subject.CHOICES, _choice_values),
)
