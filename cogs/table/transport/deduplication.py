"""Discord may tell of the same click or command twice: it is answered once."""

from __future__ import annotations

from collections import OrderedDict

MAX_REMEMBERED = 2000  # that are remembered; the second one comes with the next connection at the latest


class Deduplicator:
    """The interactions that came lately."""

    def __init__(self) -> None:
        self._seen: OrderedDict[int, None] = OrderedDict()

    def is_first(self, interaction: int) -> bool:
        """Whether nobody has asked about it yet."""
        if interaction in self._seen:
            return False
        self._seen[interaction] = None
        if len(self._seen) > MAX_REMEMBERED:
            self._seen.popitem(last=False)
        return True
