"""One figure of a benchmark, as printed."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Row(Protocol):
    """Anything that a table prints."""

    @property
    def is_missed(self) -> bool:
        """Return whether the limit is missed."""


class Figure(NamedTuple):
    """A row: name, value, unit, and its limits (None: no limit)."""

    name: str
    value: float
    unit: str
    maximum: float | None = None
    minimum: float | None = None

    @property
    def is_missed(self) -> bool:
        """Return whether the value is outside its limits."""
        is_over = self.maximum is not None and self.value > self.maximum
        return is_over or (self.minimum is not None and self.value < self.minimum)

    def __str__(self) -> str:
        limit = "" if self.maximum is None else f"; at most {self.maximum:.2f}"
        limit += "" if self.minimum is None else f"; at least {self.minimum:.2f}"
        return f"{self.name:<54}{self.value:>10,.2f}  {self.unit}{limit}{'   missed' if self.is_missed else ''}"
