"""Hands of those who no longer sit there: taken away, for good; where seats have moved up, the hands move with them."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from cogs.table.pages import menu_pages
from cogs.table.pages.page import Page
from cogs.table.state.server_lease import Held
from cogs.table.state.surface_store import Displays
from cogs.table.surfaces.message import Key, Poster
from cogs.table.transport.interrupted_edits import Overtaken
from cogs.table.transport.network_errors import NETWORK, named
from engines.hosting.match import Look
from engines.store.surface_storage import Kind, Surface

log = logging.getLogger(__name__)


class Farewells:
    """Part of what shows a match: `anew` has a message edited, whatever it is said to show."""

    def __init__(
        self,
        who: Held,
        shown: Displays,
        poster: Poster,
        overtaken: Overtaken,
        anew: Callable[[str, Kind, int], Awaitable[None]],
    ) -> None:
        self._who = who
        self._shown = shown
        self._poster = poster
        self._overtaken = overtaken
        self._anew = anew

    async def bid(self, look: Look) -> None:
        """Take hands away from those who no longer sit there, and let the others move with their seats."""
        homes = {}
        for seat, holder in enumerate(look.info.seats):
            inbox = None if not holder.here else await self._shown.inbox(holder.user)
            if inbox and inbox.channel:
                homes[inbox.channel] = seat
        hands = [surface for surface in await self._shown.of(look.info.id) if surface.kind == "hand"]
        moved = [surface for surface in hands if homes.get(surface.channel) not in (None, surface.seat)]
        for surface in hands:
            if surface.channel not in homes:
                await self._bid(look, surface)
        for surface in moved:  # in the order of their seats: each moves up to one that is free
            await self._shown.put(replace(surface, seat=homes[surface.channel]))
        taken = {homes[surface.channel] for surface in hands if surface.channel in homes}
        for surface in moved:
            if surface.seat not in taken:
                await self._shown.drop(look.info.id, "hand", surface.seat)

    async def _bid(self, look: Look, surface: Surface) -> None:
        """Leave it with a farewell; once more later, where what it showed before may still come over that."""
        key: Key = (surface.match, surface.kind, surface.seat)
        page = menu_pages.farewell(look, surface.seat)
        with self._overtaken.noted(key, partial(self._anew, *key)):
            await self._poster.bid_farewell(look, surface, page)
        if surface.message and self._overtaken.expects(key):
            again = partial(self._again, look.info.place.guild, surface, page)
            self._overtaken.expect((surface.match, surface.message), again)

    async def _again(self, guild: int, surface: Surface, page: Page) -> None:
        try:
            with self._who.acting(guild):
                await self._poster.edit(surface, page)
        except NETWORK as error:
            log.info("Match %s: a farewell could not be said again: %s", surface.match, named(error))
