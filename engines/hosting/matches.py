"""Creates, finds, plays and resumes matches. Nothing else changes one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import suppress
from dataclasses import replace
from typing import Any

from engines.hosting import inspection
from engines.hosting.match import BeingUpdated, Match, Refused
from engines.hosting.match_changes import Edit, live
from engines.hosting.player_activity import Busy
from engines.hosting.seating import Seating, going_on
from engines.kit.contract import AnyGame
from engines.store.forgetting import Trace
from engines.store.match_store import LIVE, NAMELESS, Change, Deed, Due, Info, Saved, Seat, Status, StoreFailure
from engines.store.partition import WHOLE, Part

log = logging.getLogger(__name__)
PAGE = 100  # matches whose ids are read at a time


class Matches(Seating):
    """All matches of one store.

    Raises Refused, Stale, IllegalMove (the asker's to read) and StoreFailure (nothing was written, unless it is
    Uncertain). A `click` is the number of the click or command that asks for a change: however often it comes, and to
    whichever of several processes on one store, the change is made once and then known to be made.
    """

    def title(self, game: str) -> str:
        """What a game is called, by its key; one of a newer version is none of ours."""
        return self.games[game].title if game in self.games else "a game that I do not know yet"

    # Finding

    async def find(
        self, *, statuses: frozenset[Status] = LIVE, guild: int | None = None, user: int | None = None
    ) -> list[Info]:
        """The matches with one of the statuses, newest first: of a guild, of a user who holds a seat, or all."""
        found = await self._store.find(statuses=statuses, guild=guild, user=user)
        for info in found:
            self._seen(info)
        return found

    async def check(self, part: Part = WHOLE) -> AsyncIterator[Info]:
        """Every live match of these servers, one after the other, read as after a restart.

        A damaged one is reported and set aside; one that is newer than this bot is reported, and not among the answer.
        """
        aside = await self._store.find(statuses=frozenset({Status.ASIDE}))
        for info in (each for each in aside if part.has(each.place.guild)):
            log.warning("Match %s stays set aside: %s", info.id, info.reason)
        last = ""
        # An id that is damaged may seem to follow itself.
        while (found := await self._store.live_after(last, PAGE, part)) and max(found) > last:
            for last in found:
                wanted = last in self._held
                try:
                    info = (await self._get(last)).info
                except (Refused, StoreFailure) as why:
                    log.warning("Match %s is left as it is: %s", last, why)
                    continue
                if not wanted:
                    self.forget(last)
                yield info

    async def computing(self, part: Part = WHOLE) -> list[str]:
        """The ids of running matches of these servers in which nobody but a computer may be due."""
        return await self._store.computing(part)

    async def record(self, match: str) -> str:
        """The readable record of a match that was played to its end; of no other, since it tells the seed.

        It names rules that replay it. Empty for a match that none does by itself, since they changed on the way.
        """
        look = await self.fresh(match)
        if look.info.status is not Status.OVER:  # of one that was set aside, nothing can be read
            raise Refused("There is a record once the match is over.")
        saved = await self._store.load(match)
        return inspection.written(look, saved) if saved else ""

    async def moves(self, match: str) -> Saved:
        """All moves of a match that was played to its end, as far as they are kept, and from where they went on."""
        look = await self.fresh(match)
        saved = await self._store.load(match) if look.info.status is Status.OVER else None
        if saved is None:
            raise Refused("Its moves can be seen once the match is over.")
        return saved

    async def history(self, match: str) -> list[Deed]:
        """All that was done in a match, oldest first; of its moves, those of which everybody may know."""
        return await self._store.history(match)

    async def settle(self, match: str, thread: int) -> Info:
        """Note the thread that the match has got."""

        def edit(held: Match) -> Edit:
            return self._edit(held, "settle", 0, place=replace(held.info.place, thread=thread))

        return await self._change(match, edit)

    # The game

    async def play(
        self,
        match: str,
        user: int,
        decision: int | None,
        notation: str,
        *,
        click: int = 0,
        holds: tuple[str, int] | None = None,
    ) -> Info:
        """Make a move for the user's seat. `decision` is the number it answers; None: whichever is open.

        `holds` is the message that is answered with, where whoever looks after the match is to leave it alone.
        """

        def edit(held: Match) -> Edit:
            change, state, events = held.draft(user, decision, notation, self._clock())
            return Edit(replace(change, holds=holds), state, tuple(events))

        return await self._change(match, edit, click)

    async def play_for(self, match: str, seat: int, decision: int, notation: str) -> Info:
        """Make the computer's move at a seat where it plays. Raises Stale where the decision is no longer open."""

        def edit(held: Match) -> Edit:
            change, state, events = held.draft_for(seat, decision, notation, self._clock())
            return Edit(change, state, tuple(events))

        return await self._change(match, edit)

    async def run_out(self, due: Due, level: str, notation: str) -> Info:
        """Make a decision whose time has run out, by the computer of that level. Raises Stale where it is made.

        After some of these in a row the computer keeps the seat.
        """

        def edit(held: Match) -> Edit:
            change, state, events = held.draft_late(due, level, notation, self._clock())
            return Edit(change, state, tuple(events))

        return await self._change(due.match, edit)

    # Forgetting

    async def traces(self, user: int, skip: int, most: int) -> list[Trace]:
        """What is kept of a person in the matches in which they had a part, oldest first."""
        return await self._store.traces(user, skip, most)

    async def forget_person(self, user: int) -> None:
        """Keep that somebody is to be forgotten, in every match there is now: `to_forget` tells what is still to do."""
        await self._store.forget(user)

    async def to_forget(self) -> list[tuple[int, str]]:
        """Who is still to be forgotten, and in which match; '': in all else, which comes last."""
        return await self._store.forgetting()

    async def forgotten(self, user: int) -> None:
        """Note that nothing but matches names somebody any more."""
        await self._store.forgotten(user)

    async def forget_in(self, match: str, user: int, level: Callable[[AnyGame], str]) -> Info | None:
        """Take somebody's name and number out of a match; whoever plays leaves it, to the computer of a level, if any.

        The match where they have left it by that; their seat there has the number of its revision, below 0. Raises
        Conflict where they have only just come in.
        """
        sat = False

        def edit(held: Match) -> Edit:
            nonlocal sat
            info, nobody = live(held.info), -(held.info.revision + 1)
            sat = info.seat_of(user) is not None
            changes = _without_name(info, user, nobody, level(held.game))
            return Edit(Change(held.after(self._clock(), **changes), "forget", nobody, forgets=user))

        info = await self._store.info(match)
        if info is not None and info.status in LIVE and _names(info, user):
            try:
                after = await self._change(match, edit)
                return after if sat else None
            except BeingUpdated:
                raise
            except Refused:  # it has come to its end, or is damaged
                pass
        behind = await self._store.scrub(match, user)
        if info is not None and _names(info, user):
            self._held.pop(match, None)  # to be read anew
        if behind:
            self.changed(match)
        return None

    async def closed(self, before: int, most: int) -> list[str]:
        """The ids of matches that came to their end before that second, the oldest first, so many at most."""
        return await self._store.closed(before, most)

    async def present(self, guilds: Collection[int], part: Part = WHOLE) -> None:
        """Note in which servers of these the bot is: whether it has been put out of others, or is back."""
        await self._store.present(guilds, self._clock(), part)

    async def deserted(self, before: int, most: int) -> list[str]:
        """The ids of matches of servers that the bot has not been in since before that second, so many at most."""
        return await self._store.deserted(before, most)

    async def erase(self, match: str) -> None:
        """Forget all of a match."""
        await self._store.erase(match)
        self._held.pop(match, None)

    async def wipe(self) -> bool:
        """Have nothing that was forgotten left in the store's files. Whether that could be done just now."""
        return await self._store.wipe()

    # What is due

    async def due(self, part: Part = WHOLE) -> tuple[list[Due], int | None]:
        """What is due by now in these servers and not done, the oldest first, and when the next is due after that."""
        with suppress(StoreFailure):
            await self.keep()
        return await self._store.due(self._clock(), part)

    async def done(self, due: Due, epoch: int | None = None) -> None:
        """Note that it has happened: nobody is called twice to one decision. Raises NotHeld under an old epoch."""
        await self._store.done(due, epoch)

    async def active(self, match: str, seat: int, way: str | None = None) -> None:
        """Note that the seat is at it, though it has not moved: a call that is pending waits anew.

        It has come that `way` towards a move; None: as far as before. Whom the match does not wait for is no matter.
        The store is told with `keep`, or before it is asked what is due; at once where others ask it, too.
        """
        look = await self.look(match)
        if seat not in look.due():
            return
        busy = Busy(match, seat, look.info.seats[seat].user, look.decisions()[seat].number, self._clock(), way)
        if self._store.shared:
            self._put_off(await self._told(busy))
        else:
            self._activity.note(busy)
            self.owing()

    async def ways(self, match: str) -> dict[int, str]:
        """How far each seat has come on the way to a move, as `active` was told; '' or nothing: it has not begun."""
        async with self._keeping:  # what is being kept is in neither place for sure
            return await self._store.ways(match) | self._activity.ways(match)

    def owes(self) -> bool:
        """Whether there is something that the store does not know."""
        return bool(self._activity)

    async def keep(self) -> None:
        """Tell the store who is at it, all in one transaction; not of what is decided, nor of who sits there no more.

        Raises StoreFailure where it cannot be told; it is told later then.
        """
        failed: StoreFailure | None = None
        async with self._keeping:  # who asks what is due meanwhile waits until it is known
            noted = self._activity.take()
            try:
                found = await asyncio.gather(*map(self._told, noted), return_exceptions=True)
            except asyncio.CancelledError:
                for busy in noted:
                    self._activity.put_back(busy)
                raise
            for busy, told in zip(noted, found, strict=True):
                if isinstance(told, StoreFailure):
                    self._activity.put_back(busy)
                    failed = told
                elif isinstance(told, BaseException):
                    raise told
                else:
                    self._put_off(told)
        if failed is not None:
            raise failed

    def _put_off(self, at: int | None) -> None:
        if at is not None:
            self.due_from(at)

    async def _told(self, busy: Busy) -> int | None:
        """When the call comes, now that the store knows of that; None: there is none, or not to that decision."""
        try:
            look = await self.look(busy.match)
        except Refused:
            return None
        decision, sits = look.decisions().get(busy.seat), look.info.seats[busy.seat]
        open_still = look.info.status is Status.PAUSED if decision is None else decision.number == busy.decision
        if not open_still or not sits.present or sits.user != busy.user:
            return None
        return await self._store.active(busy.match, busy.seat, busy.since, busy.way)

    async def alive(self, part: Part = WHOLE) -> None:
        """Note that people in these servers can reach the bot now."""
        await self._store.alive(self._clock(), part)

    async def absent(self, since: int | None = None, part: Part = WHOLE) -> None:
        """Have deadlines in these servers come later by the time in which nobody could move there, which is now over.

        It began then; None: when it was last noted for each part that people could.
        """
        for match, seen in (await self._store.absent(since, self._clock(), part)).items():
            if (held := self._held.get(match)) is not None:
                async with held.alone():
                    held.clocks = {due.seat: due for due in await self._store.clocks(match)}
            if seen:
                self.changed(match)
        self.due_from(0)


def _names(info: Info, user: int) -> bool:
    """Whether somebody plays in a match, or has in a seat that nobody took since."""
    return user in (info.host, *info.votes, *(seat.user for seat in info.seats))


def _without_name(info: Info, user: int, nobody: int, level: str) -> dict[str, Any]:
    """The header of a match that goes on, in which somebody is nobody: their seat as if they had left it."""
    seats = tuple(_nameless(seat, nobody, level) if seat.user == user else seat for seat in info.seats)
    here = [seat for seat in seats if seat.here]
    host = info.host if info.host != user else here[0].user if here else nobody
    votes = () if info.seat_of(user) is not None else info.votes
    kept: dict[str, Any] = {"seats": seats, "host": host, "votes": votes}
    if not here:
        ended = Status.CANCELLED if info.status is Status.LOBBY else Status.ENDED
        return {**kept, "status": ended, "reason": "Everybody has left."}
    if info.status is Status.LOBBY:
        return {**kept, "seats": tuple(seat for seat in seats if seat.user != nobody)}
    return {**kept, **going_on(seats)}


def _nameless(seat: Seat, nobody: int, level: str) -> Seat:
    """The seat of somebody who is forgotten; who had left it before has left it as it was."""
    kept = seat.level if seat.gone or seat.level else level
    return Seat(nobody, NAMELESS, seat.gone or "left", kept)
