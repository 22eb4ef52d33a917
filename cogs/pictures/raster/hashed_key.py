"""Cache keys that compute their hash once."""

from __future__ import annotations

from collections.abc import Hashable


class HashedKey:
    """A spec, or arguments, as a cache key. The hash is computed once, because nested values take a while."""

    __slots__ = ("_hash", "_value")

    def __init__(self, value: Hashable) -> None:
        self._value, self._hash = value, hash(value)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HashedKey) and self._value == other._value
