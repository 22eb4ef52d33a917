"""Keeps every message about a match up to date. Level-triggered: what differs from the newest state is redrawn."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace

import discord

from cogs.table import pages, pings, places, send
from cogs.table.page import Page
from cogs.table.poster import DM_CLOSED, Poster
from cogs.table.tasks import Tasks
from engines.match import Look, Refused
from engines.matches import Matches
from engines.shown import Kind, Shown, Surface
from engines.store import LIVE, Place, Status, StoreFailure

log = logging.getLogger(__name__)
BURIED = 5  # messages below the table that hide it
FIRST_PAUSE, LONGEST_PAUSE = 5, 300  # seconds before trying again what Discord did not take
THREAD_EXISTS = 160004

Key = tuple[str, Kind, int]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An ephemeral hand that can still be refreshed by the token of the click it answered."""

    interaction: discord.Interaction
    digest: str


class Keeper:
    """One loop a match, alive while there is work; no network under a match's lock."""

    def __init__(
        self, client: discord.Client, matches: Matches, shown: Shown, clock: Callable[[], int], tasks: Tasks
    ) -> None:
        self._client = client
        self._matches = matches
        self._shown = shown
        self._clock = clock
        self._tasks = tasks
        self.poster = Poster(client, shown, clock)
        self._behind: set[str] = set()
        self._pauses: dict[str, int] = {}
        self._held: dict[Key, int] = {}
        self._due: dict[str, tuple[int, ...]] = {}
        self.snapshots: dict[tuple[str, int], Snapshot] = {}

    def wake(self, match: str) -> None:
        """Have the match's messages looked at; returns at once."""
        self._behind.add(match)
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
        found = (s for s in await self._shown.of(match) if (s.kind, s.seat) == (kind, seat))
        return next(found, None)

    async def setting(self, look: Look, surfaces: Iterable[Surface] | None = None) -> pages.Setting:
        """What the match's messages say of the world around it."""
        place = look.info.place
        known = await self._shown.of(look.info.id) if surfaces is None else surfaces
        table = next((s for s in known if s.kind == "table"), None)
        url = places.message_url(place.guild, table.channel, table.message) if table and table.message else ""
        record = await self._matches.record(look.info.id) if look.info.status is Status.OVER else ""
        server = places.server_name(self._client, place)
        return pages.Setting(server, url, table.lost if table else "", record)

    async def greet(self, match: str, seat: int, user: discord.User | discord.Member) -> bool:
        """Open the person's direct messages with their hand; False where that is not possible."""
        async with self.held(match, "hand", seat):
            try:
                channel = (await user.create_dm()).id
            except discord.HTTPException as error:  # 40003: too many were opened lately
                log.info("Direct messages could not be opened: %s", error.code)
                return False
            await self._shown.put_inbox(user.id, channel, closed=False)
            old = await self.surface(match, "hand", seat)
            if old and old.channel == channel and old.message:
                return True
            look = await self._matches.look(match)
            page = pages.hand(look, seat, await self.setting(look))
            try:
                await self.poster.post(look, Surface(match, "hand", seat, channel), page)
            except discord.HTTPException as error:
                if error.code in DM_CLOSED:
                    await self._shown.put_inbox(user.id, channel, closed=True)
                    return False
                log.info("A first hand of match %s comes later: %s", match, error.code)
        return True

    async def announce(self, place: Place, text: str, called: Iterable[int] = ()) -> None:
        """Say something where the match is played, for everybody to notice; it is no loss where that is impossible.

        The users in `called` are notified, where the text mentions them.
        """
        channel = self._client.get_partial_messageable(place.thread or place.channel)
        mentions = discord.AllowedMentions(users=[discord.Object(user) for user in called])
        try:
            await channel.send(text, allowed_mentions=mentions)
        except discord.HTTPException as error:
            log.info("An announcement could not be made: %s", error.code)

    async def try_again(self, match: str) -> None:
        """Forget that messages were given up, and post them again."""
        for surface in await self._shown.of(match):
            if surface.lost:
                await self._shown.put(replace(surface, lost="", digest=""))
        self.wake(match)

    # The loop

    async def _run(self, match: str) -> None:
        while match in self._behind:
            self._behind.discard(match)
            try:
                await self._refresh(match)
                self._pauses.pop(match, None)
            except (discord.HTTPException, discord.RateLimited, OSError, StoreFailure) as error:
                self._later(match, error)
            except Refused:
                return

    def _later(self, match: str, error: Exception) -> None:
        """Try once more after a pause that grows."""
        pause = min(2 * self._pauses[match], LONGEST_PAUSE) if match in self._pauses else FIRST_PAUSE
        self._pauses[match] = pause
        log.warning("Match %s: %s; trying again in %d s", match, type(error).__name__, pause)

        async def again(match: str) -> None:
            await asyncio.sleep(pause)
            self.wake(match)

        self._tasks.start(f"again {match}", again, match)

    async def _refresh(self, match: str) -> None:
        """Bring everything about one match up to date with its newest state."""
        look = await self._matches.look(match)
        surfaces = {(s.kind, s.seat): s for s in await self._shown.of(match)}
        failures: list[BaseException] = []  # what fails keeps nothing else from being shown
        with _noted(failures):
            await self._let_go(look, surfaces)
        if look.state is not None or ("table", -1) in surfaces:
            with _noted(failures):
                look = await self._table(look, surfaces)
        setting = await self._setting_of(look, surfaces)
        jobs = [self._lobby(look, surfaces, setting), *self._hands(look, surfaces, setting)]
        jobs += [self._snapshot(look, seat, setting) for (held, seat) in list(self.snapshots) if held == match]
        jobs.append(pings.refresh(self._client, self._shown, look))
        done = await asyncio.gather(*jobs, return_exceptions=True)
        failures += [failure for failure in done if isinstance(failure, BaseException)]
        if failures:
            raise failures[0]
        if look.info.status not in LIVE:
            self._forget(match)

    def _forget(self, match: str) -> None:
        """Nothing more will happen in a closed match: keep nothing of it in memory."""
        self.snapshots = {key: kept for key, kept in self.snapshots.items() if key[0] != match}
        self._due.pop(match, None)
        self._matches.forget(match)

    async def _setting_of(self, look: Look, surfaces: dict[tuple[Kind, int], Surface]) -> pages.Setting:
        return await self.setting(look, surfaces.values())

    async def _let_go(self, look: Look, surfaces: dict[tuple[Kind, int], Surface]) -> None:
        """Take hands away from those who no longer sit there; where seats have moved up, the hands move with them."""
        homes = {}
        for seat, holder in enumerate(look.info.seats):
            inbox = None if holder.gone else await self._shown.inbox(holder.user)
            if inbox:
                homes[inbox.channel] = seat
        hands = [surface for surface in surfaces.values() if surface.kind == "hand"]
        moved = [surface for surface in hands if homes.get(surface.channel) not in (None, surface.seat)]
        gone = [surface for surface in hands if surface.channel not in homes]
        for surface in moved + gone:
            del surfaces["hand", surface.seat]
        for surface in gone:
            await self.poster.edit(surface, pages.farewell(look))
            await self._shown.drop(look.info.id, "hand", surface.seat)
        for surface in moved:
            await self._shown.drop(look.info.id, "hand", surface.seat)
        for surface in moved:
            new = replace(surface, seat=homes[surface.channel])
            surfaces["hand", new.seat] = new
            await self._shown.put(new)

    async def _table(self, look: Look, surfaces: dict[tuple[Kind, int], Surface]) -> Look:
        """The table, in a thread of its own where the bot may make one."""
        known = surfaces.get(("table", -1))
        if known is None and not look.info.place.thread:
            look = await self._thread(look, surfaces.get(("lobby", -1)))
        place = look.info.place
        surface = known or Surface(look.info.id, "table", -1, place.thread or place.channel)
        page = pages.table(look, await self._setting_of(look, surfaces))
        ended = look.info.status is Status.OVER and not surface.done  # the result is posted for everybody to notice
        await self._bring(look, surface, page, repost=ended or await self._buried(look, surface))
        fresh = await self.surface(look.info.id, "table")
        if fresh:
            surfaces["table", -1] = fresh
        return look

    async def _thread(self, look: Look, lobby: Surface | None) -> Look:
        """Make the match's thread from its lobby's message; there is at most one, whatever happens in between."""
        if lobby is None or not lobby.message or not places.may_thread(self._client, look.info.place):
            return look
        try:
            message = places.partial(self._client, lobby.channel, lobby.message, look.info.place.guild)
            name = f"{look.game.title}: {', '.join(seat.name for seat in look.info.seats)}"[:100]
            await message.create_thread(name=name, auto_archive_duration=1440)
        except discord.HTTPException as error:
            if error.code != THREAD_EXISTS:
                if error.status >= 500:
                    raise
                log.info("Match %s gets no thread: %s", look.info.id, error.code)
                return look
        await self._matches.settle(look.info.id, lobby.message)  # a thread has the id of the message it began with
        return await self._matches.look(look.info.id)

    async def _buried(self, look: Look, surface: Surface) -> bool:
        """Whether other talk hides the table; looked up when the turn has passed on."""
        due = look.due()
        if self._due.get(look.info.id) == due or not surface.message or surface.lost:
            return False
        self._due[look.info.id] = due
        channel = self._client.get_partial_messageable(surface.channel)
        try:
            own = self._client.user.id if self._client.user else 0
            after = discord.Object(surface.message)
            below = [m async for m in channel.history(limit=3 * BURIED, after=after) if m.author.id != own]
        except discord.HTTPException:
            return False
        return len(below) >= BURIED

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
            inbox = await self._shown.inbox(look.info.seats[seat].user)
            if inbox is None or inbox.closed or look.info.status not in LIVE:
                return
            known = Surface(look.info.id, "hand", seat, inbox.channel)
        turn = seat in look.due() and self.poster.old(known)
        await self._bring(look, known, pages.hand(look, seat, setting), repost=turn)

    async def _snapshot(self, look: Look, seat: int, setting: pages.Setting) -> None:
        """Refresh an ephemeral hand by its token, while that lives."""
        kept = self.snapshots.get((look.info.id, seat))
        if kept is None:
            return
        if kept.interaction.is_expired() or look.info.seat_of(kept.interaction.user.id) != seat:
            del self.snapshots[look.info.id, seat]
            return
        page = pages.hand(look, seat, setting)
        if kept.digest == page.digest:
            return
        self.snapshots[look.info.id, seat] = replace(kept, digest=page.digest)
        try:
            view, files = send.view(self.dated(page)), await send.files(page)
            await kept.interaction.edit_original_response(view=view, attachments=files)
        except discord.HTTPException:
            self.snapshots.pop((look.info.id, seat), None)

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
        await self.poster.bring(look, known or surface, page, repost=repost)


@contextmanager
def _noted(failures: list[BaseException]) -> Iterator[None]:
    """Keep what Discord did not take for later, and go on."""
    try:
        yield
    except (discord.HTTPException, discord.RateLimited, OSError) as error:
        failures.append(error)
