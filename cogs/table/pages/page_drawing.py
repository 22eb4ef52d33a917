"""Drawing pages in a thread, since chances and long lists of choices may take a while to work out; each page once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import ParamSpec, TypeVar

from cogs.pictures.studio import Studio
from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.pages.screen_layout import Reader
from engines.hosting.match import MatchSnapshot

CACHED_MATCHES = 32  # matches whose pages are kept: those that were drawn last
THREADS = tuple(ThreadPoolExecutor(1, f"draw-{number}") for number in range(2))
"""Each keeps some megabytes; more would wait for each other most of the time. A match's pages are all drawn in one of
them: whoever draws the next one finds what they have in common."""
P = ParamSpec("P")
T = TypeVar("T")


async def draw_in_thread(draw: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What that function draws, from values that nobody changes, while the event loop is free for others."""
    return await _submit_drawing("", draw, *args, **kwargs)


def _submit_drawing(match: str, draw: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
    thread = THREADS[hash(match) % len(THREADS)]
    return asyncio.get_running_loop().run_in_executor(thread, partial(draw, *args, **kwargs))


@dataclass(frozen=True, slots=True)
class MomentPages:
    """The pages of a match as it is at one moment, drawn or being drawn."""

    snapshot: MatchSnapshot
    pages: dict[Hashable, asyncio.Future[Page]] = field(default_factory=dict)


class PageCache:
    """The pages of each match at its newest moment: whoever else asks for one gets what was drawn for the first."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._moments: OrderedDict[str, MomentPages] = OrderedDict()

    async def table_page(
        self, snapshot: MatchSnapshot, page_context: match_pages.PageContext, shown_digest: str = ""
    ) -> Page:
        """The public table; its picture is drawn at once, in the same thread, unless that is `shown` (its digest)."""
        moment = self._moment_pages(snapshot)
        return await self._draw_once(
            moment,
            page_context,
            self._draw_with_picture,
            shown_digest,
            match_pages.table_page,
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
        """A seat's own hand, likewise."""
        moment = self._moment_pages(snapshot)
        return await self._draw_once(
            moment,
            (seat, page_context, reader),
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
        """A hand on the way to a move: what is drawn of that moment goes on from what its own pages have worked out.

        Where that is this very hand little is left to do, and it is done here: a thread would be longer in coming.
        """
        moment = self._moment_pages(snapshot).snapshot
        if match_pages.is_worked_out(moment, seat, page_context.screen):
            return draw(moment, seat, page_context, reader)
        return await _submit_drawing(snapshot.info.id, draw, moment, seat, page_context, reader)

    def forget(self, match: str) -> None:
        """Keep nothing of a closed match."""
        self._moments.pop(match, None)

    def _draw_with_picture(self, shown_digest: str, draw: Callable[P, Page], *args: P.args, **kwargs: P.kwargs) -> Page:
        page = draw(*args, **kwargs)
        if page.digest != shown_digest and page.picture:
            self._studio.cached_or_rendered(page.picture.spec)
        return page

    async def _draw_once(
        self, moment: MomentPages, key: Hashable, draw: Callable[P, Page], *args: P.args, **kwargs: P.kwargs
    ) -> Page:
        drawing = moment.pages.get(key)
        if drawing is None:
            drawing = _submit_drawing(moment.snapshot.info.id, draw, *args, **kwargs)
            drawing.add_done_callback(lambda done: _drop_failed_page(moment, key, done))
            moment.pages[key] = drawing
        return await asyncio.shield(drawing)

    def _moment_pages(self, snapshot: MatchSnapshot) -> MomentPages:
        """The pages of that moment; those of one that is past already are not kept."""
        kept = self._moments.get(snapshot.info.id)
        if kept is not None and (kept.snapshot.info, kept.snapshot.deadlines) == (snapshot.info, snapshot.deadlines):
            return kept
        moment = MomentPages(snapshot)
        if kept is None or kept.snapshot.info.revision <= snapshot.info.revision:
            self._moments[snapshot.info.id] = moment
            self._moments.move_to_end(snapshot.info.id)
            if len(self._moments) > CACHED_MATCHES:
                self._moments.popitem(last=False)
        return moment


def _drop_failed_page(moment: MomentPages, key: Hashable, done: asyncio.Future[Page]) -> None:
    """Have a page that could not be drawn be tried anew by the next one who asks."""
    if done.cancelled() or done.exception():
        moment.pages.pop(key, None)
