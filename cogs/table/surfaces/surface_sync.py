"""Brings each message of a match up to date with a snapshot, one message at a time."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, Literal, Protocol
from weakref import WeakValueDictionary

import discord

from cogs.table.channels import channel_access
from cogs.table.channels.contact_budget import ContactLimits
from cogs.table.channels.deal_message import DealMessages
from cogs.table.channels.direct_messages import DirectMessages, NotOpen
from cogs.table.channels.match_threads import MatchThreads
from cogs.table.channels.server_context import ServerContexts
from cogs.table.channels.table_services import PageMakers, TableServices
from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.state.feature_rows import FeatureRows
from cogs.table.state.hand_rows import SeatInUse
from cogs.table.state.page_drawing import PageCache
from cogs.table.state.reader_preferences import ReaderPreferences
from cogs.table.state.record_cache import RecordCache
from cogs.table.surfaces.departed_hands import DepartedHands
from cogs.table.surfaces.ephemeral_hands import EphemeralHands
from cogs.table.surfaces.lobby_drawing import LobbyDrawing
from cogs.table.surfaces.message import MessagePoster, ReaderForgotten, SurfaceKey, find_lobby
from cogs.table.surfaces.move_steps import MoveSteps
from cogs.table.surfaces.notices import Notices
from cogs.table.surfaces.other_process_replies import OtherProcessReplies
from cogs.table.surfaces.reminders import Reminders
from cogs.table.transport.interrupted_edits import InterruptedEdits
from cogs.table.transport.network_errors import NETWORK_ERRORS, QUARANTINED, describe_error, is_transient
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.matches.records import UNFINISHED
from engines.store.match_store import LIVE, MatchInfo, NotLeaseHolder, Status
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS
from engines.store.surface_storage import NO_DECISION, Inbox, Surface, SurfaceKind

log = logging.getLogger(__name__)

LOBBY_NOTE_SECONDS = 8  # seconds after which the message of a new lobby is searched for if none is stored
# How many seconds a click waits for another process, and how often it checks.
WAIT_SECONDS, WAIT_LOOKS = 2.4, 8
GreetingResult = Literal["greeted"] | NotOpen


class RedrawLoop(Protocol):
    """The loop that redraws matches."""

    def wake(self, match: str) -> None:
        """Redraw all messages of a match."""

    def release_surface(self, key: SurfaceKey, is_owed: bool) -> None:
        """Note that the reply to a click is done with this message; redraw it if `is_owed`."""

    def check_buried_later(self, match: str) -> None:
        """Check later whether chat messages bury the table."""

    async def redraw_surface(self, match: str, kind: SurfaceKind, seat: int) -> None:
        """Edit a message even if it seems current."""

    async def redraw_hand(self, match: str, channel: int) -> None:
        """Edit the hand in these direct messages even if it seems current."""


class SurfaceSync:
    """Makes a match's messages show a snapshot. A message is skipped while it answers a click."""

    def __init__(
        self,
        loop: RedrawLoop,
        services: TableServices,
        makers: PageMakers,
        contact_limits: ContactLimits,
    ) -> None:
        self._services = services
        self._loop = loop
        self.screens = makers.screens
        self.studio = studio = makers.studio
        self.features = FeatureRows(makers.features, self.screens, services.matches, services.surfaces)
        self.poster = MessagePoster(services, studio)
        self.page_cache = PageCache(studio)
        self.lobby_drawing = LobbyDrawing(services.clock, self.page_cache, loop.wake)
        self.readers = ReaderPreferences(services.surfaces, services.matches, services.lease, self.features)
        self._interrupted_edits = InterruptedEdits(services.tasks, services.clock)
        self.reminders = Reminders(services, self._interrupted_edits, loop.wake)
        self.notices = Notices(services)
        self.ephemeral_hands = EphemeralHands(studio, services.clock.now)
        self.move_steps = MoveSteps(services)
        self.direct_messages = DirectMessages(services, loop.wake, contact_limits)
        self.departed_hands = DepartedHands(
            services,
            self.poster,
            self._interrupted_edits,
            loop.redraw_hand,
            self.direct_messages.budget,
        )
        self.server_contexts = ServerContexts(services)
        self._records = RecordCache(services.matches)
        self._threads = MatchThreads(services, self.server_contexts)
        self.deal_messages = DealMessages(services, loop.wake)
        self._update_locks: WeakValueDictionary[SurfaceKey, asyncio.Lock] = WeakValueDictionary()
        self._answering: Counter[SurfaceKey] = Counter()
        self._skipped: set[SurfaceKey] = set()  # held surfaces that an update skipped
        self._noted_keys: set[SurfaceKey] = set()  # held surfaces whose new content was stored
        self.other_replies = OtherProcessReplies(services, lambda key: loop.release_surface(key, is_owed=True))
        self._offered_decisions: dict[SurfaceKey, tuple[int, int]] = {}  # each hand's decision number and message
        # what the lobbies of started matches show
        self._current_lobbies: dict[str, tuple[MatchInfo, match_pages.PageContext, Surface]] = {}

    @asynccontextmanager
    async def hold_surface(self, match: str, kind: SurfaceKind, seat: int = -1) -> AsyncIterator[None]:
        """Reserve a message for the reply to a click. If the reply fails, the message is redrawn."""
        key: SurfaceKey = (match, kind, seat)
        self._answering[key] += 1
        try:
            if self._services.lease.holds_match(match):
                yield
            else:
                async with self._borrow_surface(key):
                    yield
        except BaseException as error:
            self._skipped.add(key)
            # an attempt that was cut short may still arrive
            if is_transient(error) or isinstance(error, asyncio.CancelledError):
                self._interrupted_edits.expect_late_edit(key, partial(self._loop.redraw_surface, *key))
            raise
        finally:
            self._answering[key] -= 1
            owed = self._answering[key] == 0 and key in self._skipped
            if not self._answering[key]:
                del self._answering[key]
                self._skipped.discard(key)
            self._loop.release_surface(key, owed)

    @asynccontextmanager
    async def _borrow_surface(self, key: SurfaceKey) -> AsyncIterator[None]:
        """Reserve a message that another process looks after; mark it uncertain if that process has to redraw it."""
        before = await self._services.surfaces.find_surface(*key)
        self._noted_keys.discard(key)
        try:
            yield
        except BaseException:
            await self._services.surfaces.doubt(*key)
            raise
        now = await self._services.surfaces.find_surface(*key)
        if key not in self._noted_keys and before and now and now.shown != before.shown:  # edited during the reply
            await self._services.surfaces.doubt(*key)
        self._noted_keys.discard(key)

    async def note_surface(self, surface: Surface, *, new: bool = False) -> None:
        """Store what a message shows after a reply to a click; `new` if the reply posted it."""
        self._noted_keys.add((surface.match, surface.kind, surface.seat))
        await self._services.surfaces.put_reply(surface, new=new)

    async def refresh_ephemeral_hands(self, snapshot: MatchSnapshot) -> None:
        """Bring a match's ephemeral hands up to date."""
        page_context = await self.page_context_of(snapshot)
        for seat in self.ephemeral_hands.seats(snapshot):
            await self._update_ephemeral_hand(snapshot, seat, page_context)

    async def leave_unanswered(self, match: str, kind: SurfaceKind, seat: int = -1) -> None:
        """Note that a click was not answered with this message, so that its process stops waiting for the reply."""
        if not self._services.lease.holds_match(match):
            await self._services.surfaces.doubt(match, kind, seat)

    def holds_match(self, match: str) -> bool:
        """Whether this process looks after a match."""
        return self._services.lease.holds_match(match)

    def acting_for(self, guild: int) -> AbstractContextManager[None]:
        """Allow posting for a server within this context, also in reply to a click. Raises NotLeaseHolder."""
        return self._services.lease.acting_for(guild)

    def is_answering(self, match: str) -> bool:
        """Whether a click on one of the match's messages is being answered."""
        return any(key[0] == match for key in self._answering) or self.other_replies.is_answering_match(match)

    def is_answering_hand(self, match: str, seat: int) -> bool:
        """Whether a click is being answered with that seat's hand."""
        key: SurfaceKey = (match, "hand", seat)
        return key in self._answering or self.other_replies.is_answering(key)

    async def offers_decision(self, snapshot: MatchSnapshot, seat: int) -> bool:
        """Whether the hand of a due seat offers its decision, with no ping waiting."""
        known = await self._services.surfaces.find_surface(snapshot.info.id, "hand", seat)
        if known is None or await self.reminders.pending_mark(snapshot, seat) != NO_DECISION:
            return False
        return self._offered_decisions.get((snapshot.info.id, "hand", seat)) == (
            snapshot.decisions()[seat].number,
            known.message,
        )

    def forget(self, match: str) -> None:
        """Drop everything about a closed match from memory."""
        self.ephemeral_hands.forget(match)
        self.leave_to_others(match)

    def leave_to_others(self, match: str) -> None:
        """Drop everything about a match's surfaces from memory, except ephemeral hands."""
        self._offered_decisions = {key: offers for key, offers in self._offered_decisions.items() if key[0] != match}
        self._current_lobbies.pop(match, None)
        for forget in (
            *(self._records.forget, self._services.surfaces.forget, self.other_replies.forget, self.page_cache.forget),
            *(self.move_steps.forget, self.reminders.forget, self.notices.forget, self._threads.forget),
            *(self.deal_messages.forget, self.server_contexts.forget),
        ):
            forget(match)

    async def page_context_of(self, snapshot: MatchSnapshot) -> match_pages.PageContext:
        """What the match's pages show besides the match: its server, links, trouble and record."""
        place = snapshot.info.place
        table = await self._services.surfaces.find_surface(snapshot.info.id, "table")
        url = channel_access.message_url(place.guild, table.channel, table.message) if table and table.message else ""
        record = await self._records.record_of(snapshot.info) if snapshot.info.status is Status.OVER else ""
        server = channel_access.server_name(await self.server_contexts.server_name(snapshot.info))
        is_lobby = snapshot.info.status is Status.LOBBY  # only a lobby needs the server's settings
        return match_pages.PageContext(
            self.screens[snapshot.info.game],
            server,
            url,
            table.lost if table else "",
            record,
            await self._services.matches.lobbies.server_settings(place.guild) if is_lobby else DEFAULT_SERVER_SETTINGS,
            deal=await self._services.matches.records.public_deal(snapshot.info)
            if snapshot.info.status in UNFINISHED
            else None,
            features=await self.features.additions(snapshot),
            is_seal_missing=is_lobby and self.deal_messages.is_seal_missing(snapshot.info.id),
        )

    async def draw_lobby(self, snapshot: MatchSnapshot) -> Page:
        """Return the lobby message of a match, for the message that shows it, with its picture drawn."""
        return await self.lobby_drawing.lobby_page(snapshot, await self.page_context_of(snapshot))

    async def draw_new_lobby(self, snapshot: MatchSnapshot) -> Page:
        """Return the lobby message of a match, to be posted at once."""
        return await self.lobby_drawing.new_lobby_page(snapshot, await self.page_context_of(snapshot))

    async def greet_player(self, match: str, user: int) -> GreetingResult:
        """Open a person's direct messages and post their hand there. Returns whether that worked."""
        try:
            with self.acting_for((await self._services.matches.cache.get_snapshot(match)).info.place.guild):
                return await self._greet_here(match, user)
        except NotLeaseHolder:  # another process looks after the server
            return await self._greet_elsewhere(match, user)

    async def _greet_here(self, match: str, user: int) -> GreetingResult:
        """Greet a player if this process posts the hand. Raises NotLeaseHolder.

        Opening direct messages may take long, so the person's seat is looked up afterwards.
        """
        inbox = await self.direct_messages.open_inbox(user, match)
        snapshot = await self._services.matches.cache.get_snapshot(match)
        seat = snapshot.info.seat_of(user)
        if seat is None:  # they have left in the meantime
            return "greeted"
        if not isinstance(inbox, Inbox):
            self._loop.wake(match)
            return inbox
        try:
            await self._update_hand(snapshot, seat, await self.page_context_of(snapshot))
        except (ReaderForgotten, SeatInUse, *NETWORK_ERRORS) as error:
            log.info("The first hand of match %s is posted later: %s", match, describe_error(error))
        if (known := await self._services.surfaces.find_hand(match, inbox.channel)) and known.message:
            return "greeted"
        if (now := await self._services.surfaces.inbox(user)) and now.closed:
            return "closed"
        if user in self.direct_messages.waiting:
            return "waiting"
        self._loop.wake(match)
        return "later"

    async def _greet_elsewhere(self, match: str, user: int) -> GreetingResult:
        """Greet a player if another process posts the hand."""
        inbox = await self.direct_messages.open_inbox(user, match)
        await self._services.surfaces.store.mark_stale((match,))
        if not isinstance(inbox, Inbox):
            return inbox
        async for _ in self._wait_attempts():
            if (known := await self._services.surfaces.find_hand(match, inbox.channel)) and known.message:
                return "greeted"
            if (now := await self._services.surfaces.inbox(user)) and now.closed:
                return "closed"
        return "later"

    def start_posting_seal(self, snapshot: MatchSnapshot) -> None:
        """Post the seal of a new lobby in the background, before anybody can cut."""
        if snapshot.info.seal:
            self._services.tasks.start(f"seal {snapshot.info.id}", self._post_seal, snapshot)

    async def _post_seal(self, snapshot: MatchSnapshot) -> None:
        match = snapshot.info.id
        try:
            with self.acting_for(snapshot.info.place.guild):
                await self.deal_messages.post_seal(snapshot)
        except NotLeaseHolder:  # another process looks after the server, and posts the seal when it redraws the lobby
            return
        except NETWORK_ERRORS as error:
            log.info("Will post the seal of match %s later: %s", match, describe_error(error))
            self._loop.wake(match)

    async def wait_for_seal(self, snapshot: MatchSnapshot) -> None:
        """Wait a little until the seal of a lobby is posted, unless it could not be. The start says if it is not."""
        info = snapshot.info
        if not info.seal or info.status is not Status.LOBBY:
            return
        async for _ in self._wait_attempts():
            if self.deal_messages.is_seal_missing(info.id) or await self.deal_messages.is_seal_posted(info.id):
                return

    async def require_deal_shown(self, snapshot: MatchSnapshot) -> None:
        """Wait a little until the seal and the cuts of a sealed deal are shown. Raises RequestRefused if they are not.

        The table follows them. If that cannot be posted, they cannot be either, and the hand is shown without them.
        """
        if not snapshot.info.seal or snapshot.state is None:
            return
        async for _ in self._wait_attempts():
            table = await self._services.surfaces.find_surface(snapshot.info.id, "table")
            if table is not None and (table.message or table.lost):
                return
        raise RequestRefused("The match has only just started. Please try again in a moment.")

    async def wait_for_post(self, match: str, kind: SurfaceKind, seat: int = -1) -> bool:
        """Wait a little for another process to post a message. Returns whether it did."""
        async for _ in self._wait_attempts():
            if (known := await self._services.surfaces.find_surface(match, kind, seat)) and known.message:
                return True
        return False

    async def _wait_attempts(self) -> AsyncIterator[int]:
        """Yield once per check, for as long as a click waits for another process."""
        for tried in range(WAIT_LOOKS):
            yield tried
            await self._services.clock.sleep(WAIT_SECONDS / WAIT_LOOKS)

    async def update_table(self, snapshot: MatchSnapshot) -> MatchSnapshot:
        """Update the table, in a thread of its own if the bot may make one. Returns the current snapshot."""
        match = snapshot.info.id
        known = await self._services.surfaces.find_surface(match, "table")
        if known is None and snapshot.state is None:
            return snapshot
        if known is None and not snapshot.info.place.thread:
            snapshot = await self._threads.make_thread(
                snapshot, await self._services.surfaces.find_surface(match, "lobby")
            )
        if known is None or not known.message:
            await self.deal_messages.post_once(snapshot)  # before the table and the hands
        place = snapshot.info.place
        surface = known or Surface(match, "table", -1, place.thread or place.channel)
        page = await self.page_cache.table_page(snapshot, await self.page_context_of(snapshot), surface.digest)
        ended = snapshot.info.status is Status.OVER and not surface.done  # reposted so that everyone sees the result
        if surface.digest != page.digest and self._threads.may_be_buried(surface):
            self._loop.check_buried_later(match)
        await self.bring_up_to_date(snapshot, surface, page, repost=ended)
        now = await self._services.surfaces.find_surface(match, "table")
        if known and now and now.channel == place.channel and known.channel == place.thread != 0:  # the thread is gone
            await self._services.matches.lobbies.set_thread(match, 0)
            snapshot = await self._services.matches.cache.get_snapshot(match)
        if known and now and (now.message, now.lost) != (known.message, known.lost):  # other messages link to it
            self._loop.wake(match)
        return snapshot

    async def is_lobby_current(self, snapshot: MatchSnapshot, page_context: match_pages.PageContext) -> bool:
        """Whether the lobby of a started match needs no update: only moves have changed since it was drawn."""
        known = await self._services.surfaces.find_surface(snapshot.info.id, "lobby")
        return known is not None and self._current_lobbies.get(snapshot.info.id) == (
            _without_moves(snapshot.info),
            page_context,
            known,
        )

    async def update_lobby(self, snapshot: MatchSnapshot, page_context: match_pages.PageContext) -> None:
        """Update the lobby."""
        known = await self._services.surfaces.find_surface(snapshot.info.id, "lobby")
        if known is None and (snapshot.info.id, "lobby", -1) not in self._answering:
            wait = snapshot.info.created + LOBBY_NOTE_SECONDS - self._services.clock.now()
            if 0 < wait <= LOBBY_NOTE_SECONDS and self._may_be_answered_with(snapshot):  # longer: the clock is wrong
                self._services.tasks.start(f"lobby {snapshot.info.id}", self._wake_later, snapshot.info.id, wait)
                return
            # a crash may have come between posting and storing it
            known = await find_lobby(self._services.client, snapshot)
            if known:  # store it first: after an edit the search might not find it again
                await self._services.surfaces.put(known)
        surface = known or Surface(snapshot.info.id, "lobby", -1, snapshot.info.place.channel)
        page = await self.lobby_drawing.lobby_page(snapshot, page_context, surface.digest)
        await self.bring_up_to_date(snapshot, surface, page)
        now = await self._services.surfaces.find_surface(snapshot.info.id, "lobby")
        if now and now.message:
            await self.deal_messages.post_seal(snapshot)  # below the lobby
        if snapshot.info.status is Status.RUNNING and now and now.digest == page.digest and not (now.lost or now.old):
            self._current_lobbies[snapshot.info.id] = _without_moves(snapshot.info), page_context, now

    def _may_be_answered_with(self, snapshot: MatchSnapshot) -> bool:
        """Whether another process may be about to reply with the lobby; the lease holder posts a rematch's lobby."""
        return not self._services.lease.is_only_process and not snapshot.info.follows

    async def _wake_later(self, match: str, seconds: float) -> None:
        await self._services.clock.sleep(seconds)
        self._loop.wake(match)

    def hand_updates(
        self, snapshot: MatchSnapshot, page_context: match_pages.PageContext, seats: Collection[int]
    ) -> list[Coroutine[Any, Any, None]]:
        """Updates of the seats' hands, both in direct messages and ephemeral."""
        owned = [i for i, seat in enumerate(snapshot.info.seats) if i in seats and seat.has_owner]
        jobs = [self._update_hand(snapshot, i, page_context) for i in owned]
        return jobs + [
            self._update_ephemeral_hand(snapshot, i, page_context)
            for i in self.ephemeral_hands.seats(snapshot)
            if i in seats
        ]

    async def bring_up_to_date(
        self,
        snapshot: MatchSnapshot,
        surface: Surface,
        page: Page,
        *,
        repost: bool = False,
        mark: int = NO_DECISION,
        step_page: Callable[[Surface], Awaitable[Page]] | None = None,
    ) -> None:
        """Make one message show the page, unless it answers a click.

        If the message needs an edit or a post, `step_page` supplies the page to show, such as the hand at its step.
        """
        key: SurfaceKey = (surface.match, surface.kind, surface.seat)
        if self.other_replies.is_answering(key):
            return  # it is redrawn when the reply is done
        if key in self._answering:
            self._skipped.add(key)
            return
        lock, redraw = key, partial(self._loop.redraw_surface, *key)
        if surface.kind == "hand":  # known by its direct messages, because seats move in a lobby
            lock = (surface.match, "hand", surface.channel)
            redraw = partial(self._loop.redraw_hand, surface.match, surface.channel)
        async with self._update_locks.setdefault(lock, asyncio.Lock()):
            known = await self._services.surfaces.find_row(surface)
            if known and known.shown > snapshot.info.revision:  # a reply or an urgent update was faster
                return
            surface, is_new = known or surface, known is None
            if step_page is not None and self.poster.sends(surface, page, repost=repost, called=mark):
                page = await step_page(surface)
            with self._interrupted_edits.watch_edit(lock, redraw):
                await self.poster.bring_up_to_date(snapshot, surface, page, repost=repost, mark=mark)
            now, decision = await self._services.surfaces.find_row(surface), snapshot.decisions().get(surface.seat)
            if surface.kind == "hand" and now and decision:
                self._offered_decisions[key] = decision.number, now.message
            else:
                self._offered_decisions.pop(key, None)
        if surface.kind == "hand" and is_new and await self._has_moved_on(snapshot):
            self._loop.wake(surface.match)  # the reader may have lost the seat while the hand was posted

    async def _has_moved_on(self, snapshot: MatchSnapshot) -> bool:
        return (
            await self._services.matches.cache.get_snapshot(snapshot.info.id)
        ).info.revision != snapshot.info.revision

    async def repost_if_buried(self, snapshot: MatchSnapshot) -> None:
        """Repost the table if chat messages bury it."""
        known = await self._services.surfaces.find_surface(snapshot.info.id, "table")
        if known and snapshot.info.status in LIVE and await self._threads.is_buried(snapshot, known):
            page = await self.page_cache.table_page(snapshot, await self.page_context_of(snapshot))
            await self.bring_up_to_date(snapshot, known, page, repost=True)
            self._loop.wake(snapshot.info.id)  # the links to it have changed

    async def _update_hand(self, snapshot: MatchSnapshot, seat: int, page_context: match_pages.PageContext) -> None:
        """Update one seat's hand in direct messages, if these are open."""
        user = snapshot.info.seats[seat].user
        inbox = await self._services.surfaces.inbox(user)
        is_first = inbox is None or not inbox.reached
        async with self.direct_messages.first_message_lock(user) if is_first else nullcontext():
            await self._update_hand_alone(snapshot, seat, page_context)

    async def _update_hand_alone(
        self, snapshot: MatchSnapshot, seat: int, page_context: match_pages.PageContext
    ) -> None:
        """Update one seat's hand. If it may be its reader's first message, no other task sends them one meanwhile."""
        match, user = snapshot.info.id, snapshot.info.seats[seat].user
        inbox = await self._services.surfaces.inbox(user)
        known = await self._services.surfaces.find_hand(match, inbox.channel) if inbox else None
        if known is None and await self._services.surfaces.find_surface(match, "hand", seat):
            return  # the previous player's hand has to be taken away first
        if known is None or not (known.message or (inbox and inbox.reached)):
            has_begun = snapshot.state is not None
            inbox = (
                await self.direct_messages.inbox_of(user, match, has_begun=has_begun)
                if snapshot.info.status in LIVE
                else None
            )
            if inbox is None:
                return
            known = known or Surface(match, "hand", seat, inbox.channel)
        reader = await self.readers.reader_of(snapshot, seat)
        page = await self.page_cache.hand_page(snapshot, seat, page_context, reader, known.digest)
        turn = seat in snapshot.due_seats() and known.digest != page.digest and self.poster.is_old(known)
        called = await self.reminders.pending_mark(snapshot, seat)
        step_page = partial(self.move_steps.hand_at_step, snapshot, seat, page_context, reader, page)
        try:
            await self.bring_up_to_date(snapshot, known, page, repost=turn, mark=called, step_page=step_page)
        except discord.HTTPException as error:
            if error.code != QUARANTINED:
                raise
            await self.direct_messages.note_refusal(user, match, error)
        now = await self._services.surfaces.find_hand(match, known.channel)
        if now and now.message:
            await self.direct_messages.note_message(user, now.channel)

    async def _update_ephemeral_hand(
        self, snapshot: MatchSnapshot, seat: int, page_context: match_pages.PageContext
    ) -> None:
        """Update one seat's ephemeral hand, unless a click is being answered with a hand of that seat."""
        key: SurfaceKey = (snapshot.info.id, "hand", seat)
        if key in self._answering:
            self._skipped.add(key)
        else:
            reader = await self.readers.reader_of(snapshot, seat)
            page = await self.page_cache.hand_page(snapshot, seat, page_context, reader)
            if self.ephemeral_hands.stands(snapshot.info.id, page):
                return
            step_page = await self.move_steps.hand_at_step(
                snapshot, seat, page_context, reader, page, await self._services.surfaces.find_surface(*key)
            )
            user = snapshot.info.seats[seat].user
            late = partial(self._redraw_ephemeral_hand, snapshot.info.id, user)
            with self._interrupted_edits.watch_edit((snapshot.info.id, "ephemeral", user), late):
                await self.ephemeral_hands.refresh_hand(snapshot.info.id, step_page)

    async def _redraw_ephemeral_hand(self, match: str, user: int) -> None:
        """Edit a person's ephemeral hand even if it seems current."""
        self.ephemeral_hands.doubt(match, user)
        self._loop.wake(match)


def _without_moves(info: MatchInfo) -> MatchInfo:
    """The match info without the fields that moves change: its lobby does not show them."""
    return replace(info, revision=0, moves=0, changed=0)
