"""Changes a match: computes the change under the match's lock, commits it, then makes it visible."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from engines.hosting.feature import Feature, check_features
from engines.hosting.match import Match, MatchEdit, MatchEvent, MatchSnapshot, RequestRefused, status_sentence
from engines.hosting.match_cache import MatchCache, is_newer_revision
from engines.hosting.reactions import (
    reactions_to,
)
from engines.hosting.requests import settle_requests
from engines.hosting.timing.due_times import deadlines_after, due_rules_after
from engines.hosting.timing.restarted_clocks import settle_restarted_clocks
from engines.hosting.timing.running_time import postponed_deadlines, rest_seconds
from engines.hosting.timing.time_banks import settle_banks
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from engines.store.forgetting import FullStorage
from engines.store.listeners import Listeners
from engines.store.match_store import (
    LIVE,
    ActionKind,
    Change,
    DueTime,
    MatchInfo,
    Status,
    StoreFailure,
    UncertainWrite,
    WriteConflict,
)
from engines.store.rows import Rows, RowTable, RowWrite

R = TypeVar("R")
TRIES = 8  # attempts when somebody else changed the match first
UNCERTAIN_TRIES = 2  # retries when it was uncertain what was written, and nothing was
NOT_CERTAIN = (
    "I am not sure whether that was saved. In a minute, look at your hand or at the table: "
    "they show the real state. Nothing that was saved is lost, and nothing is done twice."
)
NOT_WRITTEN = "That could not be saved, so nothing has changed. Please try again."


@dataclass(frozen=True, slots=True)
class EditSummary:
    """A change that was committed: the match before it (None: it is new) and after it, and how many seats it needs."""

    action: ActionKind
    before: MatchInfo | None
    after: MatchInfo
    fewest_seats: int


class ServerTime(Protocol):
    """Whether time runs, and by how much the clock is wrong."""

    def rest_began(self, guild: int) -> int | None:
        """Return since when time rests in a server; None if it runs."""

    def seconds_ahead(self) -> int:
        """Return by how many seconds the clock is ahead of the time that counts."""
        ...


class RunningTime:
    """Time that never rests, by a clock that is right."""

    def rest_began(self, guild: int) -> int | None:
        """Return None."""
        return None

    def seconds_ahead(self) -> int:
        """Return 0."""
        return 0


class MatchEditor:
    """Edits the matches of one store. The parts of `Matches` and the features work through one editor.

    Edits of one match run one after the other; edits of different matches run side by side. A change counts once it is
    committed: if the store fails, the match stays as it was. After every commit, `on_changed` is called with the match
    id, and `on_due` with the time of the next due item.

    Other processes may change the same store. A change based on an outdated match is never committed. A request is
    refused only after a check for newer revisions, and the cache runs that check for every `get_fresh_snapshot`.
    """

    def __init__(
        self,
        store: FullStorage,
        games: Mapping[str, AnyGame],
        clock: Callable[[], int],
        features: Sequence[Feature],
    ) -> None:
        check_features(features)
        self.store = store
        self.games = games
        self.features = features
        self.cache = MatchCache(store, games, self.clock, clock)
        self._read_clock = clock
        self._change_tasks: set[asyncio.Task[MatchInfo]] = set()
        self._time: ServerTime = RunningTime()
        self.on_changed = Listeners[[str]]()
        self.on_due = Listeners[[int]]()
        self.on_edited = Listeners[[EditSummary]]()  # called in the process that changed it

    def follow_time(self, time: ServerTime) -> None:
        """Ask from now on whether time runs."""
        self._time = time

    def rest_began(self, guild: int) -> int | None:
        """Return since when time rests in a server; None if it runs."""
        return self._time.rest_began(guild)

    def edit_info(self, current: Match, action: ActionKind, by: int, **changes: Any) -> MatchEdit:
        """Edit only the header."""
        return MatchEdit(Change(current.next_info(self.clock(), **changes), action, by))

    async def change_match(self, match: str, edit: Callable[[Match], MatchEdit], click: int = 0) -> MatchInfo:
        """Edit a match under its lock: compute, commit, then apply. A click that was already handled is not handled
        twice.

        The edit completes even if the caller is cancelled; otherwise nobody would know what was written. Raises what
        the edit raises, WriteConflict if others keep changing the match first, and UncertainWrite if the store cannot
        tell what was written.
        """
        task = asyncio.create_task(self._retry_change(match, edit, click), name=f"change {match}")
        self._change_tasks.add(task)
        task.add_done_callback(self._finish_change)
        return await asyncio.shield(task)

    def clock(self) -> int:
        """Return the right time in Unix seconds, also while the clock is known to be wrong: times that are stored then
        count when it is right again."""
        ahead = self._time.seconds_ahead()
        return self._read_clock() - ahead

    def require_running_time(self, current: Match) -> None:
        """Raise RequestRefused if time rests for a match: then nothing ends by itself."""
        if self.rest_began(current.info.place.guild) is not None:
            raise RequestRefused("The clocks of this match are stopped.")

    def reload_matches(self, matches: Collection[str]) -> None:
        """Load these matches again when they are needed next, and notify that due times may have changed."""
        for match in matches:
            self.cache.drop(match)
            self.on_changed(match)
        if matches:
            self.on_due(0)

    # The rows of features

    async def write_rows(
        self, match: str, build: Callable[[MatchSnapshot], Awaitable[Sequence[RowWrite]]]
    ) -> MatchSnapshot:
        """Write rows of a feature at the newest moment of a match, which it returns. This does not change the match.

        `build` runs while nothing changes the match, and may refuse. Raises what it raises, and StoreFailure.
        """
        for _ in range(TRIES):
            async with self.cache.exclusive_match(match) as current:
                snapshot = current.take_snapshot()
                writes = await build(snapshot)
                try:
                    await self.store.write_rows(writes, match, snapshot.info.revision)
                except WriteConflict:  # another process has changed the match
                    self.cache.drop(match)
                    continue
                return snapshot
        raise WriteConflict(NOT_WRITTEN)

    async def load_rows(self, table: RowTable[R], *key: Any) -> list[R]:
        """Return the rows of a feature whose key begins with these values."""
        return await self.store.load_rows(table, *key)

    async def find_rows(self, table: RowTable[R], column: str, values: Collection[Any]) -> list[R]:
        """Return the rows of a feature with one of these values in an indexed column."""
        return await self.store.find_rows(table, column, values)

    async def load_due_rows(self, table: RowTable[R], column: str, limit: int) -> list[R]:
        """Return up to `limit` rows of a feature whose time in an indexed column has come, the earliest first."""
        return await self.store.load_due_rows(table, column, self.clock(), limit)

    async def load_match_rows(self, match: str, tables: Sequence[RowTable[Any]]) -> Rows:
        """Return the rows of features about a match in these tables."""
        return await self.store.load_match_rows(match, tables) if tables else Rows()

    async def write_own_rows(self, *writes: RowWrite) -> None:
        """Write rows of a feature that belong to no match. Raises RowTaken and StoreFailure."""
        await self.store.write_rows(writes)

    # Internal

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
        """Return the match if this click has changed it. Raises UncertainWrite if the store cannot be read."""
        try:
            current = await self.cache.get_match(match)
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
        async with self.cache.exclusive_match(match) as current:
            if click and click in current.clicks:  # Discord delivered the click twice
                return current.info
            try:
                done = edit(current)
            except (RequestRefused, IllegalMove):
                if not self.store.is_shared or not is_newer_revision(await self.store.revision(match), current):
                    raise
                self.cache.drop(match)
                raise WriteConflict(NOT_WRITTEN) from None
            state = current.state if done.state is None else done.state
            resting = self.rest_began(current.info.place.guild)
            change, deadlines = _settle_times(current, done.change, state, resting)
            await self._ask_guards(current, change)
            rows = reactions_to(self.features, current, change, state, self.clock())
            change = replace(change, click=click, rows=rows)
            due = await self._commit_change(match, change)
            if change.rest:
                self.on_due(0)
            elif due is not None:
                self.on_due(due)
            self.on_edited(EditSummary(change.action, current.info, change.info, _fewest_seats(current)))
            current.info = change.info
            current.deadlines = deadlines_after(deadlines, change)
            if change.info.undoing.open_request is None:
                current.lapse = None
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

    async def _ask_guards(self, current: Match, change: Change) -> None:
        """Ask the features that guard this change. Raises RequestRefused."""
        for feature in self.features:
            if change.action not in feature.guards:
                continue
            people = {seat.user for seat in (*current.info.seats, *change.info.seats) if seat.user > 0} | {change.by}
            tables = [table for table in feature.tables if "user" in table.columns]
            found = [(table, tuple(await self.store.find_rows(table, "user", people))) for table in tables]
            if refusal := feature.guard(current.take_snapshot(), change, Rows(tuple(found))):
                raise RequestRefused(refusal)

    async def _commit_change(self, match: str, change: Change) -> int | None:
        """Commit a change. Evict the match if that fails, so that it is loaded again."""
        done = False
        try:
            due = await self.store.commit(change)
            done = True
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise UncertainWrite(NOT_CERTAIN) from None  # this task was not cancelled: the store gave up
        finally:
            if not done:
                self.cache.drop(match)
        return due


def _settle_times(
    current: Match, change: Change, state: Any, rest_began: int | None
) -> tuple[Change, dict[int, DueTime]]:
    """Return the change with what it does to requests, banks and due times, and the deadlines before it, as they count
    after a rest. `state` is the game state after the change."""
    before, change = current.info, settle_requests(current.info, change)
    rest = rest_seconds(before, change.info, rest_began)
    deadlines = postponed_deadlines(current.deadlines, rest)
    change = settle_restarted_clocks(before, deadlines, replace(change, rest=rest), rest_began)
    change = settle_banks(current.game, before, deadlines, change, state, rest_began)
    if change.old_deadlines is not None:  # those that are stored
        change = replace(change, old_deadlines=frozenset(current.deadlines.values()))
    return replace(change, due_rules=due_rules_after(current.game, change, state)), deadlines


def _fewest_seats(current: Match) -> int:
    return current.game.seats_with(current.options)[0]


def require_live(info: MatchInfo) -> MatchInfo:
    if info.status not in LIVE:
        raise RequestRefused(status_sentence(info), has_names=True)
    return info


def require_started(info: MatchInfo) -> MatchInfo:
    if info.status not in (Status.RUNNING, Status.PAUSED):
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
