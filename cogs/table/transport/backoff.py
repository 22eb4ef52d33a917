"""How long discord.py waits to connect again, and to send: an outage costs little more than its length."""

from __future__ import annotations

import asyncio
from typing import Any

import discord.client
import discord.http
import discord.shard
from discord.backoff import ExponentialBackoff
from discord.http import Ratelimit

SHORT_DELAY_TRIES = 64  # some three minutes
MAX_DELAY, MAX_LATER_DELAY = 5.0, 300.0  # seconds; Discord allows a thousand new sessions a day


class CappedBackoff(ExponentialBackoff[Any]):
    """Up to five seconds for some minutes, then as discord.py does, which after ten tries may wait 17 minutes."""

    def __init__(self, base: int = 1, *, integral: Any = False) -> None:
        super().__init__(base, integral=integral)
        self._tries = 0

    def delay(self) -> Any:
        """The next pause in seconds."""
        pause = super().delay()
        self._tries = 1 if self._exp == 1 else self._tries + 1
        return min(pause, MAX_DELAY if self._tries <= SHORT_DELAY_TRIES else MAX_LATER_DELAY)


class CancellableRatelimit(Ratelimit):
    """Lets the next request in where the one before is cut short as it ends; else that waits for half a minute."""

    def __init__(self, max_ratelimit_timeout: float | None) -> None:
        super().__init__(max_ratelimit_timeout)
        self._refresh_tasks: set[asyncio.Task[None]] = set()

    async def __aexit__(self, *raised: Any) -> None:
        """The request is done, or was given up."""
        try:
            await super().__aexit__(*raised)
        except asyncio.CancelledError:  # it has waited for the limit to end, and does so no longer
            self.reset_after = max(0.0, (self.expires or 0.0) - asyncio.get_running_loop().time())
            task = asyncio.create_task(self._refresh(), name="let the next request in")
            self._refresh_tasks.add(task)
            task.add_done_callback(self._refresh_tasks.discard)
            raise


def install_backoff() -> None:
    """Have discord.py's clients wait like that; they offer no setting for it."""
    for module in (discord.client, discord.shard):
        vars(module)["ExponentialBackoff"] = CappedBackoff
    vars(discord.http)["Ratelimit"] = CancellableRatelimit
