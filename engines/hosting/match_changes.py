"""How a match is changed: worked out under its lock, committed, and only then true."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

from engines.hosting.due_times import awaited, clocks
from engines.hosting.match import Look, Match, Refused, Told, standing
from engines.hosting.match_loading import Loading
from engines.hosting.player_activity import Activity
from engines.kit.contract import AnyGame, Event, IllegalMove
from engines.store.forgetting import Records
from engines.store.match_store import LIVE, Action, Change, Conflict, Info, StoreFailure, Uncertain
from engines.store.partition import Part

IDLE_SECONDS = 60 * 60  # for which a match that nobody asks for stays in memory
CLOSING_SECONDS = 20  # for which a match that is over stays there: its result is being shown, which asks often
MOST_HELD = 500  # matches in memory, of some ten kilobytes each; reading one anew takes milliseconds
TRIES = 8  # in which a change is worked out anew because somebody else was faster
UNSURE_TRIES = 2  # where it was not certain what was written, and it was not
NOT_CERTAIN = (
    "I cannot tell just now whether that was saved. Please look at your hand, or at the table, in a minute: "
    "they show what counts. Whatever was saved is not lost, and nothing is done twice."
)
NOT_WRITTEN = "That could not be saved, so nothing has changed. Please try again."


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
    `changed` is called with the id after every commit, `due_from` with the time at which something new is due, `owing`
    when there is something that the store does not know.

    Others may change the same store. What builds on a match they have changed is never committed; nothing is refused
    before the store was asked whether they have; and `fresh` asks it before somebody is shown anything.
    """

    def __init__(self, store: Records, games: Mapping[str, AnyGame], clock: Callable[[], int]) -> None:
        self.games = games
        self._store = store
        self._loading = Loading(store, games, clock)
        self._clock = clock
        self._held: dict[str, Match] = {}  # the one that was not asked for longest is first
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._changing: set[asyncio.Task[Info]] = set()
        self._activity = Activity()
        self._keeping = asyncio.Lock()
        self.changed: Callable[[str], None] = lambda match: None
        self.due_from: Callable[[int], None] = lambda at: None
        self.owing: Callable[[], None] = lambda: None

    async def look(self, match: str) -> Look:
        """The match as it is known here. Raises Refused where there is none."""
        known = self._held.get(match)
        if known is not None and self._past(known):
            self.forget(match)  # what becomes of it elsewhere is not heard of any more
        held = await self._get(match)
        if self._past(held):
            self.forget(match)
        return held.look()

    async def fresh(self, match: str) -> Look:
        """The match as the store has it, whoever has changed it. Raises Refused where there is none."""
        await self.moved_on(match)
        return await self.look(match)

    async def moved_on(self, match: str) -> bool:
        """Whether the store has moved on from what is known here, if anything is. It is read anew then."""
        held = self._held.get(match)
        if held is None:
            return True
        if not self._store.shared:
            return False
        revision = await self._store.revision(match)
        if _newer(revision, held) and self._held.get(match) is held:
            del self._held[match]
        return self._held.get(match) is not held

    def heard(self, match: str, revision: int) -> bool:
        """The store has that revision of a match: whether that is newer than what is known here, which is let go."""
        held = self._held.get(match)
        if held is not None and held.info.revision >= revision:
            return False
        self._held.pop(match, None)
        return True

    def forget_part(self, part: Part) -> None:
        """Nothing that is known of these servers' matches counts any more: they are read anew."""
        for match in [match for match, held in self._held.items() if part.has(held.info.place.guild)]:
            del self._held[match]

    def server_of(self, match: str) -> int | None:
        """The server in which a match is played, as far as that is known without asking the store."""
        held = self._held.get(match)
        return None if held is None else held.info.place.guild

    def people(self, match: str) -> frozenset[int] | None:
        """Those who sit in a match, as far as it is known without asking the store."""
        held = self._held.get(match)
        return None if held is None else frozenset(seat.user for seat in held.info.seats if seat.here)

    def without_computers(self, match: str) -> bool:
        """Whether computers play at no seat of a match, as far as that is known without asking the store."""
        held = self._held.get(match)
        return held is not None and not any(seat.level for seat in held.info.seats)

    async def made(self, match: str, click: int) -> bool:
        """Whether that click has changed the match already, as far as is known here."""
        return click in (await self._get(match)).clicks

    def forget(self, match: str) -> None:
        """Keep a match no longer in memory, unless somebody is about to change it."""
        held = self._held.get(match)
        if held is not None and not held.wanted:
            del self._held[match]

    # Inside

    def _edit(self, held: Match, action: Action, by: int, **changes: Any) -> Edit:
        """An edit of the header alone."""
        return Edit(Change(held.after(self._clock(), **changes), action, by))

    async def _change(self, match: str, edit: Callable[[Match], Edit], click: int = 0) -> Info:
        """Edit a match under its lock: worked out, committed, then true. What that click has done is not done again.

        Once begun it goes on whatever becomes of the one who waits: else nobody would know what was written. Raises
        what the edit does, Conflict where others are faster again and again, and Uncertain where the store cannot be
        asked what has become of it.
        """
        task = asyncio.create_task(self._until_known(match, edit, click), name=f"change {match}")
        self._changing.add(task)
        task.add_done_callback(self._over)
        return await asyncio.shield(task)

    def _over(self, task: asyncio.Task[Info]) -> None:
        self._changing.discard(task)
        if not task.cancelled():
            task.exception()  # told to whoever still waits

    async def _until_known(self, match: str, edit: Callable[[Match], Edit], click: int) -> Info:
        """Edit it anew where somebody else was faster, or where it turns out that nothing was written."""
        failure: StoreFailure = Conflict(NOT_WRITTEN)
        unsure = 0
        for _ in range(TRIES):
            try:
                info = await self._edit_once(match, edit, click)
                self.changed(match)
                return info
            except Uncertain:
                if (found := await self._found(match, click)) is not None:
                    return found
                failure = StoreFailure(NOT_WRITTEN)
                unsure += 1
            except Conflict as why:  # it was let go, and is read anew
                failure = why
            if unsure == UNSURE_TRIES:
                break
        raise failure

    async def _found(self, match: str, click: int) -> Info | None:
        """The match where that click has changed it. Raises Uncertain where the store cannot be asked."""
        try:
            held = await self._get(match)
        except StoreFailure as why:
            self._tell(match)  # what shows it asks until there is an answer
            raise Uncertain(NOT_CERTAIN) from why
        if not click or click not in held.clicks:
            return None
        self._tell(match)
        return held.info

    def _tell(self, match: str) -> None:
        """The match may have changed, and there may be something new that is due."""
        self.changed(match)
        self.due_from(0)

    async def _edit_once(self, match: str, edit: Callable[[Match], Edit], click: int) -> Info:
        async with self._alone(match) as held:
            if click and click in held.clicks:  # Discord has told of it twice
                return held.info
            try:
                done = edit(held)
            except (Refused, IllegalMove):
                if not self._store.shared or not _newer(await self._store.revision(match), held):
                    raise
                self._held.pop(match, None)
                raise Conflict(NOT_WRITTEN) from None
            state = held.state if done.state is None else done.state
            change = replace(done.change, awaited=awaited(held.game, done.change, state), click=click)
            due = await self._committed(match, change)
            if due is not None:
                self.due_from(due)
            held.info = change.info
            held.clocks = clocks(held.clocks, change)
            if click:
                held.clicks.append(click)
            if done.options is not None:
                held.options = done.options
            if done.state is not None:
                held.state = done.state
                held.told += [Told(held.info.moves, event) for event in done.events]
            if change.move is not None:
                held.add(change.move)
            return held.info

    async def _committed(self, match: str, change: Change) -> int | None:
        """Commit a change; where that fails, let the match go, so that it is read anew."""
        done = False
        try:
            due = await self._store.commit(change)
            done = True
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise Uncertain(NOT_CERTAIN) from None  # not this was cancelled: the store gave up
        finally:
            if not done:
                self._held.pop(match, None)
        return due

    @asynccontextmanager
    async def _alone(self, match: str) -> AsyncIterator[Match]:
        """The match, for the only one who changes it; one that was let go meanwhile is read anew."""
        while True:
            held = await self._get(match)
            async with held.alone():
                if self._held.get(match) is held:
                    yield held
                    return

    def _seen(self, info: Info) -> None:
        """Let go of a match which the store turns out to have moved on from."""
        held = self._held.get(info.id)
        if held is not None and _newer(info.revision, held):
            del self._held[info.id]

    def _past(self, held: Match) -> bool:
        """Whether nothing more will happen in a match, nor is it being shown how it ended."""
        return held.info.status not in LIVE and self._clock() >= held.info.changed + CLOSING_SECONDS

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
        held.asked = now = self._clock()
        if self._held and self._goes(next(iter(self._held.values())), now):
            self._let_go(now)
        self._held[held.info.id] = held
        return held

    def _let_go(self, now: int) -> None:
        for match, oldest in list(self._held.items()):
            if not self._goes(oldest, now):
                break
            self.forget(match)

    def _goes(self, oldest: Match, now: int) -> bool:
        """Whether the one that was not asked for longest is to be let go."""
        return len(self._held) >= MOST_HELD or now >= oldest.asked + IDLE_SECONDS


def _newer(revision: int | None, held: Match) -> bool:
    """Whether the store has a newer one, or none any more."""
    return revision is None or revision > held.info.revision


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
