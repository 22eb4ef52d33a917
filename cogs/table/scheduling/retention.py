"""Forgets: people who want to be forgotten, servers that have put the bot out, matches that are over for long."""

from __future__ import annotations

import logging
from asyncio import sleep
from collections.abc import Awaitable, Callable, Collection
from contextlib import AbstractContextManager

from cogs.table.scheduling.computer_turns import INSTEAD
from cogs.table.state.server_lease import Held, still
from cogs.table.state.surface_store import Displays
from cogs.table.transport.background_tasks import Tasks, growing, persist
from engines.hosting.match import BeingUpdated
from engines.hosting.matches import Matches
from engines.kit.contract import AnyGame
from engines.store.match_store import LIVE, Conflict, Info, Status
from engines.store.partition import SHIFT, Part
from players import levels

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds until the log is emptied, where somebody reads
ROUND = 60 * 60  # seconds between two looks at what is too old
GRACE = 30 * 24 * 60 * 60  # seconds for which nothing is forgotten of a server that has put the bot out
DAY = 24 * 60 * 60
FAREWELLS = 60  # seconds in which hands that were somebody's are taken away, of which nothing is to be left either
BREATH = 0.02  # seconds between two matches that are forgotten, in which others write
AT_ONCE = 20  # matches that are looked up at a time
FIRST = 0  # of all parts: what concerns no server is done by whoever holds that, where there are several
LEFT = "Somebody has left the match."


class Housekeeping:
    """All in small steps, each a transaction of its own, so that nobody waits for them; a crash takes nothing back.

    Whom to forget is kept with every match in which that is still to be done, since when a server is gone with the
    servers: after a restart it goes on where it was.
    """

    def __init__(
        self,
        matches: Matches,
        shown: Displays,
        guilds: Callable[[], tuple[Collection[int], Part]],
        announce: Callable[[Info, str], Awaitable[None]],
        clock: Callable[[], int],
        tasks: Tasks,
        days: int = 0,
        held: Held | None = None,
    ) -> None:
        self._held = held or Held()
        self._matches = matches
        self._shown = shown
        self._guilds = guilds
        self._announce = announce
        self._clock = clock
        self._tasks = tasks
        self._days = days  # for which matches are kept that are over; 0: for ever
        self._wanted = False

    def begin(self) -> None:
        """Look after all of it from now on; returns at once."""
        self._tasks.start("housekeeping", self._run)

    def forget(self) -> None:
        """Somebody wants to be forgotten; returns at once."""
        self._wanted = True
        self._tasks.start("forgetting", self._forget)

    def moved(self) -> None:
        """The bot has been put out of a server, or is in another one; returns at once."""
        self._tasks.start("note servers", persist, self._note_servers)

    async def _run(self) -> None:
        await persist(self._clear)  # what was forgotten just before the end
        while True:
            await persist(self._note_servers)
            self.forget()  # whatever was begun before
            await persist(self._tidy)
            await sleep(FAREWELLS)
            await persist(self._clear)  # what was taken away late: after a restart, or an outage of Discord's
            await sleep(ROUND - FAREWELLS)

    async def _note_servers(self) -> None:
        await self._matches.present(*self._guilds())

    def _acting(self) -> AbstractContextManager[None]:
        """Leave for what concerns no server. Raises NotHeld where another process has it."""
        first = min(self._held.part.numbers, default=FIRST) if self._held.alone else FIRST
        return self._held.acting(first << SHIFT)

    async def _clear(self) -> None:
        with self._acting():
            await self._wipe()

    # What is too old

    async def _tidy(self) -> None:
        """Forget servers and matches whose time has come, of all parts, for whoever holds the first one."""
        with self._acting():
            await self._erase_what_is_old()

    async def _erase_what_is_old(self) -> None:
        now = self._clock()
        gone = await self._erase_all(lambda: self._matches.deserted(now - GRACE, AT_ONCE))
        old = 0
        if self._days:
            old = await self._erase_all(lambda: self._matches.closed(now - self._days * DAY, AT_ONCE))
        if gone or old:
            log.info("Forgotten: %d matches of servers that are gone, %d that were over for long", gone, old)
            await self._wipe()

    async def _erase_all(self, find: Callable[[], Awaitable[list[str]]]) -> int:
        erased = set[str]()
        while found := [match for match in await find() if match not in erased]:  # a damaged id stays
            for match in found:
                still()
                await self._matches.erase(match)
                self._shown.forget(match)
                erased.add(match)
                await sleep(BREATH)
        return len(erased)

    async def _wipe(self) -> None:
        """Have nothing of it left on the disk; whoever reads keeps that from being done for a moment."""
        for pause in growing(FIRST_PAUSE, LONGEST_PAUSE):
            if await self._matches.wipe():
                return
            await sleep(pause)

    # People

    async def _forget(self) -> None:
        while self._wanted:
            self._wanted = False
            await persist(self._forget_all)

    async def _forget_all(self) -> None:
        """Forget whoever wants it, for whoever holds the first part; others find it there.

        A match of a newer version of the bot stays to be done by that.
        """
        with self._acting():
            await self._forget_each()

    async def _forget_each(self) -> None:
        left: set[tuple[int, str]] = set()
        done = False
        while found := [each for each in await self._matches.to_forget() if each not in left]:
            for user, match in found:
                still()
                if not await self._one(user, match):
                    left.add((user, match))
            done = True
        if done:
            await self._wipe()
            self._tasks.stop("wipe")
            self._tasks.start("wipe", self._wipe_later)

    async def _wipe_later(self) -> None:
        await sleep(FAREWELLS)
        await self._wipe()

    async def _one(self, user: int, match: str) -> bool:
        """Forget somebody in one match, or in all else; whether that could be done."""
        if not match:
            await self._shown.forget_person(user)
            await self._matches.forgotten(user)
            return True
        try:
            after = await self._matches.forget_in(match, user, _substitute)
        except BeingUpdated as why:
            log.info("Match %s: somebody is not forgotten in it yet: %s", match, why)
            return False
        except Conflict:  # somebody has just taken a seat, or moved: it is looked at once more
            await sleep(BREATH)
            return True
        if after is None:
            self._shown.forget(match)
        else:
            await self._tell(after)
        return True

    async def _tell(self, info: Info) -> None:
        """Say that somebody has left a match that was running; a lobby shows it."""
        seat = next((seat for seat in info.seats if seat.user == -info.revision), None)
        if seat is not None and info.status is not Status.CANCELLED:
            more = " The computer plays on in that seat." if seat.level and info.status in LIVE else ""
            await self._announce(info, f"{LEFT}{more}")


def _substitute(game: AnyGame) -> str:
    """The computer that plays on for somebody who has gone, where there is one."""
    return INSTEAD if INSTEAD in levels(game) else ""
