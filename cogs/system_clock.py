"""The clock of a running bot: the system's time, and the event loop's sleep and timers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import discord

from engines.store.clock import Timer


class SystemClock:
    """Implements `Clock`. Its wall clock is discord.py's, by which interactions expire."""

    def now(self) -> int:
        """Return the time in Unix seconds."""
        return int(discord.utils.utcnow().timestamp())

    def monotonic(self) -> float:
        """Return the event loop's time in seconds."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Sleep that many seconds."""
        await asyncio.sleep(seconds)

    def call_later(self, seconds: float, act: Callable[[], object]) -> Timer:
        """Call `act` after that many seconds."""
        return asyncio.get_running_loop().call_later(seconds, act)
