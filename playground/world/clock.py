"""The clock the playground runs on: the wall's, unless it is given another."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol


class Timer(Protocol):
    """Something that was arranged for later and may be called off."""

    def cancel(self) -> None:
        """Call it off; harmless when it has already happened."""


class Clock(Protocol):
    """Seconds since 1970, and appointments."""

    def now(self) -> float:
        """The time in seconds since 1970."""

    def call_later(self, delay: float, action: Callable[[], None]) -> Timer:
        """Arrange `action` for `delay` seconds from now."""


class SystemClock:
    """The real time, on the running event loop."""

    def now(self) -> float:
        return time.time()

    def call_later(self, delay: float, action: Callable[[], None]) -> Timer:
        return asyncio.get_running_loop().call_later(delay, action)


def format_timestamp(seconds: float) -> str:
    """A time as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()
