"""How a match is changed: worked out under its lock, committed, and only then true."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from engines.due import awaited, clocks
from engines.forgetting import Records
from engines.game import AnyGame, Event
from engines.loading import Loading
from engines.match import Look, Match, Refused, Told, standing
from engines.store import LIVE, Action, Change, Conflict, Info

T = TypeVar("T")
IDLE_SECONDS = 60 * 60  # for which a match that nobody asks for stays in memory
MOST_HELD = 500  # matches in memory, of some ten kilobytes each; reading one anew takes milliseconds


@dataclass(frozen=True, slots=True)
class Edit:
    """What an edit of a match comes to: the change to commit and, where the game moved on, its state and events.

    `options` are the new ones, where they have changed.
    """

    change: Change
    state: Any = None
    events: tuple[Event, ...] = ()
    options: Any = None


class Editing:
    """The matches of one store that were lately asked for, in memory. Edits of one come one after the other; of
    different ones, side by side. A change counts when it is committed: a failing store leaves the match as it was.
    `changed` is called with the id after every commit, `due_from` with the time at which something new is due.
    """

    def __init__(self, store: Records, games: Mapping[str, AnyGame], clock: Callable[[], int]) -> None:
        self.games = games
        self._store = store
        self._loading = Loading(store, games, clock)
        self._clock = clock
        self._held: dict[str, Match] = {}  # the one that was not asked for longest is first
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.changed: Callable[[str], None] = lambda match: None
        self.due_from: Callable[[int], None] = lambda at: None

    async def look(self, match: str) -> Look:
        """The match as it is now. Raises Refused where there is none."""
        held = await self._get(match)
        if held.info.status not in LIVE:
            self.forget(match)  # nothing more will happen in it
        return held.look()

    def forget(self, match: str) -> None:
        """Keep a match no longer in memory, unless somebody is about to change it."""
        held = self._held.get(match)
        if held is not None and not held.wanted:
            del self._held[match]

    # Inside

    def _edit(self, held: Match, action: Action, by: int, **changes: Any) -> Edit:
        """An edit of the header alone."""
        return Edit(Change(held.after(self._clock(), **changes), action, by))

    async def _change(self, match: str, edit: Callable[[Match], Edit]) -> Info:
        """Edit a match under its lock: worked out, committed, then true."""
        try:
            info = await self._edit_once(match, edit)
        except Conflict:
            info = await self._edit_once(match, edit)  # somebody else wrote: it was let go, and is read anew
        self.changed(match)
        return info

    async def _edit_once(self, match: str, edit: Callable[[Match], Edit]) -> Info:
        held = await self._get(match)
        async with held.alone():
            if self._held.get(match) is not held:
                raise Conflict("The match was read anew meanwhile.")
            done = edit(held)
            state = held.state if done.state is None else done.state
            change = replace(done.change, awaited=awaited(held.game, done.change, state))
            due = await self._safely(match, self._store.commit(change))
            if due is not None:
                self.due_from(due)
            held.info = done.change.info
            held.clocks = clocks(held.clocks, change)
            if done.options is not None:
                held.options = done.options
            if done.state is not None:
                held.state = done.state
                held.told += [Told(held.info.moves, event) for event in done.events]
            if done.change.move is not None:
                held.add(done.change.move)
            return held.info

    async def _safely(self, match: str, commit: Awaitable[T]) -> T:
        """Await a commit; where it is not certain what was written, let the match go, so that it is read anew."""
        done = False
        try:
            result = await commit
            done = True
        finally:
            if not done:
                self._held.pop(match, None)
        return result

    async def _get(self, match: str) -> Match:
        """The match, from memory or from the store; whoever asks while it is being read waits for that."""
        if match not in self._held:
            async with self._reading.setdefault(match, asyncio.Lock()):
                if match not in self._held:
                    self._held[match] = await self._loading.load(match)
        return self._keep(self._held.pop(match))

    def _keep(self, held: Match) -> Match:
        """Have it in memory as the newest, and let those go that were not asked for lately.

        That takes nothing from anybody: a look stays as it is, and who asks again has the match read anew.
        """
        now = self._clock()
        for match, oldest in list(self._held.items()):
            if len(self._held) < MOST_HELD and now < oldest.asked + IDLE_SECONDS:
                break
            self.forget(match)
        held.asked = now
        self._held[held.info.id] = held
        return held


def live(info: Info) -> Info:
    if info.status not in LIVE:
        raise Refused(standing(info), names=True)
    return info


def seated(info: Info, user: int) -> int:
    live(info)
    seat = info.seat_of(user)
    if seat is None:
        raise Refused("You are not sitting at this table.")
    return seat


def hosted(info: Info, user: int) -> Info:
    if info.host != user:
        name = next((seat.name for seat in info.seats if seat.user == info.host), "somebody else")
        raise Refused(f"Only the host can do that; the host is {name}.", names=True)
    return info
