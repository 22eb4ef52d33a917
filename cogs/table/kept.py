"""The one owner of what is shown: reads it once a match, keeps it in memory, and writes every change through."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar

from engines.shown import Inbox, Kind, Mention, Preferences, Shown, Surface

IDLE = 60 * 60  # seconds after which nothing is kept of what nobody has asked for
K = TypeVar("K")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OnDisplay:
    """The messages about one match, by kind and seat, and its mentions, by seat and decision."""

    surfaces: Mapping[tuple[Kind, int], Surface]
    mentions: Mapping[tuple[int, int], Mention]


class Displays:
    """A `Shown` before the one that stores. What it says is what is stored: memory follows the store, never leads.

    Where it is not certain what was written, nothing is kept, and the next one who asks reads anew.
    """

    def __init__(self, store: Shown, clock: Callable[[], int]) -> None:
        self._store = store
        self._matches: Kept[str, OnDisplay] = Kept(self._read, clock)
        self._inboxes: Kept[int, Inbox | None] = Kept(store.inbox, clock)
        self._preferences: Kept[int, Preferences] = Kept(store.preferences, clock)

    async def of(self, match: str) -> list[Surface]:
        """The surfaces of a match."""
        return _in_order((await self._matches.get(match)).surfaces)

    async def one(self, match: str, kind: Kind, seat: int = -1) -> Surface | None:
        """A surface of a match, if there is one."""
        return (await self._matches.get(match)).surfaces.get((kind, seat))

    async def behind(self) -> list[str]:
        """The matches of which not all may be shown as it is."""
        return await self._store.behind()

    async def given_up(self, since: int) -> list[str]:
        """The matches of which something was given up: those that go on, or were opened since and have a result."""
        return await self._store.given_up(since)

    async def settled(self, shown: Mapping[str, int]) -> None:
        """All of these matches was shown as it is at these revisions."""
        await self._store.settled(shown)

    async def put(self, surface: Surface) -> None:
        """Keep a surface."""

        def after(old: OnDisplay) -> OnDisplay:
            return replace(old, surfaces={**old.surfaces, (surface.kind, surface.seat): surface})

        await self._matches.change(surface.match, partial(self._store.put, surface), after)

    async def doubt(self, match: str, kind: Kind, seat: int = -1) -> None:
        """It is uncertain what a message shows, and why it was given up is forgotten: whoever is next finds out.

        Whatever else becomes of it at the same time is not undone.
        """

        def doubted(old: OnDisplay) -> Surface | None:
            known = old.surfaces.get((kind, seat))
            return known and replace(known, lost="", digest="")

        async def write() -> None:
            now = self._matches.known(match) or await self._read(match)
            if surface := doubted(now):
                await self._store.put(surface)

        def after(old: OnDisplay) -> OnDisplay:
            surface = doubted(old)
            return replace(old, surfaces={**old.surfaces, (kind, seat): surface}) if surface else old

        await self._matches.change(match, write, after)

    async def drop(self, match: str, kind: Kind, seat: int = -1) -> None:
        """Forget a surface, if there is one."""

        def after(old: OnDisplay) -> OnDisplay:
            return replace(old, surfaces=_without(old.surfaces, (kind, seat)))

        await self._matches.change(match, partial(self._store.drop, match, kind, seat), after)

    async def mentions(self, match: str) -> list[Mention]:
        """The mentions of a match."""
        return _in_order((await self._matches.get(match)).mentions)

    async def put_mention(self, mention: Mention) -> None:
        """Keep a mention."""

        def after(old: OnDisplay) -> OnDisplay:
            return replace(old, mentions={**old.mentions, (mention.seat, mention.decision): mention})

        await self._matches.change(mention.match, partial(self._store.put_mention, mention), after)

    async def drop_mention(self, match: str, seat: int, decision: int) -> None:
        """Forget a mention, if there is one."""

        def after(old: OnDisplay) -> OnDisplay:
            return replace(old, mentions=_without(old.mentions, (seat, decision)))

        await self._matches.change(match, partial(self._store.drop_mention, match, seat, decision), after)

    async def inbox(self, user: int) -> Inbox | None:
        """A user's direct messages, where they are known."""
        return await self._inboxes.get(user)

    async def put_inbox(self, user: int, channel: int, closed: bool) -> None:
        """Keep where a user's direct messages are, and whether they are closed."""
        write = partial(self._store.put_inbox, user, channel, closed)
        await self._inboxes.change(user, write, lambda _: Inbox(channel, closed))

    async def preferences(self, user: int) -> Preferences:
        """What a person likes."""
        return await self._preferences.get(user)

    async def prefer(self, user: int, change: Callable[[Preferences], Preferences]) -> None:
        """Change what a person likes; several changes at once all count."""
        await self._preferences.change(user, partial(self._store.prefer, user, change), change)

    async def forget_person(self, user: int) -> None:
        """Forget what a person likes, and where their direct messages are."""
        write = partial(self._store.forget_person, user)
        await self._preferences.change(user, write, lambda _: Preferences())
        await self._inboxes.change(user, write, lambda _: None)

    async def note(self, key: str) -> str | None:
        """A note of the bot's own."""
        return await self._store.note(key)

    async def put_note(self, key: str, value: str) -> None:
        """Keep a note."""
        await self._store.put_note(key, value)

    def forget(self, match: str) -> None:
        """Keep nothing of a closed match in memory."""
        self._matches.forget(match)

    async def _read(self, match: str) -> OnDisplay:
        surfaces = {(surface.kind, surface.seat): surface for surface in await self._store.of(match)}
        mentions = await self._store.mentions(match)
        return OnDisplay(surfaces, {(mention.seat, mention.decision): mention for mention in mentions})


def _in_order(items: Mapping[Any, T]) -> list[T]:
    return [items[key] for key in sorted(items)]


def _without(items: Mapping[K, T], key: K) -> dict[K, T]:
    return {each: item for each, item in items.items() if each != key}


@dataclass(slots=True)
class Cell(Generic[T]):
    """A value as the store has it; empty: it has to be read. Its lock is held while it is read or written."""

    value: list[T] = field(default_factory=list)  # one, or none
    used: int = 0  # the Unix second in which somebody last asked
    busy: int = 0  # how many are at it, or wait for the lock
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Kept(Generic[K, T]):
    """Values that are read once, kept, and changed with the store. Those idle for an hour are let go for new ones."""

    def __init__(self, read: Callable[[K], Awaitable[T]], clock: Callable[[], int]) -> None:
        self._read = read
        self._clock = clock
        self._cells: dict[K, Cell[T]] = {}
        self._writing: set[asyncio.Task[None]] = set()

    async def get(self, key: K) -> T:
        """The value of that key as it was committed last."""
        cell = self._cell(key)
        if cell.value:
            return cell.value[0]
        async with self._alone(key) as cell:
            if not cell.value:
                cell.value = [await self._read(key)]
            return cell.value[0]

    async def change(self, key: K, write: Callable[[], Awaitable[None]], after: Callable[[T], T]) -> None:
        """Write to the store, and know then what the value is after it.

        Once begun it is done whatever becomes of the one who waits for it: else nobody would know what was written.
        """
        task = asyncio.create_task(self._change(key, write, after), name=f"keep {key}")
        self._writing.add(task)
        task.add_done_callback(self._done)
        await asyncio.shield(task)

    def known(self, key: K) -> T | None:
        """The value of that key, as far as it is kept."""
        return next(iter(self._cell(key).value), None)

    def forget(self, key: K) -> None:
        """Keep nothing under that key, unless somebody is at it."""
        cell = self._cells.get(key)
        if cell is not None and not cell.busy:
            del self._cells[key]

    def _done(self, task: asyncio.Task[None]) -> None:
        self._writing.discard(task)
        if not task.cancelled():
            task.exception()  # told to whoever still waits; the store itself logs it

    async def _change(self, key: K, write: Callable[[], Awaitable[None]], after: Callable[[T], T]) -> None:
        async with self._alone(key) as cell:
            try:
                await write()
            except BaseException:  # it may have been written all the same
                cell.value = []
                raise
            cell.value = [after(value) for value in cell.value]

    @asynccontextmanager
    async def _alone(self, key: K) -> AsyncIterator[Cell[T]]:
        cell = self._cell(key)
        cell.busy += 1
        try:
            async with cell.lock:
                yield cell
        finally:
            cell.busy -= 1

    def _cell(self, key: K) -> Cell[T]:
        cell, now = self._cells.get(key), self._clock()
        if cell is None:
            for idle in [each for each, other in self._cells.items() if other.used < now - IDLE]:
                self.forget(idle)
            cell = self._cells[key] = Cell()
        cell.used = now
        return cell
