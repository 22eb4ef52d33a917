"""Builds a copy function for states from the types of their fields, so that games need not list them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from engines.kit.chance import Chance

S = TypeVar("S")
Copier = Callable[[Any], Any]
IMMUTABLE_TYPES = (int, float, str, bytes, bool, NoneType)


def make_copier(kind: type[S]) -> Callable[[S], S]:
    """Return a function that copies a state of this dataclass without sharing anything mutable.

    Fields may be numbers, texts, enumerations, tuples and frozen dataclasses; a Chance and other dataclasses; and
    lists, sets and dicts of all these. Raises TypeError for anything else; such a game defines its own `copy`.
    """
    hints = _field_types(kind)
    copies = [_copier_for(hint, f"{kind.__name__}.{name}") for name, hint in hints.items()]
    lists = [place for place, copy in enumerate(copies) if copy is list.copy]
    others = [(place, copy) for place, copy in enumerate(copies) if copy is not None and copy is not list.copy]
    values = attrgetter(*hints) if len(hints) > 1 else lambda state: [getattr(state, name) for name in hints]

    def copy_state(state: S) -> S:
        parts = list(values(state))
        for place in lists:  # most fields are like this, and this is the fastest way
            parts[place] = parts[place].copy()
        for place, copy in others:
            parts[place] = copy(parts[place])
        return kind(*parts)

    return copy_state


def _field_types(kind: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields, which must be its constructor arguments in order."""
    if any(field.kw_only or not field.init for field in fields(kind)):
        raise TypeError(f"the constructor of {kind.__name__} does not take its fields in order")
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)}


def _copier_for(hint: Any, field_path: str) -> Copier | None:
    """Return a function that copies a value of this type, or None if the value is immutable and can be shared."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _copier_for(inner[0], field_path)
    if origin in (Union, UnionType):
        return _optional_copier(inner, field_path)
    if origin in (list, set, dict):
        return _collection_copier(origin, _copier_for(inner[-1], field_path))
    if hint is Chance:
        return Chance.copy
    if is_dataclass(hint) and not cast("Any", hint).__dataclass_params__.frozen:
        return make_copier(cast("type[Any]", hint))
    for each in _inner_types(hint, field_path):
        if _copier_for(each, field_path) is not None:
            raise TypeError(f"{field_path}: {each} is mutable, but it lies inside an immutable type")
    return None


def _inner_types(hint: Any, field_path: str) -> Iterable[Any]:
    """Return the types inside a type that is not copied."""
    origin = get_origin(hint)
    if origin in (tuple, frozenset):
        return [each for each in get_args(hint) if each is not ...]
    if origin is Literal or hint in IMMUTABLE_TYPES or (isinstance(hint, type) and issubclass(hint, Enum)):
        return ()
    if is_dataclass(hint) or hasattr(hint, "_fields"):  # a NamedTuple
        return get_type_hints(hint).values()
    raise TypeError(f"{field_path}: cannot copy {hint}")


def _optional_copier(hints: Sequence[Any], field_path: str) -> Copier | None:
    """Return a copy function for a union: all its types are shared, or it is one type or None."""
    found = [copy for copy in (_copier_for(hint, field_path) for hint in hints) if copy is not None]
    if not found:
        return None
    if len(hints) > 2 or NoneType not in hints:
        raise TypeError(f"{field_path}: cannot tell which of {hints} to copy")
    (copy,) = found
    return lambda value: None if value is None else copy(value)


def _collection_copier(kind: Any, inner: Copier | None) -> Copier:
    """Return a copy function for a list, set or dict with these copy functions for its values."""
    if inner is None:
        copy: Copier = kind.copy
        return copy
    if kind is dict:
        return lambda rows: {key: inner(row) for key, row in rows.items()}
    return lambda rows: [inner(row) for row in rows]
