"""Handles reports that something is wrong: written in a form, shown to their writer, then sent to the owner."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Callable, Sequence
from weakref import WeakValueDictionary

import discord

from cogs.screens.truncation import utf16_length
from cogs.table.actions.context import ActionContext
from cogs.table.pages import menu_pages
from cogs.table.pages.page import Page
from cogs.table.pages.page_drawing import draw_in_thread
from cogs.table.reporting import report_pages
from cogs.table.reporting.report_text import ReportDetails, report_number, report_text
from cogs.table.transport.discord_views import NO_MENTIONS
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error
from cogs.table.wording.player_notes import clean_note
from engines.hosting.match import RequestRefused
from engines.store.owner_storage import OwnerStorage, Report

log = logging.getLogger(__name__)
MOST_REPORTS, PERIOD = 3, 24 * 60 * 60  # how many reports one person may send in so many seconds
TOO_MANY = (
    "You have sent three reports today. That is all I take in a day, so please tell the people who run me directly."
)
GONE = (
    "This report was already sent or dropped, or a newer one has replaced it. Press ⋯ and then **Something is wrong** "
    "to start again."
)


class ReportActions:
    """Requests to tell the owner about a match. What was shown is stored, and exactly that is sent."""

    def __init__(
        self,
        context: ActionContext,
        storage: OwnerStorage,
        version: str,
        last_interactions: Callable[[int], Sequence[int]],
        channel: int = 0,
    ) -> None:
        self._context = context
        self._storage = storage
        self._version = version
        self._last_interactions = last_interactions
        self._channel = channel  # where reports are posted; 0: nowhere, they are logged
        self._press_locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def open_form(self, reply: InteractionReply, match: str) -> None:
        """Open the form in which the user says what is wrong."""
        await self._require_room(reply.interaction.user.id)
        await reply.open_form(report_pages.report_form(match))

    async def show_draft(self, reply: InteractionReply, match: str, text: str) -> None:
        """Store the report as a draft, and show its writer all that it would send."""
        user, words = reply.interaction.user.id, clean_note(text)
        if not words:
            raise RequestRefused("You wrote nothing, so there is nothing to send. Say in a few words what is wrong.")
        if (length := utf16_length(words)) > report_pages.MAX_WORDS:
            raise RequestRefused(
                f"A report has at most {report_pages.MAX_WORDS} characters, and yours has {length}. Nothing was sent."
            )
        await self._require_room(user)
        snapshot = await self._context.matches.get_fresh_snapshot(match)
        details = ReportDetails(reply.click_id, self._version, user, self._last_interactions(user), words)
        body = await draw_in_thread(report_text, snapshot, details)
        report = Report(reply.click_id, match, user, body, self._context.clock())
        await self._storage.put_report_draft(report)
        await _show_page(reply, report_pages.draft_page(report, words))

    async def handle_press(self, reply: InteractionReply, what: str, report: int) -> None:
        """Handle a press of a button under a draft."""
        async with self._press_locks.setdefault(report, asyncio.Lock()):  # two presses at once send it once
            page = await self._take_draft(reply, what, report)
        await _show_page(reply, page)

    async def _take_draft(self, reply: InteractionReply, what: str, report: int) -> Page:
        """Send a draft or drop it, and return the answer. Raises RequestRefused if it is no draft any more."""
        user = reply.interaction.user.id
        found = next((each for each in await self._storage.reports(user) if each.id == report and not each.sent), None)
        if found is None:
            raise RequestRefused(GONE)
        if what == "drop":
            await self._storage.drop_report_drafts(user)
            return menu_pages.closed_page("Nothing was sent.")
        await self._require_room(user)
        await self._deliver(found)
        await self._storage.mark_report_sent(report, self._context.clock())
        reply.is_saved = True
        return report_pages.sent_page(report)

    async def _require_room(self, user: int) -> None:
        """Raise RequestRefused if the user has sent as many reports as allowed."""
        since = self._context.clock() - PERIOD
        if sum(report.sent > since for report in await self._storage.reports(user)) >= MOST_REPORTS:
            raise RequestRefused(TOO_MANY)

    async def _deliver(self, report: Report) -> None:
        """Post a report in the owner's channel. Without one, or if Discord refuses, log it."""
        number = report_number(report.id)
        if self._channel:
            file = discord.File(io.BytesIO(report.text.encode()), f"report-{number}.txt")
            said = f"Report `{number}` about match `{report.match}`, from `{report.user}`"
            channel = self._context.client.get_partial_messageable(self._channel)
            try:
                await channel.send(said, file=file, allowed_mentions=NO_MENTIONS, nonce=f"r{report.id}")
            except NETWORK_ERRORS as error:
                log.warning(
                    "Report %s could not be posted in the channel for reports: %s", number, describe_error(error)
                )
            else:
                return
        log.warning("Report %s about match %s:\n%s", number, report.match, report.text)


async def _show_page(reply: InteractionReply, page: Page) -> None:
    """Show a page in place of the clicked private message, or as its own message."""
    await (reply.update_message(page) if reply.clicked_ephemeral else reply.send_page(page))
