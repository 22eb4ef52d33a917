"""Looking through values: what is mutable in them, and what they are to the last type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

ATOMIC_TYPES = (int, float, str, bytes, type(None), Enum, range)


def mutable_parts(value: Any, path: str = "") -> Iterator[tuple[int, str]]:
    """The id and the path of everything inside that could be changed, the value itself included."""
    if isinstance(value, ATOMIC_TYPES):
        return
    if not _is_frozen(value):
        yield id(value), path or "itself"
    for name, part in _value_parts(value):
        yield from mutable_parts(part, path + name)


def comparable_value(value: Any) -> Any:
    """A value to compare that tells types apart where `==` does not: a list from a tuple, a hidden field from none."""
    if isinstance(value, ATOMIC_TYPES):
        return type(value), value
    return type(value), tuple((name, comparable_value(part)) for name, part in _value_parts(value))


def _is_frozen(value: Any) -> bool:
    if is_dataclass(value):
        return bool(value.__dataclass_params__.frozen)  # type: ignore[union-attr]
    return isinstance(value, (tuple, frozenset))


def _value_parts(value: Any) -> list[tuple[str, Any]]:
    if is_dataclass(value):
        return [(f".{field.name}", getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, Mapping):
        return [part for key, item in value.items() for part in ((f"[{key!r}]", item), (f" key {key!r}", key))]
    if isinstance(value, (set, frozenset)):
        return [(f"{{{item!r}}}", item) for item in sorted(value, key=repr)]
    if isinstance(value, (list, tuple)):
        return [(f"[{i}]", item) for i, item in enumerate(value)]
    raise TypeError(f"a {type(value).__name__} does not belong into a state, a view, a move or an event")
