"""What of a match is shown in one go: all that must be at once, and what may wait a while."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import contextmanager

import discord

from cogs.table.state.server_lease import Held
from cogs.table.state.surface_store import Displays
from cogs.table.surfaces import option_change_notice
from cogs.table.surfaces.hand_pacing import Pace
from cogs.table.surfaces.message import Key
from cogs.table.surfaces.surface_sync import Showing
from cogs.table.transport.connectivity import Outage
from cogs.table.transport.rate_limiter import Traffic
from engines.hosting.match import Look
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, Status
from engines.store.partition import Part

CLOSING, BURIED = -1, -2  # what else may wait: the end of a match, and whether talk hides its table


class Redraw:
    """Part of the keeper, which says when; `wake` has another match looked at.

    What fails keeps nothing else from being shown: it is answered with, for the keeper to try again.
    """

    def __init__(
        self,
        client: discord.Client,
        matches: Matches,
        shown: Displays,
        showing: Showing,
        outage: Outage,
        pace: Pace,
        traffic: Traffic,
        clock: Callable[[], int],
        held: Held,
        wake: Callable[[str], None],
    ) -> None:
        self._client = client
        self._matches = matches
        self._shown = shown
        self._showing = showing
        self._outage = outage
        self._pace = pace
        self._traffic = traffic
        self._clock = clock
        self._held = held
        self._wake = wake
        self._owed: set[Key] = set()  # those that are to be looked at now, whoever is due
        self._looked: dict[str, int] = {}  # the revision at which all of these was looked at last
        self._servers: dict[str, int] = {}  # of those that were looked at

    def owe(self, *keys: Key) -> None:
        """These messages are not to wait, whoever is due."""
        self._owed.update(keys)

    def looked(self, match: str) -> int | None:
        """The revision at which all of a match was looked at last, told once."""
        return self._looked.pop(match, None)

    def of(self, part: Part) -> list[str]:
        """The matches of these servers that were looked at."""
        return [match for match, server in self._servers.items() if part.has(server)]

    def over(self, match: str) -> None:
        """Nothing more will happen in a match; that all of it was looked at may still be asked for."""
        self._servers.pop(match, None)

    def forget(self, match: str) -> None:
        """Keep nothing of a match in memory."""
        self._owed = {key for key in self._owed if key[0] != match}
        self._looked.pop(match, None)
        self.over(match)

    async def now(self, match: str) -> list[Exception]:
        """The lobby, the table, the hands of those who are due next, calls; what kept some of it from being done.

        The other hands follow.
        """
        look = await self._matches.look(match)
        with self._held.acting(look.info.place.guild):
            self._servers[match] = look.info.place.guild
            await self._showing.elsewhere.learn(match)
            return await self._all_that_must_be(look)

    async def later(self, match: str, seats: Collection[int]) -> list[Exception]:
        """What could wait of those seats; what kept some of it from being done."""
        with self._held.acting((await self._matches.look(match)).info.place.guild):
            return await _all(self._in_time(match, seat) for seat in seats)

    async def _all_that_must_be(self, look: Look) -> list[Exception]:
        match = look.info.id
        self._looked[match] = look.info.revision
        await self._tell_others(look)
        failures: list[Exception] = []  # what fails keeps nothing else from being shown
        with _noted(failures):
            await self._showing.around.keep(look.info)
        async with self._outage.watched():
            with _noted(failures):
                await self._showing.farewells.bid(look)
            known = await self._shown.one(match, "table")
            linked = known is not None and known.message and look.info.status in LIVE
            if not linked:  # what is said elsewhere leads there
                with _noted(failures):
                    look = await self._showing.table(look)
            setting = await self._showing.setting(look)
            seats = await self._at_once(look)
            lobby = look.info.status is not Status.OVER and not await self._showing.lobby_stands(look, setting)
            jobs: list[Awaitable[object]] = [  # from here on nothing may fail before they are waited for
                self._traffic.first(hand) for hand in self._showing.hands(look, setting, seats)
            ]
            if lobby:
                jobs.append(self._showing.lobby(look, setting))
            if linked:
                jobs.append(self._showing.table(look))
            failures += await _all(jobs)
            setting = await self._showing.setting(look)  # whether anything can be said where the table is
            anew = not failures
            with _noted(failures):
                await self._showing.calls.refresh(look, setting.screen, lost=bool(setting.trouble), anew=anew)
            with _noted(failures):
                await option_change_notice.refresh(self._client, self._shown, look, setting.screen, self._clock())
            with _noted(failures):
                await self._showing.notices.refresh(look)
            return failures

    async def _tell_others(self, look: Look) -> None:
        """Have the other matches looked at in which hands may have changed by this one.

        That is kept before this match can be said to be shown: else a crash in between would leave them as they are.
        """
        if others := await self._showing.readers.news(look):
            for other in others:
                self._wake(other)
            await self._shown.mark(others)
        self._showing.readers.seen(look)

    async def _at_once(self, look: Look) -> set[int]:
        """The seats whose hands are shown at once; the rest follow.

        They are those who are due next, by what their hands offer, or are called, and who has moved, unless that is
        being answered.
        Whatever is no move, and the first deal, is for everybody.
        """
        match, info = look.info.id, look.info
        seats = {*range(len(info.seats)), *self._showing.snapshots.seats(match)}
        owed = {key for key in self._owed if key[0] == match}
        self._owed -= owed
        now = {seat for _, kind, seat in owed if kind == "hand"}
        if info.status not in (Status.RUNNING, Status.OVER) or not info.moves:
            now = seats
        if info.status is Status.RUNNING:
            now |= {seat for seat in look.movers[-1:] if not self._showing.answers(match, seat)}
        for seat in look.due():
            if not await self._showing.offers(look, seat):
                now.add(seat)
        self._pace.caught_up(match, now)
        closing = () if info.status in LIVE else (CLOSING,)
        self._pace.later(match, (*(seats - now), *closing))
        return now

    async def _in_time(self, match: str, seat: int) -> None:
        """A seat's hand, or what else could wait, as it is when there is room for it."""
        async with self._traffic.spare(), self._outage.watched():
            self._pace.caught_up(match, (seat,))
            look = await self._matches.look(match)
            if seat == BURIED:
                await self._showing.unbury(look)
            elif seat == CLOSING:
                await self._showing.lobby(look, await self._showing.setting(look))
            else:
                await asyncio.gather(*self._showing.hands(look, await self._showing.setting(look), (seat,)))


async def _all(jobs: Iterable[Awaitable[object]]) -> list[Exception]:
    """Do them side by side; what went wrong."""
    done = await asyncio.gather(*jobs, return_exceptions=True)
    return [failure for failure in done if isinstance(failure, Exception)]


@contextmanager
def _noted(failures: list[Exception]) -> Iterator[None]:
    """Keep what went wrong for later, and go on."""
    try:
        yield
    except Exception as error:  # noqa: BLE001  # within the boundary of the loop
        failures.append(error)
