"""Hands of players who lost their seats: replaces them with a farewell, and moves hands when seats move up."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial

import discord

from cogs.table.channels.contact_budget import ContactBudget
from cogs.table.channels.table_services import TableServices
from cogs.table.pages import menu_pages
from cogs.table.pages.page import Page
from cogs.table.surfaces.message import MessagePoster, ReaderForgotten
from cogs.table.transport.interrupted_edits import InterruptedEdits
from cogs.table.transport.network_errors import NETWORK_ERRORS, QUARANTINED, describe_error
from engines.hosting.match import MatchSnapshot
from engines.store.surface_storage import Surface

log = logging.getLogger(__name__)


class DepartedHands:
    """Cleans up hands after seats change. `redraw_hand` edits the hand in some direct messages if it seems current."""

    def __init__(
        self,
        services: TableServices,
        poster: MessagePoster,
        interrupted_edits: InterruptedEdits,
        redraw_hand: Callable[[str, int], Awaitable[None]],
        budget: ContactBudget,
    ) -> None:
        self._budget = budget
        self._services = services
        self._poster = poster
        self._interrupted_edits = interrupted_edits
        self._redraw_hand = redraw_hand

    async def take_away_hands(self, match: str) -> None:
        """Take hands away from players who lost their seats, and move the other hands along with their seats."""
        surfaces = await self._services.surfaces.surfaces_of(match)
        seats = await self._seats_by_channel(await self._services.matches.cache.get_snapshot(match))
        for surface in surfaces:
            if surface.kind == "hand" and surface.channel not in seats:
                await self._take_away_if_departed(surface)
                seats = await self._seats_by_channel(await self._services.matches.cache.get_snapshot(match))
        await self._services.surfaces.move_hands(match, seats)

    async def _take_away_if_departed(self, surface: Surface) -> None:
        """Take a hand away unless its reader has a seat now: they may have come back during an earlier request."""
        snapshot = await self._services.matches.cache.get_snapshot(surface.match)
        if surface.channel not in await self._seats_by_channel(snapshot):
            await self._take_away_hand(snapshot, surface)

    async def _seats_by_channel(self, snapshot: MatchSnapshot) -> dict[int, int]:
        """The seats of the people who play, by their direct messages."""
        homes = {}
        for seat, holder in enumerate(snapshot.info.seats):
            inbox = await self._services.surfaces.inbox(holder.user) if holder.has_owner else None
            if inbox and inbox.channel:
                homes[inbox.channel] = seat
        return homes

    async def _reader_of(self, snapshot: MatchSnapshot, surface: Surface) -> int | None:
        """The person who had a seat and these direct messages; None if no seat is known to have been theirs."""
        for holder in snapshot.info.seats:
            inbox = await self._services.surfaces.inbox(holder.user) if holder.user > 0 else None
            if inbox and inbox.channel == surface.channel:
                return holder.user
        return None

    async def _take_away_hand(self, snapshot: MatchSnapshot, surface: Surface) -> None:
        """Replace a hand with a farewell page. Repeat that later if an older edit may still overwrite it."""
        key = (surface.match, surface.kind, surface.channel)
        page = menu_pages.farewell_page(snapshot, await self._reader_of(snapshot, surface))
        may_post = bool(surface.message) or not await self._budget.seconds_stopped()  # no farewell is a first message
        with self._interrupted_edits.watch_edit(key, partial(self._redraw_hand, surface.match, surface.channel)):
            try:
                await self._poster.bid_farewell(snapshot, surface, page, may_post=may_post)
            except discord.HTTPException as error:
                if error.code != QUARANTINED:
                    raise
                await self._budget.stop(error)
                await self._poster.bid_farewell(snapshot, surface, page, may_post=False)
        if surface.message and self._interrupted_edits.expects_late_edit(key):
            edit_again = partial(self._edit_again, snapshot, surface, page)
            self._interrupted_edits.expect_late_edit((surface.match, surface.message), edit_again)

    async def _edit_again(self, snapshot: MatchSnapshot, surface: Surface, page: Page) -> None:
        try:
            with self._services.lease.acting_for(snapshot.info.place.guild):
                page = page.for_reader(await self._reader_of(snapshot, surface))  # they may be forgotten by now
                await self._poster.edit(surface, page)
        except (ReaderForgotten, *NETWORK_ERRORS) as error:
            log.info("Match %s: could not repeat a farewell: %s", surface.match, describe_error(error))
