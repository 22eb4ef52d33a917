"""Draws the messages of lobbies. If a picture fails or takes long, its lobby is shown in words, to be used at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.state.page_drawing import PageCache
from cogs.table.transport.error_reports import report_unexpected
from engines.hosting.match import MatchSnapshot
from engines.store.clock import Clock

PICTURE_SECONDS = 1.0  # how long a lobby waits for its picture; Discord allows three seconds for a reply


class LobbyDrawing:
    """Draws lobbies. A picture that comes late wakes its match, so that the lobby gets it after all."""

    def __init__(self, clock: Clock, pages: PageCache, wake: Callable[[str], object]) -> None:
        self._clock = clock
        self._pages = pages
        self._wake = wake

    async def lobby_page(
        self, snapshot: MatchSnapshot, page_context: match_pages.PageContext, shown_digest: str = ""
    ) -> Page:
        """Return the lobby message of a match. Its picture is drawn, unless its digest is `shown_digest`."""
        drawing = asyncio.ensure_future(self._pages.lobby_page(snapshot, page_context, shown_digest))
        late = asyncio.Event()
        timer = self._clock.call_later(PICTURE_SECONDS, late.set)
        waiting = asyncio.ensure_future(late.wait())
        try:
            await asyncio.wait((drawing, waiting), return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()
            waiting.cancel()
        if not drawing.done():
            drawing.add_done_callback(lambda done: self._note_late(snapshot.info.id, done))
        elif (error := drawing.exception()) is None:
            return drawing.result()
        else:
            report_unexpected(error)
        return match_pages.lobby_page(snapshot, page_context, has_picture=False)

    def _note_late(self, match: str, done: asyncio.Future[Page]) -> None:
        if done.cancelled():
            return
        if (error := done.exception()) is None:
            self._wake(match)
        else:
            report_unexpected(error)
