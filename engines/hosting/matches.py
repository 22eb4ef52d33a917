"""Creates, finds, plays and resumes matches. Nothing else changes one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import suppress
from dataclasses import replace
from typing import Any

from engines.hosting import inspection
from engines.hosting.match import Match, NewerMatch, RequestRefused
from engines.hosting.match_changes import MatchEdit, require_live
from engines.hosting.player_activity import SeatActivity
from engines.hosting.seating import Seating, status_for_seats
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
PAGE_SIZE = 100  # matches whose ids are read at a time


class Matches(Seating):
    """All matches of one store.

    Raises Refused, Stale, IllegalMove (the asker's to read) and StoreFailure (nothing was written, unless it is
    Uncertain). A `click` is the number of the click or command that asks for a change: however often it comes, and to
    whichever of several processes on one store, the change is made once and then known to be made.
    """

    def game_title(self, game: str) -> str:
        """What a game is called, by its key; one of a newer version is none of ours."""
        return self.games[game].title if game in self.games else "a game that I do not know yet"

    # Finding

    async def find(
        self, *, statuses: frozenset[Status] = LIVE, guild: int | None = None, user: int | None = None
    ) -> list[MatchInfo]:
        """The matches with one of the statuses, newest first: of a guild, of a user who holds a seat, or all."""
        found = await self._store.find(statuses=statuses, guild=guild, user=user)
        for info in found:
            self._evict_if_outdated(info)
        return found

    async def verify_matches(self, partition: Partition = ALL_SERVERS) -> AsyncIterator[MatchInfo]:
        """Every live match of these servers, one after the other, read as after a restart.

        A damaged one is reported and set aside; one that is newer than this bot is reported, and not among the answer.
        """
        aside = await self._store.find(statuses=frozenset({Status.ASIDE}))
        for info in (each for each in aside if partition.has_server(each.place.guild)):
            log.warning("Match %s stays set aside: %s", info.id, info.reason)
        last = ""
        # An id that is damaged may seem to follow itself.
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
        """The ids of running matches of these servers in which nobody but a computer may be due."""
        return await self._store.matches_awaiting_computers(partition)

    async def build_record(self, match: str) -> str:
        """The readable record of a match that was played to its end; of no other, since it tells the seed.

        It names rules that replay it. Empty for a match that none does by itself, since they changed on the way.
        """
        snapshot = await self.get_fresh_snapshot(match)
        if snapshot.info.status is not Status.OVER:  # of one that was set aside, nothing can be read
            raise RequestRefused("There is a record once the match is over.")
        saved = await self._store.load(match)
        return inspection.record_text(snapshot, saved) if saved else ""

    async def load_moves(self, match: str) -> SavedMatch:
        """All moves of a match that was played to its end, as far as they are kept, and from where they went on."""
        snapshot = await self.get_fresh_snapshot(match)
        saved = await self._store.load(match) if snapshot.info.status is Status.OVER else None
        if saved is None:
            raise RequestRefused("Its moves can be seen once the match is over.")
        return saved

    async def load_history(self, match: str) -> list[Action]:
        """All that was done in a match, oldest first; of its moves, those of which everybody may know."""
        return await self._store.load_history(match)

    async def set_thread(self, match: str, thread: int) -> MatchInfo:
        """Note the thread that the match has got."""

        def edit(current: Match) -> MatchEdit:
            return self._edit_info(current, "settle", 0, place=replace(current.info.place, thread=thread))

        return await self._change_match(match, edit)

    # The game

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
        """Make a move for the user's seat. `decision` is the number it answers; None: whichever is open.

        `holds` is the message that is answered with, where whoever looks after the match is to leave it alone.
        """

        def edit(current: Match) -> MatchEdit:
            change, state, events = current.draft_move(user, decision, notation, self._clock())
            return MatchEdit(replace(change, reply_surface=reply_surface), state, tuple(events))

        return await self._change_match(match, edit, click)

    async def play_computer_move(self, match: str, seat: int, decision: int, notation: str) -> MatchInfo:
        """Make the computer's move at a seat where it plays. Raises Stale where the decision is no longer open."""

        def edit(current: Match) -> MatchEdit:
            change, state, events = current.draft_computer_move(seat, decision, notation, self._clock())
            return MatchEdit(change, state, tuple(events))

        return await self._change_match(match, edit)

    async def play_for_expired_seat(self, due: DueTime, level: str, notation: str) -> MatchInfo:
        """Make a decision whose time has run out, by the computer of that level. Raises Stale where it is made.

        After some of these in a row the computer keeps the seat.
        """

        def edit(current: Match) -> MatchEdit:
            change, state, events = current.draft_timeout_move(due, level, notation, self._clock())
            return MatchEdit(change, state, tuple(events))

        return await self._change_match(due.match, edit)

    # Forgetting

    async def load_traces(self, user: int, skip: int, limit: int) -> list[PersonalTrace]:
        """What is kept of a person in the matches in which they had a part, oldest first."""
        return await self._store.load_traces(user, skip, limit)

    async def request_forgetting(self, user: int) -> None:
        """Keep that somebody is to be forgotten, in every match there is now: `to_forget` tells what is still to do."""
        await self._store.request_forgetting(user)

    async def pending_forgetting(self) -> list[tuple[int, str]]:
        """Who is still to be forgotten, and in which match; '': in all else, which comes last."""
        return await self._store.pending_forgetting()

    async def finish_forgetting(self, user: int) -> None:
        """Note that nothing but matches names somebody any more."""
        await self._store.finish_forgetting(user)

    async def forget_in_match(self, match: str, user: int, level: Callable[[AnyGame], str]) -> MatchInfo | None:
        """Take somebody's name and number out of a match; whoever plays leaves it, to the computer of a level, if any.

        The match where they have left it by that; their seat there has the number of its revision, below 0. Raises
        Conflict where they have only just come in.
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
            except RequestRefused:  # it has come to its end, or is damaged
                pass
        is_stale = await self._store.scrub_user(match, user)
        if info is not None and _takes_part(info, user):
            self._cache.pop(match, None)  # to be read anew
        if is_stale:
            self.on_changed(match)
        return None

    async def closed_matches(self, before: int, limit: int) -> list[str]:
        """The ids of matches that came to their end before that second, the oldest first, so many at most."""
        return await self._store.closed_matches(before, limit)

    async def record_servers(self, guilds: Collection[int], partition: Partition = ALL_SERVERS) -> None:
        """Note in which servers of these the bot is: whether it has been put out of others, or is back."""
        await self._store.record_servers(guilds, self._clock(), partition)

    async def deserted_matches(self, before: int, limit: int) -> list[str]:
        """The ids of matches of servers that the bot has not been in since before that second, so many at most."""
        return await self._store.deserted_matches(before, limit)

    async def erase_match(self, match: str) -> None:
        """Forget all of a match."""
        await self._store.erase_match(match)
        self._cache.pop(match, None)

    async def wipe_deleted(self) -> bool:
        """Have nothing that was forgotten left in the store's files. Whether that could be done just now."""
        return await self._store.wipe_deleted()

    # What is due

    async def load_due(self, partition: Partition = ALL_SERVERS) -> tuple[list[DueTime], int | None]:
        """What is due by now in these servers and not done, the oldest first, and when the next is due after that."""
        with suppress(StoreFailure):
            await self.save_activity()
        return await self._store.load_due(self._clock(), partition)

    async def mark_done(self, due: DueTime, epoch: int | None = None) -> None:
        """Note that it has happened: nobody is called twice to one decision. Raises NotHeld under an old epoch."""
        await self._store.mark_done(due, epoch)

    async def note_activity(self, match: str, seat: int, step_text: str | None = None) -> None:
        """Note that the seat is at it, though it has not moved: a call that is pending waits anew.

        It has come that `way` towards a move; None: as far as before. Whom the match does not wait for is no matter.
        The store is told with `keep`, or before it is asked what is due; at once where others ask it, too.
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
        """How far each seat has come on the way to a move, as `active` was told; '' or nothing: it has not begun."""
        async with self._save_lock:  # what is being kept is in neither place for sure
            return await self._store.ways(match) | self._activity_buffer.ways(match)

    def has_unsaved_activity(self) -> bool:
        """Whether there is something that the store does not know."""
        return bool(self._activity_buffer)

    async def save_activity(self) -> None:
        """Tell the store who is at it, all in one transaction; not of what is decided, nor of who sits there no more.

        Raises StoreFailure where it cannot be told; it is told later then.
        """
        failed: StoreFailure | None = None
        async with self._save_lock:  # who asks what is due meanwhile waits until it is known
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
        """When the call comes, now that the store knows of that; None: there is none, or not to that decision."""
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
        """Note that people in these servers can reach the bot now."""
        await self._store.record_alive(self._clock(), partition)

    async def postpone_deadlines(self, since: int | None = None, partition: Partition = ALL_SERVERS) -> None:
        """Have deadlines in these servers come later by the time in which nobody could move there, which is now over.

        It began then; None: when it was last noted for each part that people could.
        """
        for match, seen in (await self._store.postpone_deadlines(since, self._clock(), partition)).items():
            if (current := self._cache.get(match)) is not None:
                async with current.lock_for_change():
                    current.deadlines = {due.seat: due for due in await self._store.load_deadlines(match)}
            if seen:
                self.on_changed(match)
        self.on_due(0)


def _takes_part(info: MatchInfo, user: int) -> bool:
    """Whether somebody plays in a match, or has in a seat that nobody took since."""
    return user in (info.host, *info.votes, *(seat.user for seat in info.seats))


def _info_without_user(info: MatchInfo, user: int, nobody: int, level: str) -> dict[str, Any]:
    """The header of a match that goes on, in which somebody is nobody: their seat as if they had left it."""
    seats = tuple(_forgotten_seat(seat, nobody, level) if seat.user == user else seat for seat in info.seats)
    here = [seat for seat in seats if seat.has_owner]
    host = info.host if info.host != user else here[0].user if here else nobody
    votes = () if info.seat_of(user) is not None else info.votes
    kept: dict[str, Any] = {"seats": seats, "host": host, "votes": votes}
    if not here:
        ended = Status.CANCELLED if info.status is Status.LOBBY else Status.ENDED
        return {**kept, "status": ended, "reason": "Everybody has left."}
    if info.status is Status.LOBBY:
        return {**kept, "seats": tuple(seat for seat in seats if seat.user != nobody)}
    return {**kept, **status_for_seats(seats)}


def _forgotten_seat(seat: Seat, nobody: int, level: str) -> Seat:
    """The seat of somebody who is forgotten; who had left it before has left it as it was."""
    kept = seat.level if seat.gone or seat.level else level
    return Seat(nobody, FORGOTTEN_NAME, seat.gone or "left", kept)
