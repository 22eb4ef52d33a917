"""Keeps every message about a match up to date. Level-triggered: what differs from the newest state is redrawn."""

from __future__ import annotations

import asyncio
import logging
import secrets
from asyncio import sleep
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import replace
from functools import partial

import discord

from cogs.pictures.studio import Studio
from cogs.screens.screen import Screens
from cogs.table.state.server_lease import Held
from cogs.table.state.surface_store import Displays
from cogs.table.surfaces.hand_pacing import Pace
from cogs.table.surfaces.message import Key
from cogs.table.surfaces.redraw_pass import BURIED, CLOSING, Redraw
from cogs.table.surfaces.stale_tracking import Settled
from cogs.table.surfaces.surface_sync import Showing
from cogs.table.transport.background_tasks import Tasks, growing
from cogs.table.transport.connectivity import Outage
from cogs.table.transport.error_reports import unexpected
from cogs.table.transport.log_context import about
from cogs.table.transport.network_errors import NETWORK, named, passing, told_to_wait
from cogs.table.transport.rate_limiter import Traffic
from engines.hosting.match import Refused
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, Due, NotHeld, Place, StoreFailure
from engines.store.partition import Part
from engines.store.surface_storage import Inbox, Kind, Preferences, Surface

log = logging.getLogger(__name__)
HEAD_START = 0.05  # seconds for which nothing else of a match is drawn while a click is answered
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds before a match is tried again that ails for reasons of its own;
STORE_PAUSE = 8  # at most, where it is the store that fails


class Keeper:
    """One loop a match, alive while there is work; no network under a match's lock."""

    def __init__(
        self,
        client: discord.Client,
        matches: Matches,
        shown: Displays,
        screens: Screens,
        studio: Studio,
        clock: Callable[[], int],
        tasks: Tasks,
        traffic: Traffic,
        held: Held | None = None,
    ) -> None:
        self._held = held or Held()
        self._client = client
        self._matches = matches
        self._shown = shown
        self._clock = clock
        self._tasks = tasks
        self.showing = Showing(self, client, matches, shown, screens, studio, clock, tasks, self._held)
        self.outage = Outage(self._probe, self.wake, tasks)
        self._pace = Pace(self._follow, tasks)
        self.redraw = Redraw(
            client, matches, shown, self.showing, self.outage, self._pace, traffic, clock, self._held, self.wake
        )
        self._behind: set[str] = set()  # what has to be shown of these is not
        self._at_it: set[str] = set()  # of these it is being shown
        self._failed: set[str] = set()  # of these some of what must be could not be shown
        self._failed_later: set[str] = set()  # of these some of the rest
        self._pauses: dict[str, float] = {}
        self.settling = Settled(matches, shown, tasks, self._held)
        self._marked: set[str] = set()  # others are to look at these

    def wake(self, match: str, *seats: int) -> None:
        """Have the match's messages looked at; returns at once. The answer to a click has a head start.

        The hands of these seats are not to wait, whatever has become of the match.
        """
        self.redraw.owe(*((match, "hand", seat) for seat in seats))
        self._behind.add(match)
        self.settling.unsettled(match)
        if self.showing.answered(match):
            asyncio.get_running_loop().call_later(HEAD_START, self._go_on, match)
        else:
            self._go_on(match)

    def heard(self, match: str) -> None:
        """Another process has changed a match of ours, or may be answering a click in it."""
        self.showing.elsewhere.heard(match)
        self.showing.notices.forget(match)

    def idle(self, match: str) -> bool:
        """Whether nothing is being done about a match, and nothing of it is to be kept."""
        busy = match in self._behind | self._at_it | self._failed | self._failed_later
        return not (busy or self._pace.waits(match) or self.showing.answered(match) or self.settling.has(match))

    def refresh(self, match: str) -> None:
        """Have the hands looked at that are open for one person alone, in a match that others look after."""
        if self.showing.snapshots.seats(match):
            self._tasks.start(f"snapshots {match}", self._refresh, match)

    async def _refresh(self, match: str) -> None:
        try:
            await self.showing.refresh_snapshots(await self._matches.fresh(match))
        except (Refused, StoreFailure, *NETWORK) as why:
            log.info("What somebody has open of match %s stays as it was: %s", match, type(why).__name__)

    def lost(self, part: Part) -> None:
        """Others look after these servers from now on: what is under way ends before its next request."""
        for match in self.redraw.of(part):
            self._leave_to_others(match)

    def call(self, due: Due) -> None:
        """Have somebody called to their decision; returns at once."""
        self.showing.calls.add(due)
        if not self._tasks.runs(f"again {due.match}"):  # else Discord may have asked to wait so long
            self.wake(due.match)

    def released(self, key: Key, owed: bool) -> None:
        """Whoever answered a click with this message is done; owed, it is looked at."""
        if owed:
            self.redraw.owe(key)
            self._behind.add(key[0])
        self._settle(key[0])
        self._go_on(key[0])

    def talked(self, match: str) -> None:
        """Have it looked at later whether talk hides the table."""
        self._pace.later(match, (BURIED,))

    async def note(self, surface: Surface, *, new: bool = False) -> None:
        """Keep what somebody has shown in answer to a click, in a message that was there before unless it is new."""
        await self.showing.note(replace(surface, posted=surface.posted or self._clock()), new=new)

    async def edited(self, surface: Surface) -> None:
        """Keep what a message shows that somebody has edited in answer to a click."""
        if self._held.alone:
            await self._shown.edited([surface])
        else:
            await self.showing.note(surface)

    async def surface(self, match: str, kind: Kind, seat: int = -1) -> Surface | None:
        """The message of that kind, if there is one."""
        return await self._shown.one(match, kind, seat)

    async def preferences(self, user: int) -> Preferences:
        """What a person likes."""
        return await self._shown.preferences(user)

    async def inbox(self, user: int) -> Inbox | None:
        """Where a person's direct messages are, if that is known."""
        return await self._shown.inbox(user)

    async def prefer(self, user: int, change: Callable[[Preferences], Preferences]) -> None:
        """Change what a person likes."""
        await self._shown.prefer(user, change)

    async def shows(self, match: str, seat: int) -> bool:
        """Whether the one who sits there has a hand before them that is kept up to date."""
        if self.showing.snapshots.refreshable(match, seat):
            return True
        posted = await self.surface(match, "hand", seat)
        return posted is not None and bool(posted.message) and not posted.lost

    def behind(self) -> tuple[int, int]:
        """Of how many matches something is not shown that must be; and how much else is to follow in its own time."""
        return len(self._behind | self._at_it | self._failed), self._pace.waiting() + len(self._failed_later)

    async def announce(self, place: Place, text: str, called: Iterable[int] = (), nonce: str = "") -> bool:
        """Say something where the match is played, for everybody to notice; it is no loss where that is impossible.

        The users in `called` are notified, where the text mentions them. Under a nonce it is posted once, whoever says
        it. Whether Discord has taken it.
        """
        channel = self._client.get_partial_messageable(place.thread or place.channel)
        mentions = discord.AllowedMentions(users=[discord.Object(user) for user in called])
        try:
            await channel.send(text, allowed_mentions=mentions, nonce=nonce or secrets.token_hex(12))
        except NETWORK as error:
            log.info("An announcement could not be made: %s", named(error))
            return False
        return True

    def told(self) -> None:
        """Discord tells of what may end a trouble: whatever is being given up just now is tried once more."""
        self.showing.poster.told()

    async def try_again(self, match: str) -> None:
        """Forget that messages were given up, and post them again."""
        for surface in await self._shown.of(match):
            if surface.lost:
                await self._anew(match, surface.kind, surface.seat)
        self.wake(match)

    async def make_sure(self, match: str) -> None:
        """Try again what was given up, look whether what everybody sees still stands, and who can be reached again."""
        for surface in await self._shown.of(match):
            if surface.lost or (surface.kind != "hand" and not await self.showing.poster.stands(surface)):
                await self._anew(match, surface.kind, surface.seat)
        for seat in (await self._matches.look(match)).info.seats:
            inbox = await self._shown.inbox(seat.user) if seat.here else None
            if inbox is not None and inbox.closed:
                await self._shown.put_inbox(seat.user, inbox.channel, closed=False)
        self.wake(match, *range(len((await self._matches.look(match)).info.seats)))

    async def anew(self, match: str, kind: Kind, seat: int) -> None:
        """Have a message be edited, whatever it is said to show."""
        await self._anew(match, kind, seat)
        if kind == "hand":
            self.showing.snapshots.doubt(match, seat)
        self.wake(match)

    async def _anew(self, match: str, kind: Kind, seat: int) -> None:
        """It is not certain how it stands with a message: that is found out as it is looked at."""
        await self._shown.doubt(match, kind, seat)
        self.redraw.owe((match, kind, seat))

    # The loop

    def _go_on(self, match: str) -> None:
        """Have done what must be, if anything."""
        if match not in self._behind:
            return
        if self.outage.down:
            self.outage.wait(match)
        else:
            self._tasks.start(f"keep {match}", self._run, match)

    async def _run(self, match: str) -> None:
        """Show what must be, as long as the match changes meanwhile. What may wait follows by its own pace."""
        while match in self._behind and not self.outage.down:
            self._behind.discard(match)
            self._at_it.add(match)
            await self._tried(self.redraw.now, match, self._failed)
            self._at_it.discard(match)
            self._settle(match)
        if match in self._behind:
            self.outage.wait(match)

    async def _follow(self, match: str, seats: Collection[int]) -> None:
        """Show what could wait, unless Discord is down: whoever wakes the match then has all of it looked at."""
        if self.outage.down:
            self.outage.wait(match)
        else:
            await self._tried(partial(self._show_the_rest, seats=seats), match, self._failed_later)
            self._settle(match)

    def _settle(self, match: str) -> None:
        """All of a match is shown, unless it has changed, somebody is at it, or something of it failed or waits."""
        busy = match in self._behind | self._at_it | self._failed | self._failed_later
        if busy or self._pace.waits(match) or self.showing.answered(match):
            return
        if (looked := self.redraw.looked(match)) is not None:
            self.settling.settled(match, looked)

    async def _tried(self, show: Callable[[str], Awaitable[list[Exception]]], match: str, failed: set[str]) -> None:
        """Bring a match up to date; what kept some of it from being done is tried again."""
        about(match)
        try:
            failures = await show(match)
            if any(isinstance(failure, NotHeld) for failure in failures):
                raise NotHeld
        except NotHeld:
            self._not_held(match)
            return
        except Refused:  # there is no such match any more
            failures = []
        except Exception as error:  # noqa: BLE001  # the boundary of the loop, which never dies
            failures = [error]
        (failed.add if failures else failed.discard)(match)
        for failure in {named(failure): failure for failure in failures}.values():
            self._later(match, failure)
        if match not in self._failed | self._failed_later and not self._pace.waits(match):
            self._pauses.pop(match, None)
            self.outage.succeeded(match)

    def _not_held(self, match: str) -> None:
        """Somebody else is to look at it; or we, anew, where its server was lost and is ours again."""
        if self._held.holds(match):
            self._tasks.start(f"again {match}", self._again, match, 0, STORE_PAUSE)
            return
        self._leave_to_others(match)
        self._marked.add(match)
        self._tasks.start("mark", self._mark)

    def _leave_to_others(self, match: str) -> None:
        """Keep nothing of what was to be done about a match: another process looks after it."""
        for waiting in (self._behind, self._failed, self._failed_later):
            waiting.discard(match)
        self._pauses.pop(match, None)
        self.redraw.forget(match)
        self._pace.forget(match)
        self._tasks.stop(f"again {match}")
        self.settling.unsettled(match)
        self.showing.leave_to_others(match)

    async def _mark(self) -> None:
        """Have others look at what was to be looked at here."""
        for pause in growing(FIRST_PAUSE, LONGEST_PAUSE):
            marked, self._marked = self._marked, set()
            try:
                await self._shown.mark(sorted(marked))
            except StoreFailure:
                self._marked |= marked
                await sleep(pause)
            if not self._marked:
                return

    def _later(self, match: str, error: Exception) -> None:
        """Have a match tried again: when Discord answers, or after a pause of its own."""
        if (wait := told_to_wait(error)) is None and passing(error):
            log.warning("Match %s: %s; it waits until Discord answers", match, named(error))
            self.outage.failed(match)
            return
        if wait is None and not isinstance(error, StoreFailure):
            unexpected(error)
        else:
            log.warning("Match %s: %s; it is tried again", match, named(error))
        longest = STORE_PAUSE if isinstance(error, StoreFailure) else LONGEST_PAUSE
        self._tasks.start(f"again {match}", self._again, match, wait or 0, longest)

    async def _again(self, match: str, least: float, longest: float) -> None:
        """Wake a match after a pause that grows with every time that it was waited for."""
        pause = min(self._pauses.get(match, FIRST_PAUSE), longest)
        await sleep(max(pause, least))
        self._pauses[match] = 2 * pause
        self.wake(match)

    async def _probe(self) -> None:
        """One small request, to see whether Discord answers."""
        assert self._client.user is not None
        await self._client.fetch_user(self._client.user.id)

    async def _show_the_rest(self, match: str, seats: Collection[int]) -> list[Exception]:
        """What could wait of those seats; what kept some of it from being done."""
        failures = await self.redraw.later(match, seats)
        look = await self._matches.look(match)
        if look.info.status in LIVE or failures or self._pace.waits(match):
            return failures
        if self.showing.answered(match) or match in self._behind | self._at_it:
            self._pace.later(match, (CLOSING,))
        else:
            self._forget(match)
        return failures

    def _forget(self, match: str) -> None:
        """Nothing more will happen in a closed match: keep nothing of it in memory."""
        self.showing.forget(match)
        self._matches.forget(match)
        self.redraw.over(match)
        self._failed.discard(match)
