"""Values that are read once from a store, kept in memory, and changed with the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

IDLE_SECONDS = 60 * 60  # seconds after which nothing is kept of what nobody has asked for
K = TypeVar("K")
T = TypeVar("T")


@dataclass(slots=True)
class CacheEntry(Generic[T]):
    """A value as the store has it; empty: it has to be read. Its lock is held while it is read or written."""

    value: list[T] = field(default_factory=list)  # one, or none
    was_requested: bool = False  # since it was last seen whether it is idle
    last_used: int = 0  # the Unix second in which it was last seen that somebody had asked
    invalidations: int = 0  # how often it was written elsewhere: what was read before that is not kept
    users: int = 0  # how many are at it, or wait for the lock
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class ReadThroughCache(Generic[K, T]):
    """Values that are read once, kept, and changed with the store. Those idle for an hour are let go for new ones."""

    def __init__(self, load: Callable[[K], Awaitable[T]], clock: Callable[[], int]) -> None:
        self._load = load
        self._clock = clock
        self._entries: dict[K, CacheEntry[T]] = {}
        self._writes: set[asyncio.Task[None]] = set()

    async def get(self, key: K) -> T:
        """The value of that key as it was committed last."""
        cell = self._entry(key)
        if cell.value:
            return cell.value[0]
        async with self.lock_value(key) as cell:
            return cell.value[0]

    def keys(self) -> list[K]:
        """Whatever is kept, or may be."""
        return list(self._entries)

    def invalidate(self, *keys: K) -> None:
        """These were written elsewhere: whoever asks from now on has them read anew."""
        for cell in (self._entries[key] for key in keys if key in self._entries):
            cell.value = []
            cell.invalidations += 1

    async def change(self, key: K, write: Callable[[], Awaitable[None]], update: Callable[[T], T]) -> None:
        """Write to the store, and know then what the value is after it.

        Once begun it is done whatever becomes of the one who waits for it: else nobody would know what was written.
        """
        task = asyncio.create_task(self._write_through(key, write, update), name=f"keep {key}")
        self._writes.add(task)
        task.add_done_callback(self._finish_write)
        await asyncio.shield(task)

    def has_value(self, key: K) -> bool:
        """Whether the value of that key is kept."""
        return key in self._entries and bool(self._entries[key].value)

    @asynccontextmanager
    async def lock_value(self, key: K) -> AsyncIterator[CacheEntry[T]]:
        """The value of that key, read if need be, while nobody changes it."""
        async with self.lock_entry(key) as cell:
            renewed = cell.invalidations
            if not cell.value:
                cell.value = [await self._load(key)]
            yield cell
            if cell.invalidations != renewed:
                cell.value = []

    def forget(self, key: K) -> None:
        """Keep nothing under that key, unless somebody is at it."""
        cell = self._entries.get(key)
        if cell is not None and not cell.users:
            del self._entries[key]

    def _finish_write(self, task: asyncio.Task[None]) -> None:
        self._writes.discard(task)
        if not task.cancelled():
            task.exception()  # told to whoever still waits; the store itself logs it

    async def _write_through(self, key: K, write: Callable[[], Awaitable[None]], update: Callable[[T], T]) -> None:
        async with self.lock_entry(key) as cell:
            try:
                await write()
            except BaseException:  # it may have been written all the same
                cell.value = []
                raise
            cell.value = [update(value) for value in cell.value]

    @asynccontextmanager
    async def lock_entry(self, key: K) -> AsyncIterator[CacheEntry[T]]:
        """What is kept under that key, maybe nothing, while nobody reads or changes it."""
        cell = self._entry(key)
        cell.users += 1
        try:
            async with cell.lock:
                yield cell
        finally:
            cell.users -= 1

    def _entry(self, key: K) -> CacheEntry[T]:
        cell = self._entries.get(key)
        if cell is None:
            self._evict_idle(self._clock())
            cell = self._entries[key] = CacheEntry()
        cell.was_requested = True
        return cell

    def _evict_idle(self, now: int) -> None:
        """Forget those for which nobody has asked for long; when that was is noted here alone, as so much is read."""
        for key, cell in [*self._entries.items()]:
            if cell.was_requested:
                cell.last_used, cell.was_requested = now, False
            elif cell.last_used < now - IDLE_SECONDS:
                self.forget(key)
