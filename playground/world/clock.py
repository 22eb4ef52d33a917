"""The playground's clock: real time, unless another clock is given."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol


class Timer(Protocol):
    """An action that is scheduled and can be cancelled."""

    def cancel(self) -> None:
        """Cancel it; harmless if it has already happened."""


class Clock(Protocol):
    """Seconds since 1970, and timers."""

    def now(self) -> float:
        """Return the time in seconds since 1970."""

    def call_later(self, delay: float, action: Callable[[], None]) -> Timer:
        """Run `action` after `delay` seconds."""


class SystemClock:
    """The real time, on the running event loop."""

    def now(self) -> float:
        return time.time()

    def call_later(self, delay: float, action: Callable[[], None]) -> Timer:
        return asyncio.get_running_loop().call_later(delay, action)


def format_timestamp(seconds: float) -> str:
    """Return a time as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()
