"""Who is at a decision without having moved: known in memory at once, and told to the store some seconds later."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Busy:
    """Somebody in a seat is at that decision, last at that second, and stands on that way; None: where they stood."""

    match: str
    seat: int
    user: int
    decision: int
    since: int
    way: str | None = None


class Activity:
    """The newest of each seat, until the store knows it."""

    def __init__(self) -> None:
        self._noted: dict[tuple[str, int], Busy] = {}

    def __bool__(self) -> bool:
        """Whether there is something that the store does not know."""
        return bool(self._noted)

    def note(self, busy: Busy) -> None:
        """That is the newest of its seat. Where it tells of no way, the one that was told for that decision stays."""
        known = self._noted.get((busy.match, busy.seat))
        if known is not None and busy.way is None and (known.user, known.decision) == (busy.user, busy.decision):
            busy = replace(busy, way=known.way)
        self._noted[busy.match, busy.seat] = busy

    def ways(self, match: str) -> dict[int, str]:
        """The ways in a match that the store does not know, by seat."""
        there = (busy for busy in self._noted.values() if busy.match == match)
        return {busy.seat: busy.way for busy in there if busy.way is not None}

    def take(self) -> list[Busy]:
        """All that the store is to be told now."""
        found, self._noted = [*self._noted.values()], {}
        return found

    def put_back(self, busy: Busy) -> None:
        """The store could not be told; what was noted meanwhile is newer."""
        newer = self._noted.get((busy.match, busy.seat))
        self._noted[busy.match, busy.seat] = busy
        if newer is not None:
            self.note(newer)
