"""Erases data: of people who ask for it, of servers that removed the bot, and of old finished matches."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection

from cogs.table.channels.table_services import TableServices
from cogs.table.scheduling.computer_turns import substitute_level
from cogs.table.state.server_lease import check_lease
from cogs.table.transport.background_tasks import exponential_backoff, retry_until_done
from engines.hosting.match import NewerMatch
from engines.store.match_store import LIVE, MatchInfo, Status, WriteConflict
from engines.store.partition import GUILD_SHIFT, Partition

log = logging.getLogger(__name__)
CLEANUP_SECONDS = 60 * 60  # seconds between two cleanups
SERVER_GRACE = 30 * 24 * 60 * 60  # seconds that a server's data stays after the server removed the bot
DAY = 24 * 60 * 60
ANNOUNCEMENT_DAYS = 7
FAREWELL_SECONDS = 60  # seconds for deleting a forgotten person's hand messages, before the second wipe
STEP_PAUSE = 0.02  # seconds between two erased matches, so that others can write
BATCH_SIZE = 20  # matches per query
FIRST_PARTITION = 0  # if there are several processes, the holder of this partition does the global work
LEFT_TEXT = "Somebody has left the match."


class Retention:
    """Erases data in small steps. Each is its own transaction, so nobody waits long and a crash undoes nothing.

    The store holds the open forget requests and the time at which each server removed the bot, so the work continues
    after a restart.
    """

    def __init__(
        self,
        services: TableServices,
        present_guilds: Callable[[], tuple[Collection[int], Partition]],
        announce: Callable[[MatchInfo, str], Awaitable[None]],
        is_clock_right: Callable[[], bool],
        retention_days: int = 0,
    ) -> None:
        self._services = services
        self._present_guilds = present_guilds
        self._announce = announce
        self._is_clock_right = is_clock_right
        self._retention_days = retention_days  # how long finished matches stay; 0 means forever
        self._is_requested = False
        services.matches.forgetting.on_requested.append(self.start_forgetting)

    def start(self) -> None:
        """Start the regular cleanup. Returns at once."""
        self._services.tasks.start_loop(self._services.clock, "retention", self._run)

    def start_forgetting(self) -> None:
        """Handle the open forget requests. Returns at once."""
        self._is_requested = True
        self._services.tasks.start_loop(self._services.clock, "forgetting", self._forget_requested)

    def start_noting_servers(self) -> None:
        """Store the list of servers after a change. Returns at once."""
        self._services.tasks.start("note servers", retry_until_done, self._services.clock, self._note_servers)

    async def _run(self) -> None:
        await retry_until_done(
            self._services.clock, self._act_globally, self._wipe
        )  # data erased just before the last shutdown
        while True:
            await retry_until_done(self._services.clock, self._note_servers)
            self.start_forgetting()  # requests from before
            await retry_until_done(self._services.clock, self._act_globally, self._erase_expired)
            await self._services.clock.sleep(FAREWELL_SECONDS)
            # Wipe what was deleted late, after a restart or an outage of Discord.
            await retry_until_done(self._services.clock, self._act_globally, self._wipe)
            await self._services.clock.sleep(CLEANUP_SECONDS - FAREWELL_SECONDS)

    async def _note_servers(self) -> None:
        if self._is_clock_right():  # the time of a removal is stored
            await self._services.matches.forgetting.record_servers(*self._present_guilds())

    async def _act_globally(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do work that concerns no server. Raises NotLeaseHolder if another process holds the first partition."""
        lease = self._services.lease
        first = (
            min(lease.holding.partition.numbers, default=FIRST_PARTITION) if lease.is_only_process else FIRST_PARTITION
        )
        with lease.acting_for(first << GUILD_SHIFT):
            await work()

    # Old data

    async def _erase_expired(self) -> None:
        """Erase the expired servers and matches of all partitions."""
        if not self._is_clock_right():  # then nothing is old
            return
        now = self._services.clock.now()
        await self._services.matches.rests.end_expired_rests()  # also of people without a match
        await self._services.surfaces.store.erase_announcements(now - ANNOUNCEMENT_DAYS * DAY)
        await self._services.surfaces.store.erase_first_contacts(now - DAY)
        erased = await self._erase_all(
            lambda: self._services.matches.forgetting.deserted_matches(now - SERVER_GRACE, BATCH_SIZE)
        )
        old = 0
        if self._retention_days:
            old = await self._erase_all(
                lambda: self._services.matches.forgetting.closed_matches(now - self._retention_days * DAY, BATCH_SIZE)
            )
        if erased or old:
            log.info("Erased %d matches of removed servers and %d old finished matches", erased, old)
        if erased + old + await self._services.matches.forgetting.erase_old_rows():
            await self._wipe()

    async def _erase_all(self, find: Callable[[], Awaitable[list[str]]]) -> int:
        erased = set[str]()
        while found := [
            match for match in await find() if match not in erased
        ]:  # a match with a damaged id cannot be erased
            for match in found:
                check_lease()
                if not self._is_clock_right():
                    return len(erased)
                await self._services.matches.forgetting.erase_match(match)
                self._services.surfaces.forget(match)
                erased.add(match)
                await self._services.clock.sleep(STEP_PAUSE)
        return len(erased)

    async def _wipe(self) -> None:
        """Remove erased data from the disk. Readers can delay this for a moment."""
        for pause in exponential_backoff():
            if await self._services.matches.forgetting.wipe_deleted():
                return
            await self._services.clock.sleep(pause)

    # People

    async def _forget_requested(self) -> None:
        while self._is_requested:
            self._is_requested = False
            await retry_until_done(self._services.clock, self._act_globally, self._forget_all)

    async def _forget_all(self) -> None:
        """Handle all open forget requests. Matches of a newer version of the bot are left to that version."""
        left: set[tuple[int, str]] = set()
        done = False
        while found := [
            each for each in await self._services.matches.forgetting.pending_forgetting() if each not in left
        ]:
            for user, match in found:
                check_lease()
                if not await self._forget_one(user, match):
                    left.add((user, match))
            done = True
        if done:
            await self._wipe()
            self._services.tasks.stop("wipe")
            self._services.tasks.start_loop(self._services.clock, "wipe", self._wipe_later)

    async def _wipe_later(self) -> None:
        await self._services.clock.sleep(FAREWELL_SECONDS)
        await self._wipe()

    async def _forget_one(self, user: int, match: str) -> bool:
        """Forget a person in one match, or outside of matches if `match` is empty. Return whether that worked."""
        if not match:
            await self._services.surfaces.forget_person(user)
            await self._services.matches.forgetting.finish_forgetting(user)
            return True
        try:
            after = await self._services.matches.forgetting.forget_in_match(match, user, substitute_level)
        except NewerMatch as why:
            log.info("Match %s: could not forget a person yet: %s", match, why)
            return False
        except WriteConflict:  # somebody took a seat or moved at the same time: retry
            await self._services.clock.sleep(STEP_PAUSE)
            return True
        if after is None:
            self._services.surfaces.forget(match)
        else:
            await self._announce_departure(after)
        return True

    async def _announce_departure(self, info: MatchInfo) -> None:
        """Announce in a running match that somebody left. A lobby shows it anyway."""
        seat = next((seat for seat in info.seats if seat.user == -info.revision), None)
        if seat is not None and info.status is not Status.CANCELLED:
            more = " The computer plays on in that seat." if seat.level and info.status in LIVE else ""
            await self._announce(info, f"{LEFT_TEXT}{more}")
