"""What reports add to pages, and the controls: a report is written, shown to its writer, then sent to the owner."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Iterable, Sequence
from weakref import WeakValueDictionary

import discord

from cogs.features.reports.report_pages import (
    MAX_WORDS,
    draft_page,
    report_form,
    report_number,
    report_text,
    sent_page,
)
from cogs.screens.truncation import utf16_length
from cogs.table.actions.context import ActionContext
from cogs.table.actions.rights import READERS, Access, Who
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages import menu_pages
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.menu_entries import MenuEntry, MenuGroup
from cogs.table.pages.page import Press
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.transport.discord_views import NO_MENTIONS
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error
from cogs.table.wording.player_names import clean_text
from engines.features.reports import REPORT_CHANNEL, Report, drop_drafts, find_draft, has_room, mark_sent, put_draft
from engines.hosting.match import RequestRefused
from engines.store.rows import Second

log = logging.getLogger(__name__)
TOO_MANY = (
    "You have sent three reports today. That is the most I can accept per day, so please tell the people who "
    "run me directly."
)
GONE = (
    "This report has already been sent or discarded, or a newer one has replaced it. Press **More** and then "
    "**Report a problem** to start again."
)
AUTHOR = Access(Who.AUTHOR)
NUMBER = r"\d{1,20}"


class ReportActions:
    """Requests to tell the owner about a match. What was shown is stored, and exactly that is sent."""

    def __init__(self, context: ActionContext) -> None:
        self._context = context
        self._editor = context.matches.editor
        self._press_locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def open_form(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Open the form in which the user says what is wrong."""
        await self._require_room(reply.interaction.user.id)
        await reply.open_form(report_form(visit.match))

    async def show_draft(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Store the report as a draft, and show its writer all that it would send."""
        user, words = reply.interaction.user.id, clean_text(values[0])
        if not words:
            raise RequestRefused("You wrote nothing, so there is nothing to send. Say in a few words what is wrong.")
        if (length := utf16_length(words)) > MAX_WORDS:
            raise RequestRefused(
                f"A report can have at most {MAX_WORDS} characters; yours has {length}. Nothing was sent."
            )
        await self._require_room(user)
        last = self._context.deduplicator.last_of(user)
        version, number = self._context.version, reply.click_id
        body = await draw_in_thread(report_text, visit.snapshot, number, version, user, last, words)
        report = Report(reply.click_id, visit.match, user, body, Second(self._context.clock.now()))
        await put_draft(self._editor, report)
        await reply.show_page(draft_page(report, words))

    async def send_draft(self, reply: InteractionReply, visit: Visit, number: str, values: Sequence[str]) -> None:
        """Send a draft."""
        user = reply.interaction.user.id
        async with self._press_lock(number):
            report = await self._require_draft(user, number)
            await self._require_room(user)
            await self._deliver(report)
            await mark_sent(self._editor, report, self._context.clock.now())
            reply.is_saved = True
        await reply.show_page(sent_page(report.id))

    async def drop_draft(self, reply: InteractionReply, visit: Visit, number: str, values: Sequence[str]) -> None:
        """Drop a draft."""
        user = reply.interaction.user.id
        async with self._press_lock(number):
            await self._require_draft(user, number)
            await drop_drafts(self._editor, user)
        await reply.show_page(menu_pages.closed_page("Nothing was sent."))

    def _press_lock(self, number: str) -> asyncio.Lock:
        """Return what lets two presses at once send a report once."""
        return self._press_locks.setdefault(int(number), asyncio.Lock())

    async def _require_draft(self, user: int, number: str) -> Report:
        """Return a draft of the user. Raises RequestRefused if it is none any more."""
        if (found := await find_draft(self._editor, user, int(number))) is None:
            raise RequestRefused(GONE)
        return found

    async def _require_room(self, user: int) -> None:
        """Raise RequestRefused if the user has sent as many reports as allowed."""
        if not await has_room(self._editor, user, self._context.clock.now()):
            raise RequestRefused(TOO_MANY)

    async def _deliver(self, report: Report) -> None:
        """Post a report in the owner's channel. Without one, or if Discord refuses, log it."""
        number = report_number(report.id)
        if channel_id := self._context.operator.settings.of(REPORT_CHANNEL):
            file = discord.File(io.BytesIO(report.text.encode()), f"report-{number}.txt")
            text = f"Report `{number}` about match `{report.match}`, from `{report.user}`"
            channel = self._context.client.get_partial_messageable(channel_id)
            try:
                await channel.send(text, file=file, allowed_mentions=NO_MENTIONS, nonce=f"r{report.id}")
            except NETWORK_ERRORS as error:
                log.warning(
                    "Report %s could not be posted in the channel for reports: %s", number, describe_error(error)
                )
            else:
                return
        log.warning("Report %s about match %s:\n%s", number, report.match, report.text)


class ReportsUI(FeatureUI):
    """Reports: the button in the menu. Reports are shown on no page, so pages read none."""

    name = "reports"
    old_controls = (
        OldControl(r"t:(?P<match>[a-z0-9]{8}):wrong", "open"),
        OldControl(r"w:(?P<match>[a-z0-9]{8}):wrong", "write"),
        OldControl(rf"w:(?P<match>[a-z0-9]{{8}}):send\.(?P<rest>{NUMBER})", "send"),
        OldControl(rf"w:(?P<match>[a-z0-9]{{8}}):drop\.(?P<rest>{NUMBER})", "drop"),
    )

    def menu_entries(self, facts: Facts) -> Iterable[MenuEntry]:
        """Return the button to the form."""
        press = Press("Report a problem", feature_id("reports", facts.snapshot.info.id, "open"))
        return (MenuEntry(MenuGroup.HELP, 10, press),)

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button in the menu, the form, and the buttons under a draft."""
        own = ReportActions(actions.context)
        return (
            FeatureControl("open", own.open_form, READERS),
            FeatureControl("write", own.show_draft, READERS, edits=True, is_form=True),
            FeatureControl("send", own.send_draft, AUTHOR, rest=NUMBER, edits=True),
            FeatureControl("drop", own.drop_draft, AUTHOR, rest=NUMBER, edits=True),
        )
