"""Handles requests about the deal: cutting, cutting last, and checking it."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.features.deals import deal_pages, words
from cogs.table.access.rights import Access, Phase, Who
from cogs.table.access.visit import Visit
from cogs.table.actions.table_actions import TableActions
from cogs.table.pages.page_drawing import draw_in_thread
from cogs.table.shares.person_shares import long_turn
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.deals.cutting import Cutting
from engines.hosting.match import RequestRefused
from engines.hosting.matches.records import UNFINISHED

MOST_NAMED = 5  # matches that were given up
CUTTER = Access(Who.SEATED, Phase.LOBBY, not_you="Only players cut. Press **Join** first.")


class DealActions:
    """Requests about deals. Each gets one reply, which only the user sees."""

    def __init__(self, actions: TableActions) -> None:
        self._actions = actions
        self._matches = actions.matches
        self._cutting = Cutting(actions.matches.editor)

    async def open_form(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Open the form."""
        await reply.open_form(deal_pages.cut_form(visit.match))

    async def save_cut(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Handle the form in which a player cuts."""
        await self.cut(reply, visit, values[0])

    async def take_last_cut(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Handle the button of somebody who wants to cut last."""
        await self.cut_last(reply, visit, wanted=True)

    async def free_last_cut(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Handle the button after which nobody cuts last."""
        await self.cut_last(reply, visit, wanted=False)

    async def show_check(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Handle the button that checks the deal."""
        await self.check(reply, visit)

    async def cut(self, reply: InteractionReply, visit: Visit, digits: str) -> None:
        """Cut with these digits."""
        info = await self._cutting.cut(visit.match, visit.user, digits, click=reply.click_id)
        reply.is_saved = True
        seat = info.seat_of(visit.user)
        if seat is None:  # they have left since, and Discord delivered the click twice
            raise RequestRefused("You are not sitting at this table.")
        await reply.send_text(f"{words.cut_text(info.seats[seat])} The table shows it.")

    async def cut_last(self, reply: InteractionReply, visit: Visit, *, wanted: bool) -> None:
        """Let the user cut after everybody else, or let nobody do so."""
        await self._cutting.cut_last(visit.match, visit.user, wanted, click=reply.click_id)
        reply.is_saved = True
        said = (
            "You cut last. The match can start once you have pressed **Cut** after everybody else has joined and cut."
        )
        await self._actions.say_in_menu(reply, visit, said if wanted else "Nobody cuts last now.")

    async def check(self, reply: InteractionReply, visit: Visit) -> None:
        """Say what holds of the deal of a match, with its record as a file."""
        snapshot = visit.snapshot
        guild = snapshot.info.place.guild
        async with long_turn():
            public = await self._matches.records.public_deal(snapshot.info)
            record = await self._matches.records.build_deal_record(snapshot, draw_in_thread)
            counts = await self._matches.lookup.count_matches(guild)
            given_up = await self._matches.lookup.newest_matches(guild, UNFINISHED, MOST_NAMED)
        page = await draw_in_thread(deal_pages.check_page, snapshot, public, record, counts, given_up)
        await reply.send_page(page)
