"""Buffers players' activity between moves: in memory at once, in the store some seconds later."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class SeatActivity:
    """A player's last activity for a decision: its time in seconds, and the move step; None means unchanged."""

    match: str
    seat: int
    user: int
    decision: int
    since: int
    step_text: str | None = None


class ActivityBuffer:
    """The newest activity of each seat that is not saved yet."""

    def __init__(self) -> None:
        self._unsaved: dict[tuple[str, int], SeatActivity] = {}

    def __bool__(self) -> bool:
        """Whether some activity is not saved yet."""
        return bool(self._unsaved)

    def add(self, activity: SeatActivity) -> None:
        """Add a seat's newest activity. Without a step, it keeps the earlier step of the same decision."""
        known = self._unsaved.get((activity.match, activity.seat))
        if (
            known is not None
            and activity.step_text is None
            and (known.user, known.decision) == (activity.user, activity.decision)
        ):
            activity = replace(activity, step_text=known.step_text)
        self._unsaved[activity.match, activity.seat] = activity

    def move_steps(self, match: str) -> dict[int, str]:
        """Return the unsaved move steps of a match, by seat."""
        entries = (busy for busy in self._unsaved.values() if busy.match == match)
        return {busy.seat: busy.step_text for busy in entries if busy.step_text is not None}

    def take_all(self) -> list[SeatActivity]:
        """Take out everything to save now."""
        found, self._unsaved = [*self._unsaved.values()], {}
        return found

    def put_back(self, activity: SeatActivity) -> None:
        """Put back what could not be saved. Activity added in the meantime is newer."""
        newer = self._unsaved.get((activity.match, activity.seat))
        self._unsaved[activity.match, activity.seat] = activity
        if newer is not None:
            self.add(newer)
