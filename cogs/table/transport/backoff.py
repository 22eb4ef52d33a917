"""Backoff for reconnecting and resending, so that a short outage stays short."""

from __future__ import annotations

import asyncio
from typing import Any

import discord.client
import discord.http
import discord.shard
from discord.backoff import ExponentialBackoff
from discord.http import Ratelimit

SHORT_DELAY_TRIES = 64  # about three minutes
MAX_DELAY, MAX_LATER_DELAY = 5.0, 300.0  # seconds; Discord allows a thousand new sessions a day


class CappedBackoff(ExponentialBackoff[Any]):
    """Waits up to `MAX_DELAY` for some minutes, then up to `MAX_LATER_DELAY`; discord.py may wait 17 minutes."""

    def __init__(self, base: int = 1, *, integral: Any = False) -> None:
        super().__init__(base, integral=integral)
        self._tries = 0

    def delay(self) -> Any:
        """The next pause in seconds."""
        pause = super().delay()
        self._tries = 1 if self._exp == 1 else self._tries + 1
        return min(pause, MAX_DELAY if self._tries <= SHORT_DELAY_TRIES else MAX_LATER_DELAY)


class CancellableRatelimit(Ratelimit):
    """A rate limit that lets the next request in if the last one was cancelled; else that waits for half a minute."""

    def __init__(self, max_ratelimit_timeout: float | None) -> None:
        super().__init__(max_ratelimit_timeout)
        self._refresh_tasks: set[asyncio.Task[None]] = set()

    async def __aexit__(self, *raised: Any) -> None:
        """Release the limit after a request, even if it was cancelled."""
        try:
            await super().__aexit__(*raised)
        except asyncio.CancelledError:  # cancelled while waiting for the limit to reset
            self.reset_after = max(0.0, (self.expires or 0.0) - asyncio.get_running_loop().time())
            task = asyncio.create_task(self._refresh(), name="let the next request in")
            self._refresh_tasks.add(task)
            task.add_done_callback(self._refresh_tasks.discard)
            raise


def install_backoff() -> None:
    """Make discord.py's clients use this backoff; they have no setting for it."""
    for module in (discord.client, discord.shard):
        vars(module)["ExponentialBackoff"] = CappedBackoff
    vars(discord.http)["Ratelimit"] = CancellableRatelimit
