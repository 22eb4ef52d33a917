"""Edits that were interrupted: Discord may apply one after a newer edit, so the message is redrawn some time later."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

import discord

from cogs.table.transport.background_tasks import BackgroundTasks, retry_until_done
from cogs.table.transport.network_errors import NETWORK_ERRORS
from engines.store.clock import Clock

RECHECK_DELAYS = 6, 24  # seconds; few requests take Discord longer than the first, almost none longer than both
RedrawCallback = Callable[[], Awaitable[None]]


class InterruptedEdits:
    """Redraws messages, each identified by a key, after an interrupted edit. In memory only."""

    def __init__(self, tasks: BackgroundTasks, clock: Clock) -> None:
        self._clock = clock
        self._tasks = tasks

    @contextmanager
    def watch_edit(self, key: Sequence[object], redraw: RedrawCallback) -> Iterator[None]:
        """Watch an edit. If it ends without an answer from Discord, expect it to arrive late."""
        try:
            yield
        except (*NETWORK_ERRORS, asyncio.CancelledError) as error:
            if not isinstance(error, discord.DiscordException):
                self.expect_late_edit(key, redraw)
            raise

    def expect_late_edit(self, key: Sequence[object], redraw: RedrawCallback) -> None:
        """Redraw the message later, because an outdated edit may still arrive."""
        self._tasks.stop(_task_name(key))
        self._tasks.start(_task_name(key), self._redraw_later, redraw)

    def expects_late_edit(self, key: Sequence[object]) -> bool:
        """Whether an outdated edit of this message may still arrive."""
        return self._tasks.is_running(_task_name(key))

    async def _redraw_later(self, redraw: RedrawCallback) -> None:
        for wait in RECHECK_DELAYS:
            await self._clock.sleep(wait)
            await retry_until_done(self._clock, redraw)


def _task_name(key: Sequence[object]) -> str:
    return " ".join(map(str, ("overtaken", *key)))
