"""The one answer to an interaction, and the one boundary where errors become sentences."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord

from cogs.table import send
from cogs.table.faults import unexpected
from cogs.table.page import Page
from engines.game import IllegalMove
from engines.match import Refused
from engines.store import StoreFailure

log = logging.getLogger(__name__)
IN_TIME = 1.5  # seconds; Discord waits for three
GONE = {10062, 40060, 10015, 50027}  # the interaction is gone, was answered already, or its token has lived


class Answer:
    """Answers once, and is acknowledged in time whatever the work takes.

    With `edits`, the answer is a change of the message that was clicked; else it is a message for the asker alone.
    """

    def __init__(self, interaction: discord.Interaction, *, edits: bool = False, public: bool = False) -> None:
        self.interaction = interaction
        self._edits = edits
        self._public = public
        self._lock = asyncio.Lock()
        self._deferred = False

    async def update(self, page: Page) -> None:
        """Show the page in the message that was clicked."""
        files = await send.files(page)
        async with self._lock:
            if self.interaction.response.is_done():
                await self.interaction.edit_original_response(view=send.view(page), attachments=files)
            else:
                await self.interaction.response.edit_message(view=send.view(page), attachments=files)

    async def page(self, page: Page, *, public: bool = False) -> int:
        """Show the page in a message of its own, to the asker alone or to everybody; its id."""
        files = await send.files(page)
        async with self._lock:
            response = self.interaction.response
            if not response.is_done():
                sent = await response.send_message(view=send.view(page), files=files, ephemeral=not public)
                return sent.message_id or 0
            if self._deferred and not self._edits:
                self._deferred = False
                edited = await self.interaction.edit_original_response(view=send.view(page), attachments=files)
                return edited.id
            message = await self.interaction.followup.send(
                view=send.view(page), files=files, ephemeral=not public, wait=True
            )
            return message.id

    async def say(self, sentence: str) -> None:
        """Tell the asker alone."""
        async with self._lock:
            if not self.interaction.response.is_done():
                await self.interaction.response.send_message(sentence, ephemeral=True)
            elif self._deferred and not self._edits:
                await self._say_deferred(sentence)
            else:
                await self.interaction.followup.send(sentence, ephemeral=True)

    async def _say_deferred(self, sentence: str) -> None:
        self._deferred = False
        if self._public:  # what everybody would see is taken back
            await self.interaction.delete_original_response()
            await self.interaction.followup.send(sentence, ephemeral=True)
        else:
            await self.interaction.edit_original_response(content=sentence)

    async def acknowledge(self) -> None:
        """Tell Discord that the answer will come."""
        async with self._lock:
            if self.interaction.response.is_done():
                return
            self._deferred = True
            if self._edits:
                await self.interaction.response.defer()
            else:
                await self.interaction.response.defer(ephemeral=not self._public, thinking=True)

    async def acknowledge_late(self) -> None:
        """Tell Discord so once it gets late."""
        await asyncio.sleep(IN_TIME)
        try:
            await self.acknowledge()
        except discord.HTTPException as error:
            log.info("An interaction could not be acknowledged: %s", error.code)


@asynccontextmanager
async def answering(
    interaction: discord.Interaction, *, edits: bool = False, public: bool = False
) -> AsyncIterator[Answer]:
    """The error boundary of commands, controls and modals: whatever happens inside, the asker gets a sentence."""
    answer = Answer(interaction, edits=edits, public=public)
    late = asyncio.create_task(answer.acknowledge_late(), name=f"acknowledge {interaction.id}")
    try:
        yield answer
    except (Refused, IllegalMove, StoreFailure) as refusal:
        await _tell(answer, str(refusal))
    except Exception as error:  # noqa: BLE001  # the boundary
        if isinstance(error, discord.HTTPException) and error.code in GONE:
            log.info("An interaction was gone before its answer: %s", error.code)
        else:
            await _tell(answer, unexpected(error))
    finally:
        late.cancel()


async def _tell(answer: Answer, sentence: str) -> None:
    try:
        await answer.say(sentence)
    except discord.HTTPException as error:
        log.info("A sentence could not be delivered: %s", error.code)
