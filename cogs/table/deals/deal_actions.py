"""Handles requests about the deal: cutting, cutting last, and checking it."""

from __future__ import annotations

from cogs.table.actions.table_actions import TableActions
from cogs.table.deals import deal_pages
from cogs.table.pages.page_drawing import draw_in_thread
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording import deal_words
from engines.hosting.deals import UNFINISHED
from engines.hosting.match import RequestRefused, status_sentence
from engines.store.match_store import Status

MOST_NAMED = 5  # matches that were given up


class DealActions:
    """Requests about deals. Each gets one reply, which only the user sees."""

    def __init__(self, actions: TableActions) -> None:
        self._actions = actions
        self._matches = actions.matches

    async def handle_control(self, reply: InteractionReply, match: str, what: str, digits: str) -> None:
        """Handle a button about the deal, or the form in which a player cuts (`what` is empty)."""
        match what:
            case "":
                await self.cut(reply, match, digits)
            case "cut":
                await self._open_form(reply, match)
            case "last":
                await self.cut_last(reply, match, wanted=True)
            case "free":
                await self.cut_last(reply, match, wanted=False)
            case "check":
                await self.check(reply, match)
            case _:
                raise RequestRefused("This button belongs to another version of me. Use `/motley matches` to continue.")

    async def _open_form(self, reply: InteractionReply, match: str) -> None:
        """Open the form, if the user may cut in this match."""
        info = (await self._matches.get_snapshot(match)).info
        if info.status is not Status.LOBBY:
            running = info.status in (Status.RUNNING, Status.PAUSED)
            raise RequestRefused("The match has already started." if running else status_sentence(info), has_names=True)
        if info.seat_of(reply.interaction.user.id) is None:
            raise RequestRefused("Only players cut. Press **Join** first.")
        await reply.open_form(deal_pages.cut_form(match))

    async def cut(self, reply: InteractionReply, match: str, digits: str) -> None:
        """Cut with these digits."""
        user = reply.interaction.user.id
        info = await self._matches.cut(match, user, digits, click=reply.click_id)
        reply.is_saved = True
        seat = info.seat_of(user)
        assert seat is not None
        await reply.send_text(f"{deal_words.cut_text(info.seats[seat])} The table shows it.")

    async def cut_last(self, reply: InteractionReply, match: str, *, wanted: bool) -> None:
        """Let the user cut after everybody else, or let nobody do so."""
        await self._matches.cut_last(match, reply.interaction.user.id, wanted, click=reply.click_id)
        reply.is_saved = True
        said = (
            "You cut last. The match can start once you have pressed **Cut** after everybody else has joined and cut."
        )
        await self._actions.say_in_menu(reply, match, said if wanted else "Nobody cuts last now.")

    async def check(self, reply: InteractionReply, match: str) -> None:
        """Say what holds of the deal of a match, with its record as a file."""
        snapshot = await self._matches.get_snapshot(match)
        guild = snapshot.info.place.guild
        public = await self._matches.public_deal(snapshot.info)
        record = await self._matches.build_deal_record(snapshot)
        counts = await self._matches.count_matches(guild)
        given_up = await self._matches.newest_matches(guild, UNFINISHED, MOST_NAMED)
        page = await draw_in_thread(deal_pages.check_page, snapshot, public, record, counts, given_up)
        await reply.send_page(page)
