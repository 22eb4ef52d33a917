"""Draws the messages of lobbies. If a picture fails, or takes long in a new lobby, the lobby is shown in words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.state.page_drawing import PageCache
from cogs.table.transport.error_reports import report_unexpected
from engines.hosting.match import MatchSnapshot
from engines.store.clock import Clock

PICTURE_SECONDS = 1.0  # how long a new lobby waits for its picture; Discord allows three seconds for a reply


class LobbyDrawing:
    """Draws lobbies. A picture that comes too late for a new lobby wakes its match, so that the lobby gets it then."""

    def __init__(self, clock: Clock, pages: PageCache, wake: Callable[[str], object]) -> None:
        self._clock = clock
        self._pages = pages
        self._wake = wake

    async def lobby_page(
        self, snapshot: MatchSnapshot, page_context: match_pages.PageContext, shown_digest: str = ""
    ) -> Page:
        """Return the lobby message of a match; in words only if its picture cannot be drawn.

        Its picture is drawn, unless its digest is `shown_digest`. A message that is shown waits for it, however late.
        """
        try:
            return await self._pages.lobby_page(snapshot, page_context, shown_digest)
        except Exception as error:  # noqa: BLE001  # a boundary: a lobby can be used without its picture
            report_unexpected(error)
            return _page_in_words(snapshot, page_context)

    async def new_lobby_page(self, snapshot: MatchSnapshot, page_context: match_pages.PageContext) -> Page:
        """Return the message of a lobby that is not shown yet; in words if its picture takes longer than a second."""
        drawing, late = asyncio.ensure_future(self._pages.lobby_page(snapshot, page_context)), asyncio.Event()
        # Noted before the wait: if the reply is cancelled, the drawing goes on and still wakes the match.
        drawing.add_done_callback(lambda done: self._note_drawn(snapshot.info.id, done, is_late=late.is_set()))
        timer = self._clock.call_later(PICTURE_SECONDS, late.set)
        waiting = asyncio.ensure_future(late.wait())
        try:
            await asyncio.wait((drawing, waiting), return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()
            waiting.cancel()
            late.set()  # nobody waits any more
        is_drawn = drawing.done() and drawing.exception() is None
        return drawing.result() if is_drawn else _page_in_words(snapshot, page_context)

    def _note_drawn(self, match: str, done: asyncio.Future[Page], *, is_late: bool) -> None:
        if done.cancelled():
            return
        if (error := done.exception()) is not None:
            report_unexpected(error)
        elif is_late:
            self._wake(match)


def _page_in_words(snapshot: MatchSnapshot, page_context: match_pages.PageContext) -> Page:
    return match_pages.lobby_page(snapshot, page_context, has_picture=False)
