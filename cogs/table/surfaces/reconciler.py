"""Keeps a match's messages up to date. Level-triggered: it redraws whatever differs from the newest state."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import replace
from functools import partial

import discord

from cogs.table.channels.contact_budget import ContactLimits
from cogs.table.channels.table_services import PageMakers, TableServices
from cogs.table.state.person_shares import may_post
from cogs.table.surfaces.hand_pacing import HandPacing
from cogs.table.surfaces.message import SurfaceKey
from cogs.table.surfaces.redraw_pass import BURIED, CLOSING, RedrawPass
from cogs.table.surfaces.stale_tracking import StaleTracker
from cogs.table.surfaces.surface_sync import SurfaceSync
from cogs.table.transport.application_access import ApplicationAccess
from cogs.table.transport.connectivity import Connectivity
from cogs.table.transport.error_reports import report_unexpected
from cogs.table.transport.log_context import set_log_context
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error, is_transient, retry_after
from cogs.table.transport.rate_limiter import RateLimiter
from engines.hosting.match import RequestRefused
from engines.store.listeners import Listeners
from engines.store.match_store import LIVE, DueTime, NotLeaseHolder, Place, StoreFailure
from engines.store.partition import Partition
from engines.store.rows import RowWrite
from engines.store.surface_storage import Surface, SurfaceKind

log = logging.getLogger(__name__)
HEAD_START = 0.05  # seconds by which the reply to a click comes before the match's other messages
FIRST_PAUSE, LONGEST_PAUSE = 1, 60  # seconds before the retry of a match that failed for reasons of its own
STORE_PAUSE = 8  # the longest pause after a store failure


class Reconciler:
    """Runs one loop per match while there is work; no network requests under a match's lock."""

    def __init__(
        self,
        services: TableServices,
        makers: PageMakers,
        rate_limiter: RateLimiter,
        access: ApplicationAccess,
        contact_limits: ContactLimits,
    ) -> None:
        self.on_hand_row = Listeners[[str]]()  # called after a write to rows that hands show
        self._services = services
        self.surface_sync = SurfaceSync(self, services, makers, contact_limits)
        self.connectivity = Connectivity(self._probe, self.wake, services.tasks, access, services.clock)
        self.hand_pacing = HandPacing(self._redraw_deferred, services.tasks, services.clock)
        self.redraw_pass = RedrawPass(
            services,
            self.surface_sync,
            self.connectivity,
            self.hand_pacing,
            rate_limiter,
            self.wake,
        )
        self._stale_matches: set[str] = set()  # their urgent messages are not up to date
        self._in_progress: set[str] = set()  # their urgent messages are being redrawn
        self._failed_urgent: set[str] = set()  # some of their urgent messages failed
        self._failed_deferred: set[str] = set()  # some of their deferred messages failed
        self._pauses: dict[str, float] = {}
        self.stale_tracker = StaleTracker(services)
        self._to_mark: set[str] = set()  # to be marked stale for other processes

    def wake(self, match: str, *seats: int) -> None:
        """Redraw the match's messages; returns at once. The reply to a click gets a head start.

        The hands of these seats are urgent.
        """
        self.redraw_pass.mark_urgent(*((match, "hand", seat) for seat in seats))
        self._stale_matches.add(match)
        self.stale_tracker.mark_stale(match)
        if self.surface_sync.is_answering(match):
            asyncio.get_running_loop().call_later(HEAD_START, self._start_redraw, match)
        else:
            self._start_redraw(match)

    def note_foreign_change(self, match: str) -> None:
        """Note that another process changed a match of ours, or may be answering a click in it."""
        self.surface_sync.other_replies.mark_changed(match)
        self.surface_sync.notices.forget(match)

    def is_idle(self, match: str) -> bool:
        """Whether no work and no save is under way or waiting for a match."""
        busy = match in self._stale_matches | self._in_progress | self._failed_urgent | self._failed_deferred
        return not (
            busy
            or self.hand_pacing.is_waiting(match)
            or self.surface_sync.is_answering(match)
            or self.stale_tracker.has_unsaved(match)
        )

    def start_ephemeral_refresh(self, match: str) -> None:
        """Refresh the ephemeral hands of a match that another process looks after."""
        if self.surface_sync.ephemeral_hands.has_hands(match):
            self._services.tasks.start(f"snapshots {match}", self._refresh_ephemeral, match)

    async def _refresh_ephemeral(self, match: str) -> None:
        try:
            await self.surface_sync.refresh_ephemeral_hands(
                await self._services.matches.cache.get_fresh_snapshot(match)
            )
        except (RequestRefused, StoreFailure, *NETWORK_ERRORS) as why:
            log.info("The ephemeral hands of match %s could not be refreshed: %s", match, type(why).__name__)

    def release_partition(self, partition: Partition) -> None:
        """Leave these servers to other processes: work under way stops before its next request."""
        for match in self.redraw_pass.matches_in(partition):
            self._leave_to_others(match)

    def add_reminder(self, due: DueTime) -> None:
        """Ping a player about their decision; returns at once."""
        self.surface_sync.reminders.add(due)
        if not self._services.tasks.is_running(
            f"again {due.match}"
        ):  # a planned retry may be a wait that Discord asked for
            self.wake(due.match)

    def release_surface(self, key: SurfaceKey, is_owed: bool) -> None:
        """Note that the reply to a click is done with this message; redraw it if `is_owed`."""
        if is_owed:
            self.redraw_pass.mark_urgent(key)
            self._stale_matches.add(key[0])
        self._mark_current_if_idle(key[0])
        self._start_redraw(key[0])

    def check_buried_later(self, match: str) -> None:
        """Check later whether chat messages bury the table."""
        self.hand_pacing.defer_seats(match, (BURIED,))

    async def note_surface(self, surface: Surface, *, new: bool = False) -> None:
        """Store what a message shows after a reply to a click; `new` if the reply posted it."""
        await self.surface_sync.note_surface(
            replace(surface, posted=surface.posted or self._services.clock.now()), new=new
        )

    async def note_edit(self, surface: Surface) -> None:
        """Store what a message shows after a reply to a click edited it."""
        if self._services.lease.is_only_process:
            await self._services.surfaces.put_edits([surface])
        else:
            await self.surface_sync.note_surface(surface)

    async def write_hand_row(self, match: str, seat: int, write: RowWrite) -> None:
        """Make a write of a feature, and redraw the hand of the seat that shows it."""
        await self._services.surfaces.write_row(match, write)
        if self._services.lease.holds_match(match):
            self.wake(match, seat)
        else:  # the store has notified the process that looks after the match
            self.start_ephemeral_refresh(match)
        self.on_hand_row(match)

    async def has_current_hand(self, match: str, seat: int) -> bool:
        """Whether the player with this seat has a hand that is kept up to date."""
        user = (await self._services.matches.cache.get_snapshot(match)).info.seats[seat].user
        if self.surface_sync.ephemeral_hands.is_refreshable(match, user):
            return True
        posted = await self._services.surfaces.find_surface(match, "hand", seat)
        return posted is not None and bool(posted.message) and not posted.lost

    def stale_counts(self) -> tuple[int, int]:
        """The number of matches with stale urgent messages, and the number of deferred updates."""
        return len(
            self._stale_matches | self._in_progress | self._failed_urgent
        ), self.hand_pacing.count_waiting() + len(self._failed_deferred)

    async def announce(self, place: Place, text: str, mentioned_users: Iterable[int] = (), nonce: str = "") -> bool:
        """Post a message where the match is played. Returns whether Discord accepted it; network errors are logged.

        It is not posted if a person's request would post it, and they have had too much posted lately.

        `mentioned_users` are notified if the text mentions them. With a nonce, the message is posted once even if
        several processes try.
        """
        if not may_post():
            return False
        channel = self._services.client.get_partial_messageable(place.thread or place.channel)
        mentions = discord.AllowedMentions(users=[discord.Object(user) for user in mentioned_users])
        try:
            text = self.surface_sync.studio.name_commands(text)
            await channel.send(text, allowed_mentions=mentions, nonce=nonce or secrets.token_hex(12))
        except NETWORK_ERRORS as error:
            log.info("An announcement could not be made: %s", describe_error(error))
            return False
        return True

    async def retry_given_up(self, match: str) -> None:
        """Retry the messages of a match that were given up."""
        for surface in await self._services.surfaces.surfaces_of(match):
            if surface.lost:
                await self._doubt_surface(match, surface.kind, surface.seat)
        self.wake(match)

    async def verify_surfaces(self, match: str) -> None:
        """Retry given-up messages and closed direct messages, and repost public messages that are gone."""
        for surface in await self._services.surfaces.surfaces_of(match):
            is_public = surface.kind != "hand" and surface.message > 0
            if surface.lost or (is_public and not await self.surface_sync.poster.still_exists(surface)):
                await self._doubt_surface(match, surface.kind, surface.seat)
        seats = (await self._services.matches.cache.get_snapshot(match)).info.seats
        for seat in seats:
            if seat.has_owner:
                await self._services.surfaces.reopen_inbox(seat.user)
        self.wake(match, *range(len(seats)))

    async def redraw_surface(self, match: str, kind: SurfaceKind, seat: int) -> None:
        """Edit a message even if it seems current."""
        await self._doubt_surface(match, kind, seat)
        if kind == "hand":
            seats = (await self._services.matches.cache.get_snapshot(match)).info.seats
            self.surface_sync.ephemeral_hands.doubt(match, seats[seat].user if seat < len(seats) else 0)
        self.wake(match)

    async def redraw_hand(self, match: str, channel: int) -> None:
        """Edit the hand in these direct messages even if it seems current."""
        if (known := await self._services.surfaces.find_hand(match, channel)) is not None:
            await self._doubt_surface(match, "hand", known.seat)
        self.wake(match)

    async def _doubt_surface(self, match: str, kind: SurfaceKind, seat: int) -> None:
        """Mark a message's content as uncertain, so that the next pass edits it."""
        await self._services.surfaces.doubt(match, kind, seat)
        self.redraw_pass.mark_urgent((match, kind, seat))

    # The loop

    def _start_redraw(self, match: str) -> None:
        """Start the loop if the match is stale; hold the match if Discord is unreachable."""
        if match not in self._stale_matches:
            return
        if self.connectivity.is_down:
            self.connectivity.hold_until_up(match)
        else:
            self._services.tasks.start(f"keep {match}", self._redraw_while_stale, match)

    async def _redraw_while_stale(self, match: str) -> None:
        """Redraw urgent messages until the match stops changing. `HandPacing` updates the others later."""
        while match in self._stale_matches and not self.connectivity.is_down:
            self._stale_matches.discard(match)
            self._in_progress.add(match)
            await self._try_show(self.redraw_pass.redraw_urgent, match, self._failed_urgent)
            self._in_progress.discard(match)
            self._mark_current_if_idle(match)
        if match in self._stale_matches:
            self.connectivity.hold_until_up(match)

    async def _redraw_deferred(self, match: str, seats: Collection[int]) -> None:
        """Redraw deferred messages, unless Discord is unreachable: then the match is held and fully redrawn later."""
        if self.connectivity.is_down:
            self.connectivity.hold_until_up(match)
        else:
            await self._try_show(partial(self._redraw_rest, seats=seats), match, self._failed_deferred)
            self._mark_current_if_idle(match)

    def _mark_current_if_idle(self, match: str) -> None:
        """Mark a match as fully shown, unless work on it is under way, waiting or failed."""
        busy = match in self._stale_matches | self._in_progress | self._failed_urgent | self._failed_deferred
        if busy or self.hand_pacing.is_waiting(match) or self.surface_sync.is_answering(match):
            return
        if self.surface_sync.direct_messages.waiting.has_match(match):  # after a restart its hands still have to come
            return
        if (looked := self.redraw_pass.take_looked_revision(match)) is not None:
            self.stale_tracker.mark_current(match, looked)

    async def _try_show(self, show: Callable[[str], Awaitable[list[Exception]]], match: str, failed: set[str]) -> None:
        """Run one pass over a match, and plan a retry for its failures."""
        set_log_context(match)
        try:
            failures = await show(match)
            if any(isinstance(failure, NotLeaseHolder) for failure in failures):
                raise NotLeaseHolder
        except NotLeaseHolder:
            self._handle_lost_lease(match)
            return
        except RequestRefused:  # the match no longer exists
            failures = []
        except Exception as error:  # noqa: BLE001  # the boundary of the loop, which never dies
            failures = [error]
        (failed.add if failures else failed.discard)(match)
        for failure in {describe_error(failure): failure for failure in failures}.values():
            self._retry_later(match, failure)
        if match not in self._failed_urgent | self._failed_deferred and not self.hand_pacing.is_waiting(match):
            self._pauses.pop(match, None)
            self.connectivity.note_success(match)

    def _handle_lost_lease(self, match: str) -> None:
        """Leave a match to the process that has its lease; if this process has the lease again, retry."""
        if self._services.lease.holds_match(match):
            self._services.tasks.start(f"again {match}", self._wake_after_pause, match, 0, STORE_PAUSE)
            return
        self._leave_to_others(match)
        self._to_mark.add(match)
        self._services.tasks.start_loop(self._services.clock, "mark", self._mark_for_others)

    def _leave_to_others(self, match: str) -> None:
        """Drop all work on a match that another process looks after."""
        for waiting in (self._stale_matches, self._failed_urgent, self._failed_deferred):
            waiting.discard(match)
        self._pauses.pop(match, None)
        self.redraw_pass.forget(match)
        self.hand_pacing.forget(match)
        self._services.tasks.stop(f"again {match}")
        self.stale_tracker.mark_stale(match)
        self.surface_sync.leave_to_others(match)

    async def _mark_for_others(self) -> None:
        while marked := sorted(self._to_mark):
            await self._services.surfaces.store.mark_stale(marked)
            self._to_mark.difference_update(marked)

    def _retry_later(self, match: str, error: Exception) -> None:
        """Plan a retry of a match: when Discord is reachable again, or after a pause."""
        if (wait := retry_after(error)) is None and is_transient(error):
            log.warning("Match %s: %s; waiting until Discord answers", match, describe_error(error))
            self.connectivity.note_failure(match)
            return
        if wait is None and not isinstance(error, StoreFailure):
            report_unexpected(error)
        else:
            log.warning("Match %s: %s; retrying later", match, describe_error(error))
        longest = STORE_PAUSE if isinstance(error, StoreFailure) else LONGEST_PAUSE
        self._services.tasks.start(f"again {match}", self._wake_after_pause, match, wait or 0, longest)

    async def _wake_after_pause(self, match: str, least: float, longest: float) -> None:
        """Wake a match after a pause that doubles each time. `least` and `longest` are seconds."""
        pause = min(self._pauses.get(match, FIRST_PAUSE), longest)
        await self._services.clock.sleep(max(pause, least))
        self._pauses[match] = 2 * pause
        self.wake(match)

    async def _probe(self) -> None:
        assert self._services.client.user is not None
        await self._services.client.fetch_user(self._services.client.user.id)

    async def _redraw_rest(self, match: str, seats: Collection[int]) -> list[Exception]:
        """Redraw deferred messages, and drop the match from memory if it is over. Returns the failures."""
        failures = await self.redraw_pass.redraw_deferred(match, seats)
        snapshot = await self._services.matches.cache.get_snapshot(match)
        if snapshot.info.status in LIVE or failures or self.hand_pacing.is_waiting(match):
            return failures
        if self.surface_sync.is_answering(match) or match in self._stale_matches | self._in_progress:
            self.hand_pacing.defer_seats(match, (CLOSING,))
        else:
            self._forget_match(match)
        return failures

    def _forget_match(self, match: str) -> None:
        self.surface_sync.forget(match)
        self._services.matches.cache.evict(match)
        self.redraw_pass.forget_server(match)
        self._failed_urgent.discard(match)
