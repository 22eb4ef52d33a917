"""Writes matches into PostgreSQL: implements engines.store.match_store."""

from __future__ import annotations

from typing import Any

from engines.store.match_store import (
    Change,
    DueTime,
)
from storage.postgres.store import PostgresStore
from storage.postgres.writing import due_times
from storage.postgres.writing.commits import MatchCommit
from storage.postgres.writing.writer import Job, SingleStatement
from storage.shared.match_rows import MOVE_NOT_SAVED
from storage.shared.stores.due_times import MARK_DONE, DueStore
from storage.shared.stores.forgetting import ForgettingStore
from storage.shared.stores.matches import MatchReader
from storage.shared.stores.new_matches import NewMatchStore
from storage.shared.stores.rests import RestStore
from storage.shared.stores.rows import RowStore
from storage.shared.stores.server_settings import ServerSettingsStore


class MatchStore(
    PostgresStore, NewMatchStore, MatchReader, DueStore, RestStore, ForgettingStore, RowStore, ServerSettingsStore
):
    """Matches with their moves and states. Methods raise StoreFailure: see match_store."""

    is_shared = True

    async def commit(self, change: Change) -> int | None:
        """Save a change and return when its first new due time comes.

        Raises WriteConflict if the match has moved on from the revision that it builds on. A match's game, server and
        time of creation never change.
        """
        what = f"match {change.info.id}, revision {change.info.revision}, {change.action}"
        commit = MatchCommit(change, self._database.now(), self._database.process_number)
        return _int_or_none(await self._database.write(commit, what=what, failure_text=MOVE_NOT_SAVED))

    async def mark_done(self, due: DueTime, epoch: int | None = None) -> None:
        """Mark a due time as done; nothing more is due for that decision."""
        database, values = self._database, (due.match, due.kind, due.seat, due.decision)
        job: Job = SingleStatement(MARK_DONE, values)
        if epoch is not None and database.process_number:
            job = database.fence_write(due_times.MARK_DONE_FENCED, values, epoch)
        await database.write(job, what=f"{due.kind} of match {due.match}, done")

    async def wipe_deleted(self) -> bool:
        """Vacuum forgotten data. Return whether that was possible."""
        return await self._database.wipe_deleted()


def _int_or_none(found: Any) -> int | None:
    return found if isinstance(found, int) else None
