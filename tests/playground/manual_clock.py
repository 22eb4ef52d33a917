"""A clock that tests advance by hand."""

from __future__ import annotations

import time
from collections.abc import Callable

from playground.world.clock import Timer


class ManualClock:
    """The real time plus what a test has added; timers run when the clock is advanced."""

    def __init__(self) -> None:
        self._offset = 0.0
        self._appointments: list[tuple[float, _Appointment]] = []

    def now(self) -> float:
        return time.time() + self._offset

    def call_later(self, delay: float, action: Callable[[], None]) -> Timer:
        appointment = _Appointment(action)
        self._appointments.append((self.now() + delay, appointment))
        return appointment

    def freeze(self) -> None:
        moment = self.now()
        self.now = lambda: moment  # type: ignore[method-assign]

    def advance(self, seconds: float) -> None:
        """Advance the clock and run the timers that are due, oldest first."""
        self._offset += seconds
        due = sorted((entry for entry in self._appointments if entry[0] <= self.now()), key=lambda entry: entry[0])
        self._appointments = [entry for entry in self._appointments if entry not in due]
        for _, appointment in due:
            appointment.run_action()


class _Appointment:
    def __init__(self, action: Callable[[], None]) -> None:
        self._action: Callable[[], None] | None = action

    def cancel(self) -> None:
        self._action = None

    def run_action(self) -> None:
        if self._action is not None:
            self._action()
