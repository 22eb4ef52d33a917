"""A read-through cache of stored values, with writes to the store first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

IDLE_SECONDS = 60 * 60  # seconds without use after which an entry is evicted
K = TypeVar("K")
T = TypeVar("T")


@dataclass(slots=True)
class CacheEntry(Generic[T]):
    """A stored value; an empty list means that it has to be loaded. The lock is held during loads and writes."""

    value: list[T] = field(default_factory=list)  # one value or none
    was_requested: bool = False  # whether it was used since the last eviction check
    last_used: int = 0  # Unix second of the last eviction check that found it used
    invalidations: int = 0  # how often another process wrote it; values loaded before that are dropped
    users: int = 0  # tasks that hold the lock or wait for it
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class ReadThroughCache(Generic[K, T]):
    """Loads each value once, and writes changes to the store first. New entries evict those idle for an hour."""

    def __init__(self, load: Callable[[K], Awaitable[T]], clock: Callable[[], int]) -> None:
        self._load = load
        self._clock = clock
        self._entries: dict[K, CacheEntry[T]] = {}
        self._writes: set[asyncio.Task[None]] = set()

    async def get(self, key: K) -> T:
        """The last committed value of a key."""
        cell = self._entry(key)
        if cell.value:
            return cell.value[0]
        async with self.lock_value(key) as cell:
            return cell.value[0]

    def keys(self) -> list[K]:
        """All keys with an entry, loaded or not."""
        return list(self._entries)

    def invalidate(self, *keys: K) -> None:
        """Drop these values, because they were written elsewhere; the next read loads them again."""
        for cell in (self._entries[key] for key in keys if key in self._entries):
            cell.value = []
            cell.invalidations += 1

    async def change(self, key: K, write: Callable[[], Awaitable[None]], update: Callable[[T], T]) -> None:
        """Write to the store, then apply the same change to the cached value.

        The write goes on even if the caller is cancelled, so that the cache always matches the store.
        """
        task = asyncio.create_task(self._write_through(key, write, update), name=f"keep {key}")
        self._writes.add(task)
        task.add_done_callback(self._finish_write)
        await asyncio.shield(task)

    def peek(self, key: K) -> T | None:
        """A key's value if it is cached, else None."""
        cell = self._entries.get(key)
        return cell.value[0] if cell is not None and cell.value else None

    @asynccontextmanager
    async def lock_value(self, key: K) -> AsyncIterator[CacheEntry[T]]:
        """Lock a key's entry with its value loaded."""
        async with self.lock_entry(key) as cell:
            renewed = cell.invalidations
            if not cell.value:
                cell.value = [await self._load(key)]
            yield cell
            if cell.invalidations != renewed:
                cell.value = []

    def forget(self, key: K) -> None:
        """Drop a key's entry, unless a task is using it."""
        cell = self._entries.get(key)
        if cell is not None and not cell.users:
            del self._entries[key]

    def _finish_write(self, task: asyncio.Task[None]) -> None:
        self._writes.discard(task)
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not log it: the store does

    async def _write_through(self, key: K, write: Callable[[], Awaitable[None]], update: Callable[[T], T]) -> None:
        async with self.lock_entry(key) as cell:
            try:
                await write()
            except BaseException:  # the write may still have succeeded
                cell.value = []
                raise
            cell.value = [update(value) for value in cell.value]

    @asynccontextmanager
    async def lock_entry(self, key: K) -> AsyncIterator[CacheEntry[T]]:
        """Lock a key's entry, with or without a value."""
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
        """Evict idle entries. Only this check updates `last_used`, to keep reads cheap."""
        for key, cell in [*self._entries.items()]:
            if cell.was_requested:
                cell.last_used, cell.was_requested = now, False
            elif cell.last_used < now - IDLE_SECONDS:
                self.forget(key)
