"""Notes that players are active between moves, which delays pings."""

from __future__ import annotations

import asyncio

from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.match_changes import MatchEditor
from engines.hosting.timing.player_activity import ActivityBuffer, SeatActivity
from engines.store.listeners import Listeners
from engines.store.match_store import Status, StoreFailure


class PlayerActivity:
    """Buffers activity, and saves it some seconds later."""

    def __init__(self, editor: MatchEditor) -> None:
        self._editor = editor
        self._buffer = ActivityBuffer()
        self._save_lock = asyncio.Lock()
        self.on_unsaved = Listeners[[]]()  # called when there is activity to save

    async def note_activity(self, snapshot: MatchSnapshot, seat: int, step_text: str | None = None) -> None:
        """Note that a seat is active without having moved, which delays a pending turn ping.

        `step_text` is the step towards a move; None leaves it unchanged. Seats that the match does not wait for are
        ignored. The store is updated with `save_activity`, or before due items are read; immediately if other processes
        read them.
        """
        if seat not in snapshot.due_seats():
            return
        activity = SeatActivity(
            snapshot.info.id,
            seat,
            snapshot.info.seats[seat].user,
            snapshot.decisions()[seat].number,
            self._editor.clock(),
            step_text,
        )
        if self._editor.store.is_shared:
            self._notify_due(await self._save_activity_in(snapshot, activity))
        else:
            self._buffer.add(activity)
            self.on_unsaved()

    async def load_move_steps(self, match: str) -> dict[int, str]:
        """Return each seat's step towards its move, as `note_activity` reported it. '' or nothing: not begun."""
        async with self._save_lock:  # what is being saved may be missing in both places
            return await self._editor.store.load_move_steps(match) | self._buffer.move_steps(match)

    def has_unsaved_activity(self) -> bool:
        """Whether some activity is not saved yet."""
        return bool(self._buffer)

    async def save_activity(self) -> None:
        """Save the activity in one transaction. Skip decisions that were made and people who left.

        Raises StoreFailure if the store fails; the activity is then saved later.
        """
        failed: StoreFailure | None = None
        async with self._save_lock:  # readers of due items wait until this is saved
            activities = self._buffer.take_all()
            try:
                found = await asyncio.gather(*map(self._save_seat_activity, activities), return_exceptions=True)
            except asyncio.CancelledError:
                for busy in activities:
                    self._buffer.put_back(busy)
                raise
            for busy, result in zip(activities, found, strict=True):
                if isinstance(result, StoreFailure):
                    self._buffer.put_back(busy)
                    failed = result
                elif isinstance(result, BaseException):
                    raise result
                else:
                    self._notify_due(result)
        if failed is not None:
            raise failed

    # Internal

    def _notify_due(self, at: int | None) -> None:
        if at is not None:
            self._editor.on_due(at)

    async def _save_seat_activity(self, activity: SeatActivity) -> int | None:
        """Return the time of the turn ping after this activity was saved, or None if there is none for the decision."""
        try:
            snapshot = await self._editor.cache.get_snapshot(activity.match)
        except RequestRefused:
            return None
        return await self._save_activity_in(snapshot, activity)

    async def _save_activity_in(self, snapshot: MatchSnapshot, activity: SeatActivity) -> int | None:
        decision, sits = snapshot.decisions().get(activity.seat), snapshot.info.seats[activity.seat]
        open_still = snapshot.info.status is Status.PAUSED if decision is None else decision.number == activity.decision
        if not open_still or not sits.owner_plays or sits.user != activity.user:
            return None
        return await self._editor.store.postpone_call(activity.match, activity.seat, activity.since, activity.step_text)
