"""Who is at a decision without having moved: known in memory at once, and told to the store some seconds later."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class SeatActivity:
    """Somebody in a seat is at that decision, last at that second, and stands on that way; None: where they stood."""

    match: str
    seat: int
    user: int
    decision: int
    since: int
    step_text: str | None = None


class ActivityBuffer:
    """The newest of each seat, until the store knows it."""

    def __init__(self) -> None:
        self._unsaved: dict[tuple[str, int], SeatActivity] = {}

    def __bool__(self) -> bool:
        """Whether there is something that the store does not know."""
        return bool(self._unsaved)

    def add(self, activity: SeatActivity) -> None:
        """That is the newest of its seat. Where it tells of no way, the one that was told for that decision stays."""
        known = self._unsaved.get((activity.match, activity.seat))
        if (
            known is not None
            and activity.step_text is None
            and (known.user, known.decision) == (activity.user, activity.decision)
        ):
            activity = replace(activity, step_text=known.step_text)
        self._unsaved[activity.match, activity.seat] = activity

    def ways(self, match: str) -> dict[int, str]:
        """The ways in a match that the store does not know, by seat."""
        there = (busy for busy in self._unsaved.values() if busy.match == match)
        return {busy.seat: busy.step_text for busy in there if busy.step_text is not None}

    def take_all(self) -> list[SeatActivity]:
        """All that the store is to be told now."""
        found, self._unsaved = [*self._unsaved.values()], {}
        return found

    def put_back(self, activity: SeatActivity) -> None:
        """The store could not be told; what was noted meanwhile is newer."""
        newer = self._unsaved.get((activity.match, activity.seat))
        self._unsaved[activity.match, activity.seat] = activity
        if newer is not None:
            self.add(newer)
