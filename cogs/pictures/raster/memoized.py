"""What is looked up again and again."""

from __future__ import annotations

from collections.abc import Hashable


class HashedKey:
    """A spec, or parts of it, to look up: the hash, which takes a while where they are nested, is worked out once."""

    __slots__ = ("_hash", "_value")

    def __init__(self, value: Hashable) -> None:
        self._value, self._hash = value, hash(value)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HashedKey) and self._value == other._value
