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
from engines.hosting.match import Look

MOST = 32  # matches whose pages are kept: those that were drawn last
THREADS = tuple(ThreadPoolExecutor(1, f"draw-{number}") for number in range(2))
"""Each keeps some megabytes; more would wait for each other most of the time. A match's pages are all drawn in one of
them: whoever draws the next one finds what they have in common."""
P = ParamSpec("P")
T = TypeVar("T")


async def drawn(draw: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What that function draws, from values that nobody changes, while the event loop is free for others."""
    return await _drawn("", draw, *args, **kwargs)


def _drawn(match: str, draw: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
    thread = THREADS[hash(match) % len(THREADS)]
    return asyncio.get_running_loop().run_in_executor(thread, partial(draw, *args, **kwargs))


@dataclass(frozen=True, slots=True)
class Moment:
    """The pages of a match as it is at one moment, drawn or being drawn."""

    look: Look
    pages: dict[Hashable, asyncio.Future[Page]] = field(default_factory=dict)


class Drawings:
    """The pages of each match at its newest moment: whoever else asks for one gets what was drawn for the first."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._moments: OrderedDict[str, Moment] = OrderedDict()

    async def table(self, look: Look, setting: match_pages.Setting, shown: str = "") -> Page:
        """The public table; its picture is drawn at once, in the same thread, unless that is `shown` (its digest)."""
        moment = self._moment(look)
        return await self._once(moment, setting, self._painted, shown, match_pages.table, moment.look, setting)

    async def hand(self, look: Look, seat: int, setting: match_pages.Setting, reader: Reader, shown: str = "") -> Page:
        """A seat's own hand, likewise."""
        moment = self._moment(look)
        return await self._once(
            moment, (seat, setting, reader), self._painted, shown, match_pages.hand, moment.look, seat, setting, reader
        )

    async def further(
        self,
        draw: Callable[[Look, int, match_pages.Setting, Reader], Page | None],
        look: Look,
        seat: int,
        setting: match_pages.Setting,
        reader: Reader,
    ) -> Page | None:
        """A hand on the way to a move: what is drawn of that moment goes on from what its own pages have worked out.

        Where that is this very hand little is left to do, and it is done here: a thread would be longer in coming.
        """
        moment = self._moment(look).look
        if match_pages.worked_out(moment, seat, setting.screen):
            return draw(moment, seat, setting, reader)
        return await _drawn(look.info.id, draw, moment, seat, setting, reader)

    def forget(self, match: str) -> None:
        """Keep nothing of a closed match."""
        self._moments.pop(match, None)

    def _painted(self, shown: str, draw: Callable[P, Page], *args: P.args, **kwargs: P.kwargs) -> Page:
        page = draw(*args, **kwargs)
        if page.digest != shown and page.picture:
            self._studio.picture(page.picture.spec)
        return page

    async def _once(
        self, moment: Moment, key: Hashable, draw: Callable[P, Page], *args: P.args, **kwargs: P.kwargs
    ) -> Page:
        drawing = moment.pages.get(key)
        if drawing is None:
            drawing = _drawn(moment.look.info.id, draw, *args, **kwargs)
            drawing.add_done_callback(lambda done: _unless_failed(moment, key, done))
            moment.pages[key] = drawing
        return await asyncio.shield(drawing)

    def _moment(self, look: Look) -> Moment:
        """The pages of that moment; those of one that is past already are not kept."""
        kept = self._moments.get(look.info.id)
        if kept is not None and (kept.look.info, kept.look.clocks) == (look.info, look.clocks):
            return kept
        moment = Moment(look)
        if kept is None or kept.look.info.revision <= look.info.revision:
            self._moments[look.info.id] = moment
            self._moments.move_to_end(look.info.id)
            if len(self._moments) > MOST:
                self._moments.popitem(last=False)
        return moment


def _unless_failed(moment: Moment, key: Hashable, done: asyncio.Future[Page]) -> None:
    """Have a page that could not be drawn be tried anew by the next one who asks."""
    if done.cancelled() or done.exception():
        moment.pages.pop(key, None)
