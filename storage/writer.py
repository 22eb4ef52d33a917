"""The one writer: all waiting writes go into one transaction, and each is answered after it is durable."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from engines.store import StoreFailure
from storage.connection import Connection
from storage.errors import Complaint, describe

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]
Told = Callable[[int, int, float], None]
"""Is told of every transaction: how many writes it took, how many failed, and the seconds."""
Check = Callable[[sqlite3.Connection], None]
"""Raises where nothing must be committed."""

NOT_SAVED = "This could not be saved, so nothing has changed. Please try again."
CLOSING = "Motley is just being stopped, so nothing has changed. Please try again in a few minutes."

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """One write that waits: what it does, who waits for it, its name in the log, the sentence if it fails."""

    work: Work[Any]
    answer: asyncio.Future[Any]
    what: str
    sorry: str
    context: Context = field(default_factory=copy_context)  # of whoever writes: a log may say what it is about

    def succeed(self, value: object) -> None:
        if not self.answer.done():
            self.answer.set_result(value)

    def fail(self, error: Exception) -> None:
        """Answer with a StoreFailure; anything unforeseen is logged, without what was to be written."""
        if not isinstance(error, StoreFailure):
            foreseen = isinstance(error, (sqlite3.Error, OSError))
            said = None if foreseen else error
            self.context.run(log.error, "Not saved: %s. %s", self.what, describe(error), exc_info=said)
        if not self.answer.done():
            self.answer.set_exception(error if isinstance(error, StoreFailure) else _failure(self.sorry, error))


def _failure(sorry: str, cause: Exception) -> StoreFailure:
    failure = StoreFailure(sorry)
    failure.__cause__ = cause
    return failure


class Writer:
    """Takes every write that waits in one transaction. Its task lives only while there is something to write."""

    def __init__(
        self,
        connection: Connection,
        told: Told | None = None,
        guard: Check | None = None,
        complaint: Complaint | None = None,
    ) -> None:
        self._connection = connection
        self._complaint = complaint
        self._guard = guard
        self._told = told
        self._waiting: list[Write] = []
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def write(self, work: Work[T], *, what: str, sorry: str = NOT_SAVED) -> T:
        """Do the work within a transaction; returns its value once that is durable. Otherwise raises StoreFailure.

        Work that raises leaves no trace, and the others of its transaction go on. Who is cancelled while waiting cannot
        know whether it was written: it was, wholly, or it was not at all.
        """
        if self._closed:
            raise StoreFailure(CLOSING)
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(Write(work, answer, what, sorry))
        if self._task is None:
            self._task = asyncio.create_task(self._drain(), name="storage: writer")
        return await answer

    async def wipe(self) -> bool:
        """Write all of the log into the file, and empty it. False where somebody reads in it, or it fails."""
        try:
            return await self._connection.run(_emptied)
        except (sqlite3.Error, OSError) as error:
            log.error("The log could not be emptied. %s", describe(error))
            return False

    async def close(self) -> None:
        """Take no more; return when all that was taken is answered."""
        self._closed = True
        if self._task is not None:
            await asyncio.wait({self._task})

    async def _drain(self) -> None:
        batch: list[Write] = []
        try:
            while self._waiting:
                batch = [write for write in self._waiting if not write.answer.done()]
                self._waiting.clear()
                await self._commit(batch)
        finally:
            self._task = None
            for write in batch + self._waiting:  # left over only where this task itself was cancelled
                write.answer.cancel()
            self._waiting.clear()

    async def _commit(self, batch: Sequence[Write]) -> None:
        began = time.monotonic()
        try:
            outcomes = await self._connection.run(partial(_commit, [write.work for write in batch], self._guard))
        except Exception as error:  # noqa: BLE001  # the worker's boundary: every waiting write is told
            self._tell(0, len(batch), began)
            if self._complaint is not None:
                self._complaint.say(error)
            for write in batch:
                write.fail(error)
            return
        if self._complaint is not None:
            self._complaint.over()
        failed = sum(isinstance(each, _Failed) and not isinstance(each.error, StoreFailure) for each in outcomes)
        self._tell(sum(not isinstance(each, _Failed) for each in outcomes), failed, began)
        if log.isEnabledFor(logging.DEBUG):
            for write in batch:
                write.context.run(log.debug, "Written: %s", write.what)
        for write, outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, _Failed):
                write.fail(outcome.error)
            else:
                write.succeed(outcome)

    def _tell(self, written: int, failed: int, began: float) -> None:
        if self._told is not None:
            self._told(written, failed, time.monotonic() - began)


def _emptied(raw: sqlite3.Connection) -> bool:
    """Empty the log without waiting for anybody: whoever wants to write waits for this."""
    (patience,) = raw.execute("PRAGMA busy_timeout").fetchone()
    raw.execute("PRAGMA busy_timeout = 0")
    try:
        busy, *_ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        raw.execute(f"PRAGMA busy_timeout = {patience}")
    return not busy


@dataclass(frozen=True, slots=True)
class _Failed:
    error: Exception


def _commit(batch: Sequence[Work[Any]], guard: Check | None, raw: sqlite3.Connection) -> list[Any]:
    """All the work in one transaction; a _Failed stands for what failed alone. Raises where nothing was written."""
    if guard is not None:
        guard(raw)
    raw.execute("BEGIN IMMEDIATE")
    try:
        outcomes = [_apart(work, raw) for work in batch]
        raw.execute("COMMIT")
    finally:
        if raw.in_transaction:
            raw.execute("ROLLBACK")
    return outcomes


def _apart(work: Work[Any], raw: sqlite3.Connection) -> Any:
    raw.execute("SAVEPOINT one")
    try:
        outcome = work(raw)
    except Exception as error:
        if not raw.in_transaction:  # SQLite has given up the whole transaction: a full disk, a failing one
            raise
        raw.execute("ROLLBACK TO one")
        outcome = _Failed(error)
    raw.execute("RELEASE one")
    return outcome
