"""A figure of a benchmark, as it is printed."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Row(Protocol):
    """What a table prints."""

    @property
    def missed(self) -> bool:
        """Whether it is not what it must be."""


class Figure(NamedTuple):
    """A row: what was measured, how much it was, of what; the most and the least that it may be (None: no limit)."""

    name: str
    value: float
    unit: str
    most: float | None = None
    least: float | None = None

    @property
    def missed(self) -> bool:
        """Whether it is outside its limits."""
        over = self.most is not None and self.value > self.most
        return over or (self.least is not None and self.value < self.least)

    def __str__(self) -> str:
        limit = "" if self.most is None else f"; at most {self.most:.2f}"
        limit += "" if self.least is None else f"; at least {self.least:.2f}"
        return f"{self.name:<54}{self.value:>10,.2f}  {self.unit}{limit}{'   missed' if self.missed else ''}"
