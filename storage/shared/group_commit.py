"""Group commit: all that waits to be written goes into one transaction, and each is answered after it is durable."""

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
"""Is told of every transaction: how many writes it took, how many failed, and the seconds."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FailedWrite:
    """Stands for the outcome of what failed alone; the others of its transaction went on."""

    error: Exception


class ErrorReporter(Protocol):
    """Tells whoever runs the bot what is wrong with the database."""

    def report(self, error: BaseException) -> None:
        """Something could not be written or read."""

    def clear(self) -> None:
        """Something was written."""


@dataclass(frozen=True, slots=True)
class StorageKind:
    """What a kind of storage brings: the errors that may be expected of it, and how one is told in the log."""

    expected_errors: tuple[type[Exception], ...]
    describe: Callable[[BaseException], str]
    quotes_values: bool = False  # an error may quote what was to be written, so nobody is handed it


@dataclass(slots=True, eq=False)  # frozen, it would take four times as long to make
class PendingWrite(Generic[W]):
    """One write that waits: what it does, who waits for it, its name in the log, the sentence if it fails."""

    work: W
    outcome: asyncio.Future[Any]
    what: str
    failure_text: str
    kind: StorageKind
    context: Context = field(default_factory=copy_context)  # of whoever writes: a log may say what it is about

    def succeed(self, value: object) -> None:
        if not self.outcome.done():
            self.outcome.set_result(value)

    def fail(self, error: Exception) -> None:
        """Answer with a StoreFailure; anything unforeseen is logged, without what was to be written."""
        if not isinstance(error, StoreFailure):
            said = None if isinstance(error, self.kind.expected_errors) else error
            self.context.run(log.error, "Not saved: %s. %s", self.what, self.kind.describe(error), exc_info=said)
        if not self.outcome.done():
            self.outcome.set_exception(error if isinstance(error, StoreFailure) else self._make_failure(error))

    def _make_failure(self, cause: Exception) -> StoreFailure:
        failure = StoreFailure(self.failure_text)
        failure.__cause__ = None if self.kind.quotes_values else cause
        return failure


class GroupCommit(Generic[W]):
    """Takes every write that waits in one transaction. Its task lives only while there is something to write.

    `commit` answers with an outcome for each, of which a Failed is one, and raises where nothing was written.
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
        """Have that written; its outcome once it is durable. Otherwise raises StoreFailure.

        Work that fails leaves no trace, and the others of its transaction go on. Who is cancelled while waiting cannot
        know whether it was written: it was, wholly, or it was not at all.
        """
        if self._is_closed:
            raise StoreFailure(CLOSING)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(PendingWrite(work, answer, what, failure_text, self._kind))
        if self._task is None:
            self._task = asyncio.create_task(self._drain(), name="storage: writer")
        return await answer

    async def close(self) -> None:
        """Take no more; return when all that was taken is answered."""
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
            for write in batch + self._waiting:  # left over only where this task itself was cancelled
                write.outcome.cancel()
            self._waiting.clear()

    async def _commit_batch(self, batch: Sequence[PendingWrite[W]]) -> None:
        began = time.monotonic()
        try:
            outcomes = await self._commit([write.work for write in batch])
        except Exception as error:  # noqa: BLE001  # the worker's boundary: every waiting write is told
            self._report_transaction(0, len(batch), began)
            if self._error_reporter is not None:
                self._error_reporter.report(error)
            for write in batch:
                write.fail(error)
            return
        if self._error_reporter is not None:
            self._error_reporter.clear()
        failed = sum(isinstance(each, FailedWrite) and not isinstance(each.error, StoreFailure) for each in outcomes)
        self._report_transaction(sum(not isinstance(each, FailedWrite) for each in outcomes), failed, began)
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
