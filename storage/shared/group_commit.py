"""Group commit: one transaction for all waiting writes, each confirmed once it is durable."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from engines.store.match_store import StoreFailure
from storage.shared.errors import CLOSING

W = TypeVar("W")
TransactionCallback = Callable[[int, int, float], None]
"""Called after every transaction with the number of writes, the number of failures, and the seconds."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FailedWrite:
    """The outcome of a write that failed alone; the others in its transaction went through."""

    error: Exception


class ErrorReporter(Protocol):
    """Tells the operator what is wrong with the database."""

    def report(self, error: BaseException) -> None:
        """Report that a read or write failed."""

    def clear(self) -> None:
        """Report that a write succeeded."""


@dataclass(frozen=True, slots=True)
class StorageKind:
    """What a kind of storage provides: its expected errors, and how to describe one in the log."""

    expected_errors: tuple[type[Exception], ...]
    describe: Callable[[BaseException], str]
    quotes_values: bool = False  # an error may quote the written values, so it is not passed on


@dataclass(slots=True, eq=False)  # frozen, it would take four times as long to create
class PendingWrite(Generic[W]):
    """A waiting write: its work, its caller's future, its name in the log, and its failure text."""

    work: W
    outcome: asyncio.Future[Any]
    what: str
    failure_text: str
    kind: StorageKind
    context: Context = field(default_factory=copy_context)  # the caller's context: the log uses it

    def succeed(self, value: object) -> None:
        if not self.outcome.done():
            self.outcome.set_result(value)

    def fail(self, error: Exception) -> None:
        """Answer with a StoreFailure; log unexpected errors without the written values."""
        if not isinstance(error, StoreFailure):
            logged = None if isinstance(error, self.kind.expected_errors) else error
            self.context.run(log.error, "Not saved: %s. %s", self.what, self.kind.describe(error), exc_info=logged)
        if not self.outcome.done():
            self.outcome.set_exception(error if isinstance(error, StoreFailure) else self._make_failure(error))

    def _make_failure(self, cause: Exception) -> StoreFailure:
        failure = StoreFailure(self.failure_text)
        failure.__cause__ = None if self.kind.quotes_values else cause
        return failure


class GroupCommit(Generic[W]):
    """Puts all waiting writes into one transaction. Its task runs only while something waits.

    `commit` returns an outcome for each write, maybe a FailedWrite, and raises if nothing was written.
    """

    def __init__(
        self,
        commit: Callable[[Sequence[W]], Awaitable[Sequence[Any]]],
        kind: StorageKind,
        on_transaction: TransactionCallback | None = None,
        error_reporter: ErrorReporter | None = None,
    ) -> None:
        self._commit = commit
        self._kind = kind
        self._on_transaction = on_transaction
        self._error_reporter = error_reporter
        self._waiting: list[PendingWrite[W]] = []
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    async def write(self, work: W, *, what: str, failure_text: str) -> Any:
        """Write and return the outcome once it is durable. Raises StoreFailure.

        A failed write leaves no trace and does not affect the others. A caller that is cancelled while waiting cannot
        know whether it was written; it never is in part.
        """
        if self._is_closed:
            raise StoreFailure(CLOSING)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(PendingWrite(work, answer, what, failure_text, self._kind))
        if self._task is None:
            self._task = asyncio.create_task(self._drain(), name="storage: writer")
        return await answer

    async def close(self) -> None:
        """Accept no more writes; return when all accepted ones are answered."""
        self._is_closed = True
        if self._task is not None:
            await asyncio.wait({self._task})

    async def _drain(self) -> None:
        batch: list[PendingWrite[W]] = []
        try:
            while self._waiting:
                batch = [write for write in self._waiting if not write.outcome.done()]
                self._waiting.clear()
                await self._commit_batch(batch)
        finally:
            self._task = None
            for write in batch + self._waiting:  # left over only if this task itself was cancelled
                write.outcome.cancel()
            self._waiting.clear()

    async def _commit_batch(self, batch: Sequence[PendingWrite[W]]) -> None:
        start = time.monotonic()
        try:
            outcomes = await self._commit([write.work for write in batch])
        except Exception as error:  # noqa: BLE001  # the worker's boundary: every waiting write is told
            self._report_transaction(0, len(batch), start)
            if self._error_reporter is not None:
                self._error_reporter.report(error)
            for write in batch:
                write.fail(error)
            return
        if self._error_reporter is not None:
            self._error_reporter.clear()
        failed = sum(isinstance(each, FailedWrite) and not isinstance(each.error, StoreFailure) for each in outcomes)
        self._report_transaction(sum(not isinstance(each, FailedWrite) for each in outcomes), failed, start)
        if log.isEnabledFor(logging.DEBUG):
            for write in batch:
                write.context.run(log.debug, "Written: %s", write.what)
        for write, outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, FailedWrite):
                write.fail(outcome.error)
            else:
                write.succeed(outcome)

    def _report_transaction(self, written: int, failed: int, started_at: float) -> None:
        if self._on_transaction is not None:
            self._on_transaction(written, failed, time.monotonic() - started_at)
