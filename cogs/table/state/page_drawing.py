"""Draw pages in threads, and cache them, because chances and long lists of choices take a while to compute."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import ParamSpec, TypeVar

from cogs.pictures.raster.hashed_key import HashedKey
from cogs.pictures.studio import Studio
from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.pages.screen_layout import Reader
from cogs.table.state.person_shares import DRAWING_THREADS, current_request
from engines.hosting.match import MatchSnapshot

CACHED_MATCHES = 32  # matches; the most recently drawn ones are kept
THREADS = tuple(ThreadPoolExecutor(1, f"draw-{number}") for number in range(DRAWING_THREADS))
"""Few threads, because each needs some megabytes and more would mostly wait for each other. All pages of a match are
drawn in the same thread, so that later pages reuse what the earlier ones computed."""
P = ParamSpec("P")
T = TypeVar("T")


async def draw_in_thread(draw: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a drawing function in a thread, so that the event loop stays free. Its arguments must be immutable."""
    async with _drawing_turn(""):
        return await _submit_drawing("", draw, *args, **kwargs)


@asynccontextmanager
async def _drawing_turn(match: str) -> AsyncIterator[None]:
    """Wait until the current request may have something of a match drawn, and hold the turn inside this block.

    In each thread, people take turns, one drawing at a time. So a redraw, which waits for no turn, waits for one of
    them at most.
    """
    if (request := current_request.get()) is None:
        yield
        return
    async with request.shares.drawing_turn(request.person, _thread_of(match)):
        yield


def _submit_drawing(match: str, draw: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
    thread = THREADS[_thread_of(match)]
    return asyncio.get_running_loop().run_in_executor(thread, partial(draw, *args, **kwargs))


def _thread_of(match: str) -> int:
    """Return the number of the thread that draws the pages of a match; "": everything that is of no match."""
    return hash(match) % len(THREADS)


@dataclass(frozen=True, slots=True)
class MomentPages:
    """The pages of one snapshot of a match, drawn or being drawn."""

    snapshot: MatchSnapshot
    pages: dict[Hashable, asyncio.Future[Page]] = field(default_factory=dict)


class PageCache:
    """The pages of each match's newest snapshot. Each page is drawn once and shared by all who need it."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._moments: OrderedDict[str, MomentPages] = OrderedDict()

    async def table_page(
        self, snapshot: MatchSnapshot, page_context: match_pages.PageContext, shown_digest: str = ""
    ) -> Page:
        """Return the public table. The same thread draws its picture, unless its digest is `shown_digest`."""
        moment = self._moment_pages(snapshot)
        return await self._draw_once(
            moment,
            HashedKey(page_context),
            self._draw_with_picture,
            shown_digest,
            match_pages.table_page,
            moment.snapshot,
            page_context,
        )

    async def lobby_page(
        self, snapshot: MatchSnapshot, page_context: match_pages.PageContext, shown_digest: str = ""
    ) -> Page:
        """Return the lobby message, drawn in the same way."""
        moment = self._moment_pages(snapshot)
        return await self._draw_once(
            moment,
            HashedKey(("lobby", page_context)),
            self._draw_with_picture,
            shown_digest,
            match_pages.lobby_page,
            moment.snapshot,
            page_context,
        )

    async def hand_page(
        self,
        snapshot: MatchSnapshot,
        seat: int,
        page_context: match_pages.PageContext,
        reader: Reader,
        shown_digest: str = "",
    ) -> Page:
        """Return a seat's own hand, drawn in the same way."""
        moment = self._moment_pages(snapshot)
        return await self._draw_once(
            moment,
            HashedKey((seat, page_context, reader)),
            self._draw_with_picture,
            shown_digest,
            match_pages.hand_page,
            moment.snapshot,
            seat,
            page_context,
            reader,
        )

    async def step_page(
        self,
        draw: Callable[[MatchSnapshot, int, match_pages.PageContext, Reader], Page | None],
        snapshot: MatchSnapshot,
        seat: int,
        page_context: match_pages.PageContext,
        reader: Reader,
    ) -> Page | None:
        """Return a hand in the middle of a move. The drawing reuses what the snapshot's other pages computed.

        If this hand was drawn before, the rest is done here, because a thread would take longer to start.
        """
        moment = self._moment_pages(snapshot).snapshot
        if match_pages.is_worked_out(moment, seat, page_context.screen):
            return draw(moment, seat, page_context, reader)
        async with _drawing_turn(snapshot.info.id):
            return await _submit_drawing(snapshot.info.id, draw, moment, seat, page_context, reader)

    def forget(self, match: str) -> None:
        """Drop the pages of a closed match."""
        self._moments.pop(match, None)

    def _draw_with_picture(self, shown_digest: str, draw: Callable[P, Page], *args: P.args, **kwargs: P.kwargs) -> Page:
        page = draw(*args, **kwargs)
        if page.digest != shown_digest and page.picture:
            self._studio.cached_or_rendered(page.picture.spec)
        return page

    async def _draw_once(
        self, moment: MomentPages, key: Hashable, draw: Callable[P, Page], *args: P.args, **kwargs: P.kwargs
    ) -> Page:
        if key not in moment.pages:
            async with _drawing_turn(moment.snapshot.info.id):
                # A redraw waits for no turn, so it may have begun to draw the page since.
                return await asyncio.shield(self._start_drawing(moment, key, draw, *args, **kwargs))
        return await asyncio.shield(moment.pages[key])

    def _start_drawing(
        self, moment: MomentPages, key: Hashable, draw: Callable[P, Page], *args: P.args, **kwargs: P.kwargs
    ) -> asyncio.Future[Page]:
        if (drawing := moment.pages.get(key)) is None:
            drawing = _submit_drawing(moment.snapshot.info.id, draw, *args, **kwargs)
            drawing.add_done_callback(lambda done: _drop_failed_page(moment, key, done))
            moment.pages[key] = drawing
        return drawing

    def _moment_pages(self, snapshot: MatchSnapshot) -> MomentPages:
        """Return the pages of that snapshot. An outdated snapshot does not replace a newer one in the cache."""
        old = self._moments.get(snapshot.info.id)
        if old is not None and (old.snapshot.info, old.snapshot.due_times) == (snapshot.info, snapshot.due_times):
            return old
        moment = MomentPages(snapshot)
        if old is None or old.snapshot.info.revision <= snapshot.info.revision:
            self._moments[snapshot.info.id] = moment
            self._moments.move_to_end(snapshot.info.id)
            if len(self._moments) > CACHED_MATCHES:
                self._moments.popitem(last=False)
        return moment


def _drop_failed_page(moment: MomentPages, key: Hashable, done: asyncio.Future[Page]) -> None:
    """Drop a page whose drawing failed, so that the next request retries it."""
    if done.cancelled() or done.exception():
        moment.pages.pop(key, None)
