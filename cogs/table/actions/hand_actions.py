"""Handles requests on a hand: showing it, making moves, and choosing a move step by step."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

import discord

from cogs.table.actions.context import ActionContext
from cogs.table.actions.visit import Visit
from cogs.table.pages import match_pages, move_autocomplete, refusal_messages
from cogs.table.pages.page import Page, Text, press_rows, table_press
from cogs.table.pages.screen_layout import Reader
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.surfaces import move_steps
from cogs.table.surfaces.ephemeral_hands import EphemeralHand
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error
from engines.hosting.match import MatchSnapshot, StaleDecision
from engines.kit.errors import IllegalMove
from engines.store.match_store import LIVE, StoreFailure

log = logging.getLogger(__name__)
MOST_ANSWERS = 64  # private messages about open decisions that are tracked


class DecisionAnswers:
    """Private messages about an open decision, such as advice of a feature: the newest of each seat, in memory only.

    They go with the decision, because their buttons would go stale.
    """

    def __init__(self) -> None:
        # By match and seat: the reply that shows a message, and the id of the message (0: unknown).
        self._open: OrderedDict[tuple[str, int], tuple[InteractionReply, int]] = OrderedDict()

    def track(self, reply: InteractionReply, match: str, seat: int, message: int) -> None:
        """Track a message about the decision of a seat."""
        self._open[match, seat] = reply, message
        self._open.move_to_end((match, seat))
        if len(self._open) > MOST_ANSWERS:
            self._open.popitem(last=False)

    async def withdraw(self, reply: InteractionReply, match: str, seat: int) -> None:
        """Delete the message of a seat that has moved, unless the move was clicked on the message itself."""
        open_reply, message = self._open.pop((match, seat), (None, 0))
        clicked = reply.interaction.message
        if (
            open_reply is None
            or not message
            or open_reply.interaction.is_expired()
            or (clicked and clicked.id == message)
        ):
            return
        try:
            await open_reply.delete_clicked()
        except NETWORK_ERRORS as error:  # most likely the user dismissed it
            log.info("Could not delete an outdated answer: %s", describe_error(error))

    def forget_replaced(self, reply: InteractionReply, match: str, seat: int) -> None:
        """Forget the message if it now shows the hand."""
        clicked = reply.interaction.message
        if clicked is not None and clicked.id == self._open.get((match, seat), (None, 0))[1]:
            del self._open[match, seat]


class HandActions:
    """Hand requests. Each gets one reply, which only the hand's player sees. Only a move changes the match."""

    def __init__(self, context: ActionContext) -> None:
        self.answers = DecisionAnswers()
        self._context = context

    async def show_hand(self, reply: InteractionReply, visit: Visit) -> None:
        """Show the user's hand privately."""
        await self._context.surface_sync.require_deal_shown(visit.snapshot)
        now = await self._context.door.renew(visit)
        snapshot, seat = now.snapshot, now.own_seat
        reader = await self._context.surface_sync.readers.reader_of(snapshot, seat)
        setting = await self._context.surface_sync.page_context_of(snapshot)
        page = await self._context.surface_sync.page_cache.hand_page(snapshot, seat, setting, reader)
        step_page = await self._along(snapshot, seat, setting, reader, page)
        await reply.send_page(self._context.surface_sync.ephemeral_hands.with_date(step_page))
        if snapshot.info.status in LIVE:
            self._context.surface_sync.ephemeral_hands.track_hand(
                visit.match, EphemeralHand(reply.interaction, page.digest)
            )

    async def make_move(self, reply: InteractionReply, visit: Visit, decision: int, notation: str) -> None:
        """Make a move from a click on a hand and redraw the hand. A click on a stale hand shows the current hand."""
        match, seat = visit.match, visit.own_seat
        async with self._context.surface_sync.hold_surface(match, "hand", seat):
            why: StaleDecision | IllegalMove | None = None
            await self._context.surface_sync.readers.note_move(visit.snapshot, visit.own_seat)
            holds = None if self._context.surface_sync.holds_match(match) else ("hand", seat)
            try:
                await self._context.matches.moves.play_move(
                    match, visit.user, decision, notation, click=reply.click_id, reply_surface=holds
                )
                reply.is_saved = True
            except (
                StaleDecision,
                IllegalMove,
            ) as refused:  # the hand was stale, because a current one offers only legal moves
                why = refused
            await self.redraw_hand(reply, visit, why)
        if reply.is_saved:
            await self.answers.withdraw(reply, match, seat)

    async def command_move(self, reply: InteractionReply, visit: Visit, typed: str) -> None:
        """Make a move from a slash command, typed in the notation or in words. The reply is one line."""
        match, snapshot = visit.match, visit.snapshot
        if await self._context.matches.cache.was_changed_by(
            match, reply.click_id
        ):  # Discord delivered the command twice
            reply.is_saved = True
            await self.show_hand(reply, visit)
            return
        seat, screen = visit.own_seat, self._context.screens[snapshot.info.game]
        decision = snapshot.decisions()[seat]
        notation = await draw_in_thread(move_autocomplete.parse_move, snapshot, seat, screen, typed)
        await self._context.surface_sync.readers.note_move(visit.snapshot, visit.own_seat)
        try:
            await self._context.matches.moves.play_move(
                match, visit.user, decision.number, notation, click=reply.click_id
            )
        except StaleDecision as late:
            await self.redraw_hand(reply, visit, late)
        except IllegalMove as refused:
            if refused.rule is None:
                raise
            await reply.send_page(Page(refusal_messages.refusal_blocks(snapshot.game, refused)))
        else:
            reply.is_saved = True
            text = await draw_in_thread(move_autocomplete.done_text, snapshot, seat, screen, notation)
            has_hand = await self._context.reconciler.has_current_hand(match, seat)
            press = () if has_hand else press_rows((table_press(match, "Show my hand", "hand"),))
            await reply.send_page(Page((Text(text), *press)))
            await self.answers.withdraw(reply, match, seat)

    async def redraw_hand(
        self, reply: InteractionReply, visit: Visit, refusal: StaleDecision | IllegalMove | None = None
    ) -> None:
        """Show the user's hand as it is now; see `draw_hand`."""
        await self.draw_hand(reply, await self._context.door.renew(visit), refusal)

    async def draw_hand(self, reply: InteractionReply, now: Visit, refusal: StaleDecision | IllegalMove | None) -> None:
        """Show the user's hand, which was looked up just now, in the clicked message, or privately if others see that.

        If the clicked message is a menu or a copy next to the hand, delete it instead, because its buttons would go
        stale.
        """
        match, snapshot, seat = now.match, now.snapshot, now.own_seat
        if refusal is None and await self._is_beside_hand(reply, match, seat):
            await reply.delete_clicked()
            return
        page_context = await self._context.surface_sync.page_context_of(snapshot)
        note = refusal_messages.refusal_blocks(snapshot.game, refusal) if refusal else ()
        reader = await self._context.surface_sync.readers.reader_of(snapshot, seat)
        lasting = await self._context.surface_sync.page_cache.hand_page(snapshot, seat, page_context, reader)
        page = match_pages.with_note(await self._along(snapshot, seat, page_context, reader, lasting), note)
        message = reply.interaction.message
        if message is None or message.flags.ephemeral or not is_private(reply.interaction):
            await self._show_privately(
                reply, snapshot, seat, self._context.surface_sync.ephemeral_hands.with_date(page)
            )
            self.answers.forget_replaced(reply, match, seat)
            self._context.surface_sync.ephemeral_hands.track_hand(
                match, EphemeralHand(reply.interaction, lasting.digest)
            )
            await self._context.surface_sync.leave_unanswered(match, "hand", seat)
            return
        await reply.update_message(self._context.keep_clicked_place(reply, snapshot, seat, page))
        surface = await self._context.surfaces.find_surface(match, "hand", seat)
        if surface and surface.message == message.id:  # a note stays until the hand changes
            await self._context.reconciler.note_edit(
                replace(surface, digest=lasting.digest, shown=snapshot.info.revision)
            )
        else:
            await self._context.surface_sync.leave_unanswered(match, "hand", seat)

    async def back_to_hand(self, reply: InteractionReply, visit: Visit) -> None:
        """Replace a step with the hand at its first step."""
        if not await self._is_beside_hand(reply, visit.match, visit.own_seat):
            await self._note_step(reply, visit, None)
        await self.redraw_hand(reply, visit)

    # Steps towards a move

    async def ask_confirmation(self, reply: InteractionReply, visit: Visit, decision: int, notation: str) -> None:
        """Ask for confirmation of a move in place of the hand."""

        def draw_question(
            snapshot: MatchSnapshot, seat: int, page_context: match_pages.PageContext, reader: Reader
        ) -> Page:
            return match_pages.confirm_page(snapshot, seat, page_context, notation)

        await self._show_drawn(reply, visit, decision, draw_question)

    async def show_picks(self, reply: InteractionReply, visit: Visit, decision: int, notation: str) -> None:
        """Show these picks if they are a legal move."""
        await self._go_to_step(reply, visit, move_steps.MoveStep(visit.user, decision, picked=notation))

    async def tap_pick(self, reply: InteractionReply, visit: Visit, decision: int, notation: str) -> None:
        """Show the picks after a tap on one of their buttons, in the order of the taps."""
        newest = await self._context.surface_sync.move_steps.newest_picks(visit.snapshot, visit.own_seat, decision)
        await self.show_picks(reply, visit, decision, move_steps.add_tap(newest, notation))

    async def show_step(self, reply: InteractionReply, visit: Visit, decision: int, path: str) -> None:
        """Show the choices of a step if the hand offers it."""
        await self._go_to_step(reply, visit, move_steps.MoveStep(visit.user, decision, path))

    # Helpers

    async def _go_to_step(self, reply: InteractionReply, visit: Visit, step: move_steps.MoveStep) -> None:
        """Show the hand at a step and remember the step, so that later redraws show it too."""
        await self._show_drawn(reply, visit, step.decision, partial(move_steps.page_at_step, step=step), step)

    async def _show_drawn(
        self,
        reply: InteractionReply,
        visit: Visit,
        decision: int,
        draw: Callable[[MatchSnapshot, int, match_pages.PageContext, Reader], Page | None],
        step: move_steps.MoveStep | None = None,
    ) -> None:
        """Show a drawn step. If the request is late or leads nowhere, show the current hand."""
        async with self._context.surface_sync.hold_surface(visit.match, "hand", visit.own_seat):
            now = await self._context.door.renew(visit)
            snapshot, seat = now.snapshot, now.own_seat
            open_now = snapshot.decisions().get(seat)
            page: Page | None = None
            why: StaleDecision | IllegalMove = StaleDecision()
            if open_now is not None and open_now.number == decision:
                try:
                    reader = await self._context.surface_sync.readers.reader_of(snapshot, seat)
                    page_context = await self._context.surface_sync.page_context_of(snapshot)
                    page = await self._context.surface_sync.page_cache.step_page(
                        draw, snapshot, seat, page_context, reader
                    )
                except IllegalMove as refused:
                    why = refused
            if page is None:
                await self.draw_hand(reply, now, why)
                return
            message = reply.interaction.message
            is_ephemeral = message is None or message.flags.ephemeral or not is_private(reply.interaction)
            if step is not None:
                await self._note_step(reply, visit, step)
            shown_page = self._context.surface_sync.ephemeral_hands.with_date(page) if is_ephemeral else page
            await self._show_privately(reply, snapshot, seat, shown_page)

    async def _note_step(self, reply: InteractionReply, visit: Visit, step: move_steps.MoveStep | None) -> None:
        """Save the step at which the hand stands. Do this before showing it, so that no copy shows an older step."""
        now = await self._context.door.renew(visit)
        await self._context.surface_sync.move_steps.set_step(now.snapshot, now.own_seat, step)
        await self._context.note_activity(now, step.text if step else "")
        reply.noted = True
        surface, message = (
            await self._context.surfaces.find_surface(now.match, "hand", now.own_seat),
            reply.interaction.message,
        )
        if (
            surface is None or message is None or surface.message != message.id
        ):  # after a crash, nothing else shows the step
            with suppress(StoreFailure):
                await self._context.matches.activity.save_activity()

    async def _along(
        self, snapshot: MatchSnapshot, seat: int, setting: match_pages.PageContext, reader: Reader, hand: Page
    ) -> Page:
        """Return the hand's page at its saved step."""
        surface = await self._context.surfaces.find_surface(snapshot.info.id, "hand", seat)
        return await self._context.surface_sync.move_steps.hand_at_step(snapshot, seat, setting, reader, hand, surface)

    async def _is_beside_hand(self, reply: InteractionReply, match: str, seat: int) -> bool:
        """Return whether the clicked message is private and in the same channel as the user's hand."""
        message = reply.interaction.message
        if not reply.clicked_ephemeral or message is None:
            return False
        surface = await self._context.surfaces.find_surface(match, "hand", seat)
        return surface is not None and surface.message > 0 and surface.channel == message.channel.id

    async def _show_privately(self, reply: InteractionReply, snapshot: MatchSnapshot, seat: int, page: Page) -> None:
        """Show a page of a hand in the clicked message if that is private, else in a new private message."""
        if is_private(reply.interaction):
            await reply.update_message(self._context.keep_clicked_place(reply, snapshot, seat, page))
        else:
            await reply.send_page(page)


def is_private(interaction: discord.Interaction) -> bool:
    """Return whether only the user sees the clicked message. The custom id is not used, because it can be forged."""
    message = interaction.message
    return message is not None and (message.flags.ephemeral or interaction.guild_id is None)
