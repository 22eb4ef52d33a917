"""Recognizes interactions that Discord delivers twice, so that each gets one reply, and knows the last ones."""

from __future__ import annotations

from collections import OrderedDict

LAST_OF_USER = 5  # interactions of one person
MAX_REMEMBERED = 2000  # interactions; a duplicate arrives with the next connection at the latest


class Deduplicator:
    """Remembers recent interactions."""

    def __init__(self) -> None:
        self._seen: OrderedDict[int, int] = OrderedDict()
        self._is_closed = False

    def close(self) -> None:
        """Count no interaction as first any more, because the bot ends."""
        self._is_closed = True

    def is_first(self, interaction: int, user: int) -> bool:
        """Whether this is the first call with that interaction of a user, so that it gets a reply."""
        if self._is_closed or interaction in self._seen:
            return False
        self._seen[interaction] = user
        if len(self._seen) > MAX_REMEMBERED:
            self._seen.popitem(last=False)
        return True

    def last_of(self, user: int) -> tuple[int, ...]:
        """The last interactions of a user that this process remembers, oldest first."""
        return tuple(interaction for interaction, by in self._seen.items() if by == user)[-LAST_OF_USER:]
