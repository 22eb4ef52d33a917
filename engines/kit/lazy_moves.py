"""Lists of hundreds of moves that build each move only when it is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, overload

M = TypeVar("M")
Segment = tuple[Callable[[int], M], int]
"""A function that makes the move at an index (from 0), and the number of moves."""


class LazyMoves(Sequence[M], Generic[M]):
    """A sequence of moves that consists of segments."""

    __slots__ = ("_length", "_segments")

    def __init__(self, *parts: Segment[M]) -> None:
        self._segments = parts
        self._length = sum([number for _, number in parts])

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> M: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[M]: ...
    def __getitem__(self, index: int | slice) -> M | Sequence[M]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(self._length)))
        place = index if index >= 0 else index + self._length
        if place >= 0:
            for make, number in self._segments:
                if place < number:
                    return make(place)
                place -= number
        raise IndexError(index)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def as_segment(moves: Sequence[M]) -> Segment[M]:
    """Return a segment of existing moves."""
    return moves.__getitem__, len(moves)
