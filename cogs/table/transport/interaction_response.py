"""The one answer to an interaction, and the one boundary where errors become sentences."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar

import discord

from cogs.pictures.studio import Studio
from cogs.table.pages.page import Page
from cogs.table.pages.refusal_messages import sentence
from cogs.table.transport import discord_views
from cogs.table.transport.error_reports import unexpected
from cogs.table.transport.network_errors import NETWORK, named, passing
from cogs.table.transport.response_retry import ANSWERED, responded
from engines.hosting.match import Refused
from engines.kit.contract import IllegalMove
from engines.store.match_store import StoreFailure

log = logging.getLogger(__name__)
T = TypeVar("T")
Files = Sequence[discord.File]
Respond = Callable[[Files], Awaitable[T]]
IN_TIME = 1.5  # seconds; Discord waits for three
FIRST, LATER = 4, 10  # seconds that a first response, or a later one, may take; discord.py would try for 25
ANSWERED_EVENT = "motley_answer"  # of discord.py's client, with the Answer, when its work is done
GONE = {10062, ANSWERED, 10015, 50027}  # the interaction is gone, was answered already, or its token has lived
LOST = "Discord lost my answer on the way. What you did is saved: press **Show my hand** to see how things stand."
NO_CHANNEL, NO_MESSAGE = 10003, 10008
AWAY = {
    NO_CHANNEL: "The channel of this has just been deleted.",
    NO_MESSAGE: "A newer message has just taken the place of this one.",
}
SAVED = "That is saved. Press **Show my hand** at the table to see how things stand."


def now() -> float:
    """Seconds on a clock of which only differences mean anything."""
    return asyncio.get_running_loop().time()


class Ending(Protocol):
    """What may be ended before it comes to anything."""

    def cancel(self) -> object:
        """End it."""


def later(seconds: float, act: Callable[[], object]) -> Ending:
    """Have something done then: unlike a task that sleeps until then it costs next to nothing, and is rarely needed."""
    return asyncio.get_running_loop().call_later(seconds, act)


class Answer:
    """Answers once, and is acknowledged in time whatever the work takes.

    With `edits`, the answer is a change of the message that was clicked; else it is a message for the asker alone.
    """

    def __init__(
        self, interaction: discord.Interaction, studio: Studio, *, edits: bool = False, public: bool = False
    ) -> None:
        self.interaction = interaction
        self._studio = studio
        self.saved = False  # what was asked is committed: whatever happens now, it did not go wrong
        self.noted = False  # it is noted that the asker is at their decision
        self._edits = edits
        self._public = public
        self._lock = asyncio.Lock()
        self._taken = False  # Discord has a first response although its word of that was lost
        self._deferred = False
        self._began = now()
        self.first: float | None = None  # seconds until the first response

    @property
    def click(self) -> int:
        """The number by which Discord knows what was asked, however often it tells of it."""
        return self.interaction.id

    @property
    def took(self) -> float:
        """Seconds since it was asked."""
        return now() - self._began

    @property
    def given(self) -> bool:
        """Whether Discord has a first response."""
        return self._taken or self.interaction.response.is_done()

    @property
    def own(self) -> bool:
        """Whether the message that was clicked was for the asker alone."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    @property
    def in_private(self) -> bool:
        """Whether a message was clicked that stands in the asker's direct messages."""
        return self.interaction.message is not None and self.interaction.guild_id is None and not self.own

    async def update(self, page: Page) -> None:
        """Show the page in the message that was clicked."""
        files = await discord_views.files(page, self._studio)
        async with self._lock:
            if self.given:
                await self._edit_original(page, files)
            else:

                async def update(files: Files) -> bool:
                    await discord_views.answer(self.interaction, page, files)
                    return True

                await self._first(update, page, files)

    async def page(self, page: Page, *, public: bool = False) -> int:
        """Show the page in a message of its own, to the asker alone or to everybody; its id (0: not known)."""
        files = await discord_views.files(page, self._studio)
        async with self._lock:
            if not self.given:
                say = self.interaction.response.send_message
                said = await self._first(
                    lambda files: say(view=discord_views.view(page), files=files, ephemeral=not public), page, files
                )
                if said and said.message_id:
                    return said.message_id
                return (await self.interaction.original_response()).id if public else 0
            if self._deferred and not self._edits:
                self._deferred = False
                return await self._edit_original(page, files)
            async with asyncio.timeout(LATER):
                message = await self.interaction.followup.send(
                    view=discord_views.view(page), files=files, ephemeral=not public, wait=True
                )
            return message.id

    async def close(self) -> None:
        """Take away the message that was clicked, which the asker alone sees."""
        await self.acknowledge()
        async with asyncio.timeout(LATER):
            await self.interaction.delete_original_response()

    async def say(self, sentence: str) -> None:
        """Tell the asker alone."""
        async with self._lock:
            if not self.given:
                await self._first(lambda _: self.interaction.response.send_message(sentence, ephemeral=True))
                return
            async with asyncio.timeout(LATER):
                if self._deferred and not self._edits:
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
            if self.given:
                return
            defer = self.interaction.response.defer
            if self._edits:
                await self._first(lambda _: defer())
            else:
                await self._first(lambda _: defer(ephemeral=not self._public, thinking=True))
            self._deferred = True

    async def acknowledge_late(self) -> None:
        """Tell Discord so now that it gets late."""
        try:
            await self.acknowledge()
        except NETWORK as error:
            log.info("An interaction could not be acknowledged: %s", named(error))

    async def _first(self, respond: Respond[T], page: Page | None = None, files: Files = ()) -> T | None:
        """A first response; what Discord made of it, None where it has it and its word of that was lost."""

        async def once(again: bool) -> T:
            return await respond(await discord_views.files(page, self._studio) if page and again else files)

        async with asyncio.timeout(FIRST):
            made = await responded(once)
        self._taken, self.first = made is None, self.took
        return made

    async def _edit_original(self, page: Page, files: Files) -> int:
        """Edit the first response; once more where the connection broke, which changes nothing if it was taken."""
        edit = self.interaction.edit_original_response
        async with asyncio.timeout(LATER):
            try:
                return (await edit(view=discord_views.view(page), attachments=files)).id
            except NETWORK as error:
                if isinstance(error, discord.HTTPException):
                    raise
            return (
                await edit(view=discord_views.view(page), attachments=await discord_views.files(page, self._studio))
            ).id


@asynccontextmanager
async def answering(
    interaction: discord.Interaction, studio: Studio, *, edits: bool = False, public: bool = False
) -> AsyncIterator[Answer]:
    """The error boundary of commands, controls and modals: whatever happens inside, the asker gets a sentence."""
    answer = Answer(interaction, studio, edits=edits, public=public)
    late: list[Ending] = []
    late.append(later(IN_TIME, lambda: late.append(asyncio.create_task(answer.acknowledge_late(), name="acknowledge"))))
    try:
        yield answer
    except (Refused, IllegalMove, StoreFailure) as refusal:
        await _tell(answer, sentence(refusal))
    except Exception as error:  # noqa: BLE001  # the boundary
        await _failed(answer, error)
    finally:
        for each in late:
            each.cancel()
        interaction.client.dispatch(ANSWERED_EVENT, answer)


async def _failed(answer: Answer, error: Exception) -> None:
    """What the asker is told of an error, and the log."""
    if isinstance(error, discord.HTTPException) and error.code in GONE:
        log.info("An interaction was gone before its answer: %s", error.code)
    elif isinstance(error, discord.HTTPException) and error.code in AWAY:
        log.info("A message, or its channel, was gone before its answer: %s", error.code)
        said = AWAY[error.code]
        await _tell(answer, f"{said} {SAVED}" if answer.saved else said)
    elif passing(error):
        log.info("An answer was lost on the way: %s", named(error))
        await _tell(answer, LOST)
    else:
        said = unexpected(error)
        await _tell(answer, SAVED if answer.saved else said)


async def _tell(answer: Answer, sentence: str) -> None:
    try:
        await answer.say(sentence)
    except NETWORK as error:
        log.info("A sentence could not be delivered: %s", named(error))
