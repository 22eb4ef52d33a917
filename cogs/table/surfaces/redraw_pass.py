"""One pass over a match's messages: redraws the urgent ones at once and the others when there is room."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from cogs.table.channels.table_services import TableServices
from cogs.table.surfaces.hand_pacing import HandPacing
from cogs.table.surfaces.message import SurfaceKey
from cogs.table.surfaces.notices import announce_option_change
from cogs.table.surfaces.surface_sync import SurfaceSync
from cogs.table.transport.connectivity import Connectivity
from cogs.table.transport.rate_limiter import RateLimiter
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import LIVE, Status
from engines.store.partition import Partition

CLOSING, BURIED = -1, -2  # deferred work that is no seat: closing the lobby, and checking for a buried table


class RedrawPass:
    """Redraws a match when the reconciler says so; `wake` has another match redrawn.

    A failure does not stop the rest of the pass. Failures are returned, so that the reconciler retries.
    """

    def __init__(
        self,
        services: TableServices,
        surface_sync: SurfaceSync,
        connectivity: Connectivity,
        pace: HandPacing,
        rate_limiter: RateLimiter,
        wake: Callable[[str], None],
    ) -> None:
        self._services = services
        self._surface_sync = surface_sync
        self._connectivity = connectivity
        self._pace = pace
        self._rate_limiter = rate_limiter
        self._wake = wake
        self._urgent: set[SurfaceKey] = set()  # those to redraw now, even if their seats are not due
        self._looked_revisions: dict[str, int] = {}  # the revision of each match's last full pass
        self._servers: dict[str, int] = {}  # the server of each match that had a pass
        self._seen: dict[str, dict[int, int]] = {}  # a hash of what each seat of a match saw in the last full pass

    def mark_urgent(self, *keys: SurfaceKey) -> None:
        """Redraw these messages in the next pass, even if their seats are not due."""
        self._urgent.update(keys)

    def take_looked_revision(self, match: str) -> int | None:
        """Return and clear the revision of a match's last full pass; None if there is none."""
        return self._looked_revisions.pop(match, None)

    def matches_in(self, partition: Partition) -> list[str]:
        """The matches of these servers that had a pass."""
        return [match for match, server in self._servers.items() if partition.has_server(server)]

    def forget_server(self, match: str) -> None:
        """Drop the server of a finished match, but keep the revision of its last pass."""
        self._servers.pop(match, None)
        self._seen.pop(match, None)

    def forget(self, match: str) -> None:
        """Drop everything about a match from memory."""
        self._urgent = {key for key in self._urgent if key[0] != match}
        self._looked_revisions.pop(match, None)
        self.forget_server(match)

    async def redraw_urgent(self, match: str) -> list[Exception]:
        """Redraw the lobby, the table and the hands of due seats, and send pings. Returns the failures.

        The other hands are deferred.
        """
        snapshot = await self._services.matches.cache.get_snapshot(match)
        with self._services.lease.acting_for(snapshot.info.place.guild):
            self._servers[match] = snapshot.info.place.guild
            await self._surface_sync.other_replies.refresh(match)
            return await self._redraw_all_urgent(snapshot)

    async def redraw_deferred(self, match: str, seats: Collection[int]) -> list[Exception]:
        """Redraw deferred hands and other deferred work. Returns the failures."""
        with self._services.lease.acting_for((await self._services.matches.cache.get_snapshot(match)).info.place.guild):
            return await _gather_failures(self._redraw_when_room(match, seat) for seat in seats)

    async def _redraw_all_urgent(self, snapshot: MatchSnapshot) -> list[Exception]:
        match = snapshot.info.id
        self._looked_revisions[match] = snapshot.info.revision
        await self._wake_others(snapshot)
        failures: list[Exception] = []  # a failure does not stop the rest
        with _collect_failure(failures):
            await self._surface_sync.server_contexts.save_context(snapshot.info)
        async with self._connectivity.watch_request():
            with _collect_failure(failures):
                await self._surface_sync.departed_hands.take_away_hands(match)
            known = await self._services.surfaces.find_surface(match, "table")
            linked = known is not None and known.message and snapshot.info.status in LIVE
            if not linked:  # the other messages link to the table
                with _collect_failure(failures):
                    snapshot = await self._surface_sync.update_table(snapshot)
                if failures and self._surface_sync.deal_messages.is_owed(snapshot):
                    return failures  # no hand comes before the seal and the cuts
            page_context = await self._surface_sync.page_context_of(snapshot)
            seats = await self._urgent_seats(snapshot)
            lobby = snapshot.info.status is not Status.OVER and not await self._surface_sync.is_lobby_current(
                snapshot, page_context
            )
            jobs: list[Awaitable[object]] = [  # from here on nothing may raise before these are awaited
                self._rate_limiter.run_first(hand)
                for hand in self._surface_sync.hand_updates(snapshot, page_context, seats)
            ]
            if lobby:
                jobs.append(self._surface_sync.update_lobby(snapshot, page_context))
            if linked:
                jobs.append(self._surface_sync.update_table(snapshot))
            failures += await _gather_failures(jobs)
            page_context = await self._surface_sync.page_context_of(snapshot)  # the table may be lost by now
            all_shown = not failures
            with _collect_failure(failures):
                await self._surface_sync.reminders.refresh(
                    snapshot, page_context, table_lost=bool(page_context.trouble), may_mention=all_shown
                )
            with _collect_failure(failures):
                await announce_option_change(
                    self._services.client,
                    self._services.surfaces,
                    snapshot,
                    page_context.screen,
                    self._services.clock.now(),
                )
            with _collect_failure(failures):
                await self._surface_sync.notices.remove_stale_buttons(snapshot)
            return failures

    async def _wake_others(self, snapshot: MatchSnapshot) -> None:
        """Wake other matches whose hands may have changed because of this one.

        They are marked stale before this match is marked current, so that a crash in between loses nothing.
        """
        if others := await self._surface_sync.readers.note_changes(snapshot):
            for other in others:
                self._wake(other)
            await self._services.surfaces.store.mark_stale(others)
        self._surface_sync.readers.mark_seen(snapshot)

    async def _urgent_seats(self, snapshot: MatchSnapshot) -> set[int]:
        """The seats whose hands are redrawn at once; the rest are deferred.

        Urgent are due seats whose hands do not offer the decision yet or that get a ping, and the seat that moved last,
        unless its click is being answered. For the first deal and for changes that are no moves, all seats are urgent.
        """
        match, info = snapshot.info.id, snapshot.info
        seats = {*range(len(info.seats))}
        owed = {key for key in self._urgent if key[0] == match}
        self._urgent -= owed
        now = {seat for _, kind, seat in owed if kind == "hand"}
        if info.status not in (Status.RUNNING, Status.OVER) or not info.moves:
            now = seats
        if info.status is Status.RUNNING:
            now |= {seat for seat in snapshot.movers[-1:] if not self._surface_sync.is_answering_hand(match, seat)}
        if (request := info.undoing.request) is not None:
            now |= {request.seat, *request.waiting}
        for seat in snapshot.due_seats():
            if not await self._surface_sync.offers_decision(snapshot, seat):
                now.add(seat)
        self._pace.mark_shown(match, now)
        closing = () if info.status in LIVE else (CLOSING,)
        self._pace.defer_seats(match, (*(seats - now), *closing), self._note_views(snapshot))
        return now

    def _note_views(self, snapshot: MatchSnapshot) -> set[int]:
        """Note what each seat sees. Return the seats that see the same as in the last pass."""
        info = snapshot.info
        public = _public_text(snapshot)
        stamps = {seat: _visible_stamp(public, snapshot, seat) for seat in range(len(info.seats))}
        before, self._seen[info.id] = self._seen.get(info.id, {}), stamps
        return {seat for seat, stamp in stamps.items() if before.get(seat) == stamp}

    async def _redraw_when_room(self, match: str, seat: int) -> None:
        """Redraw a seat's hand, or do other deferred work, when the rate limiter has room."""
        async with self._rate_limiter.wait_for_room(), self._connectivity.watch_request():
            self._pace.mark_shown(match, (seat,))
            snapshot = await self._services.matches.cache.get_snapshot(match)
            if seat == BURIED:
                await self._surface_sync.repost_if_buried(snapshot)
            elif seat == CLOSING:
                await self._surface_sync.update_lobby(snapshot, await self._surface_sync.page_context_of(snapshot))
            else:
                await asyncio.gather(
                    *self._surface_sync.hand_updates(
                        snapshot, await self._surface_sync.page_context_of(snapshot), (seat,)
                    )
                )


def _public_text(snapshot: MatchSnapshot) -> str:
    """Return what everybody sees of a match besides the game. It does not count moves, because some may be secret."""
    public = replace(snapshot.info, revision=0, moves=0, changed=0)
    return repr((public, sorted(snapshot.deadlines.items()), snapshot.lapse))


def _visible_stamp(public: str, snapshot: MatchSnapshot, seat: int) -> int:
    """Return a hash of what a seat's player sees of a match."""
    return hash((public, None if snapshot.state is None else snapshot.view(seat)))


async def _gather_failures(jobs: Iterable[Awaitable[object]]) -> list[Exception]:
    done = await asyncio.gather(*jobs, return_exceptions=True)
    return [failure for failure in done if isinstance(failure, Exception)]


@contextmanager
def _collect_failure(failures: list[Exception]) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # noqa: BLE001  # inside the boundary of the loop
        failures.append(error)
