"""Handles requests about the deal: cutting, cutting last, and checking it."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.features.deals import deal_pages, words
from cogs.table.actions.table_actions import TableActions
from cogs.table.pages.page_drawing import draw_in_thread
from cogs.table.shares.person_shares import long_turn
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.deals.cutting import Cutting
from engines.hosting.match import RequestRefused, status_sentence
from engines.hosting.matches.records import UNFINISHED
from engines.store.match_store import Status

MOST_NAMED = 5  # matches that were given up


class DealActions:
    """Requests about deals. Each gets one reply, which only the user sees."""

    def __init__(self, actions: TableActions) -> None:
        self._actions = actions
        self._matches = actions.matches
        self._cutting = Cutting(actions.matches.editor)

    async def open_form(self, reply: InteractionReply, match: str, rest: str, values: Sequence[str]) -> None:
        """Open the form, if the user may cut in this match."""
        info = (await self._matches.cache.get_snapshot(match)).info
        if info.status is not Status.LOBBY:
            running = info.status in (Status.RUNNING, Status.PAUSED)
            raise RequestRefused("The match has already started." if running else status_sentence(info), has_names=True)
        if info.seat_of(reply.interaction.user.id) is None:
            raise RequestRefused("Only players cut. Press **Join** first.")
        await reply.open_form(deal_pages.cut_form(match))

    async def save_cut(self, reply: InteractionReply, match: str, rest: str, values: Sequence[str]) -> None:
        """Handle the form in which a player cuts."""
        await self.cut(reply, match, values[0])

    async def take_last_cut(self, reply: InteractionReply, match: str, rest: str, values: Sequence[str]) -> None:
        """Handle the button of somebody who wants to cut last."""
        await self.cut_last(reply, match, wanted=True)

    async def free_last_cut(self, reply: InteractionReply, match: str, rest: str, values: Sequence[str]) -> None:
        """Handle the button after which nobody cuts last."""
        await self.cut_last(reply, match, wanted=False)

    async def show_check(self, reply: InteractionReply, match: str, rest: str, values: Sequence[str]) -> None:
        """Handle the button that checks the deal."""
        await self.check(reply, match)

    async def cut(self, reply: InteractionReply, match: str, digits: str) -> None:
        """Cut with these digits."""
        user = reply.interaction.user.id
        info = await self._cutting.cut(match, user, digits, click=reply.click_id)
        reply.is_saved = True
        seat = info.seat_of(user)
        if seat is None:  # they have left since, and Discord delivered the click twice
            raise RequestRefused("You are not sitting at this table.")
        await reply.send_text(f"{words.cut_text(info.seats[seat])} The table shows it.")

    async def cut_last(self, reply: InteractionReply, match: str, *, wanted: bool) -> None:
        """Let the user cut after everybody else, or let nobody do so."""
        await self._cutting.cut_last(match, reply.interaction.user.id, wanted, click=reply.click_id)
        reply.is_saved = True
        said = (
            "You cut last. The match can start once you have pressed **Cut** after everybody else has joined and cut."
        )
        await self._actions.say_in_menu(reply, match, said if wanted else "Nobody cuts last now.")

    async def check(self, reply: InteractionReply, match: str) -> None:
        """Say what holds of the deal of a match, with its record as a file."""
        snapshot = await self._matches.cache.get_snapshot(match)
        guild = snapshot.info.place.guild
        async with long_turn():
            public = await self._matches.records.public_deal(snapshot.info)
            record = await self._matches.records.build_deal_record(snapshot, draw_in_thread)
            counts = await self._matches.lookup.count_matches(guild)
            given_up = await self._matches.lookup.newest_matches(guild, UNFINISHED, MOST_NAMED)
        page = await draw_in_thread(deal_pages.check_page, snapshot, public, record, counts, given_up)
        await reply.send_page(page)
