"""The clock: the only way to read the time, to sleep and to set timers. The wiring hands it in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """A call that was set for later."""

    def cancel(self) -> object:
        """Cancel the call."""


class Clock(Protocol):
    """Wall clock, monotonic clock, sleep and timers. `cogs/system_clock.py` has the real one."""

    def now(self) -> int:
        """Return the wall clock in Unix seconds. It can jump."""

    def monotonic(self) -> float:
        """Return seconds that never go back; only differences are meaningful."""

    async def sleep(self, seconds: float, /) -> None:
        """Sleep that many seconds."""

    def call_later(self, seconds: float, act: Callable[[], object], /) -> Timer:
        """Call `act` after that many seconds."""
