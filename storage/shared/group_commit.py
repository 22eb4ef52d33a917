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
Told = Callable[[int, int, float], None]
"""Is told of every transaction: how many writes it took, how many failed, and the seconds."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Failed:
    """Stands for the outcome of what failed alone; the others of its transaction went on."""

    error: Exception


class Says(Protocol):
    """Tells whoever runs the bot what is wrong with the database."""

    def say(self, error: BaseException) -> None:
        """Something could not be written or read."""

    def over(self) -> None:
        """Something was written."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a kind of storage brings: the errors that may be expected of it, and how one is told in the log."""

    foreseen: tuple[type[Exception], ...]
    describe: Callable[[BaseException], str]
    quotes: bool = False  # an error may quote what was to be written, so nobody is handed it


@dataclass(slots=True, eq=False)  # frozen, it would take four times as long to make
class Write(Generic[W]):
    """One write that waits: what it does, who waits for it, its name in the log, the sentence if it fails."""

    work: W
    answer: asyncio.Future[Any]
    what: str
    sorry: str
    kind: Kind
    context: Context = field(default_factory=copy_context)  # of whoever writes: a log may say what it is about

    def succeed(self, value: object) -> None:
        if not self.answer.done():
            self.answer.set_result(value)

    def fail(self, error: Exception) -> None:
        """Answer with a StoreFailure; anything unforeseen is logged, without what was to be written."""
        if not isinstance(error, StoreFailure):
            said = None if isinstance(error, self.kind.foreseen) else error
            self.context.run(log.error, "Not saved: %s. %s", self.what, self.kind.describe(error), exc_info=said)
        if not self.answer.done():
            self.answer.set_exception(error if isinstance(error, StoreFailure) else self._failure(error))

    def _failure(self, cause: Exception) -> StoreFailure:
        failure = StoreFailure(self.sorry)
        failure.__cause__ = None if self.kind.quotes else cause
        return failure


class Group(Generic[W]):
    """Takes every write that waits in one transaction. Its task lives only while there is something to write.

    `commit` answers with an outcome for each, of which a Failed is one, and raises where nothing was written.
    """

    def __init__(
        self,
        commit: Callable[[Sequence[W]], Awaitable[Sequence[Any]]],
        kind: Kind,
        told: Told | None = None,
        complaint: Says | None = None,
    ) -> None:
        self._commit = commit
        self._kind = kind
        self._told = told
        self._complaint = complaint
        self._waiting: list[Write[W]] = []
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def write(self, work: W, *, what: str, sorry: str) -> Any:
        """Have that written; its outcome once it is durable. Otherwise raises StoreFailure.

        Work that fails leaves no trace, and the others of its transaction go on. Who is cancelled while waiting cannot
        know whether it was written: it was, wholly, or it was not at all.
        """
        if self._closed:
            raise StoreFailure(CLOSING)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(Write(work, answer, what, sorry, self._kind))
        if self._task is None:
            self._task = asyncio.create_task(self._drain(), name="storage: writer")
        return await answer

    async def close(self) -> None:
        """Take no more; return when all that was taken is answered."""
        self._closed = True
        if self._task is not None:
            await asyncio.wait({self._task})

    async def _drain(self) -> None:
        batch: list[Write[W]] = []
        try:
            while self._waiting:
                batch = [write for write in self._waiting if not write.answer.done()]
                self._waiting.clear()
                await self._all(batch)
        finally:
            self._task = None
            for write in batch + self._waiting:  # left over only where this task itself was cancelled
                write.answer.cancel()
            self._waiting.clear()

    async def _all(self, batch: Sequence[Write[W]]) -> None:
        began = time.monotonic()
        try:
            outcomes = await self._commit([write.work for write in batch])
        except Exception as error:  # noqa: BLE001  # the worker's boundary: every waiting write is told
            self._tell(0, len(batch), began)
            if self._complaint is not None:
                self._complaint.say(error)
            for write in batch:
                write.fail(error)
            return
        if self._complaint is not None:
            self._complaint.over()
        failed = sum(isinstance(each, Failed) and not isinstance(each.error, StoreFailure) for each in outcomes)
        self._tell(sum(not isinstance(each, Failed) for each in outcomes), failed, began)
        if log.isEnabledFor(logging.DEBUG):
            for write in batch:
                write.context.run(log.debug, "Written: %s", write.what)
        for write, outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, Failed):
                write.fail(outcome.error)
            else:
                write.succeed(outcome)

    def _tell(self, written: int, failed: int, began: float) -> None:
        if self._told is not None:
            self._told(written, failed, time.monotonic() - began)
