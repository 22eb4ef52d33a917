"""Discord may tell of the same click or command twice: it is answered once."""

from __future__ import annotations

from collections import OrderedDict

MOST = 2000  # that are remembered; the second one comes with the next connection at the latest


class Once:
    """The interactions that came lately."""

    def __init__(self) -> None:
        self._seen: OrderedDict[int, None] = OrderedDict()

    def first(self, interaction: int) -> bool:
        """Whether nobody has asked about it yet."""
        if interaction in self._seen:
            return False
        self._seen[interaction] = None
        if len(self._seen) > MOST:
            self._seen.popitem(last=False)
        return True
