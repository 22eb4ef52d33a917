"""The reply to an interaction, and the boundary that turns errors into sentences for players."""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import discord

from cogs.pictures.emoji_names import EmojiIds
from cogs.pictures.studio import Studio
from cogs.table.pages.page import Form, Page, Place
from cogs.table.pages.refusal_messages import refusal_text
from cogs.table.state.person_shares import PersonShares, count_post
from cogs.table.transport import discord_views
from cogs.table.transport.discord_internals import ComponentsView, dispatch, respond_with_edit
from cogs.table.transport.error_reports import report_unexpected
from cogs.table.transport.network_errors import NETWORK_ERRORS, NO_CHANNEL, NO_MESSAGE, describe_error, is_transient
from engines.hosting.match import RequestRefused
from engines.kit.errors import IllegalMove
from engines.store.clock import Clock, Timer
from engines.store.match_store import StoreFailure

log = logging.getLogger(__name__)
T = TypeVar("T")
Files = Sequence[discord.File]
Respond = Callable[[Files, EmojiIds], Awaitable[T]]
ACKNOWLEDGE_AFTER = 1.5  # seconds; Discord allows three
MAX_TRIES = 8
TRY_SECONDS, TRY_GAP = 0.8, 0.4  # seconds: the timeout of a hasty try, and the shortest time from one try to the next
HASTY_TRIES = 2  # tries with a timeout: discord.py itself waits 1, then 3 seconds after an error; later tries have none
ALREADY_ANSWERED = 40060  # the interaction has a first response
FIRST_TIMEOUT, LATER_TIMEOUT = 4, 10  # seconds for the first response and for later ones; discord.py would try for 25
PLACE_FIELD = "clicked_place"  # in the data of an interaction; the client adds it
REPLY_EVENT = "motley_answer"  # dispatched on discord.py's client with the InteractionReply when its work is done
GONE_CODES = {10062, ALREADY_ANSWERED, 10015, 50027}  # unknown interaction, already answered, or its token is invalid
TOO_LATE_TEXT = "Opening the form took too long. Please try again."
LOST_TEXT = "Discord lost my reply. What you did is saved. Press **Show my hand** to see the current state."
DELETED_TEXTS = {
    NO_CHANNEL: "This channel has just been deleted.",
    NO_MESSAGE: "A newer message has just replaced this one.",
}
SAVED_TEXT = "What you did is saved. Press **Show my hand** at the table to see the current state."


class UnansweredInteraction(Exception):
    """The code for a request ended without a reply. This is a fault of the bot; the boundary answers instead."""


class InteractionReply:
    """Replies to an interaction once, and acknowledges it in time if the work takes long.

    With `edits`, the reply changes the clicked message. Else it is a new message: ephemeral, or with `public` for
    everyone.
    """

    def __init__(
        self,
        interaction: discord.Interaction,
        studio: Studio,
        clock: Clock,
        *,
        edits: bool = False,
        public: bool = False,
    ) -> None:
        self.interaction = interaction
        self._studio = studio
        self._clock = clock
        self.is_saved = False  # whether the request is committed: later errors do not undo it
        self.noted = False  # whether the player's activity at their decision is noted
        self._edits_message = edits
        self._is_public = public
        self._is_new_public: bool | None = None  # whether everybody sees the first response; None: it is no new message
        self._lock = asyncio.Lock()
        self.was_answered_elsewhere = False  # whether another process gave the first response
        self._has_tried = False  # whether this process has sent a first response, which may have been accepted
        self._was_taken = False  # Discord accepted the first response, but its answer was lost
        self._is_deferred = False
        self._started_at = clock.monotonic()
        self.first_response_seconds: float | None = None  # seconds until the first response

    @property
    def click_id(self) -> int:
        """Discord's id of the interaction, the same for each delivery."""
        return self.interaction.id

    @property
    def elapsed(self) -> float:
        """Seconds since the interaction arrived."""
        return self._clock.monotonic() - self._started_at

    @property
    def has_responded(self) -> bool:
        """Whether Discord has accepted a first response."""
        return self._was_taken or self.interaction.response.is_done()

    @property
    def clicked_ephemeral(self) -> bool:
        """Whether the clicked message is ephemeral."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    def _require_reader(self, page: Page, *, is_public: bool) -> None:
        """Check that nobody but its reader will see a private page. Raises WrongReader."""
        if page.reader is not None:
            seen_by_all = is_public and self.interaction.guild_id is not None
            page.require_reader(is_seen_by=None if seen_by_all else self.interaction.user.id)

    @property
    def _is_answer_public(self) -> bool:
        """Whether everybody sees the message that the next edit changes: the new one, or else the clicked one."""
        message = self.interaction.message
        if self._is_new_public is not None or message is None:
            return bool(self._is_new_public)
        return not message.flags.ephemeral

    @property
    def clicked_in_dm(self) -> bool:
        """Whether the clicked message is in the player's direct messages."""
        return self.interaction.message is not None and self.interaction.guild_id is None and not self.clicked_ephemeral

    @property
    def clicked_id(self) -> str:
        """The custom_id of the clicked control; empty for a command."""
        data: Mapping[str, object] = self.interaction.data or {}
        return str(data.get("custom_id", ""))

    @property
    def clicked_place(self) -> Place | None:
        """The place of the clicked control on its message; None if it is not there."""
        data: Mapping[str, Any] = self.interaction.data or {}
        return data.get(PLACE_FIELD)

    async def update_message(self, page: Page) -> None:
        """Show the page in the clicked message. Raises WrongReader if others may see that."""
        self._require_reader(page, is_public=self._is_answer_public)
        files = await discord_views.page_files(page, self._studio)
        async with self._lock:
            if self.has_responded:
                await self._edit_original(page, files)
            else:

                async def respond(files: Files, emoji: EmojiIds) -> bool:
                    await respond_with_edit(self.interaction, self._view(page, emoji), files, discord_views.NO_MENTIONS)
                    return True

                await self._respond_first(respond, page, files)

    async def show_page(self, page: Page) -> int:
        """Show the page in the clicked message if that is ephemeral, else in a new message. Returns the message's id; 0
        if unknown. Raises WrongReader.
        """
        message = self.interaction.message
        if not self.clicked_ephemeral or message is None:
            return await self.send_page(page)
        await self.update_message(page)
        return message.id

    async def send_page(self, page: Page, *, public: bool = False) -> int:
        """Show the page in a new message, ephemeral unless `public`. Returns its id; 0 if unknown.

        Raises WrongReader if others may see it, and RequestRefused if it is one too many public message.
        """
        is_public = public or (self._is_public and self._is_deferred)
        if is_public:
            count_post()
        self._require_reader(page, is_public=is_public)
        files = await discord_views.page_files(page, self._studio)
        async with self._lock:
            if not self.has_responded:
                say = self.interaction.response.send_message
                response = await self._respond_first(
                    lambda files, emoji: say(view=self._view(page, emoji), files=files, ephemeral=not public),
                    page,
                    files,
                )
                self._is_new_public = public
                if response and response.message_id:
                    return response.message_id
                return (await self.interaction.original_response()).id if public else 0
            if self._is_deferred and not self._edits_message:
                self._is_deferred = False
                return await self._edit_original(page, files)

            async def send(files: Files, emoji: EmojiIds) -> int:
                view, later = self._view(page, emoji), self.interaction.followup
                return (await later.send(view=view, files=files, ephemeral=not public, wait=True)).id

            async with asyncio.timeout(LATER_TIMEOUT):
                return await self._with_files(send, page, files)

    async def open_form(self, form: Form) -> None:
        """Open a form. Discord allows this only as the first response. Raises RequestRefused if it is too late."""
        async with self._lock:
            if self.has_responded:
                raise RequestRefused(TOO_LATE_TEXT)
            respond = self.interaction.response.send_modal
            await self._respond_first(lambda *_: respond(discord_views.form_modal(form)))

    def _view(self, page: Page, emoji: EmojiIds) -> ComponentsView:
        return discord_views.page_view(page, emoji, self._studio.name_commands)

    async def delete_clicked(self) -> None:
        """Delete the clicked ephemeral message."""
        await self.acknowledge()
        async with asyncio.timeout(LATER_TIMEOUT):
            await self.interaction.delete_original_response()

    async def send_text(self, text: str) -> None:
        """Send an ephemeral text."""
        text = self._studio.name_commands(text)
        async with self._lock:
            if not self.has_responded:
                await self._respond_first(lambda *_: self.interaction.response.send_message(text, ephemeral=True))
                self._is_new_public = False
                return
            async with asyncio.timeout(LATER_TIMEOUT):
                if self._is_deferred and not self._edits_message:
                    await self._send_deferred_text(text)
                else:
                    await self.interaction.followup.send(text, ephemeral=True)

    async def _send_deferred_text(self, text: str) -> None:
        self._is_deferred = False
        if self._is_public:  # the public placeholder must not become the text
            await self.interaction.delete_original_response()
            await self.interaction.followup.send(text, ephemeral=True)
        else:
            await self.interaction.edit_original_response(content=text)

    async def acknowledge(self) -> None:
        """Tell Discord that the reply will follow."""
        async with self._lock:
            if self.has_responded:
                return
            defer = self.interaction.response.defer
            if self._edits_message:
                await self._respond_first(lambda *_: defer())
            else:
                await self._respond_first(lambda *_: defer(ephemeral=not self._is_public, thinking=True))
                self._is_new_public = self._is_public
            self._is_deferred = True

    async def acknowledge_late(self) -> None:
        """Acknowledge when time runs short; a network error is only logged."""
        try:
            await self.acknowledge()
        except NETWORK_ERRORS as error:
            log.info("An interaction could not be acknowledged: %s", describe_error(error))

    async def _respond_first(self, respond: Respond[T], page: Page | None = None, files: Files = ()) -> T | None:
        """Send the first response. Returns Discord's answer; None if Discord accepted it but the answer was lost."""

        async def attempt(is_retry: bool) -> T:
            return await self._with_files(respond, page, None if is_retry else files)

        is_fresh, self._has_tried = not self._has_tried, True
        try:
            async with asyncio.timeout(FIRST_TIMEOUT):
                response = await retry_response(attempt)
        except discord.HTTPException as error:
            self.was_answered_elsewhere |= is_fresh and error.code == ALREADY_ANSWERED
            raise
        self._was_taken, self.first_response_seconds = response is None, self.elapsed
        return response

    async def _edit_original(self, page: Page, files: Files) -> int:
        """Edit the first response. Retries once after a broken connection, because an edit can safely repeat."""

        async def edit(files: Files, emoji: EmojiIds) -> int:
            view = self._view(page, emoji)
            return (await self.interaction.edit_original_response(view=view, attachments=files)).id

        async with asyncio.timeout(LATER_TIMEOUT):
            try:
                return await self._with_files(edit, page, files)
            except NETWORK_ERRORS as error:
                if isinstance(error, discord.HTTPException):
                    raise
            return await self._with_files(edit, page, None)

    async def _with_files(self, send: Respond[T], page: Page | None, files: Files | None) -> T:
        """Send a page with the emoji that Discord knows, and with these files; None: again, so with new ones."""
        unsent = [files] if files is not None else []

        async def send_again(emoji: EmojiIds) -> T:
            new_files = await discord_views.page_files(page, self._studio) if page and not unsent else ()
            return await send(unsent.pop() if unsent else new_files, emoji)

        return await discord_views.send_with_emoji(self._studio, send_again)


@asynccontextmanager
async def reply_boundary(
    interaction: discord.Interaction,
    studio: Studio,
    clock: Clock,
    shares: PersonShares,
    *,
    edits: bool = False,
    public: bool = False,
) -> AsyncIterator[InteractionReply]:
    """The error boundary of commands, controls and modals: every error inside becomes a sentence for the player.

    What is computed and posted inside counts as that of the person.
    """
    reply = InteractionReply(interaction, studio, clock, edits=edits, public=public)
    timers: list[Timer | asyncio.Task[None]] = []
    timers.append(
        clock.call_later(
            ACKNOWLEDGE_AFTER, lambda: timers.append(asyncio.create_task(reply.acknowledge_late(), name="acknowledge"))
        )
    )
    try:
        with shares.request(interaction.user.id):
            yield reply
        if not reply.has_responded and not interaction.client.is_closed():
            raise UnansweredInteraction
    except (RequestRefused, IllegalMove, StoreFailure) as refusal:
        await _try_send_text(reply, refusal_text(refusal))
    except Exception as error:  # noqa: BLE001  # the boundary
        await _report_failure(reply, error)
    finally:
        for each in timers:
            each.cancel()
        dispatch(interaction.client, REPLY_EVENT, reply)


async def _report_failure(reply: InteractionReply, error: Exception) -> None:
    if isinstance(error, discord.HTTPException) and error.code in GONE_CODES:
        log.info("An interaction was gone before its reply: %s", error.code)
    elif isinstance(error, discord.HTTPException) and error.code in DELETED_TEXTS:
        log.info("A message or its channel was gone before the reply: %s", error.code)
        text = DELETED_TEXTS[error.code]
        await _try_send_text(reply, f"{text} {SAVED_TEXT}" if reply.is_saved else text)
    elif is_transient(error) or _is_closed(reply, error):
        log.info("A reply was lost: %s", describe_error(error))
        await _try_send_text(reply, LOST_TEXT)
    else:
        text = report_unexpected(error)
        await _try_send_text(reply, SAVED_TEXT if reply.is_saved else text)


async def _try_send_text(reply: InteractionReply, text: str) -> None:
    try:
        await reply.send_text(text)
    except (*NETWORK_ERRORS, RuntimeError) as error:
        if isinstance(error, RuntimeError) and not _is_closed(reply, error):
            raise
        log.info("A text could not be sent: %s", describe_error(error))


def _is_closed(reply: InteractionReply, error: Exception) -> bool:
    """Whether a request was not sent because the bot ends: aiohttp raises RuntimeError for a closed session."""
    return isinstance(error, RuntimeError) and reply.interaction.client.is_closed()


async def retry_response(respond: Callable[[bool], Awaitable[T]]) -> T | None:
    """Respond, with retries. Returns Discord's answer; None if an earlier try succeeded but its answer was lost.

    `respond` receives whether this is a retry. Raises the network error of the last try.
    """
    for number in range(MAX_TRIES):
        start = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(TRY_SECONDS if number < HASTY_TRIES else None):
                return await respond(number > 0)
        except NETWORK_ERRORS as error:
            if number and isinstance(error, discord.HTTPException) and error.code == ALREADY_ANSWERED:
                return None
            if not is_transient(error) or number == MAX_TRIES - 1:
                raise
        await sleep(max(0.0, start + TRY_GAP - asyncio.get_running_loop().time()))
    raise AssertionError("the last try returns or raises")
