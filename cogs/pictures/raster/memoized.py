"""What is looked up again and again."""

from __future__ import annotations

from collections.abc import Hashable


class Known:
    """A spec, or parts of it, to look up: the hash, which takes a while where they are nested, is worked out once."""

    __slots__ = ("_hash", "_told")

    def __init__(self, told: Hashable) -> None:
        self._told, self._hash = told, hash(told)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and self._told == other._told
