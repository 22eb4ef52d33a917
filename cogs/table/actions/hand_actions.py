"""The desk's part for hands: shown, played from, and turned about on the way to a move."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

import discord

from cogs.table.actions import move_autocomplete
from cogs.table.actions.context import ActionContext
from cogs.table.actions.hint_actions import HintActions
from cogs.table.pages import custom_ids, match_pages, refusal_messages
from cogs.table.pages.page import Page, Text, press_rows, table_press
from cogs.table.pages.page_drawing import draw_in_thread
from cogs.table.pages.screen_layout import Reader
from cogs.table.surfaces import move_steps
from cogs.table.surfaces.ephemeral_hands import EphemeralHand
from cogs.table.surfaces.move_steps import MoveStep
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import MatchSnapshot, StaleDecision
from engines.kit.errors import IllegalMove
from engines.store.match_store import LIVE, StoreFailure


class HandActions:
    """Hands, for those who hold them alone. One answer a request; a move is the only one that changes anything."""

    def __init__(self, context: ActionContext, hints: HintActions) -> None:
        self._hints = hints
        self._context = context
        self._matches = context.matches
        self._reconciler = context.keeper
        self._surface_sync = context.showing

    async def show_hand(self, reply: InteractionReply, match: str) -> None:
        """The asker's hand, for their eyes only."""
        seat = await self._context.require_seat(match, reply.interaction.user.id)
        snapshot = await self._matches.get_snapshot(match)
        reader = await self._surface_sync.readers.reader_of(snapshot, seat)
        setting = await self._surface_sync.page_context_of(snapshot)
        page = await self._surface_sync.page_cache.hand_page(snapshot, seat, setting, reader)
        there = await self._along(snapshot, seat, setting, reader, page)
        await reply.send_page(self._surface_sync.ephemeral_hands.with_date(there))
        if snapshot.info.status in LIVE:
            self._surface_sync.ephemeral_hands.track_hand(match, seat, EphemeralHand(reply.interaction, page.digest))

    async def make_move(self, reply: InteractionReply, match: str, decision: int, notation: str) -> None:
        """A move by a click on a hand, which is redrawn; a click on one that is out of date shows the present hand."""
        user = reply.interaction.user.id
        seat = await self._context.require_seat(match, user)
        async with self._surface_sync.hold_surface(match, "hand", seat):
            why: StaleDecision | IllegalMove | None = None
            await self._wake_for_move(await self._matches.get_snapshot(match), seat)
            holds = None if self._surface_sync.holds_match(match) else ("hand", seat)
            try:
                await self._matches.play_move(
                    match, user, decision, notation, click=reply.click_id, reply_surface=holds
                )
                reply.is_saved = True
            except (StaleDecision, IllegalMove) as refused:  # a hand offers what is legal, as long as it is up to date
                why = refused
            await self.redraw_hand(reply, match, seat, why)
        if reply.is_saved:
            await self._hints.withdraw_hint(reply, match, seat)

    async def command_move(self, reply: InteractionReply, match: str, typed: str) -> None:
        """A move by a slash command, in the notation or in words; answered in a line, for the hand shows the rest."""
        if await self._matches.was_changed_by(match, reply.click_id):  # Discord has told of it twice
            reply.is_saved = True
            await self.show_hand(reply, match)
            return
        snapshot, user = await self._matches.get_snapshot(match), reply.interaction.user.id
        seat, screen = snapshot.info.seat_of(user), self._context.screens[snapshot.info.game]
        decision = None if seat is None else snapshot.decisions().get(seat)
        if seat is None or decision is None:
            await self._matches.play_move(
                match, user, None, typed, click=reply.click_id
            )  # which says why that cannot be
            await self.show_hand(reply, match)
            return
        notation = await draw_in_thread(move_autocomplete.parse_move, snapshot, seat, screen, typed)
        await self._wake_for_move(snapshot, seat)
        try:
            await self._matches.play_move(match, user, decision.number, notation, click=reply.click_id)
        except StaleDecision as late:
            await self.redraw_hand(reply, match, seat, late)
        except IllegalMove as refused:
            if refused.rule is None:
                raise
            await reply.send_page(Page(refusal_messages.refusal_blocks(snapshot.game, refused)))
        else:
            reply.is_saved = True
            said = await draw_in_thread(move_autocomplete.done_text, snapshot, seat, screen, notation)
            shown = await self._reconciler.has_current_hand(match, seat)
            press = () if shown else press_rows((table_press(match, "Show my hand", "hand"),))
            await reply.send_page(Page((Text(said), *press)))
            await self._hints.withdraw_hint(reply, match, seat)

    async def redraw_hand(
        self, reply: InteractionReply, match: str, seat: int, refusal: StaleDecision | IllegalMove | None = None
    ) -> None:
        """Show the present hand in the message that was clicked; where others see that, in one for the asker alone.

        What stands beside the hand itself, a menu or a copy, is taken away instead: its buttons would age.
        """
        snapshot = await self._matches.get_snapshot(match)
        if refusal is None and await self._is_beside_hand(reply, match, seat):
            await reply.delete_clicked()
            return
        page_context = await self._surface_sync.page_context_of(snapshot)
        note = refusal_messages.refusal_blocks(snapshot.game, refusal) if refusal else ()
        reader = await self._surface_sync.readers.reader_of(snapshot, seat)
        lasting = await self._surface_sync.page_cache.hand_page(snapshot, seat, page_context, reader)
        page = match_pages.with_note(await self._along(snapshot, seat, page_context, reader, lasting), note)
        message = reply.interaction.message
        if message is None or message.flags.ephemeral or not is_private(reply.interaction):
            await self._show_privately(reply, self._surface_sync.ephemeral_hands.with_date(page))
            self._hints.forget_replaced(reply, match, seat)
            self._surface_sync.ephemeral_hands.track_hand(match, seat, EphemeralHand(reply.interaction, lasting.digest))
            await self._surface_sync.leave_unanswered(match, "hand", seat)
            return
        await reply.update_message(page)
        surface = await self._reconciler.surface(match, "hand", seat)
        if surface and surface.message == message.id:  # a note stays until something else changes
            await self._reconciler.note_edit(replace(surface, digest=lasting.digest, shown=snapshot.info.revision))
        else:
            await self._surface_sync.leave_unanswered(match, "hand", seat)

    async def again(self, answer: InteractionReply, match: str) -> None:
        """The hand where it stood, in place of a question or a menu."""
        await self.redraw_hand(answer, match, await self._context.require_seat(match, answer.interaction.user.id))

    async def back_to_hand(self, reply: InteractionReply, match: str) -> None:
        """The hand at its beginning, in place of a step."""
        seat = await self._context.require_seat(match, reply.interaction.user.id)
        if not await self._is_beside_hand(reply, match, seat):
            await self._note_step(reply, await self._matches.get_snapshot(match), seat, None)
        await self.redraw_hand(reply, match, seat)

    # On the way to a move

    async def ask_confirmation(self, reply: InteractionReply, match: str, decision: int, notation: str) -> None:
        """Ask before a move that its screen wants confirmed, in place of the hand."""

        def draw_question(
            snapshot: MatchSnapshot, seat: int, page_context: match_pages.PageContext, reader: Reader
        ) -> Page:
            return match_pages.confirm_page(snapshot, seat, page_context, notation)

        await self._show_drawn(reply, match, decision, draw_question)

    async def show_picks(
        self, reply: InteractionReply, match: str, decision: int, verb: str, values: list[str]
    ) -> None:
        """Several lines of a list are picked: show them in its order, which can be changed. No move yet."""
        await self.show_picks_order(reply, match, decision, " ".join((verb, *custom_ids.picked(values))))

    async def show_picks_order(self, reply: InteractionReply, match: str, decision: int, notation: str) -> None:
        """Show picks in an order, if they are a legal move; they are kept in the message."""
        await self._go_to_step(reply, match, MoveStep(reply.interaction.user.id, decision, picked=notation))

    async def show_step(self, reply: InteractionReply, match: str, decision: int, path: str) -> None:
        """Show what a step leaves to choose, if the hand offers it; the path is kept in the message."""
        await self._go_to_step(reply, match, MoveStep(reply.interaction.user.id, decision, path))

    # Inside

    async def _go_to_step(self, reply: InteractionReply, match: str, step: MoveStep) -> None:
        """Show the hand there; where it is shown anew, it stands there, too."""
        await self._show_drawn(reply, match, step.decision, partial(move_steps.page_at_step, step=step), step)

    async def _show_drawn(
        self,
        reply: InteractionReply,
        match: str,
        decision: int,
        draw: Callable[[MatchSnapshot, int, match_pages.PageContext, Reader], Page | None],
        step: MoveStep | None = None,
    ) -> None:
        """Show the hand on the way to a move; what comes too late or leads nowhere shows the present hand."""
        seat = await self._context.require_seat(match, reply.interaction.user.id)
        async with self._surface_sync.hold_surface(match, "hand", seat):
            snapshot = await self._matches.get_snapshot(match)
            open_now = snapshot.decisions().get(seat)
            page: Page | None = None
            why: StaleDecision | IllegalMove = StaleDecision()
            if open_now is not None and open_now.number == decision:
                try:
                    reader = await self._surface_sync.readers.reader_of(snapshot, seat)
                    page_context = await self._surface_sync.page_context_of(snapshot)
                    page = await self._surface_sync.page_cache.step_page(draw, snapshot, seat, page_context, reader)
                except IllegalMove as refused:
                    why = refused
            if page is None:
                await self.redraw_hand(reply, match, seat, why)
                return
            message = reply.interaction.message
            is_ephemeral = message is None or message.flags.ephemeral or not is_private(reply.interaction)
            if step is not None:
                await self._note_step(reply, snapshot, seat, step)
            await self._show_privately(
                reply, self._surface_sync.ephemeral_hands.with_date(page) if is_ephemeral else page
            )

    async def _note_step(self, reply: InteractionReply, look: MatchSnapshot, seat: int, step: MoveStep | None) -> None:
        """The hand stands there from now on, whatever shows it. It is noted first, so that no copy shows less."""
        match = look.info.id
        await self._surface_sync.move_steps.set_step(look, seat, step)
        await self._context.mark_active(reply.interaction.user.id, match, step.text if step else "")
        reply.noted = True
        surface, message = await self._reconciler.surface(match, "hand", seat), reply.interaction.message
        if surface is None or message is None or surface.message != message.id:  # nobody can look at it after a crash
            with suppress(StoreFailure):
                await self._matches.save_activity()

    async def _along(
        self, look: MatchSnapshot, seat: int, setting: match_pages.PageContext, reader: Reader, hand: Page
    ) -> Page:
        """The hand where it stands."""
        surface = await self._reconciler.surface(look.info.id, "hand", seat)
        return await self._surface_sync.move_steps.hand_at_step(look, seat, setting, reader, hand, surface)

    async def _is_beside_hand(self, reply: InteractionReply, match: str, seat: int) -> bool:
        """Whether what was clicked is there for the asker alone, where their hand stands as well."""
        message = reply.interaction.message
        if not reply.clicked_ephemeral or message is None:
            return False
        surface = await self._reconciler.surface(match, "hand", seat)
        return surface is not None and surface.message > 0 and surface.channel == message.channel.id

    async def _show_privately(self, reply: InteractionReply, page: Page) -> None:
        """Show a page in the message that was clicked, unless others see that as well."""
        await (reply.update_message(page) if is_private(reply.interaction) else reply.send_page(page))

    async def _wake_for_move(self, snapshot: MatchSnapshot, seat: int) -> None:
        """Somebody is about to move; where that ends their being new to the game, all their hands are looked at."""
        for match in await self._surface_sync.readers.note_move(snapshot, seat):
            self._reconciler.wake(match)


def is_private(interaction: discord.Interaction) -> bool:
    """Whether the asker alone sees the message that was clicked; its custom_id, which can be forged, does not tell."""
    message = interaction.message
    return message is not None and (message.flags.ephemeral or interaction.guild_id is None)
