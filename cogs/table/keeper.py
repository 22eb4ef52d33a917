"""Keeps every message about a match up to date. Level-triggered: what differs from the newest state is redrawn."""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

import discord

from cogs.pictures.studio import Studio
from cogs.screens.screen import Screens
from cogs.table import changes, pages, pings, places, send
from cogs.table.drawing import Drawings
from cogs.table.faults import unexpected
from cogs.table.inboxes import Inboxes
from cogs.table.kept import Displays
from cogs.table.network import NETWORK, named, passing, told_to_wait
from cogs.table.outage import Outage
from cogs.table.page import Page, Press
from cogs.table.poster import DM_CLOSED, Key, Poster
from cogs.table.readers import Readers
from cogs.table.tasks import Tasks
from cogs.table.threads import Threads
from engines.match import Look, Refused
from engines.matches import Matches
from engines.shown import Kind, Preferences, Surface
from engines.store import LIVE, Place, Status, StoreFailure

log = logging.getLogger(__name__)
HEAD_START = 0.05  # seconds for which nothing else of a match is drawn while a click is answered
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds before a match is tried again that ails for reasons of its own;
STORE_PAUSE = 8  # at most, where it is the store that fails

Greeted = Literal["greeted", "closed", "later"]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An ephemeral hand that can still be refreshed by the token of the click it answered."""

    interaction: discord.Interaction
    digest: str


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
        self.readers = Readers(shown)
        self.outage = Outage(self._probe, self.wake, tasks)
        self._inboxes = Inboxes(client, shown, self.wake, tasks)
        self._threads = Threads(client, matches)
        self._behind: set[str] = set()  # what has to be shown of these is not
        self._rest: set[str] = set()  # nor is what can wait until that is done
        self._pauses: dict[str, float] = {}
        self._held: Counter[Key] = Counter()
        self._passed: set[Key] = set()  # those held that were to be looked at
        self.snapshots: dict[tuple[str, int], Snapshot] = {}

    def wake(self, match: str) -> None:
        """Have the match's messages looked at; returns at once. The answer to a click has a head start."""
        self._behind.add(match)
        if self._answered(match):
            asyncio.get_running_loop().call_later(HEAD_START, self._go_on, match)
        else:
            self._go_on(match)

    @asynccontextmanager
    async def held(self, match: str, kind: Kind, seat: int = -1) -> AsyncIterator[None]:
        """Leave this message to somebody who answers a click with it; where that ends in an error, it is looked at."""
        key = (match, kind, seat)
        self._held[key] += 1
        try:
            yield
        except BaseException:
            self._behind.add(match)
            raise
        finally:
            self._held[key] -= 1
            if not self._held[key]:
                del self._held[key]
                if key in self._passed:
                    self._passed.discard(key)
                    self._rest.add(match)
            self._go_on(match)

    def follow(self, match: str, seat: int, snapshot: Snapshot) -> None:
        """Keep an ephemeral hand up to date, in place of one before it; those that no longer can be are forgotten."""
        self.snapshots = {key: kept for key, kept in self.snapshots.items() if not kept.interaction.is_expired()}
        self.snapshots[match, seat] = snapshot

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
        kept = self.snapshots.get((match, seat))
        if kept is not None and not kept.interaction.is_expired():
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
            page = await self.drawings.answer(look, seat, await self.setting(look), await self.readers.of(look, seat))
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
        self.wake(match)

    # The loop

    def _go_on(self, match: str) -> None:
        """Have done what is left to do, if anything."""
        if match not in self._behind and match not in self._rest:
            return
        if self.outage.down:
            self.outage.wait(match)
        else:
            self._tasks.start(f"keep {match}", self._run, match)

    def _answered(self, match: str) -> bool:
        """Whether a click on one of the match's messages is being answered."""
        return any(key[0] == match for key in self._held)

    async def _run(self, match: str) -> None:
        """Show what must be; then the rest, unless the match has changed meanwhile or an answer is in work."""
        while (match in self._behind or match in self._rest) and not self.outage.down:
            failures: list[Exception] = []
            if match in self._behind:
                self._behind.discard(match)
                self._rest.add(match)
                failures = await self._tried(self._show_what_must_be, match)
                if match in self._behind or self.outage.down:
                    self._failed(match, failures)
                    continue
                if not failures and self._answered(match):
                    return  # the end of that answer goes on here
            self._rest.discard(match)
            failures += await self._tried(self._show_the_rest, match)
            self._failed(match, failures)
            if not failures:
                self._pauses.pop(match, None)
            if not any(map(passing, failures)):
                self.outage.succeeded(match)
        if match in self._behind or match in self._rest:
            self.outage.wait(match)

    def _failed(self, match: str, failures: list[Exception]) -> None:
        for failure in {named(failure): failure for failure in failures}.values():
            self._later(match, failure)

    async def _tried(self, show: Callable[[str], Awaitable[list[Exception]]], match: str) -> list[Exception]:
        """Bring a match up to date; what kept some of it from being done, of which no more is heard than this."""
        try:
            async with self.outage.watched():
                return await show(match)
        except Refused:  # there is no such match any more
            return []
        except Exception as error:  # noqa: BLE001  # the boundary of the loop, which never dies
            return [error]

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
        """The lobby, the table, the hands of those who are due, the pings; what kept some of it from being done."""
        look = await self._matches.look(match)
        failures: list[Exception] = []  # what fails keeps nothing else from being shown
        with _noted(failures):
            await self._let_go(look)
        with _noted(failures):
            look = await self._table(look)
        setting = await self.setting(look)
        jobs = [self._lobby(look, setting), *self._hands(look, setting, look.due())]
        jobs.append(pings.refresh(self._client, self._shown, look, setting.screen, lost=bool(setting.trouble)))
        jobs.append(changes.refresh(self._client, self._shown, look, setting.screen, self._clock()))
        return failures + await _all(jobs)

    async def _show_the_rest(self, match: str) -> list[Exception]:
        """Every hand, and what was left to an answer; what kept some of it from being done."""
        look = await self._matches.look(match)
        setting = await self.setting(look)
        seats = {*range(len(look.info.seats)), *(seat for (held, seat) in self.snapshots if held == match)}
        failures = await _all([self._lobby(look, setting), *self._hands(look, setting, seats)])
        if look.info.status not in LIVE and not failures:
            self._forget(match)
        return failures

    def _forget(self, match: str) -> None:
        """Nothing more will happen in a closed match: keep nothing of it in memory."""
        self.snapshots = {key: kept for key, kept in self.snapshots.items() if key[0] != match}
        self._shown.forget(match)
        self.drawings.forget(match)
        self._threads.forget(match)
        self._matches.forget(match)

    async def _let_go(self, look: Look) -> None:
        """Take hands away from those who no longer sit there; where seats have moved up, the hands move with them."""
        homes = {}
        for seat, holder in enumerate(look.info.seats):
            inbox = None if holder.gone else await self._shown.inbox(holder.user)
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
        page = await self.drawings.table(look, await self.setting(look))
        ended = look.info.status is Status.OVER and not surface.done  # the result is posted for everybody to notice
        changed = surface.digest != page.digest
        await self._bring(look, surface, page, repost=ended or (changed and await self._threads.buried(look, surface)))
        return look

    async def _lobby(self, look: Look, setting: pages.Setting) -> None:
        known = await self.surface(look.info.id, "lobby")
        surface = known or Surface(look.info.id, "lobby", -1, look.info.place.channel)
        await self._bring(look, surface, pages.lobby(look, setting))

    def _hands(self, look: Look, setting: pages.Setting, seats: Collection[int]) -> list[Coroutine[Any, Any, None]]:
        """The hands of those seats, by direct message and as they are still open for one person."""
        here = [i for i, seat in enumerate(look.info.seats) if i in seats and not seat.gone]
        jobs = [self._hand(look, i, setting) for i in here]
        return jobs + [self._snapshot(look, i, setting) for i in seats if (look.info.id, i) in self.snapshots]

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
        page = await self.drawings.hand(look, seat, setting, await self.readers.of(look, seat))
        turn = seat in look.due() and known.digest != page.digest and self.poster.old(known)
        await self._bring(look, known, page, repost=turn)

    async def _snapshot(self, look: Look, seat: int, setting: pages.Setting) -> None:
        """Refresh an ephemeral hand by its token, while that lives."""
        kept = self.snapshots.get((look.info.id, seat))
        if kept is None:
            return
        if kept.interaction.is_expired() or look.info.seat_of(kept.interaction.user.id) != seat:
            del self.snapshots[look.info.id, seat]
            return
        page = await self.drawings.hand(look, seat, setting, await self.readers.of(look, seat))
        if kept.digest == page.digest:
            return
        view, files = send.view(self.dated(page)), await send.files(page, self.studio)
        try:
            await kept.interaction.edit_original_response(view=view, attachments=files)
        except discord.HTTPException as error:
            if passing(error):
                raise
            self.snapshots.pop((look.info.id, seat), None)
            return
        if self.snapshots.get((look.info.id, seat)) is kept:
            self.snapshots[look.info.id, seat] = replace(kept, digest=page.digest)

    def dated(self, page: Page) -> Page:
        """The page, saying when it was drawn."""
        return pages.dated(page, self._clock())

    async def _bring(self, look: Look, surface: Surface, page: Page, *, repost: bool = False) -> None:
        """Make one message show the page, unless somebody answers a click with it."""
        key = (surface.match, surface.kind, surface.seat)
        if key in self._held:
            self._passed.add(key)
            return
        known = await self.surface(surface.match, surface.kind, surface.seat)
        if known and known.shown > look.info.revision:  # a click was faster; its end has this loop look again
            return
        if known and surface.kind == "hand" and known.channel != surface.channel:
            return  # still with somebody who no longer sits there: it has to be taken away first
        await self.poster.bring(look, known or surface, page, repost=repost)


async def _all(jobs: Iterable[Awaitable[None]]) -> list[Exception]:
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
