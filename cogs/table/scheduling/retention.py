"""Forgets: people who want to be forgotten, servers that have put the bot out, matches that are over for long."""

from __future__ import annotations

import logging
from asyncio import sleep
from collections.abc import Awaitable, Callable, Collection
from contextlib import AbstractContextManager

from cogs.table.scheduling.computer_turns import SUBSTITUTE_LEVEL
from cogs.table.state.server_lease import ServerLease, check_lease
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.transport.background_tasks import BackgroundTasks, exponential_backoff, retry_on_store_failure
from engines.hosting.match import NewerMatch
from engines.hosting.matches import Matches
from engines.kit.contract import AnyGame
from engines.store.match_store import LIVE, MatchInfo, Status, WriteConflict
from engines.store.partition import GUILD_SHIFT, Partition
from players import available_levels

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds until the log is emptied, where somebody reads
CLEANUP_SECONDS = 60 * 60  # seconds between two looks at what is too old
SERVER_GRACE = 30 * 24 * 60 * 60  # seconds for which nothing is forgotten of a server that has put the bot out
DAY = 24 * 60 * 60
FAREWELL_SECONDS = (
    60  # seconds in which hands that were somebody's are taken away, of which nothing is to be left either
)
STEP_PAUSE = 0.02  # seconds between two matches that are forgotten, in which others write
BATCH_SIZE = 20  # matches that are looked up at a time
FIRST_PARTITION = 0  # of all parts: what concerns no server is done by whoever holds that, where there are several
LEFT_TEXT = "Somebody has left the match."


class Retention:
    """All in small steps, each a transaction of its own, so that nobody waits for them; a crash takes nothing back.

    Whom to forget is kept with every match in which that is still to be done, since when a server is gone with the
    servers: after a restart it goes on where it was.
    """

    def __init__(
        self,
        matches: Matches,
        surfaces: SurfaceCache,
        present_guilds: Callable[[], tuple[Collection[int], Partition]],
        announce: Callable[[MatchInfo, str], Awaitable[None]],
        clock: Callable[[], int],
        tasks: BackgroundTasks,
        retention_days: int = 0,
        lease: ServerLease | None = None,
    ) -> None:
        self._lease = lease or ServerLease()
        self._matches = matches
        self._surfaces = surfaces
        self._present_guilds = present_guilds
        self._announce = announce
        self._clock = clock
        self._tasks = tasks
        self._retention_days = retention_days  # for which matches are kept that are over; 0: for ever
        self._is_requested = False

    def start(self) -> None:
        """Look after all of it from now on; returns at once."""
        self._tasks.start("housekeeping", self._run)

    def start_forgetting(self) -> None:
        """Somebody wants to be forgotten; returns at once."""
        self._is_requested = True
        self._tasks.start("forgetting", self._forget_requested)

    def start_noting_servers(self) -> None:
        """The bot has been put out of a server, or is in another one; returns at once."""
        self._tasks.start("note servers", retry_on_store_failure, self._note_servers)

    async def _run(self) -> None:
        await retry_on_store_failure(self._wipe_if_holder)  # what was forgotten just before the end
        while True:
            await retry_on_store_failure(self._note_servers)
            self.start_forgetting()  # whatever was begun before
            await retry_on_store_failure(self._erase_if_holder)
            await sleep(FAREWELL_SECONDS)
            await retry_on_store_failure(
                self._wipe_if_holder
            )  # what was taken away late: after a restart, or an outage of Discord's
            await sleep(CLEANUP_SECONDS - FAREWELL_SECONDS)

    async def _note_servers(self) -> None:
        await self._matches.record_servers(*self._present_guilds())

    def _acting_globally(self) -> AbstractContextManager[None]:
        """Leave for what concerns no server. Raises NotHeld where another process has it."""
        first = (
            min(self._lease.partition.numbers, default=FIRST_PARTITION)
            if self._lease.is_only_process
            else FIRST_PARTITION
        )
        return self._lease.acting_for(first << GUILD_SHIFT)

    async def _wipe_if_holder(self) -> None:
        with self._acting_globally():
            await self._wipe()

    # What is too old

    async def _erase_if_holder(self) -> None:
        """Forget servers and matches whose time has come, of all parts, for whoever holds the first one."""
        with self._acting_globally():
            await self._erase_expired()

    async def _erase_expired(self) -> None:
        now = self._clock()
        gone = await self._erase_all(lambda: self._matches.deserted_matches(now - SERVER_GRACE, BATCH_SIZE))
        old = 0
        if self._retention_days:
            old = await self._erase_all(
                lambda: self._matches.closed_matches(now - self._retention_days * DAY, BATCH_SIZE)
            )
        if gone or old:
            log.info("Forgotten: %d matches of servers that are gone, %d that were over for long", gone, old)
            await self._wipe()

    async def _erase_all(self, find: Callable[[], Awaitable[list[str]]]) -> int:
        erased = set[str]()
        while found := [match for match in await find() if match not in erased]:  # a damaged id stays
            for match in found:
                check_lease()
                await self._matches.erase_match(match)
                self._surfaces.forget(match)
                erased.add(match)
                await sleep(STEP_PAUSE)
        return len(erased)

    async def _wipe(self) -> None:
        """Have nothing of it left on the disk; whoever reads keeps that from being done for a moment."""
        for pause in exponential_backoff(FIRST_PAUSE, LONGEST_PAUSE):
            if await self._matches.wipe_deleted():
                return
            await sleep(pause)

    # People

    async def _forget_requested(self) -> None:
        while self._is_requested:
            self._is_requested = False
            await retry_on_store_failure(self._forget_all)

    async def _forget_all(self) -> None:
        """Forget whoever wants it, for whoever holds the first part; others find it there.

        A match of a newer version of the bot stays to be done by that.
        """
        with self._acting_globally():
            await self._forget_each()

    async def _forget_each(self) -> None:
        left: set[tuple[int, str]] = set()
        done = False
        while found := [each for each in await self._matches.pending_forgetting() if each not in left]:
            for user, match in found:
                check_lease()
                if not await self._forget_one(user, match):
                    left.add((user, match))
            done = True
        if done:
            await self._wipe()
            self._tasks.stop("wipe")
            self._tasks.start("wipe", self._wipe_later)

    async def _wipe_later(self) -> None:
        await sleep(FAREWELL_SECONDS)
        await self._wipe()

    async def _forget_one(self, user: int, match: str) -> bool:
        """Forget somebody in one match, or in all else; whether that could be done."""
        if not match:
            await self._surfaces.forget_person(user)
            await self._matches.finish_forgetting(user)
            return True
        try:
            after = await self._matches.forget_in_match(match, user, _substitute_level)
        except NewerMatch as why:
            log.info("Match %s: somebody is not forgotten in it yet: %s", match, why)
            return False
        except WriteConflict:  # somebody has just taken a seat, or moved: it is looked at once more
            await sleep(STEP_PAUSE)
            return True
        if after is None:
            self._surfaces.forget(match)
        else:
            await self._announce_departure(after)
        return True

    async def _announce_departure(self, info: MatchInfo) -> None:
        """Say that somebody has left a match that was running; a lobby shows it."""
        seat = next((seat for seat in info.seats if seat.user == -info.revision), None)
        if seat is not None and info.status is not Status.CANCELLED:
            more = " The computer plays on in that seat." if seat.level and info.status in LIVE else ""
            await self._announce(info, f"{LEFT_TEXT}{more}")


def _substitute_level(game: AnyGame) -> str:
    """The computer that plays on for somebody who has gone, where there is one."""
    return SUBSTITUTE_LEVEL if SUBSTITUTE_LEVEL in available_levels(game) else ""
