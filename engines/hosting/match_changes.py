"""Changes a match: computes the change under the match's lock, commits it, then makes it visible."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

from engines.hosting.match import Match, MatchEvent, MatchHistory, MatchSnapshot, RequestRefused, status_sentence
from engines.hosting.match_loading import MatchLoader
from engines.hosting.player_activity import ActivityBuffer
from engines.hosting.take_back_rules import settle_take_backs
from engines.hosting.timing.due_times import deadlines_after, due_rules_after
from engines.hosting.timing.time_banks import settle_banks
from engines.kit.contract import AnyGame, Event
from engines.kit.errors import IllegalMove
from engines.store.forgetting import FullStorage
from engines.store.match_store import LIVE, ActionKind, Change, MatchInfo, StoreFailure, UncertainWrite, WriteConflict
from engines.store.partition import Partition

IDLE_SECONDS = 60 * 60  # seconds that a match nobody requests stays in memory
FINISHED_SECONDS = 20  # seconds that a finished match stays in memory, because showing its result reads it often
MAX_CACHED = 500  # matches in memory, about ten kilobytes each; loading one takes milliseconds
TRIES = 8  # attempts when somebody else changed the match first
UNCERTAIN_TRIES = 2  # retries when it was uncertain what was written, and nothing was
NOT_CERTAIN = (
    "I am not sure whether that was saved. In a minute, look at your hand or at the table: "
    "they show what counts. Nothing saved is lost, and nothing happens twice."
)
NOT_WRITTEN = "That could not be saved, so nothing has changed. Please try again."


@dataclass(frozen=True, slots=True)
class MatchEdit:
    """The result of an edit: the change to commit and, after a move, the game's new state and events.

    `options` are the new options, if they changed. After a take-back, `history` is the new past of the match.
    """

    change: Change
    state: Any = None
    events: tuple[Event, ...] = ()
    options: Any = None
    history: MatchHistory | None = None


@dataclass(frozen=True, slots=True)
class EditSummary:
    """A change that was committed: the match before it (None: it is new) and after it, and how many seats it needs."""

    action: ActionKind
    before: MatchInfo | None
    after: MatchInfo
    fewest_seats: int


class MatchEditor:
    """Edits the matches of one store and caches the recent ones in memory.

    Edits of one match run one after the other; edits of different matches run side by side. A change counts once it is
    committed: if the store fails, the match stays as it was. After every commit, `changed` is called with the match id
    and `due_from` with the time of the next due item; `owing` is called if something is not saved yet.

    Other processes may change the same store. A change based on an outdated match is never committed. A request is
    refused only after a check for newer revisions, and `get_fresh_snapshot` runs that check before anything is shown.
    """

    def __init__(self, store: FullStorage, games: Mapping[str, AnyGame], clock: Callable[[], int]) -> None:
        self.games = games
        self._store = store
        self._loader = MatchLoader(store, games, clock)
        self._clock = clock
        self._cache: dict[str, Match] = {}  # least recently used first
        self._load_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._change_tasks: set[asyncio.Task[MatchInfo]] = set()
        self._activity_buffer = ActivityBuffer()
        self._save_lock = asyncio.Lock()
        self.on_changed: Callable[[str], None] = lambda match: None
        self.on_due: Callable[[int], None] = lambda at: None
        self.on_edited: Callable[[EditSummary], None] = lambda summary: None  # called in the process that changed it
        self.on_unsaved_activity: Callable[[], None] = lambda: None

    async def get_snapshot(self, match: str) -> MatchSnapshot:
        """Return the match as cached. Raises RequestRefused if there is none."""
        known = self._cache.get(match)
        if known is not None and self._is_finished(known):
            self.evict(match)  # this process gets no news of changes that others make to it
        current = await self._get_match(match)
        if self._is_finished(current):
            self.evict(match)
        return current.take_snapshot()

    async def get_fresh_snapshot(self, match: str) -> MatchSnapshot:
        """Return the match as stored, no matter who changed it. Raises RequestRefused if there is none."""
        await self.drop_if_outdated(match)
        return await self.get_snapshot(match)

    async def drop_if_outdated(self, match: str) -> bool:
        """Drop the cached match if the store has another revision. Return whether it was dropped."""
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
        """Drop the cached match if the store has a newer revision than the cache. Return whether it was dropped."""
        current = self._cache.get(match)
        if current is not None and current.info.revision >= revision:
            return False
        self._cache.pop(match, None)
        return True

    def evict_partition(self, partition: Partition) -> None:
        """Evict all matches of a partition from the cache."""
        for match in [
            match for match, current in self._cache.items() if partition.has_server(current.info.place.guild)
        ]:
            del self._cache[match]

    def server_of(self, match: str) -> int | None:
        """Return the server of a cached match, or None."""
        current = self._cache.get(match)
        return None if current is None else current.info.place.guild

    def seated_people(self, match: str) -> frozenset[int] | None:
        """Return the people seated in a cached match."""
        current = self._cache.get(match)
        return None if current is None else frozenset(seat.user for seat in current.info.seats if seat.has_owner)

    def needs_people(self, match: str) -> bool:
        """Whether nothing happens in a cached match without people: no computer plays, and no move is forced."""
        current = self._cache.get(match)
        if current is None or any(seat.level for seat in current.info.seats):
            return False
        return not current.take_snapshot().forced_seats()

    def has_planning(self, match: str) -> bool:
        """Whether moves can be planned in a cached match that has started."""
        current = self._cache.get(match)
        return current is not None and current.state is not None and current.game.planning is not None

    async def was_changed_by(self, match: str, click: int) -> bool:
        """Whether this click has already changed the cached match."""
        return click in (await self._get_match(match)).clicks

    def evict(self, match: str) -> None:
        """Evict a match from the cache, unless a change is in progress."""
        current = self._cache.get(match)
        if current is not None and not current.pending_changes:
            del self._cache[match]

    # Internal

    def _edit_info(self, current: Match, action: ActionKind, by: int, **changes: Any) -> MatchEdit:
        """Edit only the header."""
        return MatchEdit(Change(current.next_info(self._clock(), **changes), action, by))

    async def _change_match(self, match: str, edit: Callable[[Match], MatchEdit], click: int = 0) -> MatchInfo:
        """Edit a match under its lock: compute, commit, then apply. A click that was already handled is not handled
        twice.

        The edit completes even if the caller is cancelled; otherwise nobody would know what was written. Raises what
        the edit raises, Conflict if others keep changing the match first, and Uncertain if the store cannot tell what
        was written.
        """
        task = asyncio.create_task(self._retry_change(match, edit, click), name=f"change {match}")
        self._change_tasks.add(task)
        task.add_done_callback(self._finish_change)
        return await asyncio.shield(task)

    def _finish_change(self, task: asyncio.Task[MatchInfo]) -> None:
        self._change_tasks.discard(task)
        if not task.cancelled():
            task.exception()  # reported to a caller who is still waiting

    async def _retry_change(self, match: str, edit: Callable[[Match], MatchEdit], click: int) -> MatchInfo:
        """Retry the edit if somebody else changed the match first, or if an uncertain write did not happen."""
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
            except WriteConflict as why:  # it was evicted, so load it again
                failure = why
            if unsure == UNCERTAIN_TRIES:
                break
        raise failure

    async def _find_written(self, match: str, click: int) -> MatchInfo | None:
        """Return the match if this click has changed it. Raises Uncertain if the store cannot be read."""
        try:
            current = await self._get_match(match)
        except StoreFailure as why:
            self._notify_changed(match)  # callers retry until there is an answer
            raise UncertainWrite(NOT_CERTAIN) from why
        if not click:
            self._notify_changed(match)  # if it was written, the retry is refused, and nobody else tells of it
            return None
        if click not in current.clicks:
            return None
        self._notify_changed(match)
        return current.info

    def _notify_changed(self, match: str) -> None:
        """Notify that the match may have changed and that something may be due."""
        self.on_changed(match)
        self.on_due(0)

    async def _edit_once(self, match: str, edit: Callable[[Match], MatchEdit], click: int) -> MatchInfo:
        async with self._exclusive_match(match) as current:
            if click and click in current.clicks:  # Discord delivered the click twice
                return current.info
            try:
                done = edit(current)
            except (RequestRefused, IllegalMove):
                if not self._store.is_shared or not _is_newer(await self._store.revision(match), current):
                    raise
                self._cache.pop(match, None)
                raise WriteConflict(NOT_WRITTEN) from None
            state = current.state if done.state is None else done.state
            change = settle_take_backs(current.info, current.deadlines, done.change)
            change = settle_banks(current.game, current.info, current.deadlines, change, state)
            change = replace(change, due_rules=due_rules_after(current.game, change, state), click=click)
            due = await self._commit_change(match, change)
            if due is not None:
                self.on_due(due)
            self.on_edited(EditSummary(change.action, current.info, change.info, _fewest_seats(current)))
            current.info = change.info
            current.deadlines = deadlines_after(current.deadlines, change)
            if click:
                current.clicks.append(click)
            if done.options is not None:
                current.options = done.options
            if done.history is not None:
                current.set_history(done.history)
            elif done.state is not None:
                current.state = done.state
                current.events += [MatchEvent(current.info.moves, event) for event in done.events]
            if change.move is not None:
                current.add_move(change.move)
            return current.info

    async def _commit_change(self, match: str, change: Change) -> int | None:
        """Commit a change. Evict the match if that fails, so that it is loaded again."""
        done = False
        try:
            due = await self._store.commit(change)
            done = True
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise UncertainWrite(NOT_CERTAIN) from None  # this task was not cancelled: the store gave up
        finally:
            if not done:
                self._cache.pop(match, None)
        return due

    @asynccontextmanager
    async def _exclusive_match(self, match: str) -> AsyncIterator[Match]:
        """Return the match with its change lock held. Load it again if it was evicted in the meantime."""
        while True:
            current = await self._get_match(match)
            async with current.lock_for_change():
                if self._cache.get(match) is current:
                    yield current
                    return

    def _evict_if_outdated(self, info: MatchInfo) -> None:
        """Evict a match if the store has a newer revision."""
        current = self._cache.get(info.id)
        if current is not None and _is_newer(info.revision, current):
            del self._cache[info.id]

    def _is_finished(self, current: Match) -> bool:
        """Whether nothing more will happen in a match and its ending is no longer on display."""
        return current.info.status not in LIVE and self._clock() >= current.info.changed + FINISHED_SECONDS

    async def _get_match(self, match: str) -> Match:
        """Return the match from the cache or from the store. Concurrent callers share one load."""
        if match not in self._cache:
            async with self._load_locks.setdefault(match, asyncio.Lock()):
                if match not in self._cache:
                    self._cache[match] = await self._loader.load(match)
        return self._cache_match(self._cache.pop(match))

    def _cache_match(self, current: Match) -> Match:
        """Cache the match as the most recent one, and evict those that nobody requested lately.

        This is safe: snapshots stay valid, and later callers load the match again.
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
        """Whether the least recently used match should be evicted."""
        return len(self._cache) >= MAX_CACHED or now >= oldest.last_requested + IDLE_SECONDS


def _fewest_seats(current: Match) -> int:
    return current.game.seats_with(current.options)[0]


def _is_newer(revision: int | None, current: Match) -> bool:
    """Whether the store has a newer revision, or no longer has the match."""
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
        raise RequestRefused(f"Only the host can do that. The host is {name}.", has_names=True)
    return info
