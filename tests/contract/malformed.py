"""Moves that no notation gives: legal ones with a part that is out of range, too short, too long or missing."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from dataclasses import fields, replace
from random import Random
from types import NoneType
from typing import Any

FAR_NUMBERS = (-99, 99, 1 << 40)
NEAR_NUMBERS = range(-7, 8)  # also what Python would take for places counted from the end


def malformed_moves(move: Any, rng: Random) -> Iterator[Any]:
    """The move with one of its parts changed, each in every way; some of these moves may be legal, too."""
    for name, may_lack in _move_fields(type(move)):
        value = getattr(move, name)
        for other in (
            {*_other_numbers(value, rng), *([None] if may_lack else [])}
            if _is_single(value)
            else _other_rows(value, rng)
        ):
            if other != value:
                yield replace(move, **{name: other})


def _move_fields(kind: Any) -> tuple[tuple[str, bool], ...]:
    """The parts of a kind of move, and whether each may be left out."""
    hints = typing.get_type_hints(kind)
    return tuple((part.name, NoneType in typing.get_args(hints[part.name])) for part in fields(kind))


def _is_single(value: Any) -> bool:
    return value is None or isinstance(value, int)


def _other_numbers(value: int | None, rng: Random) -> Iterator[int]:
    """Other numbers in place of one."""
    if isinstance(value, bool):
        yield not value
        return
    yield from FAR_NUMBERS
    yield from NEAR_NUMBERS
    if value is not None:
        yield from (-value, value - 1, value + 1, value + 13, value + rng.randrange(2, 60))


def _other_rows(value: tuple[int, ...], rng: Random) -> Iterator[tuple[int, ...]]:
    """Other rows in place of one: shorter, longer, and with other numbers in them."""
    yield ()
    yield from (value[:length] for length in range(1, len(value)))
    yield (*value, *value)
    for number in (*FAR_NUMBERS, *NEAR_NUMBERS):
        yield (*value, number)
        yield (number, *value)
    for place, each in enumerate(value):
        for number in _other_numbers(each, rng):
            yield (*value[:place], number, *value[place + 1 :])
