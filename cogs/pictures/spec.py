"""What a picture shows, as values: frozen, hashable, without names or anything that the reader may not see.

Each game has its own; what several of them draw alike stands here.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

Spec = Hashable
"""A description of a picture, for whose type a layout is registered; equal ones give equal pictures."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A line of a score sheet: what it is called, and for every seat a small note and a number."""

    name: str
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A whole score sheet: a column a seat, a line a round, the totals, and the places once it is over."""

    rows: tuple[SheetRow, ...]
    totals: tuple[str, ...]
    places: tuple[int, ...] = ()
    note: str = "bid/took"  # what the small notes are
