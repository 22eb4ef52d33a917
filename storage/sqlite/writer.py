"""The one writer: all waiting writes go into one transaction, and each is answered after it is durable."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar, cast

from storage.shared.errors import NOT_SAVED
from storage.shared.group_commit import Failed, Group, Kind, Told
from storage.sqlite.file.connection import Connection
from storage.sqlite.file.errors import Complaint, describe

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]
Check = Callable[[sqlite3.Connection], None]
"""Raises where nothing must be committed."""

KIND = Kind((sqlite3.Error, OSError), describe)

log = logging.getLogger(__name__)


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
        self._guard = guard
        self._group: Group[Work[Any]] = Group(self._commit, KIND, told, complaint)

    async def write(self, work: Work[T], *, what: str, sorry: str = NOT_SAVED) -> T:
        """Do the work within a transaction; returns its value once that is durable. Otherwise raises StoreFailure.

        Work that raises leaves no trace, and the others of its transaction go on. Who is cancelled while waiting cannot
        know whether it was written: it was, wholly, or it was not at all.
        """
        return cast("T", await self._group.write(work, what=what, sorry=sorry))

    async def wipe(self) -> bool:
        """Write all of the log into the file, and empty it. False where somebody reads in it, or it fails."""
        try:
            return await self._connection.run(_emptied)
        except (sqlite3.Error, OSError) as error:
            log.error("The log could not be emptied. %s", describe(error))
            return False

    async def close(self) -> None:
        """Take no more; return when all that was taken is answered."""
        await self._group.close()

    async def _commit(self, batch: Sequence[Work[Any]]) -> list[Any]:
        return await self._connection.run(partial(_commit, batch, self._guard))


def _emptied(raw: sqlite3.Connection) -> bool:
    """Empty the log without waiting for anybody: whoever wants to write waits for this."""
    (patience,) = raw.execute("PRAGMA busy_timeout").fetchone()
    raw.execute("PRAGMA busy_timeout = 0")
    try:
        busy, *_ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        raw.execute(f"PRAGMA busy_timeout = {patience}")
    return not busy


def _commit(batch: Sequence[Work[Any]], guard: Check | None, raw: sqlite3.Connection) -> list[Any]:
    """All the work in one transaction; a Failed stands for what failed alone. Raises where nothing was written.

    A savepoint for each costs as much as a whole statement, and what fails has seldom written anything by then: only
    where some has, all is done once more, each in its own.
    """
    if guard is not None:
        guard(raw)
    try:
        return _done(batch, _unless_written, raw)
    except _HalfDone:
        return _done(batch, _apart, raw)


class _HalfDone(Exception):
    """Some work has failed and has written before it did, so that the transaction is taken back."""


def _done(
    batch: Sequence[Work[Any]], do: Callable[[Work[Any], sqlite3.Connection], Any], raw: sqlite3.Connection
) -> list[Any]:
    raw.execute("BEGIN IMMEDIATE")
    try:
        outcomes = [do(work, raw) for work in batch]
        raw.execute("COMMIT")
    finally:
        if raw.in_transaction:
            raw.execute("ROLLBACK")
    return outcomes


def _unless_written(work: Work[Any], raw: sqlite3.Connection) -> Any:
    before = raw.total_changes
    try:
        return work(raw)
    except Exception as error:
        if not raw.in_transaction:  # SQLite has given up the whole transaction: a full disk, a failing one
            raise
        if raw.total_changes != before:
            raise _HalfDone from error
        return Failed(error)


def _apart(work: Work[Any], raw: sqlite3.Connection) -> Any:
    raw.execute("SAVEPOINT one")
    try:
        outcome = work(raw)
    except Exception as error:
        if not raw.in_transaction:
            raise
        raw.execute("ROLLBACK TO one")
        outcome = Failed(error)
    raw.execute("RELEASE one")
    return outcome
