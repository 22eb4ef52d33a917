"""What of a match is shown where: each of its messages made to show a look, one at a time."""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Literal, Protocol
from weakref import WeakValueDictionary

import discord

from cogs.pictures.studio import Studio
from cogs.screens.screen import Screens
from cogs.table.channels import channel_access
from cogs.table.channels.direct_messages import Inboxes
from cogs.table.channels.match_threads import Threads
from cogs.table.channels.server_context import Surroundings
from cogs.table.pages import match_pages
from cogs.table.pages.move_steps import Ways
from cogs.table.pages.page import Page
from cogs.table.pages.page_drawing import Drawings, drawn
from cogs.table.pages.record_cache import Records
from cogs.table.state.server_lease import Held
from cogs.table.state.surface_store import Displays
from cogs.table.surfaces import orphaned_messages
from cogs.table.surfaces.departed_hands import Farewells
from cogs.table.surfaces.ephemeral_hands import Snapshots
from cogs.table.surfaces.leave_and_vote_notices import Notices
from cogs.table.surfaces.message import DM_CLOSED, NO_SERVER, Key, Poster
from cogs.table.surfaces.other_process_replies import Elsewhere
from cogs.table.surfaces.reader_preferences import Readers
from cogs.table.surfaces.reminders import Calls
from cogs.table.transport.background_tasks import Tasks
from cogs.table.transport.interrupted_edits import Overtaken
from cogs.table.transport.network_errors import NETWORK, named, passing
from engines.hosting.match import Look
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, Info, NotHeld, Status
from engines.store.surface_storage import NOBODY, Kind, Surface

log = logging.getLogger(__name__)

NOTED = 8  # seconds after which a new lobby that nobody has noted is looked for
PATIENCE, LOOKS = 2.4, 8  # seconds for which a click waits for what another process is to do, and how often it looks
Greeted = Literal["greeted", "closed", "later"]


class Loop(Protocol):
    """What has a match looked at."""

    def wake(self, match: str) -> None:
        """Have all of it looked at."""

    def released(self, key: Key, owed: bool) -> None:
        """Whoever answered a click with this message is done; owed, it is to be looked at."""

    def talked(self, match: str) -> None:
        """Have it looked at later whether talk hides the table."""

    async def anew(self, match: str, kind: Kind, seat: int) -> None:
        """Have a message be edited, whatever it is said to show."""


class Showing:
    """Makes the messages of a match show a look of it; none while somebody answers a click with it."""

    def __init__(
        self,
        loop: Loop,
        client: discord.Client,
        matches: Matches,
        shown: Displays,
        screens: Screens,
        studio: Studio,
        clock: Callable[[], int],
        tasks: Tasks,
        who: Held | None = None,
    ) -> None:
        self._who = who or Held()
        self._clock = clock
        self._tasks = tasks
        self._loop = loop
        self._client = client
        self._matches = matches
        self._shown = shown
        self.screens = screens
        self.studio = studio
        self.poster = Poster(client, shown, studio, clock)
        self.drawings = Drawings(studio)
        self.readers = Readers(shown, matches, self._who)
        self._overtaken = Overtaken(tasks)
        self.calls = Calls(client, matches, shown, self._overtaken, loop.wake)
        self.notices = Notices(client, shown, self._who)
        self.farewells = Farewells(self._who, shown, self.poster, self._overtaken, loop.anew)
        self.snapshots = Snapshots(studio, clock)
        self.ways = Ways(client, matches, self._who)
        self._inboxes = Inboxes(client, shown, loop.wake, tasks)
        self.around = Surroundings(client, shown)
        self._records = Records(matches)
        self._threads = Threads(client, matches, self.around, clock)
        self._bringing: WeakValueDictionary[Key, asyncio.Lock] = WeakValueDictionary()
        self._held: Counter[Key] = Counter()
        self._passed: set[Key] = set()  # those held that were to be looked at
        self._noted: set[Key] = set()  # those held of which it was kept what they show
        self.elsewhere = Elsewhere(self._who, shown, lambda key: loop.released(key, owed=True), tasks)
        self._offering: dict[Key, tuple[int, int]] = {}  # which decision a message offers, and its id
        self._lobbies: dict[str, tuple[Info, match_pages.Setting, Surface]] = {}  # of what was begun, and what shows it

    @asynccontextmanager
    async def held(self, match: str, kind: Kind, seat: int = -1) -> AsyncIterator[None]:
        """Leave this message to somebody who answers a click with it; where that ends in an error, it is looked at."""
        key: Key = (match, kind, seat)
        self._held[key] += 1
        try:
            if self._who.holds(match):
                yield
            else:
                async with self._borrowed(key):
                    yield
        except BaseException as error:
            self._passed.add(key)
            if passing(error) or isinstance(error, asyncio.CancelledError):  # a try before the last one was cut short
                self._overtaken.expect(key, partial(self._loop.anew, *key))
            raise
        finally:
            self._held[key] -= 1
            owed = self._held[key] == 0 and key in self._passed
            if not self._held[key]:
                del self._held[key]
                self._passed.discard(key)
            self._loop.released(key, owed)

    @asynccontextmanager
    async def _borrowed(self, key: Key) -> AsyncIterator[None]:
        """Answer a click with a message that another process looks after: it is told where it has to look at it."""
        before = await self._shown.one(*key)
        self._noted.discard(key)
        try:
            yield
        except BaseException:
            await self._shown.doubt(*key)
            raise
        now = await self._shown.one(*key)
        if key not in self._noted and before and now and now.shown != before.shown:  # shown while we answered
            await self._shown.doubt(*key)
        self._noted.discard(key)

    async def note(self, surface: Surface, *, new: bool = False) -> None:
        """Keep what somebody has shown in answer to a click, in a message that was there before unless it is new."""
        self._noted.add((surface.match, surface.kind, surface.seat))
        await self._shown.answer(surface, new=new)

    async def refresh_snapshots(self, look: Look) -> None:
        """Bring hands up to date that are open for one person alone."""
        setting = await self.setting(look)
        for seat in self.snapshots.seats(look.info.id):
            if self.snapshots.alive(look, seat):
                await self._snapshot(look, seat, setting)

    async def leave(self, match: str, kind: Kind, seat: int = -1) -> None:
        """A click was answered with no such message: whoever looks after it need not wait for that any more."""
        if not self._who.holds(match):
            await self._shown.doubt(match, kind, seat)

    def holds(self, match: str) -> bool:
        """Whether this process looks after a match."""
        return self._who.holds(match)

    def acting(self, guild: int) -> AbstractContextManager[None]:
        """Post something for that server in here, though a click is answered with it. Raises NotHeld."""
        return self._who.acting(guild)

    def answered(self, match: str) -> bool:
        """Whether a click on one of the match's messages is being answered."""
        return any(key[0] == match for key in self._held) or self.elsewhere.of(match)

    def answers(self, match: str, seat: int) -> bool:
        """Whether somebody answers a click with that seat's hand."""
        key: Key = (match, "hand", seat)
        return key in self._held or self.elsewhere.has(key)

    async def offers(self, look: Look, seat: int) -> bool:
        """Whether the hand of a seat that is due offers its decision, with nobody called to it since."""
        known = await self._shown.one(look.info.id, "hand", seat)
        if known is None or await self.calls.to(look, seat) != NOBODY:
            return False
        return self._offering.get((look.info.id, "hand", seat)) == (look.decisions()[seat].number, known.message)

    def forget(self, match: str) -> None:
        """Keep nothing of a closed match in memory."""
        self.snapshots.forget(match)
        self.leave_to_others(match)

    def leave_to_others(self, match: str) -> None:
        """Keep nothing in memory of what is shown of a match; hands that are open for one person alone go on."""
        self._offering = {key: offers for key, offers in self._offering.items() if key[0] != match}
        self._lobbies.pop(match, None)
        self._records.forget(match)
        self._shown.forget(match)
        self.elsewhere.forget(match)
        self.drawings.forget(match)
        self.ways.forget(match)
        self.calls.forget(match)
        self.notices.forget(match)
        self._threads.forget(match)
        self.around.forget(match)

    async def setting(self, look: Look) -> match_pages.Setting:
        """What the match's messages say of the world around it."""
        place = look.info.place
        table = await self._shown.one(look.info.id, "table")
        url = channel_access.message_url(place.guild, table.channel, table.message) if table and table.message else ""
        record = await self._records.of(look.info) if look.info.status is Status.OVER else ""
        server = channel_access.server_name(await self.around.server(look.info))
        waits = look.info.status is Status.LOBBY  # what a server has chosen is asked for then alone
        return match_pages.Setting(
            self.screens[look.info.game],
            server,
            url,
            table.lost if table else "",
            record,
            not waits or (await self._matches.server(place.guild)).computers,
        )

    async def greet(self, match: str, seat: int, user: discord.abc.User) -> Greeted:
        """Open the person's direct messages with their hand, and say whether that was possible."""
        try:
            with self.acting((await self._matches.look(match)).info.place.guild):
                return await self._greeted(match, seat, user)
        except NotHeld:  # not, or not any more
            return await self._greeted_elsewhere(match, seat, user)

    async def _greeted(self, match: str, seat: int, user: discord.abc.User) -> Greeted:
        """The same, where this process posts the hand. Raises NotHeld."""
        async with self.held(match, "hand", seat):
            inbox = await self._inboxes.open(user.id, match)
            if inbox is None:
                self._loop.wake(match)
                return "later"
            known = await self._shown.one(match, "hand", seat)
            if known and (known.channel != inbox.channel or known.message):
                return "greeted"  # it is there, or comes when the one who sat there before has lost theirs
            look = await self._matches.look(match)
            setting, reader = await self.setting(look), await self.readers.of(look, seat)
            page = await self.drawings.hand(look, seat, setting, reader)
            try:
                page = await self.ways.along(look, seat, setting, reader, page, known)
                await self.poster.post(look, known or Surface(match, "hand", seat, inbox.channel), page)
            except NETWORK as error:
                if isinstance(error, discord.HTTPException) and error.code in DM_CLOSED - {NO_SERVER}:
                    await self._shown.put_inbox(user.id, inbox.channel, closed=True)
                    await self._shown.drop(match, "hand", seat)
                    return "closed"
                log.info("A first hand of match %s comes later: %s", match, named(error))
                self._loop.wake(match)
                return "later"
        return "greeted"

    async def _greeted_elsewhere(self, match: str, seat: int, user: discord.abc.User) -> Greeted:
        """The same, where another process posts the hand."""
        if await self._inboxes.open(user.id, match) is None:
            await self._shown.mark((match,))
            return "later"
        await self._shown.mark((match,))
        async for _ in self._patience():
            if (known := await self._shown.one(match, "hand", seat)) and known.message:
                return "greeted"
            if (inbox := await self._shown.inbox(user.id)) and inbox.closed:
                return "closed"
        return "later"

    async def posted(self, match: str, kind: Kind, seat: int = -1) -> bool:
        """Wait a little for another process to post a message; whether it is there."""
        async for _ in self._patience():
            if (known := await self._shown.one(match, kind, seat)) and known.message:
                return True
        return False

    async def _patience(self) -> AsyncIterator[int]:
        """As long as somebody who clicked waits for what another process does."""
        for tried in range(LOOKS):
            yield tried
            await sleep(PATIENCE / LOOKS)

    async def table(self, look: Look) -> Look:
        """The table, in a thread of its own where the bot may make one."""
        match = look.info.id
        known = await self._shown.one(match, "table")
        if known is None and look.state is None:
            return look
        if known is None and not look.info.place.thread:
            look = await self._threads.make(look, await self._shown.one(match, "lobby"))
        place = look.info.place
        surface = known or Surface(match, "table", -1, place.thread or place.channel)
        page = await self.drawings.table(look, await self.setting(look), surface.digest)
        ended = look.info.status is Status.OVER and not surface.done  # the result is posted for everybody to notice
        if surface.digest != page.digest and self._threads.unseen(surface):
            self._loop.talked(match)
        await self.bring(look, surface, page, repost=ended)
        now = await self._shown.one(match, "table")
        if known and now and now.channel == place.channel and known.channel == place.thread != 0:  # that is gone
            await self._matches.settle(match, 0)
            look = await self._matches.look(match)
        if known and now and (now.message, now.lost) != (known.message, known.lost):  # other messages speak of it
            self._loop.wake(match)
        return look

    async def lobby_stands(self, look: Look, setting: match_pages.Setting) -> bool:
        """Whether the lobby shows a match that has begun, of which nothing but the game has moved on since."""
        known = await self._shown.one(look.info.id, "lobby")
        return known is not None and self._lobbies.get(look.info.id) == (_but_moves(look.info), setting, known)

    async def lobby(self, look: Look, setting: match_pages.Setting) -> None:
        """The lobby."""
        known = await self._shown.one(look.info.id, "lobby")
        if known is None and (look.info.id, "lobby", -1) not in self._held:
            if (wait := look.info.created + NOTED - self._clock()) > 0 and self._answered_with(look):
                self._tasks.start(f"lobby {look.info.id}", self._look_later, look.info.id, wait)
                return
            known = await orphaned_messages.found(self._client, look)  # if it was shown, a crash came in between
            if known:  # before it becomes a page by which it would not be found again
                await self._shown.put(known)
        surface = known or Surface(look.info.id, "lobby", -1, look.info.place.channel)
        page = await drawn(match_pages.lobby, look, setting)
        await self.bring(look, surface, page)
        now = await self._shown.one(look.info.id, "lobby")
        if look.info.status is Status.RUNNING and now and now.digest == page.digest and not (now.lost or now.old):
            self._lobbies[look.info.id] = _but_moves(look.info), setting, now

    def _answered_with(self, look: Look) -> bool:
        """Whether another process may be about to answer a command with the lobby; again it is posted by its holder."""
        return not self._who.alone and not look.info.follows

    async def _look_later(self, match: str, seconds: float) -> None:
        await sleep(seconds)
        self._loop.wake(match)

    def hands(
        self, look: Look, setting: match_pages.Setting, seats: Collection[int]
    ) -> list[Coroutine[Any, Any, None]]:
        """The hands of those seats, by direct message and as they are still open for one person."""
        here = [i for i, seat in enumerate(look.info.seats) if i in seats and seat.here]
        jobs = [self._hand(look, i, setting) for i in here]
        return jobs + [self._snapshot(look, i, setting) for i in seats if self.snapshots.alive(look, i)]

    async def bring(
        self,
        look: Look,
        surface: Surface,
        page: Page,
        *,
        repost: bool = False,
        called: int = NOBODY,
        there: Callable[[Surface], Awaitable[Page]] | None = None,
    ) -> None:
        """Make one message show the page, or what stands for it `there`, unless somebody answers a click with it."""
        key: Key = (surface.match, surface.kind, surface.seat)
        if self.elsewhere.has(key):
            return  # it is looked at when that is over
        if key in self._held:
            self._passed.add(key)
            return
        async with self._bringing.setdefault(key, asyncio.Lock()):
            known = await self._shown.one(*key)
            if known and known.shown > look.info.revision:  # a click, or what must be shown, was faster
                return
            if known and surface.kind == "hand" and known.channel != surface.channel:
                return  # still with somebody who no longer sits there: it has to be taken away first
            surface = known or surface
            if there is not None and self.poster.sends(surface, page, repost=repost, called=called):
                page = await there(surface)
            with self._overtaken.noted(key, partial(self._loop.anew, *key)):
                await self.poster.bring(look, surface, page, repost=repost, called=called)
            now, decision = await self._shown.one(*key), look.decisions().get(surface.seat)
            if surface.kind == "hand" and now and decision:
                self._offering[key] = decision.number, now.message
            else:
                self._offering.pop(key, None)

    async def unbury(self, look: Look) -> None:
        """Post the table anew where talk hides it."""
        known = await self._shown.one(look.info.id, "table")
        if known and look.info.status in LIVE and await self._threads.buried(look, known):
            page = await self.drawings.table(look, await self.setting(look))
            await self.bring(look, known, page, repost=True)
            self._loop.wake(look.info.id)  # what leads there has to be drawn anew

    async def _hand(self, look: Look, seat: int, setting: match_pages.Setting) -> None:
        """One seat's hand by direct message, where these are open."""
        match, user = look.info.id, look.info.seats[seat].user
        known = await self._shown.one(match, "hand", seat)
        inbox = await self._shown.inbox(user)
        if known and (inbox is None or inbox.channel != known.channel):
            return  # still with somebody who no longer sits there: it has to be taken away first
        if known is None:
            begun = look.state is not None
            inbox = await self._inboxes.of(user, match, begun=begun) if look.info.status in LIVE else None
            if inbox is None:
                return
            known = Surface(match, "hand", seat, inbox.channel)
        reader = await self.readers.of(look, seat)
        page = await self.drawings.hand(look, seat, setting, reader, known.digest)
        turn = seat in look.due() and known.digest != page.digest and self.poster.old(known)
        called = await self.calls.to(look, seat)
        there = partial(self.ways.along, look, seat, setting, reader, page)
        await self.bring(look, known, page, repost=turn, called=called, there=there)

    async def _snapshot(self, look: Look, seat: int, setting: match_pages.Setting) -> None:
        """One seat's ephemeral hand, unless a click is being answered, with this very message maybe."""
        key: Key = (look.info.id, "hand", seat)
        if key in self._held:
            self._passed.add(key)
        else:
            reader = await self.readers.of(look, seat)
            page = await self.drawings.hand(look, seat, setting, reader)
            if self.snapshots.stands(look, seat, page):
                return
            there = await self.ways.along(look, seat, setting, reader, page, await self._shown.one(*key))
            with self._overtaken.noted(key, partial(self._loop.anew, *key)):
                await self.snapshots.refresh(look, seat, there)


def _but_moves(info: Info) -> Info:
    """A match without what moves alone change: of that its lobby tells nothing."""
    return replace(info, revision=0, moves=0, changed=0)
