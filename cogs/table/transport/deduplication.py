"""Recognizes interactions that Discord delivers twice, so that each gets one reply."""

from __future__ import annotations

from collections import OrderedDict

MAX_REMEMBERED = 2000  # interactions; a duplicate arrives with the next connection at the latest


class Deduplicator:
    """Remembers recent interactions."""

    def __init__(self) -> None:
        self._seen: OrderedDict[int, None] = OrderedDict()

    def is_first(self, interaction: int) -> bool:
        """Whether this is the first call with that interaction."""
        if interaction in self._seen:
            return False
        self._seen[interaction] = None
        if len(self._seen) > MAX_REMEMBERED:
            self._seen.popitem(last=False)
        return True
