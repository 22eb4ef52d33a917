"""Keeps every message about a match up to date. Level-triggered: what differs from the newest state is redrawn."""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Literal
from weakref import WeakValueDictionary

import discord

from cogs.pictures.studio import Studio
from cogs.screens.screen import Screens
from cogs.table import changes, pages, places, send
from cogs.table.calls import NOBODY, Calls
from cogs.table.drawing import Drawings, drawn
from cogs.table.faults import unexpected
from cogs.table.inboxes import Inboxes
from cogs.table.kept import Displays
from cogs.table.network import NETWORK, named, passing, told_to_wait
from cogs.table.outage import Outage
from cogs.table.pace import Pace
from cogs.table.page import Page, Press
from cogs.table.poster import DM_CLOSED, Key, Poster
from cogs.table.readers import Readers
from cogs.table.snapshots import Snapshots
from cogs.table.tasks import Tasks
from cogs.table.threads import Threads
from cogs.table.traffic import Traffic
from engines.match import Look, Refused
from engines.matches import Matches
from engines.shown import Kind, Preferences, Surface
from engines.store import LIVE, Due, Place, Status, StoreFailure

log = logging.getLogger(__name__)
HEAD_START = 0.05  # seconds for which nothing else of a match is drawn while a click is answered
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds before a match is tried again that ails for reasons of its own;
STORE_PAUSE = 8  # at most, where it is the store that fails
CLOSING, BURIED = -1, -2  # what else may wait: the end of a match, and whether talk hides its table

Greeted = Literal["greeted", "closed", "later"]


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
    ) -> None:
        self._client = client
        self._matches = matches
        self._shown = shown
        self.screens = screens
        self.studio = studio
        self._clock = clock
        self._tasks = tasks
        self.poster = Poster(client, shown, studio, clock)
        self.drawings = Drawings(studio)
        self.readers = Readers(shown, matches)
        self.outage = Outage(self._probe, self.wake, tasks)
        self.calls = Calls(client, matches, shown)
        self._inboxes = Inboxes(client, shown, self.wake, tasks)
        self._threads = Threads(client, matches, clock)
        self._traffic = traffic
        self._pace = Pace(self._follow, tasks)
        self._behind: set[str] = set()  # what has to be shown of these is not
        self._at_it: set[str] = set()  # of these it is being shown
        self._failed: set[str] = set()  # of these some of what must be could not be shown
        self._failed_later: set[str] = set()  # of these some of the rest
        self._pauses: dict[str, float] = {}
        self._bringing: WeakValueDictionary[Key, asyncio.Lock] = WeakValueDictionary()
        self._held: Counter[Key] = Counter()
        self._passed: set[Key] = set()  # those held that were to be looked at
        self._owed: set[Key] = set()  # those that are to be looked at now, whoever is due
        self._offering: dict[Key, tuple[int, int]] = {}  # which decision a message offers, and its id
        self.snapshots = Snapshots(studio, clock)

    def wake(self, match: str, *seats: int) -> None:
        """Have the match's messages looked at; returns at once. The answer to a click has a head start.

        The hands of these seats are not to wait, whatever has become of the match.
        """
        self._owed.update((match, "hand", seat) for seat in seats)
        self._behind.add(match)
        if self._answered(match):
            asyncio.get_running_loop().call_later(HEAD_START, self._go_on, match)
        else:
            self._go_on(match)

    def call(self, due: Due) -> None:
        """Have somebody called to their decision; returns at once."""
        self.calls.add(due)
        if not self._tasks.runs(f"again {due.match}"):  # else Discord may have asked to wait so long
            self.wake(due.match)

    @asynccontextmanager
    async def held(self, match: str, kind: Kind, seat: int = -1) -> AsyncIterator[None]:
        """Leave this message to somebody who answers a click with it; where that ends in an error, it is looked at."""
        key = (match, kind, seat)
        self._held[key] += 1
        try:
            yield
        except BaseException:
            self._passed.add(key)
            raise
        finally:
            self._held[key] -= 1
            if not self._held[key]:
                del self._held[key]
                if key in self._passed:
                    self._passed.discard(key)
                    self._owed.add(key)
                    self._behind.add(match)
            self._go_on(match)

    async def note(self, surface: Surface) -> None:
        """Keep what somebody has shown in answer to a click."""
        await self._shown.put(replace(surface, posted=surface.posted or self._clock()))

    async def surface(self, match: str, kind: Kind, seat: int = -1) -> Surface | None:
        """The message of that kind, if there is one."""
        return await self._shown.one(match, kind, seat)

    async def preferences(self, user: int) -> Preferences:
        """What a person likes."""
        return await self._shown.preferences(user)

    async def prefer(self, user: int, change: Callable[[Preferences], Preferences]) -> None:
        """Change what a person likes."""
        await self._shown.prefer(user, change)

    async def shows(self, match: str, seat: int) -> bool:
        """Whether the one who sits there has a hand before them that is kept up to date."""
        if self.snapshots.refreshable(match, seat):
            return True
        posted = await self.surface(match, "hand", seat)
        return posted is not None and bool(posted.message) and not posted.lost

    async def setting(self, look: Look) -> pages.Setting:
        """What the match's messages say of the world around it."""
        place = look.info.place
        table = await self.surface(look.info.id, "table")
        url = places.message_url(place.guild, table.channel, table.message) if table and table.message else ""
        record = await self._matches.record(look.info.id) if look.info.status is Status.OVER else ""
        server = places.server_name(self._client, place)
        return pages.Setting(self.screens[look.info.game], server, url, table.lost if table else "", record)

    async def greet(self, match: str, seat: int, user: discord.abc.User) -> Greeted:
        """Open the person's direct messages with their hand, and say whether that was possible."""
        async with self.held(match, "hand", seat):
            inbox = await self._inboxes.open(user.id, match)
            if inbox is None:
                self.wake(match)
                return "later"
            known = await self.surface(match, "hand", seat)
            if known and (known.channel != inbox.channel or known.message):
                return "greeted"  # it is there, or comes when the one who sat there before has lost theirs
            look = await self._matches.look(match)
            page = await self.drawings.hand(look, seat, await self.setting(look), await self.readers.of(look, seat))
            try:
                await self.poster.post(look, known or Surface(match, "hand", seat, inbox.channel), page)
            except NETWORK as error:
                if isinstance(error, discord.HTTPException) and error.code in DM_CLOSED:
                    await self._shown.put_inbox(user.id, inbox.channel, closed=True)
                    await self._shown.drop(match, "hand", seat)
                    return "closed"
                log.info("A first hand of match %s comes later: %s", match, named(error))
                self.wake(match)
                return "later"
        return "greeted"

    async def announce(
        self, place: Place, text: str, called: Iterable[int] = (), presses: Sequence[Press] = ()
    ) -> bool:
        """Say something where the match is played, for everybody to notice; it is no loss where that is impossible.

        The users in `called` are notified, where the text mentions them. Whether Discord has taken it.
        """
        channel = self._client.get_partial_messageable(place.thread or place.channel)
        mentions = discord.AllowedMentions(users=[discord.Object(user) for user in called])
        try:
            if presses:
                await channel.send(text, allowed_mentions=mentions, view=send.buttons(presses))
            else:
                await channel.send(text, allowed_mentions=mentions)
        except NETWORK as error:
            log.info("An announcement could not be made: %s", named(error))
            return False
        return True

    async def try_again(self, match: str) -> None:
        """Forget that messages were given up, and post them again."""
        lost = [surface for surface in await self._shown.of(match) if surface.lost]
        for surface in lost:
            await self._shown.put(replace(surface, lost="", digest=""))
            self._owed.add((match, surface.kind, surface.seat))
        self.wake(match)

    # The loop

    def _go_on(self, match: str) -> None:
        """Have done what must be, if anything."""
        if match not in self._behind:
            return
        if self.outage.down:
            self.outage.wait(match)
        else:
            self._tasks.start(f"keep {match}", self._run, match)

    def _answered(self, match: str) -> bool:
        """Whether a click on one of the match's messages is being answered."""
        return any(key[0] == match for key in self._held)

    async def _run(self, match: str) -> None:
        """Show what must be, as long as the match changes meanwhile. What may wait follows by its own pace."""
        while match in self._behind and not self.outage.down:
            self._behind.discard(match)
            self._at_it.add(match)
            await self._tried(self._show_what_must_be, match, self._failed)
            self._at_it.discard(match)
        if match in self._behind:
            self.outage.wait(match)

    async def _follow(self, match: str, seats: Collection[int]) -> None:
        """Show what could wait, unless Discord is down: whoever wakes the match then has all of it looked at."""
        if self.outage.down:
            self.outage.wait(match)
        else:
            await self._tried(partial(self._show_the_rest, seats=seats), match, self._failed_later)

    async def _tried(self, show: Callable[[str], Awaitable[list[Exception]]], match: str, failed: set[str]) -> None:
        """Bring a match up to date; what kept some of it from being done is tried again."""
        try:
            failures = await show(match)
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

    async def _show_what_must_be(self, match: str) -> list[Exception]:
        """The lobby, the table, the hands of those who are due next, calls; what kept some of it from being done.

        The other hands follow.
        """
        look = await self._matches.look(match)
        for other in await self.readers.see(look):
            self.wake(other)
        failures: list[Exception] = []  # what fails keeps nothing else from being shown
        async with self.outage.watched():
            with _noted(failures):
                await self._let_go(look)
            known = await self.surface(match, "table")
            linked = known is not None and known.message and look.info.status in LIVE
            if not linked:  # what is said elsewhere leads there
                with _noted(failures):
                    look = await self._table(look)
            setting = await self.setting(look)
            seats = await self._at_once(look)
            jobs: list[Awaitable[object]] = [self._traffic.first(hand) for hand in self._hands(look, setting, seats)]
            if look.info.status is not Status.OVER:
                jobs.append(self._lobby(look, setting))
            if linked:
                jobs.append(self._table(look))
            failures += await _all(jobs)
            setting = await self.setting(look)  # whether anything can be said where the table is
            called = self.calls.refresh(look, setting.screen, lost=bool(setting.trouble), anew=not failures)
            chosen = changes.refresh(self._client, self._shown, look, setting.screen, self._clock())
            return failures + await _all((called, chosen))

    async def _at_once(self, look: Look) -> set[int]:
        """The seats whose hands are shown at once; the rest follow.

        They are those who are due next, by what their hands offer, or are called, and who has moved, unless that is
        being answered.
        Whatever is no move, and the first deal, is for everybody.
        """
        match, info = look.info.id, look.info
        seats = {*range(len(info.seats)), *self.snapshots.seats(match)}
        owed = {key for key in self._owed if key[0] == match}
        self._owed -= owed
        now = {seat for _, kind, seat in owed if kind == "hand"}
        if info.status not in (Status.RUNNING, Status.OVER) or not info.moves:
            now = seats
        if info.status is Status.RUNNING:
            now |= {seat for seat in look.movers[-1:] if (match, "hand", seat) not in self._held}
        decisions = look.decisions()
        for seat in look.due():
            known = await self.surface(match, "hand", seat)
            offering = self._offering.get((match, "hand", seat))
            called = self.calls.to(look, seat) != NOBODY
            if called or known is None or offering != (decisions[seat].number, known.message):
                now.add(seat)
        self._pace.caught_up(match, now)
        closing = () if info.status in LIVE else (CLOSING,)
        self._pace.later(match, (*(seats - now), *closing))
        return now

    async def _show_the_rest(self, match: str, seats: Collection[int]) -> list[Exception]:
        """What could wait of those seats; what kept some of it from being done."""
        failures = await _all(self._show_in_time(match, seat) for seat in seats)
        look = await self._matches.look(match)
        if look.info.status in LIVE or failures or self._pace.waits(match):
            return failures
        if self._answered(match) or match in self._behind | self._at_it:
            self._pace.later(match, (CLOSING,))
        else:
            self._forget(match)
        return failures

    async def _show_in_time(self, match: str, seat: int) -> None:
        """A seat's hand, or what else could wait, as it is when there is room for it."""
        async with self._traffic.spare(), self.outage.watched():
            self._pace.caught_up(match, (seat,))
            look = await self._matches.look(match)
            if seat == BURIED:
                await self._unbury(look)
            elif seat == CLOSING:
                await self._lobby(look, await self.setting(look))
            else:
                await asyncio.gather(*self._hands(look, await self.setting(look), (seat,)))

    async def _unbury(self, look: Look) -> None:
        """Post the table anew where talk hides it."""
        known = await self.surface(look.info.id, "table")
        if known and look.info.status in LIVE and await self._threads.buried(look, known):
            page = await self.drawings.table(look, await self.setting(look))
            await self._bring(look, known, page, repost=True)
            self.wake(look.info.id)  # what leads there has to be drawn anew

    def _forget(self, match: str) -> None:
        """Nothing more will happen in a closed match: keep nothing of it in memory."""
        self.snapshots.forget(match)
        self._offering = {key: offers for key, offers in self._offering.items() if key[0] != match}
        self._shown.forget(match)
        self.drawings.forget(match)
        self.calls.forget(match)
        self._threads.forget(match)
        self._matches.forget(match)
        self._failed.discard(match)

    async def _let_go(self, look: Look) -> None:
        """Take hands away from those who no longer sit there; where seats have moved up, the hands move with them."""
        homes = {}
        for seat, holder in enumerate(look.info.seats):
            inbox = None if not holder.here else await self._shown.inbox(holder.user)
            if inbox and inbox.channel:
                homes[inbox.channel] = seat
        hands = [surface for surface in await self._shown.of(look.info.id) if surface.kind == "hand"]
        moved = [surface for surface in hands if homes.get(surface.channel) not in (None, surface.seat)]
        gone = [surface for surface in hands if surface.channel not in homes]
        for surface in gone:
            await self.poster.bid_farewell(look, surface, pages.farewell(look))
        for surface in moved:  # in the order of their seats: each moves up to one that is free
            await self._shown.put(replace(surface, seat=homes[surface.channel]))
        taken = {homes[surface.channel] for surface in hands if surface.channel in homes}
        for surface in moved:
            if surface.seat not in taken:
                await self._shown.drop(look.info.id, "hand", surface.seat)

    async def _table(self, look: Look) -> Look:
        """The table, in a thread of its own where the bot may make one."""
        match = look.info.id
        known = await self.surface(match, "table")
        if known is None and look.state is None:
            return look
        if known is None and not look.info.place.thread:
            look = await self._threads.make(look, await self.surface(match, "lobby"))
        place = look.info.place
        surface = known or Surface(match, "table", -1, place.thread or place.channel)
        page = await self.drawings.table(look, await self.setting(look), surface.digest)
        ended = look.info.status is Status.OVER and not surface.done  # the result is posted for everybody to notice
        if surface.digest != page.digest and self._threads.unseen(surface):
            self._pace.later(match, (BURIED,))
        await self._bring(look, surface, page, repost=ended)
        now = await self.surface(match, "table")
        if known and now and (now.message, now.lost) != (known.message, known.lost):  # other messages speak of it
            self._behind.add(match)
        return look

    async def _lobby(self, look: Look, setting: pages.Setting) -> None:
        known = await self.surface(look.info.id, "lobby")
        surface = known or Surface(look.info.id, "lobby", -1, look.info.place.channel)
        await self._bring(look, surface, await drawn(pages.lobby, look, setting))

    def _hands(self, look: Look, setting: pages.Setting, seats: Collection[int]) -> list[Coroutine[Any, Any, None]]:
        """The hands of those seats, by direct message and as they are still open for one person."""
        here = [i for i, seat in enumerate(look.info.seats) if i in seats and seat.here]
        jobs = [self._hand(look, i, setting) for i in here]
        return jobs + [self._snapshot(look, i, setting) for i in seats if self.snapshots.alive(look, i)]

    async def _hand(self, look: Look, seat: int, setting: pages.Setting) -> None:
        """One seat's hand by direct message, where these are open."""
        match, user = look.info.id, look.info.seats[seat].user
        known = await self.surface(match, "hand", seat)
        inbox = await self._shown.inbox(user)
        if known and (inbox is None or inbox.channel != known.channel):
            return  # still with somebody who no longer sits there: it has to be taken away first
        if known is None:
            inbox = await self._inboxes.of(user, match) if look.info.status in LIVE else None
            if inbox is None:
                return
            known = Surface(match, "hand", seat, inbox.channel)
        page = await self.drawings.hand(look, seat, setting, await self.readers.of(look, seat), known.digest)
        turn = seat in look.due() and known.digest != page.digest and self.poster.old(known)
        await self._bring(look, known, page, repost=turn, called=self.calls.to(look, seat))

    async def _snapshot(self, look: Look, seat: int, setting: pages.Setting) -> None:
        """One seat's ephemeral hand, unless a click is being answered, with this very message maybe."""
        key: Key = (look.info.id, "hand", seat)
        if key in self._held:
            self._passed.add(key)
        else:
            reader = await self.readers.of(look, seat)
            await self.snapshots.refresh(look, seat, await self.drawings.hand(look, seat, setting, reader))

    async def _bring(
        self, look: Look, surface: Surface, page: Page, *, repost: bool = False, called: int = NOBODY
    ) -> None:
        """Make one message show the page, unless somebody answers a click with it."""
        key: Key = (surface.match, surface.kind, surface.seat)
        if key in self._held:
            self._passed.add(key)
            return
        async with self._bringing.setdefault(key, asyncio.Lock()):
            known = await self.surface(*key)
            if known and known.shown > look.info.revision:  # a click, or what must be shown, was faster
                return
            if known and surface.kind == "hand" and known.channel != surface.channel:
                return  # still with somebody who no longer sits there: it has to be taken away first
            await self.poster.bring(look, known or surface, page, repost=repost, called=called)
            now, decision = await self.surface(*key), look.decisions().get(surface.seat)
            if surface.kind == "hand" and now and decision:
                self._offering[key] = decision.number, now.message
            else:
                self._offering.pop(key, None)


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
