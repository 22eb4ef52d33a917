"""People's direct messages: opened when they come in, and later where Discord lets none be opened just now."""

from __future__ import annotations

import logging
from asyncio import sleep
from collections.abc import Callable

import discord

from cogs.table.state.surface_store import Displays
from cogs.table.transport.background_tasks import Tasks
from cogs.table.transport.network_errors import NETWORK, TOO_FAST_WAIT, named, passing, told_to_wait
from engines.store.surface_storage import Inbox

log = logging.getLogger(__name__)


class Inboxes:
    """Opens direct messages. `wake` is told of the matches whose hands may go on then."""

    def __init__(self, client: discord.Client, shown: Displays, wake: Callable[[str], None], tasks: Tasks) -> None:
        self._client = client
        self._shown = shown
        self._wake = wake
        self._tasks = tasks
        self._later: dict[int, set[str]] = {}  # the matches that wait until a person may be tried again

    async def open(self, user: int, match: str) -> Inbox | None:
        """Open somebody's direct messages who has just come in; None: not now, and `of` tries again."""
        try:
            return await self._opened(user)
        except NETWORK as error:
            log.info("Direct messages could not be opened: %s", named(error))
            await self._shown.put_inbox(user, 0, closed=False)
            if told_to_wait(error):
                self._wait(user, match)
            return None

    async def of(self, user: int, match: str, *, begun: bool) -> Inbox | None:
        """A person's direct messages where these are open; opened where that could not be done at first.

        Nobody has tried it yet while they come in; once the match has begun that can only be because of a crash.
        """
        inbox = await self._shown.inbox(user)
        if inbox is None and not begun:
            return None
        if inbox is not None and (inbox.channel or inbox.closed):
            return None if inbox.closed else inbox
        if user in self._later:
            self._wait(user, match)
            return None
        try:
            return await self._opened(user)
        except NETWORK as error:
            if told_to_wait(error):
                self._wait(user, match)
                return None
            if passing(error):
                raise
            await self._shown.put_inbox(user, 0, closed=True)
            return None

    async def _opened(self, user: int) -> Inbox:
        channel = (await self._client.create_dm(discord.Object(user))).id
        await self._shown.put_inbox(user, channel, closed=False)
        return Inbox(channel, closed=False)

    def _wait(self, user: int, match: str) -> None:
        self._later.setdefault(user, set()).add(match)
        self._tasks.start(f"inbox {user}", self._again, user)

    async def _again(self, user: int) -> None:
        await sleep(TOO_FAST_WAIT)
        for match in self._later.pop(user, set()):
            self._wake(match)
