"""The desk's part for hands: shown, played from, and turned about on the way to a move."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import discord

from cogs.table.actions import move_autocomplete
from cogs.table.pages import custom_ids, match_pages, move_steps, refusal_messages
from cogs.table.pages.move_steps import Way
from cogs.table.pages.page import Page, Text, rows, table_press
from cogs.table.pages.page_drawing import drawn
from cogs.table.pages.screen_layout import Reader
from cogs.table.surfaces.ephemeral_hands import Snapshot
from cogs.table.transport.interaction_response import Answer
from engines.hosting.match import Look, Stale
from engines.kit.contract import IllegalMove
from engines.store.match_store import LIVE, StoreFailure

if TYPE_CHECKING:
    from cogs.table.actions.table_actions import Desk


class Hands:
    """Hands, for those who hold them alone. One answer a request; a move is the only one that changes anything."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._matches = desk.matches
        self._keeper = desk.keeper
        self._showing = desk.showing

    async def show(self, answer: Answer, match: str) -> None:
        """The asker's hand, for their eyes only."""
        seat = await self._desk.seat(match, answer.interaction.user.id)
        look = await self._matches.look(match)
        reader = await self._showing.readers.of(look, seat)
        setting = await self._showing.setting(look)
        page = await self._showing.drawings.hand(look, seat, setting, reader)
        there = await self._along(look, seat, setting, reader, page)
        await answer.page(self._showing.snapshots.dated(there))
        if look.info.status in LIVE:
            self._showing.snapshots.follow(match, seat, Snapshot(answer.interaction, page.digest))

    async def move(self, answer: Answer, match: str, decision: int, notation: str) -> None:
        """A move by a click on a hand, which is redrawn; a click on one that is out of date shows the present hand."""
        user = answer.interaction.user.id
        seat = await self._desk.seat(match, user)
        async with self._showing.held(match, "hand", seat):
            why: Stale | IllegalMove | None = None
            await self._moving(await self._matches.look(match), seat)
            holds = None if self._showing.holds(match) else ("hand", seat)
            try:
                await self._matches.play(match, user, decision, notation, click=answer.click, holds=holds)
                answer.saved = True
            except (Stale, IllegalMove) as refused:  # a hand offers what is legal, as long as it is up to date
                why = refused
            await self.redraw(answer, match, seat, why)
        if answer.saved:
            await self._desk.hints.past(answer, match, seat)

    async def command(self, answer: Answer, match: str, typed: str) -> None:
        """A move by a slash command, in the notation or in words; answered in a line, for the hand shows the rest."""
        if await self._matches.made(match, answer.click):  # Discord has told of it twice
            answer.saved = True
            await self.show(answer, match)
            return
        look, user = await self._matches.look(match), answer.interaction.user.id
        seat, screen = look.info.seat_of(user), self._desk.screens[look.info.game]
        decision = None if seat is None else look.decisions().get(seat)
        if seat is None or decision is None:
            await self._matches.play(match, user, None, typed, click=answer.click)  # which says why that cannot be
            await self.show(answer, match)
            return
        notation = await drawn(move_autocomplete.meant, look, seat, screen, typed)
        await self._moving(look, seat)
        try:
            await self._matches.play(match, user, decision.number, notation, click=answer.click)
        except Stale as late:
            await self.redraw(answer, match, seat, late)
        except IllegalMove as refused:
            if refused.rule is None:
                raise
            await answer.page(Page(refusal_messages.told(look.game, refused)))
        else:
            answer.saved = True
            said = await drawn(move_autocomplete.done, look, seat, screen, notation)
            shown = await self._keeper.shows(match, seat)
            press = () if shown else rows((table_press(match, "Show my hand", "hand"),))
            await answer.page(Page((Text(said), *press)))
            await self._desk.hints.past(answer, match, seat)

    async def redraw(self, answer: Answer, match: str, seat: int, why: Stale | IllegalMove | None = None) -> None:
        """Show the present hand in the message that was clicked; where others see that, in one for the asker alone.

        What stands beside the hand itself, a menu or a copy, is taken away instead: its buttons would age.
        """
        look = await self._matches.look(match)
        if why is None and await self._beside_hand(answer, match, seat):
            await answer.close()
            return
        setting = await self._showing.setting(look)
        note = refusal_messages.told(look.game, why) if why else ()
        reader = await self._showing.readers.of(look, seat)
        lasting = await self._showing.drawings.hand(look, seat, setting, reader)
        page = match_pages.noted(await self._along(look, seat, setting, reader, lasting), note)
        message = answer.interaction.message
        if message is None or message.flags.ephemeral or not private(answer.interaction):
            await self._privately(answer, self._showing.snapshots.dated(page))
            self._desk.hints.replaced(answer, match, seat)
            self._showing.snapshots.follow(match, seat, Snapshot(answer.interaction, lasting.digest))
            await self._showing.leave(match, "hand", seat)
            return
        await answer.update(page)
        surface = await self._keeper.surface(match, "hand", seat)
        if surface and surface.message == message.id:  # a note stays until something else changes
            await self._keeper.edited(replace(surface, digest=lasting.digest, shown=look.info.revision))
        else:
            await self._showing.leave(match, "hand", seat)

    async def again(self, answer: Answer, match: str) -> None:
        """The hand where it stood, in place of a question or a menu."""
        await self.redraw(answer, match, await self._desk.seat(match, answer.interaction.user.id))

    async def back(self, answer: Answer, match: str) -> None:
        """The hand at its beginning, in place of a step."""
        seat = await self._desk.seat(match, answer.interaction.user.id)
        if not await self._beside_hand(answer, match, seat):
            await self._stands(answer, await self._matches.look(match), seat, None)
        await self.redraw(answer, match, seat)

    # On the way to a move

    async def ask(self, answer: Answer, match: str, decision: int, notation: str) -> None:
        """Ask before a move that its screen wants confirmed, in place of the hand."""

        def question(look: Look, seat: int, setting: match_pages.Setting, reader: Reader) -> Page:
            return match_pages.question(look, seat, setting, notation)

        await self._further(answer, match, decision, question)

    async def pick(self, answer: Answer, match: str, decision: int, verb: str, values: list[str]) -> None:
        """Several lines of a list are picked: show them in its order, which can be changed. No move yet."""
        await self.order(answer, match, decision, " ".join((verb, *custom_ids.picked(values))))

    async def order(self, answer: Answer, match: str, decision: int, notation: str) -> None:
        """Show picks in an order, if they are a legal move; they are kept in the message."""
        await self._go(answer, match, Way(answer.interaction.user.id, decision, picked=notation))

    async def step(self, answer: Answer, match: str, decision: int, path: str) -> None:
        """Show what a step leaves to choose, if the hand offers it; the path is kept in the message."""
        await self._go(answer, match, Way(answer.interaction.user.id, decision, path))

    # Inside

    async def _go(self, answer: Answer, match: str, way: Way) -> None:
        """Show the hand there; where it is shown anew, it stands there, too."""
        await self._further(answer, match, way.decision, partial(move_steps.page, way=way), way)

    async def _further(
        self,
        answer: Answer,
        match: str,
        decision: int,
        draw: Callable[[Look, int, match_pages.Setting, Reader], Page | None],
        way: Way | None = None,
    ) -> None:
        """Show the hand on the way to a move; what comes too late or leads nowhere shows the present hand."""
        seat = await self._desk.seat(match, answer.interaction.user.id)
        async with self._showing.held(match, "hand", seat):
            look = await self._matches.look(match)
            open_now = look.decisions().get(seat)
            page: Page | None = None
            why: Stale | IllegalMove = Stale()
            if open_now is not None and open_now.number == decision:
                try:
                    reader = await self._showing.readers.of(look, seat)
                    setting = await self._showing.setting(look)
                    page = await self._showing.drawings.further(draw, look, seat, setting, reader)
                except IllegalMove as refused:
                    why = refused
            if page is None:
                await self.redraw(answer, match, seat, why)
                return
            message = answer.interaction.message
            snapshot = message is None or message.flags.ephemeral or not private(answer.interaction)
            if way is not None:
                await self._stands(answer, look, seat, way)
            await self._privately(answer, self._showing.snapshots.dated(page) if snapshot else page)

    async def _stands(self, answer: Answer, look: Look, seat: int, way: Way | None) -> None:
        """The hand stands there from now on, whatever shows it. It is noted first, so that no copy shows less."""
        match = look.info.id
        await self._showing.ways.go(look, seat, way)
        await self._desk.active(answer.interaction.user.id, match, way.text if way else "")
        answer.noted = True
        surface, message = await self._keeper.surface(match, "hand", seat), answer.interaction.message
        if surface is None or message is None or surface.message != message.id:  # nobody can look at it after a crash
            with suppress(StoreFailure):
                await self._matches.keep()

    async def _along(self, look: Look, seat: int, setting: match_pages.Setting, reader: Reader, hand: Page) -> Page:
        """The hand where it stands."""
        surface = await self._keeper.surface(look.info.id, "hand", seat)
        return await self._showing.ways.along(look, seat, setting, reader, hand, surface)

    async def _beside_hand(self, answer: Answer, match: str, seat: int) -> bool:
        """Whether what was clicked is there for the asker alone, where their hand stands as well."""
        message = answer.interaction.message
        if not answer.own or message is None:
            return False
        surface = await self._keeper.surface(match, "hand", seat)
        return surface is not None and surface.message > 0 and surface.channel == message.channel.id

    async def _privately(self, answer: Answer, page: Page) -> None:
        """Show a page in the message that was clicked, unless others see that as well."""
        await (answer.update(page) if private(answer.interaction) else answer.page(page))

    async def _moving(self, look: Look, seat: int) -> None:
        """Somebody is about to move; where that ends their being new to the game, all their hands are looked at."""
        for match in await self._showing.readers.moving(look, seat):
            self._keeper.wake(match)


def private(interaction: discord.Interaction) -> bool:
    """Whether the asker alone sees the message that was clicked; its custom_id, which can be forged, does not tell."""
    message = interaction.message
    return message is not None and (message.flags.ephemeral or interaction.guild_id is None)
