"""Edits that were cut short: Discord may carry one out after a newer one. The message is shown anew some time later."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

import discord

from cogs.table.transport.background_tasks import Tasks, persist
from cogs.table.transport.network_errors import NETWORK

WAITS = 6, 24  # seconds; few requests take Discord longer than the first, hardly any longer than both
Anew = Callable[[], Awaitable[None]]


class Overtaken:
    """Has messages, each by some key, looked at once more. Nothing of this outlives the process."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    @contextmanager
    def noted(self, key: Sequence[object], anew: Anew) -> Iterator[None]:
        """What is sent in here and ends without a word of Discord's, it may do yet."""
        try:
            yield
        except (*NETWORK, asyncio.CancelledError) as error:
            if not isinstance(error, discord.DiscordException):
                self.expect(key, anew)
            raise

    def expect(self, key: Sequence[object], anew: Anew) -> None:
        """Something that this message should not show any more may come yet."""
        self._tasks.stop(_name(key))
        self._tasks.start(_name(key), self._look, anew)

    def expects(self, key: Sequence[object]) -> bool:
        """Whether that is so."""
        return self._tasks.runs(_name(key))

    async def _look(self, anew: Anew) -> None:
        for wait in WAITS:
            await sleep(wait)
            await persist(anew)


def _name(key: Sequence[object]) -> str:
    return " ".join(map(str, ("overtaken", *key)))
