"""Reads the application's emoji from Discord, so that pages can show those with current drawings."""

from __future__ import annotations

import asyncio
import logging

import discord

from cogs.pictures.emoji import EmojiDrawings
from cogs.pictures.emoji_names import EmojiId, current_emoji
from cogs.pictures.studio import Studio
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.transport.background_tasks import BackgroundTasks
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error
from engines.store.clock import Clock

log = logging.getLogger(__name__)
READ_SECONDS = 5  # seconds that a start waits for the emoji
MIN_PAUSE = 60  # seconds between two readings


class EmojiReader:
    """Gives the studio the application's emoji, at the start, at each new session, and if Discord refuses one.

    Pages without them show the fallbacks. They are no part of a page's digest, so a message gets them at its next
    change, and no start redraws every match.
    """

    def __init__(
        self, client: discord.Client, studio: Studio, drawings: EmojiDrawings, tasks: BackgroundTasks, clock: Clock
    ) -> None:
        self._client, self._studio, self._drawings, self._tasks, self._clock = client, studio, drawings, tasks, clock
        self._read_at: float | None = None
        studio.emoji_listeners.append(self.start_reading)

    def start_reading(self) -> None:
        """Read them in the background, unless they were read a moment ago."""
        if self._read_at is None or self._clock.monotonic() - self._read_at >= MIN_PAUSE:
            self._tasks.start("emoji", self.read)

    async def read(self) -> None:
        """Read them. If Discord does not answer, keep those of the last reading."""
        self._read_at = self._clock.monotonic()
        try:
            async with asyncio.timeout(READ_SECONDS):
                uploaded = await self._client.fetch_application_emojis()
        except NETWORK_ERRORS as error:
            log.warning(
                "The application's emoji could not be read (%s). Text takes their place.", describe_error(error)
            )
            return
        found = [EmojiId(each.name, each.id) for each in uploaded]
        self._studio.emoji = await draw_in_thread(current_emoji, self._drawings, found)
        log.info("Emoji: %d of %d", len(self._studio.emoji), len(self._drawings))
