"""Limits how many things a person may have computed at once. The worker pool serves them in turn besides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from engines.hosting.match import RequestRefused


class RequestsAtOnce:
    """What is being computed for each person, in this process."""

    def __init__(self, most: int, refusal: str) -> None:
        self._most = most
        self._refusal = refusal  # a sentence for the player
        self._going: dict[int, Counter[Hashable]] = {}

    @contextmanager
    def count(self, user: int, what: Hashable) -> Iterator[None]:
        """Count a request inside this block; the same thing counts once. Raises RequestRefused for one too many."""
        going = self._going.setdefault(user, Counter())
        if what not in going and len(going) >= self._most:
            raise RequestRefused(self._refusal)
        going[what] += 1
        try:
            yield
        finally:
            going[what] -= 1
            if not going[what]:
                del going[what]
            if not going:
                self._going.pop(user, None)
