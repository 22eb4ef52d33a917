"""Edits that were cut short: Discord may carry one out after a newer one. The message is shown anew some time later."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import discord

from cogs.table.network import NETWORK
from cogs.table.tasks import Tasks, persist
from engines.shown import Kind

WAITS = 6, 24  # seconds; few requests take Discord longer than the first, hardly any longer than both


class Overtaken:
    """Has messages looked at once more. Nothing of this outlives the process."""

    def __init__(self, anew: Callable[[str, Kind, int], Awaitable[None]], tasks: Tasks) -> None:
        self._anew = anew
        self._tasks = tasks

    @contextmanager
    def noted(self, match: str, kind: Kind, seat: int) -> Iterator[None]:
        """What is sent in here and ends without a word of Discord's, it may do yet."""
        try:
            yield
        except (*NETWORK, asyncio.CancelledError) as error:
            if not isinstance(error, discord.DiscordException):
                self.expect(match, kind, seat)
            raise

    def expect(self, match: str, kind: Kind, seat: int) -> None:
        """Something that this message should not show any more may come yet."""
        name = f"overtaken {match} {kind} {seat}"
        self._tasks.stop(name)
        self._tasks.start(name, self._look, match, kind, seat)

    async def _look(self, match: str, kind: Kind, seat: int) -> None:
        for wait in WAITS:
            await sleep(wait)
            await persist(self._anew, match, kind, seat)
