"""Creates, finds, plays and resumes matches. All changes of matches go through here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import suppress
from dataclasses import replace
from typing import Any

from engines.hosting import inspection
from engines.hosting.deals import Deals
from engines.hosting.lobbies import reopen_last_cut
from engines.hosting.match import Match, NewerMatch, RequestRefused
from engines.hosting.match_changes import MatchEdit, require_live
from engines.hosting.player_activity import SeatActivity
from engines.hosting.seating import status_after
from engines.kit.contract import AnyGame
from engines.store.forgetting import PersonalTrace
from engines.store.match_store import (
    FORGOTTEN_NAME,
    LIVE,
    Action,
    Change,
    DueTime,
    MatchInfo,
    SavedMatch,
    Seat,
    Status,
    StoreFailure,
)
from engines.store.partition import ALL_SERVERS, Partition

log = logging.getLogger(__name__)
PAGE_SIZE = 100  # matches per batch of ids


class Matches(Deals):
    """All matches of one store.

    Raises RequestRefused, StaleDecision, IllegalMove (with a sentence for the player) and StoreFailure (nothing was
    written, unless it is Uncertain). `click` identifies the click or command behind a change: the change is made once,
    however often the click arrives and whichever process of the store handles it.
    """

    def game_title(self, game: str) -> str:
        """Return the title of a game, by its key. A game of a newer version is unknown here."""
        return self.games[game].title if game in self.games else "a game that I do not know yet"

    # Finding matches

    async def find(
        self, *, statuses: frozenset[Status] = LIVE, guild: int | None = None, user: int | None = None
    ) -> list[MatchInfo]:
        """Return the matches with one of the statuses, newest first: of a guild, of a user with a seat, or all."""
        found = await self._store.find(statuses=statuses, guild=guild, user=user)
        for info in found:
            self._evict_if_outdated(info)
        return found

    async def verify_matches(self, partition: Partition = ALL_SERVERS) -> AsyncIterator[MatchInfo]:
        """Return every live match of these servers, one after the other, loaded as after a restart.

        A damaged match is logged and set aside. A match of a newer version is logged and left out.
        """
        aside = await self._store.find(statuses=frozenset({Status.ASIDE}))
        for info in (each for each in aside if partition.has_server(each.place.guild)):
            log.warning("Match %s is still set aside: %s", info.id, info.reason)
        last = ""
        # A damaged id may seem to follow itself.
        while (found := await self._store.live_matches_after(last, PAGE_SIZE, partition)) and max(found) > last:
            for last in found:
                wanted = last in self._cache
                try:
                    info = (await self._get_match(last)).info
                except (RequestRefused, StoreFailure) as why:
                    log.warning("Match %s is left as it is: %s", last, why)
                    continue
                if not wanted:
                    self.evict(last)
                yield info

    async def matches_awaiting_computers(self, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return the ids of running matches of these servers that may wait only for computers or forced moves."""
        return await self._store.matches_awaiting_computers(partition)

    async def build_record(self, match: str) -> str:
        """Return the readable record of a match that was played to its end. Others have none, because it contains the
        seed.

        The record names rules that replay it. It is empty if none does because the rules changed midway.
        """
        snapshot = await self.get_fresh_snapshot(match)
        if snapshot.info.status is not Status.OVER:  # nothing can be read of a match that was set aside
            raise RequestRefused("You can get the record once the match is over.")
        saved = await self._store.load(match)
        return inspection.record_text(snapshot, saved, await self.open_deal(snapshot.info)) if saved else ""

    async def load_header(self, match: str) -> MatchInfo:
        """Return the header of a match as stored, without its game. Raises RequestRefused if there is none."""
        info = await self._store.load_info(match)
        if info is None:
            raise RequestRefused("There is no such match any more.")
        return info

    async def load_moves(self, match: str) -> SavedMatch:
        """Return all stored moves of a match that was played to its end, and the state in which they begin."""
        snapshot = await self.get_fresh_snapshot(match)
        saved = await self._store.load(match) if snapshot.info.status is Status.OVER else None
        if saved is None:
            raise RequestRefused("You can watch this match again once it has been played to its end.")
        return saved

    async def load_history(self, match: str) -> list[Action]:
        """Return all actions of a match, oldest first; of its moves, only those that everyone may know."""
        return await self._store.load_history(match)

    async def set_thread(self, match: str, thread: int) -> MatchInfo:
        """Store the thread of a match."""

        def edit(current: Match) -> MatchEdit:
            return self._edit_info(current, "settle", 0, place=replace(current.info.place, thread=thread))

        return await self._change_match(match, edit)

    # Playing

    async def play_move(
        self,
        match: str,
        user: int,
        decision: int | None,
        notation: str,
        *,
        click: int = 0,
        reply_surface: tuple[str, int] | None = None,
    ) -> MatchInfo:
        """Make a move for the user's seat. `decision` is the number it answers; None means the open one.

        `holds` is the message that shows the answer, if the reconciler should leave it alone.
        """

        def edit(current: Match) -> MatchEdit:
            change, state, events = current.draft_move(user, decision, notation, self._clock())
            return MatchEdit(replace(change, reply_surface=reply_surface), state, tuple(events))

        return await self._change_match(match, edit, click)

    async def play_computer_move(self, match: str, seat: int, decision: int, notation: str) -> MatchInfo:
        """Make the computer's move at its seat. Raises StaleDecision if the decision is no longer open."""

        def edit(current: Match) -> MatchEdit:
            change, state, events = current.draft_computer_move(seat, decision, notation, self._clock())
            return MatchEdit(change, state, tuple(events))

        return await self._change_match(match, edit)

    async def play_forced_move(self, match: str, seat: int, decision: int) -> MatchInfo:
        """Make the forced move of a person's seat. Raises StaleDecision if the decision is no longer open or forced.

        It is no activity of the player: it neither ends an absence nor counts as a missed deadline.
        """

        def edit(current: Match) -> MatchEdit:
            change, state, events = current.draft_forced_move(seat, decision, self._clock())
            return MatchEdit(change, state, tuple(events))

        return await self._change_match(match, edit)

    async def play_for_expired_seat(self, due: DueTime, level: str, notation: str) -> MatchInfo:
        """Let a computer of that level make a decision after its deadline. Raises StaleDecision if it was made.

        After several of these in a row, the player is away and the computer plays on.
        """

        def edit(current: Match) -> MatchEdit:
            change, state, events = current.draft_timeout_move(due, level, notation, self._clock())
            return MatchEdit(change, state, tuple(events))

        return await self._change_match(due.match, edit)

    # Forgetting

    async def load_traces(self, user: int, skip: int, limit: int) -> list[PersonalTrace]:
        """Return what is stored about a person in the matches they took part in, oldest first."""
        return await self._store.load_traces(user, skip, limit)

    async def request_forgetting(self, user: int) -> None:
        """Request forgetting a person in every current match. `pending_forgetting` lists what is still to do."""
        await self._store.request_forgetting(user)

    async def pending_forgetting(self) -> list[tuple[int, str]]:
        """Return the people who are still to be forgotten and in which match; '' means everything else, which comes
        last."""
        return await self._store.pending_forgetting()

    async def finish_forgetting(self, user: int) -> None:
        """Note that only matches still name this person."""
        await self._store.finish_forgetting(user)

    async def forget_in_match(self, match: str, user: int, level: Callable[[AnyGame], str]) -> MatchInfo | None:
        """Erase a person's name and id from a match. If they are playing, they leave, and a computer of `level` may
        take over.

        Return the match if they left it through this; their seat then has the negative of its revision as its number.
        Raises Conflict if they have just joined.
        """
        sat = False

        def edit(current: Match) -> MatchEdit:
            nonlocal sat
            info, nobody = require_live(current.info), -(current.info.revision + 1)
            sat = info.seat_of(user) is not None
            changes = _info_without_user(info, user, nobody, level(current.game))
            return MatchEdit(Change(current.next_info(self._clock(), **changes), "forget", nobody, forgotten_user=user))

        info = await self._store.load_info(match)
        if info is not None and info.status in LIVE and _takes_part(info, user):
            try:
                after = await self._change_match(match, edit)
                return after if sat else None
            except NewerMatch:
                raise
            except RequestRefused:  # it is over or damaged
                pass
        is_stale = await self._store.scrub_user(match, user)
        if info is not None and _takes_part(info, user):
            self._cache.pop(match, None)  # it is loaded again
        if is_stale:
            self.on_changed(match)
        return None

    async def closed_matches(self, before: int, limit: int) -> list[str]:
        """Return the ids of matches that ended before that second, oldest first, up to a limit."""
        return await self._store.closed_matches(before, limit)

    async def record_servers(self, guilds: Collection[int], partition: Partition = ALL_SERVERS) -> None:
        """Store which of these servers the bot is in: whether it was removed from others, or is back."""
        await self._store.record_servers(guilds, self._clock(), partition)

    async def deserted_matches(self, before: int, limit: int) -> list[str]:
        """Return the ids of matches of servers that the bot left before that second, up to a limit."""
        return await self._store.deserted_matches(before, limit)

    async def erase_match(self, match: str) -> None:
        """Erase all data of a match."""
        await self._store.erase_match(match)
        self._cache.pop(match, None)

    async def wipe_deleted(self) -> bool:
        """Remove all deleted data from the store's files. Return whether that was possible now."""
        return await self._store.wipe_deleted()

    # Due times

    async def load_due(self, partition: Partition = ALL_SERVERS) -> tuple[list[DueTime], int | None]:
        """Return what is due now in these servers, oldest first, and the time of the next due item."""
        with suppress(StoreFailure):
            await self.save_activity()
        return await self._store.load_due(self._clock(), partition)

    async def mark_done(self, due: DueTime, epoch: int | None = None) -> None:
        """Mark an item as done, so that nobody is pinged twice for one decision. Raises NotHeld under an old epoch."""
        await self._store.mark_done(due, epoch)

    async def note_activity(self, match: str, seat: int, step_text: str | None = None) -> None:
        """Note that a seat is active without having moved, which delays a pending turn ping.

        `way` is the step towards a move; None leaves it unchanged. Seats that the match does not wait for are ignored.
        The store is updated with `save_activity`, or before due items are read; immediately if other processes read
        them.
        """
        snapshot = await self.get_snapshot(match)
        if seat not in snapshot.due_seats():
            return
        activity = SeatActivity(
            match, seat, snapshot.info.seats[seat].user, snapshot.decisions()[seat].number, self._clock(), step_text
        )
        if self._store.is_shared:
            self._notify_due(await self._save_seat_activity(activity))
        else:
            self._activity_buffer.add(activity)
            self.on_unsaved_activity()

    async def ways(self, match: str) -> dict[int, str]:
        """Return each seat's step towards its move, as `note_activity` reported it. '' or nothing: not begun."""
        async with self._save_lock:  # what is being saved may be missing in both places
            return await self._store.ways(match) | self._activity_buffer.ways(match)

    def has_unsaved_activity(self) -> bool:
        """Whether some activity is not saved yet."""
        return bool(self._activity_buffer)

    async def save_activity(self) -> None:
        """Save the activity in one transaction. Skip decisions that were made and people who left.

        Raises StoreFailure if the store fails; the activity is then saved later.
        """
        failed: StoreFailure | None = None
        async with self._save_lock:  # readers of due items wait until this is saved
            activities = self._activity_buffer.take_all()
            try:
                found = await asyncio.gather(*map(self._save_seat_activity, activities), return_exceptions=True)
            except asyncio.CancelledError:
                for busy in activities:
                    self._activity_buffer.put_back(busy)
                raise
            for busy, told in zip(activities, found, strict=True):
                if isinstance(told, StoreFailure):
                    self._activity_buffer.put_back(busy)
                    failed = told
                elif isinstance(told, BaseException):
                    raise told
                else:
                    self._notify_due(told)
        if failed is not None:
            raise failed

    def _notify_due(self, at: int | None) -> None:
        if at is not None:
            self.on_due(at)

    async def _save_seat_activity(self, activity: SeatActivity) -> int | None:
        """Return the time of the turn ping after this activity was saved, or None if there is none for the decision."""
        try:
            snapshot = await self.get_snapshot(activity.match)
        except RequestRefused:
            return None
        decision, sits = snapshot.decisions().get(activity.seat), snapshot.info.seats[activity.seat]
        open_still = snapshot.info.status is Status.PAUSED if decision is None else decision.number == activity.decision
        if not open_still or not sits.owner_plays or sits.user != activity.user:
            return None
        return await self._store.postpone_call(activity.match, activity.seat, activity.since, activity.step_text)

    async def record_alive(self, partition: Partition = ALL_SERVERS) -> None:
        """Record that people in these servers can reach the bot now."""
        await self._store.record_alive(self._clock(), partition)

    async def postpone_deadlines(self, since: int | None = None, partition: Partition = ALL_SERVERS) -> None:
        """Postpone the deadlines in these servers by the length of an outage that has just ended.

        `since` is its start; None means the last time that the bot was recorded as reachable, for each partition.
        """
        for match, seen in (await self._store.postpone_deadlines(since, self._clock(), partition)).items():
            if (current := self._cache.get(match)) is not None:
                async with current.lock_for_change():
                    current.deadlines = {due.seat: due for due in await self._store.load_deadlines(match)}
            if seen:
                self.on_changed(match)
        self.on_due(0)


def _takes_part(info: MatchInfo, user: int) -> bool:
    """Whether somebody plays in a match, or left a seat that nobody has taken since."""
    return user in (info.host, *info.votes, *(seat.user for seat in info.seats))


def _info_without_user(info: MatchInfo, user: int, nobody: int, level: str) -> dict[str, Any]:
    """Return the header of a live match without a person. Their seat is empty, as if they had left."""
    seats = tuple(_forgotten_seat(seat, nobody, level) if seat.user == user else seat for seat in info.seats)
    here = [seat for seat in seats if seat.has_owner]
    host = info.host if info.host != user else here[0].user if here else nobody
    votes = () if info.seat_of(user) is not None else info.votes
    kept: dict[str, Any] = {"seats": seats, "host": host, "votes": votes}
    if not here:
        ended = Status.CANCELLED if info.status is Status.LOBBY else Status.ENDED
        return {**kept, "status": ended, "reason": "Everybody has left."}
    if info.status is Status.LOBBY:
        return {**kept, "seats": reopen_last_cut(tuple(seat for seat in seats if seat.user != nobody))}
    return {**kept, **status_after(info, seats)}


def _forgotten_seat(seat: Seat, nobody: int, level: str) -> Seat:
    """Return the seat of a forgotten person. If they had left before, the seat keeps its state."""
    kept = seat.level if seat.gone or seat.level else level
    return Seat(nobody, FORGOTTEN_NAME, seat.gone or "left", kept)
