"""Hands of players who lost their seats: replaces them with a farewell, and moves hands when seats move up."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from cogs.table.pages import menu_pages
from cogs.table.pages.page import Page
from cogs.table.state.server_lease import ServerLease
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.surfaces.message import MessagePoster, SurfaceKey
from cogs.table.transport.interrupted_edits import InterruptedEdits
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error
from engines.hosting.match import MatchSnapshot
from engines.store.surface_storage import Surface, SurfaceKind

log = logging.getLogger(__name__)


class DepartedHands:
    """Cleans up hands after seats change. `redraw` edits a message even if it seems current."""

    def __init__(
        self,
        lease: ServerLease,
        surfaces: SurfaceCache,
        poster: MessagePoster,
        interrupted_edits: InterruptedEdits,
        redraw: Callable[[str, SurfaceKind, int], Awaitable[None]],
    ) -> None:
        self._lease = lease
        self._surfaces = surfaces
        self._poster = poster
        self._interrupted_edits = interrupted_edits
        self._redraw = redraw

    async def take_away_hands(self, snapshot: MatchSnapshot) -> None:
        """Take hands away from players who lost their seats, and move the other hands along with their seats."""
        homes = {}
        for seat, holder in enumerate(snapshot.info.seats):
            inbox = None if not holder.has_owner else await self._surfaces.inbox(holder.user)
            if inbox and inbox.channel:
                homes[inbox.channel] = seat
        hands = [surface for surface in await self._surfaces.surfaces_of(snapshot.info.id) if surface.kind == "hand"]
        moved = [surface for surface in hands if homes.get(surface.channel) not in (None, surface.seat)]
        for surface in hands:
            if surface.channel not in homes:
                await self._take_away_hand(snapshot, surface)
        for surface in moved:  # in seat order, so that each moves up to a free seat
            await self._surfaces.put(replace(surface, seat=homes[surface.channel]))
        taken = {homes[surface.channel] for surface in hands if surface.channel in homes}
        for surface in moved:
            if surface.seat not in taken:
                await self._surfaces.drop(snapshot.info.id, "hand", surface.seat)

    async def _take_away_hand(self, snapshot: MatchSnapshot, surface: Surface) -> None:
        """Replace a hand with a farewell page. Repeat that later if an older edit may still overwrite it."""
        key: SurfaceKey = (surface.match, surface.kind, surface.seat)
        page = menu_pages.farewell_page(snapshot, surface.seat)
        with self._interrupted_edits.watch_edit(key, partial(self._redraw, *key)):
            await self._poster.bid_farewell(snapshot, surface, page)
        if surface.message and self._interrupted_edits.expects_late_edit(key):
            again = partial(self._edit_again, snapshot.info.place.guild, surface, page)
            self._interrupted_edits.expect_late_edit((surface.match, surface.message), again)

    async def _edit_again(self, guild: int, surface: Surface, page: Page) -> None:
        try:
            with self._lease.acting_for(guild):
                await self._poster.edit(surface, page)
        except NETWORK_ERRORS as error:
            log.info("Match %s: could not repeat a farewell: %s", surface.match, describe_error(error))
