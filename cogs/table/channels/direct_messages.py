"""Opens people's direct messages when they join a match, and retries if Discord refuses for the moment."""

from __future__ import annotations

import logging
from asyncio import sleep
from collections.abc import Callable

import discord

from cogs.table.state.surface_store import SurfaceCache
from cogs.table.transport.background_tasks import BackgroundTasks
from cogs.table.transport.network_errors import NETWORK_ERRORS, TOO_FAST_WAIT, describe_error, is_transient, retry_after
from engines.store.surface_storage import Inbox

log = logging.getLogger(__name__)


class DirectMessages:
    """Opens direct messages. After a wait, `wake` is called with each match that can retry."""

    def __init__(
        self, client: discord.Client, surfaces: SurfaceCache, wake: Callable[[str], None], tasks: BackgroundTasks
    ) -> None:
        self._client = client
        self._surfaces = surfaces
        self._wake = wake
        self._tasks = tasks
        self._waiting_matches: dict[int, set[str]] = {}  # the matches that wait to retry, by person

    async def open_inbox(self, user: int, match: str) -> Inbox | None:
        """Open the direct messages of a person who just joined; None if that failed, and `inbox_of` retries later."""
        try:
            return await self._open_channel(user)
        except NETWORK_ERRORS as error:
            log.info("Direct messages could not be opened: %s", describe_error(error))
            await self._surfaces.put_inbox(user, 0, closed=False)
            if retry_after(error):
                self._retry_later(user, match)
            return None

    async def inbox_of(self, user: int, match: str, *, has_begun: bool) -> Inbox | None:
        """A person's direct messages, or None if not open. Retries an earlier failure. Raises transient errors.

        If nobody has tried to open them, the person is just joining; after the match has begun, a crash is the reason.
        """
        inbox = await self._surfaces.inbox(user)
        if inbox is None and not has_begun:
            return None
        if inbox is not None and (inbox.channel or inbox.closed):
            return None if inbox.closed else inbox
        if user in self._waiting_matches:
            self._retry_later(user, match)
            return None
        try:
            return await self._open_channel(user)
        except NETWORK_ERRORS as error:
            if retry_after(error):
                self._retry_later(user, match)
                return None
            if is_transient(error):
                raise
            await self._surfaces.put_inbox(user, 0, closed=True)
            return None

    async def _open_channel(self, user: int) -> Inbox:
        channel = (await self._client.create_dm(discord.Object(user))).id
        await self._surfaces.put_inbox(user, channel, closed=False)
        return Inbox(channel, closed=False)

    def _retry_later(self, user: int, match: str) -> None:
        self._waiting_matches.setdefault(user, set()).add(match)
        self._tasks.start(f"inbox {user}", self._wake_later, user)

    async def _wake_later(self, user: int) -> None:
        await sleep(TOO_FAST_WAIT)
        for match in self._waiting_matches.pop(user, set()):
            self._wake(match)
