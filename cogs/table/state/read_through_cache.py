"""Values that are read once from a store, kept in memory, and changed with the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

IDLE = 60 * 60  # seconds after which nothing is kept of what nobody has asked for
K = TypeVar("K")
T = TypeVar("T")


@dataclass(slots=True)
class Cell(Generic[T]):
    """A value as the store has it; empty: it has to be read. Its lock is held while it is read or written."""

    value: list[T] = field(default_factory=list)  # one, or none
    asked: bool = False  # since it was last seen whether it is idle
    used: int = 0  # the Unix second in which it was last seen that somebody had asked
    renewed: int = 0  # how often it was written elsewhere: what was read before that is not kept
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
        async with self.kept(key) as cell:
            return cell.value[0]

    def keys(self) -> list[K]:
        """Whatever is kept, or may be."""
        return list(self._cells)

    def renew(self, *keys: K) -> None:
        """These were written elsewhere: whoever asks from now on has them read anew."""
        for cell in (self._cells[key] for key in keys if key in self._cells):
            cell.value = []
            cell.renewed += 1

    async def change(self, key: K, write: Callable[[], Awaitable[None]], after: Callable[[T], T]) -> None:
        """Write to the store, and know then what the value is after it.

        Once begun it is done whatever becomes of the one who waits for it: else nobody would know what was written.
        """
        task = asyncio.create_task(self._change(key, write, after), name=f"keep {key}")
        self._writing.add(task)
        task.add_done_callback(self._done)
        await asyncio.shield(task)

    def knows(self, key: K) -> bool:
        """Whether the value of that key is kept."""
        return key in self._cells and bool(self._cells[key].value)

    @asynccontextmanager
    async def kept(self, key: K) -> AsyncIterator[Cell[T]]:
        """The value of that key, read if need be, while nobody changes it."""
        async with self.alone(key) as cell:
            renewed = cell.renewed
            if not cell.value:
                cell.value = [await self._read(key)]
            yield cell
            if cell.renewed != renewed:
                cell.value = []

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
        async with self.alone(key) as cell:
            try:
                await write()
            except BaseException:  # it may have been written all the same
                cell.value = []
                raise
            cell.value = [after(value) for value in cell.value]

    @asynccontextmanager
    async def alone(self, key: K) -> AsyncIterator[Cell[T]]:
        """What is kept under that key, maybe nothing, while nobody reads or changes it."""
        cell = self._cell(key)
        cell.busy += 1
        try:
            async with cell.lock:
                yield cell
        finally:
            cell.busy -= 1

    def _cell(self, key: K) -> Cell[T]:
        cell = self._cells.get(key)
        if cell is None:
            self._let_go(self._clock())
            cell = self._cells[key] = Cell()
        cell.asked = True
        return cell

    def _let_go(self, now: int) -> None:
        """Forget those for which nobody has asked for long; when that was is noted here alone, as so much is read."""
        for key, cell in [*self._cells.items()]:
            if cell.asked:
                cell.used, cell.asked = now, False
            elif cell.used < now - IDLE:
                self.forget(key)
