"""The single writer: all waiting writes share one transaction, and each is answered once it is durable."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar, cast

from storage.shared.errors import NOT_SAVED
from storage.shared.group_commit import FailedWrite, GroupCommit, StorageKind, TransactionCallback
from storage.sqlite.file.connection import Connection, transaction
from storage.sqlite.file.errors import FileErrorReporter, describe_error

T = TypeVar("T")
WriteWork = Callable[[sqlite3.Connection], T]
CommitCheck = Callable[[sqlite3.Connection], None]
"""Raises if nothing may be committed."""

SQLITE_KIND = StorageKind((sqlite3.Error, OSError), describe_error)

log = logging.getLogger(__name__)


class FileAccess(Protocol):
    """What stores need of a database file, which other programs may have open too."""

    def now(self) -> int:
        """Return the Unix second."""

    async def write(self, work: WriteWork[T], *, what: str, failure_text: str = NOT_SAVED) -> T:
        """Do the work in a transaction."""

    async def read(self, work: WriteWork[T], *, what: str) -> T:
        """Do the work on one committed state."""

    async def wipe_deleted(self) -> bool:
        """Remove deleted data from the log. Return whether that was possible."""


class Writer:
    """Puts all waiting writes into one transaction. Its task runs only while something waits."""

    def __init__(
        self,
        connection: Connection,
        on_transaction: TransactionCallback | None = None,
        commit_check: CommitCheck | None = None,
        error_reporter: FileErrorReporter | None = None,
    ) -> None:
        self._connection = connection
        self._commit_check = commit_check
        self._group: GroupCommit[WriteWork[Any]] = GroupCommit(
            self._commit, SQLITE_KIND, on_transaction, error_reporter
        )

    async def write(self, work: WriteWork[T], *, what: str, failure_text: str = NOT_SAVED) -> T:
        """Do the work in a transaction; return its value once it is durable. Raises StoreFailure.

        Failed work leaves no trace and does not affect the others. A caller that is cancelled while waiting cannot know
        whether it was written; it never is in part.
        """
        return cast("T", await self._group.write(work, what=what, failure_text=failure_text))

    async def empty_log(self) -> bool:
        """Write the whole log into the file and empty it. Return False if a reader prevents it or it fails."""
        try:
            return await self._connection.run(_empty_log)
        except (sqlite3.Error, OSError) as error:
            log.error("The log could not be emptied. %s", describe_error(error))
            return False

    async def close(self) -> None:
        """Accept no more writes; return when all accepted ones are answered."""
        await self._group.close()

    async def _commit(self, batch: Sequence[WriteWork[Any]]) -> list[Any]:
        return await self._connection.run(partial(_commit_batch, batch, self._commit_check))


def _empty_log(raw: sqlite3.Connection) -> bool:
    """Empty the log without waiting for readers, because writers wait for this."""
    (patience,) = raw.execute("PRAGMA busy_timeout").fetchone()
    raw.execute("PRAGMA busy_timeout = 0")
    try:
        busy, *_ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        raw.execute(f"PRAGMA busy_timeout = {patience}")
    return not busy


def _commit_batch(
    batch: Sequence[WriteWork[Any]], commit_check: CommitCheck | None, raw: sqlite3.Connection
) -> list[Any]:
    """Do all work in one transaction; a FailedWrite stands for what failed alone. Raises if nothing was written.

    A savepoint costs as much as a whole statement, and failing work has rarely written anything. Only if it has, run
    everything again, each in its own savepoint.
    """
    if commit_check is not None:
        commit_check(raw)
    try:
        return _run_transaction(batch, _run_without_savepoint, raw)
    except _PartlyWritten:
        return _run_transaction(batch, _run_in_savepoint, raw)


class _PartlyWritten(Exception):
    """Some work failed after it had written, so the transaction must be rolled back."""


def _run_transaction(
    batch: Sequence[WriteWork[Any]],
    run_work: Callable[[WriteWork[Any], sqlite3.Connection], Any],
    raw: sqlite3.Connection,
) -> list[Any]:
    with transaction(raw, "BEGIN IMMEDIATE"):
        return [run_work(work, raw) for work in batch]


def _run_without_savepoint(work: WriteWork[Any], raw: sqlite3.Connection) -> Any:
    before = raw.total_changes
    try:
        return work(raw)
    except Exception as error:
        if not raw.in_transaction:  # SQLite has rolled back the whole transaction, for example because the disk is full
            raise
        if raw.total_changes != before:
            raise _PartlyWritten from error
        return FailedWrite(error)


def _run_in_savepoint(work: WriteWork[Any], raw: sqlite3.Connection) -> Any:
    raw.execute("SAVEPOINT one")
    try:
        outcome = work(raw)
    except Exception as error:
        if not raw.in_transaction:
            raise
        raw.execute("ROLLBACK TO one")
        outcome = FailedWrite(error)
    raw.execute("RELEASE one")
    return outcome
