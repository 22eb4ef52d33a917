"""Keeps every message about a match up to date. Level-triggered: what differs from the newest state is redrawn."""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import Literal

import discord

from cogs.pictures.studio import Studio
from cogs.screens.screen import Screens
from cogs.table import changes, pages, pings, places, send
from cogs.table.drawing import drawn
from cogs.table.faults import unexpected
from cogs.table.inboxes import Inboxes
from cogs.table.kept import Displays
from cogs.table.network import NETWORK, named, passing, told_to_wait
from cogs.table.outage import Outage
from cogs.table.page import Page
from cogs.table.poster import DM_CLOSED, Key, Poster
from cogs.table.tasks import Tasks
from cogs.table.threads import Threads
from engines.match import Look, Refused
from engines.matches import Matches
from engines.shown import Kind, Surface
from engines.store import LIVE, Place, Status, StoreFailure

log = logging.getLogger(__name__)
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
        self.outage = Outage(self._probe, self.wake, tasks)
        self._inboxes = Inboxes(client, shown, self.wake, tasks)
        self._threads = Threads(client, matches)
        self._behind: set[str] = set()
        self._pauses: dict[str, float] = {}
        self._held: dict[Key, int] = {}
        self.snapshots: dict[tuple[str, int], Snapshot] = {}

    def wake(self, match: str) -> None:
        """Have the match's messages looked at; returns at once."""
        self._behind.add(match)
        if self.outage.down:
            self.outage.wait(match)
        else:
            self._tasks.start(f"keep {match}", self._run, match)

    @asynccontextmanager
    async def held(self, match: str, kind: Kind, seat: int = -1) -> AsyncIterator[None]:
        """Leave this message to somebody who answers a click with it."""
        key = (match, kind, seat)
        self._held[key] = self._held.get(key, 0) + 1
        try:
            yield
        finally:
            self._held[key] -= 1
            if not self._held[key]:
                del self._held[key]
            self.wake(match)

    async def note(self, surface: Surface) -> None:
        """Keep what somebody has shown in answer to a click."""
        await self._shown.put(replace(surface, posted=surface.posted or self._clock()))

    async def surface(self, match: str, kind: Kind, seat: int = -1) -> Surface | None:
        """The message of that kind, if there is one."""
        return await self._shown.one(match, kind, seat)

    async def setting(self, look: Look, surfaces: Iterable[Surface] | None = None) -> pages.Setting:
        """What the match's messages say of the world around it."""
        place = look.info.place
        known = await self._shown.of(look.info.id) if surfaces is None else surfaces
        table = next((s for s in known if s.kind == "table"), None)
        url = places.message_url(place.guild, table.channel, table.message) if table and table.message else ""
        record = await self._matches.record(look.info.id) if look.info.status is Status.OVER else ""
        server = places.server_name(self._client, place)
        return pages.Setting(self.screens[look.info.game], server, url, table.lost if table else "", record)

    async def greet(self, match: str, seat: int, user: discord.abc.User) -> Greeted:
        """Open the person's direct messages with their hand, and say whether that was possible."""
        async with self.held(match, "hand", seat):
            inbox = await self._inboxes.open(user.id, match)
            if inbox is None:
                return "later"
            known = await self.surface(match, "hand", seat)
            if known and (known.channel != inbox.channel or known.message):
                return "greeted"  # it is there, or comes when the one who sat there before has lost theirs
            look = await self._matches.look(match)
            page = await drawn(pages.hand, look, seat, await self.setting(look))
            try:
                await self.poster.post(look, known or Surface(match, "hand", seat, inbox.channel), page)
            except NETWORK as error:
                if isinstance(error, discord.HTTPException) and error.code in DM_CLOSED:
                    await self._shown.put_inbox(user.id, inbox.channel, closed=True)
                    await self._shown.drop(match, "hand", seat)
                    return "closed"
                log.info("A first hand of match %s comes later: %s", match, named(error))
                return "later"
        return "greeted"

    async def announce(self, place: Place, text: str, called: Iterable[int] = ()) -> bool:
        """Say something where the match is played, for everybody to notice; it is no loss where that is impossible.

        The users in `called` are notified, where the text mentions them. Whether Discord has taken it.
        """
        channel = self._client.get_partial_messageable(place.thread or place.channel)
        mentions = discord.AllowedMentions(users=[discord.Object(user) for user in called])
        try:
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

    async def _run(self, match: str) -> None:
        while match in self._behind and not self.outage.down:
            self._behind.discard(match)
            failures = await self._tried(match)
            for failure in {named(failure): failure for failure in failures}.values():
                self._later(match, failure)
            if not failures:
                self._pauses.pop(match, None)
            if not any(map(passing, failures)):
                self.outage.succeeded(match)
        if match in self._behind:
            self.outage.wait(match)

    async def _tried(self, match: str) -> list[Exception]:
        """Bring a match up to date; what kept some of it from being done, of which no more is heard than this."""
        try:
            async with self.outage.watched():
                return await self._refresh(match)
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

    async def _refresh(self, match: str) -> list[Exception]:
        """Bring everything about one match up to date with its newest state; what kept some of it from being done."""
        look = await self._matches.look(match)
        surfaces = {(s.kind, s.seat): s for s in await self._shown.of(match)}
        failures: list[Exception] = []  # what fails keeps nothing else from being shown
        with _noted(failures):
            await self._let_go(look, surfaces)
        if look.state is not None or ("table", -1) in surfaces:
            with _noted(failures):
                look = await self._table(look, surfaces)
        setting = await self._setting_of(look, surfaces)
        table = surfaces.get(("table", -1))
        jobs = [self._lobby(look, surfaces, setting), *self._hands(look, surfaces, setting)]
        jobs += [self._snapshot(look, seat, setting) for (held, seat) in list(self.snapshots) if held == match]
        jobs.append(
            pings.refresh(self._client, self._shown, look, setting.screen, lost=table is not None and bool(table.lost))
        )
        jobs.append(changes.refresh(self._client, self._shown, look, setting.screen, self._clock()))
        done = await asyncio.gather(*jobs, return_exceptions=True)
        failures += [failure for failure in done if isinstance(failure, Exception)]
        if look.info.status not in LIVE and not failures:
            self._forget(match)
        return failures

    def _forget(self, match: str) -> None:
        """Nothing more will happen in a closed match: keep nothing of it in memory."""
        self.snapshots = {key: kept for key, kept in self.snapshots.items() if key[0] != match}
        self._shown.forget(match)
        self._threads.forget(match)
        self._matches.forget(match)

    async def _setting_of(self, look: Look, surfaces: dict[tuple[Kind, int], Surface]) -> pages.Setting:
        return await self.setting(look, surfaces.values())

    async def _let_go(self, look: Look, surfaces: dict[tuple[Kind, int], Surface]) -> None:
        """Take hands away from those who no longer sit there; where seats have moved up, the hands move with them."""
        homes = {}
        for seat, holder in enumerate(look.info.seats):
            inbox = None if holder.gone else await self._shown.inbox(holder.user)
            if inbox and inbox.channel:
                homes[inbox.channel] = seat
        hands = [surface for surface in surfaces.values() if surface.kind == "hand"]
        moved = [surface for surface in hands if homes.get(surface.channel) not in (None, surface.seat)]
        gone = [surface for surface in hands if surface.channel not in homes]
        for surface in moved + gone:
            del surfaces["hand", surface.seat]
        for surface in gone:
            await self.poster.bid_farewell(look, surface, pages.farewell(look))
        for surface in sorted(moved, key=lambda each: each.seat):
            new = replace(surface, seat=homes[surface.channel])
            surfaces["hand", new.seat] = new
            await self._shown.put(new)
        for surface in moved:
            if ("hand", surface.seat) not in surfaces:
                await self._shown.drop(look.info.id, "hand", surface.seat)

    async def _table(self, look: Look, surfaces: dict[tuple[Kind, int], Surface]) -> Look:
        """The table, in a thread of its own where the bot may make one."""
        known = surfaces.get(("table", -1))
        if known is None and not look.info.place.thread:
            look = await self._threads.make(look, surfaces.get(("lobby", -1)))
        place = look.info.place
        surface = known or Surface(look.info.id, "table", -1, place.thread or place.channel)
        page = await drawn(pages.table, look, await self._setting_of(look, surfaces))
        ended = look.info.status is Status.OVER and not surface.done  # the result is posted for everybody to notice
        changed = surface.digest != page.digest
        await self._bring(look, surface, page, repost=ended or (changed and await self._threads.buried(look, surface)))
        fresh = await self.surface(look.info.id, "table")
        if fresh:
            surfaces["table", -1] = fresh
        return look

    async def _lobby(self, look: Look, surfaces: dict[tuple[Kind, int], Surface], setting: pages.Setting) -> None:
        known = surfaces.get(("lobby", -1))
        surface = known or Surface(look.info.id, "lobby", -1, look.info.place.channel)
        await self._bring(look, surface, pages.lobby(look, setting))

    def _hands(
        self, look: Look, surfaces: dict[tuple[Kind, int], Surface], setting: pages.Setting
    ) -> list[asyncio.Future[None] | asyncio.Task[None]]:
        seats = [i for i, seat in enumerate(look.info.seats) if not seat.gone]
        return [asyncio.ensure_future(self._hand(look, i, surfaces.get(("hand", i)), setting)) for i in seats]

    async def _hand(self, look: Look, seat: int, known: Surface | None, setting: pages.Setting) -> None:
        """One seat's hand by direct message, where these are open."""
        if known is None:
            if look.info.status not in LIVE:
                return
            inbox = await self._inboxes.of(look.info.seats[seat].user, look.info.id)
            if inbox is None:
                return
            known = Surface(look.info.id, "hand", seat, inbox.channel)
        page = await drawn(pages.hand, look, seat, setting)
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
        page = await drawn(pages.hand, look, seat, setting)
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
        if (surface.match, surface.kind, surface.seat) in self._held:
            return
        known = await self.surface(surface.match, surface.kind, surface.seat)
        if known and known.shown > look.info.revision:  # a click was faster; its end has this loop look again
            return
        if known and surface.kind == "hand" and known.channel != surface.channel:
            return  # still with somebody who no longer sits there: it has to be taken away first
        await self.poster.bring(look, known or surface, page, repost=repost)


@contextmanager
def _noted(failures: list[Exception]) -> Iterator[None]:
    """Keep what went wrong for later, and go on."""
    try:
        yield
    except Exception as error:  # noqa: BLE001  # within the boundary of the loop
        failures.append(error)
