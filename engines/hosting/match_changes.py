"""How a match is changed: worked out under its lock, committed, and only then true."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

from engines.hosting.due_times import deadlines_after, due_rules_after
from engines.hosting.match import Match, MatchEvent, MatchSnapshot, RequestRefused, status_sentence
from engines.hosting.match_loading import MatchLoader
from engines.hosting.player_activity import ActivityBuffer
from engines.kit.contract import AnyGame, Event
from engines.kit.errors import IllegalMove
from engines.store.forgetting import FullStorage
from engines.store.match_store import LIVE, ActionKind, Change, MatchInfo, StoreFailure, UncertainWrite, WriteConflict
from engines.store.partition import Partition

IDLE_SECONDS = 60 * 60  # for which a match that nobody asks for stays in memory
FINISHED_SECONDS = 20  # for which a match that is over stays there: its result is being shown, which asks often
MAX_CACHED = 500  # matches in memory, of some ten kilobytes each; reading one anew takes milliseconds
TRIES = 8  # in which a change is worked out anew because somebody else was faster
UNCERTAIN_TRIES = 2  # where it was not certain what was written, and it was not
NOT_CERTAIN = (
    "I cannot tell just now whether that was saved. Please look at your hand, or at the table, in a minute: "
    "they show what counts. Whatever was saved is not lost, and nothing is done twice."
)
NOT_WRITTEN = "That could not be saved, so nothing has changed. Please try again."


@dataclass(frozen=True, slots=True)
class MatchEdit:
    """What an edit of a match comes to: the change to commit and, where the game moved on, its state and events.

    `options` are the new ones, where they have changed.
    """

    change: Change
    state: Any = None
    events: tuple[Event, ...] = ()
    options: Any = None


class MatchEditor:
    """The matches of one store that were lately asked for, in memory. Edits of one come one after the other; of
    different ones, side by side. A change counts when it is committed: a failing store leaves the match as it was.
    `changed` is called with the id after every commit, `due_from` with the time at which something new is due, `owing`
    when there is something that the store does not know.

    Others may change the same store. What builds on a match they have changed is never committed; nothing is refused
    before the store was asked whether they have; and `fresh` asks it before somebody is shown anything.
    """

    def __init__(self, store: FullStorage, games: Mapping[str, AnyGame], clock: Callable[[], int]) -> None:
        self.games = games
        self._store = store
        self._loader = MatchLoader(store, games, clock)
        self._clock = clock
        self._cache: dict[str, Match] = {}  # the one that was not asked for longest is first
        self._load_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._change_tasks: set[asyncio.Task[MatchInfo]] = set()
        self._activity_buffer = ActivityBuffer()
        self._save_lock = asyncio.Lock()
        self.on_changed: Callable[[str], None] = lambda match: None
        self.on_due: Callable[[int], None] = lambda at: None
        self.on_unsaved_activity: Callable[[], None] = lambda: None

    async def get_snapshot(self, match: str) -> MatchSnapshot:
        """The match as it is known here. Raises Refused where there is none."""
        known = self._cache.get(match)
        if known is not None and self._is_finished(known):
            self.evict(match)  # what becomes of it elsewhere is not heard of any more
        current = await self._get_match(match)
        if self._is_finished(current):
            self.evict(match)
        return current.take_snapshot()

    async def get_fresh_snapshot(self, match: str) -> MatchSnapshot:
        """The match as the store has it, whoever has changed it. Raises Refused where there is none."""
        await self.drop_if_outdated(match)
        return await self.get_snapshot(match)

    async def drop_if_outdated(self, match: str) -> bool:
        """Whether the store has moved on from what is known here, if anything is. It is read anew then."""
        current = self._cache.get(match)
        if current is None:
            return True
        if not self._store.is_shared:
            return False
        revision = await self._store.revision(match)
        if _is_newer(revision, current) and self._cache.get(match) is current:
            del self._cache[match]
        return self._cache.get(match) is not current

    def drop_if_older(self, match: str, revision: int) -> bool:
        """The store has that revision of a match: whether that is newer than what is known here, which is let go."""
        current = self._cache.get(match)
        if current is not None and current.info.revision >= revision:
            return False
        self._cache.pop(match, None)
        return True

    def evict_partition(self, partition: Partition) -> None:
        """Nothing that is known of these servers' matches counts any more: they are read anew."""
        for match in [
            match for match, current in self._cache.items() if partition.has_server(current.info.place.guild)
        ]:
            del self._cache[match]

    def server_of(self, match: str) -> int | None:
        """The server in which a match is played, as far as that is known without asking the store."""
        current = self._cache.get(match)
        return None if current is None else current.info.place.guild

    def seated_people(self, match: str) -> frozenset[int] | None:
        """Those who sit in a match, as far as it is known without asking the store."""
        current = self._cache.get(match)
        return None if current is None else frozenset(seat.user for seat in current.info.seats if seat.has_owner)

    def has_no_computers(self, match: str) -> bool:
        """Whether computers play at no seat of a match, as far as that is known without asking the store."""
        current = self._cache.get(match)
        return current is not None and not any(seat.level for seat in current.info.seats)

    async def was_changed_by(self, match: str, click: int) -> bool:
        """Whether that click has changed the match already, as far as is known here."""
        return click in (await self._get_match(match)).clicks

    def evict(self, match: str) -> None:
        """Keep a match no longer in memory, unless somebody is about to change it."""
        current = self._cache.get(match)
        if current is not None and not current.pending_changes:
            del self._cache[match]

    # Inside

    def _edit_info(self, current: Match, action: ActionKind, by: int, **changes: Any) -> MatchEdit:
        """An edit of the header alone."""
        return MatchEdit(Change(current.next_info(self._clock(), **changes), action, by))

    async def _change_match(self, match: str, edit: Callable[[Match], MatchEdit], click: int = 0) -> MatchInfo:
        """Edit a match under its lock: worked out, committed, then true. What that click has done is not done again.

        Once begun it goes on whatever becomes of the one who waits: else nobody would know what was written. Raises
        what the edit does, Conflict where others are faster again and again, and Uncertain where the store cannot be
        asked what has become of it.
        """
        task = asyncio.create_task(self._retry_change(match, edit, click), name=f"change {match}")
        self._change_tasks.add(task)
        task.add_done_callback(self._finish_change)
        return await asyncio.shield(task)

    def _finish_change(self, task: asyncio.Task[MatchInfo]) -> None:
        self._change_tasks.discard(task)
        if not task.cancelled():
            task.exception()  # told to whoever still waits

    async def _retry_change(self, match: str, edit: Callable[[Match], MatchEdit], click: int) -> MatchInfo:
        """Edit it anew where somebody else was faster, or where it turns out that nothing was written."""
        failure: StoreFailure = WriteConflict(NOT_WRITTEN)
        unsure = 0
        for _ in range(TRIES):
            try:
                info = await self._edit_once(match, edit, click)
                self.on_changed(match)
                return info
            except UncertainWrite:
                if (written := await self._find_written(match, click)) is not None:
                    return written
                failure = StoreFailure(NOT_WRITTEN)
                unsure += 1
            except WriteConflict as why:  # it was let go, and is read anew
                failure = why
            if unsure == UNCERTAIN_TRIES:
                break
        raise failure

    async def _find_written(self, match: str, click: int) -> MatchInfo | None:
        """The match where that click has changed it. Raises Uncertain where the store cannot be asked."""
        try:
            current = await self._get_match(match)
        except StoreFailure as why:
            self._notify_changed(match)  # what shows it asks until there is an answer
            raise UncertainWrite(NOT_CERTAIN) from why
        if not click or click not in current.clicks:
            return None
        self._notify_changed(match)
        return current.info

    def _notify_changed(self, match: str) -> None:
        """The match may have changed, and there may be something new that is due."""
        self.on_changed(match)
        self.on_due(0)

    async def _edit_once(self, match: str, edit: Callable[[Match], MatchEdit], click: int) -> MatchInfo:
        async with self._exclusive_match(match) as current:
            if click and click in current.clicks:  # Discord has told of it twice
                return current.info
            try:
                done = edit(current)
            except (RequestRefused, IllegalMove):
                if not self._store.is_shared or not _is_newer(await self._store.revision(match), current):
                    raise
                self._cache.pop(match, None)
                raise WriteConflict(NOT_WRITTEN) from None
            state = current.state if done.state is None else done.state
            change = replace(done.change, due_rules=due_rules_after(current.game, done.change, state), click=click)
            due = await self._commit_change(match, change)
            if due is not None:
                self.on_due(due)
            current.info = change.info
            current.deadlines = deadlines_after(current.deadlines, change)
            if click:
                current.clicks.append(click)
            if done.options is not None:
                current.options = done.options
            if done.state is not None:
                current.state = done.state
                current.events += [MatchEvent(current.info.moves, event) for event in done.events]
            if change.move is not None:
                current.add_move(change.move)
            return current.info

    async def _commit_change(self, match: str, change: Change) -> int | None:
        """Commit a change; where that fails, let the match go, so that it is read anew."""
        done = False
        try:
            due = await self._store.commit(change)
            done = True
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise UncertainWrite(NOT_CERTAIN) from None  # not this was cancelled: the store gave up
        finally:
            if not done:
                self._cache.pop(match, None)
        return due

    @asynccontextmanager
    async def _exclusive_match(self, match: str) -> AsyncIterator[Match]:
        """The match, for the only one who changes it; one that was let go meanwhile is read anew."""
        while True:
            current = await self._get_match(match)
            async with current.lock_for_change():
                if self._cache.get(match) is current:
                    yield current
                    return

    def _evict_if_outdated(self, info: MatchInfo) -> None:
        """Let go of a match which the store turns out to have moved on from."""
        current = self._cache.get(info.id)
        if current is not None and _is_newer(info.revision, current):
            del self._cache[info.id]

    def _is_finished(self, current: Match) -> bool:
        """Whether nothing more will happen in a match, nor is it being shown how it ended."""
        return current.info.status not in LIVE and self._clock() >= current.info.changed + FINISHED_SECONDS

    async def _get_match(self, match: str) -> Match:
        """The match, from memory or from the store; whoever asks while it is being read waits for that."""
        if match not in self._cache:
            async with self._load_locks.setdefault(match, asyncio.Lock()):
                if match not in self._cache:
                    self._cache[match] = await self._loader.load(match)
        return self._cache_match(self._cache.pop(match))

    def _cache_match(self, current: Match) -> Match:
        """Have it in memory as the newest, and let those go that were not asked for lately.

        That takes nothing from anybody: a look stays as it is, and who asks again has the match read anew.
        """
        current.last_requested = now = self._clock()
        if self._cache and self._is_evictable(next(iter(self._cache.values())), now):
            self._evict_idle(now)
        self._cache[current.info.id] = current
        return current

    def _evict_idle(self, now: int) -> None:
        for match, oldest in list(self._cache.items()):
            if not self._is_evictable(oldest, now):
                break
            self.evict(match)

    def _is_evictable(self, oldest: Match, now: int) -> bool:
        """Whether the one that was not asked for longest is to be let go."""
        return len(self._cache) >= MAX_CACHED or now >= oldest.last_requested + IDLE_SECONDS


def _is_newer(revision: int | None, current: Match) -> bool:
    """Whether the store has a newer one, or none any more."""
    return revision is None or revision > current.info.revision


def require_live(info: MatchInfo) -> MatchInfo:
    if info.status not in LIVE:
        raise RequestRefused(status_sentence(info), has_names=True)
    return info


def require_seated(info: MatchInfo, user: int) -> int:
    require_live(info)
    seat = info.seat_of(user)
    if seat is None:
        raise RequestRefused("You are not sitting at this table.")
    return seat


def require_host(info: MatchInfo, user: int) -> MatchInfo:
    if info.host != user:
        name = next((seat.name for seat in info.seats if seat.user == info.host), "somebody else")
        raise RequestRefused(f"Only the host can do that; the host is {name}.", has_names=True)
    return info
