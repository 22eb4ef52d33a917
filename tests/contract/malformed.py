"""Moves that no notation gives: legal ones with a part that is out of range, too short, too long or missing."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from dataclasses import fields, replace
from random import Random
from types import NoneType
from typing import Any

FAR = (-99, 99, 1 << 40)
NEAR = range(-7, 8)  # also what Python would take for places counted from the end


def malformed(move: Any, rng: Random) -> Iterator[Any]:
    """The move with one of its parts changed, each in every way; some of these moves may be legal, too."""
    for name, may_lack in _parts(type(move)):
        value = getattr(move, name)
        for other in {*_numbers(value, rng), *([None] if may_lack else [])} if _single(value) else _rows(value, rng):
            if other != value:
                yield replace(move, **{name: other})


def _parts(kind: Any) -> tuple[tuple[str, bool], ...]:
    """The parts of a kind of move, and whether each may be left out."""
    hints = typing.get_type_hints(kind)
    return tuple((part.name, NoneType in typing.get_args(hints[part.name])) for part in fields(kind))


def _single(value: Any) -> bool:
    return value is None or isinstance(value, int)


def _numbers(value: int | None, rng: Random) -> Iterator[int]:
    """Other numbers in place of one."""
    if isinstance(value, bool):
        yield not value
        return
    yield from FAR
    yield from NEAR
    if value is not None:
        yield from (-value, value - 1, value + 1, value + 13, value + rng.randrange(2, 60))


def _rows(value: tuple[int, ...], rng: Random) -> Iterator[tuple[int, ...]]:
    """Other rows in place of one: shorter, longer, and with other numbers in them."""
    yield ()
    yield from (value[:length] for length in range(1, len(value)))
    yield (*value, *value)
    for number in (*FAR, *NEAR):
        yield (*value, number)
        yield (number, *value)
    for place, each in enumerate(value):
        for number in _numbers(each, rng):
            yield (*value[:place], number, *value[place + 1 :])
