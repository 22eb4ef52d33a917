"""Writes matches into a file: implements engines.store.match_store."""

from __future__ import annotations

import sqlite3
from functools import partial

from engines.store.match_store import (
    Change,
    DueTime,
    MatchInfo,
    WriteConflict,
)
from storage.shared.match_rows import (
    MOVE_NOT_SAVED,
    MOVED_ON,
    base_row,
    history_row,
    match_values,
    move_row,
    seat_row,
)
from storage.shared.stores.due_times import DECISIONS, MARK_DONE, DueStore, find_deadlines
from storage.shared.stores.forgetting import ForgettingStore, scrub_actions
from storage.shared.stores.matches import MatchReader
from storage.shared.stores.new_matches import NewMatchStore
from storage.shared.stores.rests import RestStore
from storage.shared.stores.rows import RowStore, write_row
from storage.shared.stores.server_settings import ServerSettingsStore
from storage.shared.tables import BASES, HISTORY, MATCHES, MOVES, SEATS, STATES, insert_sql, quote_columns
from storage.sqlite.due_times import write_due_times
from storage.sqlite.statements import DIALECT, FileStatements, FileStore, finish, mark


class MatchStore(
    FileStore, NewMatchStore, MatchReader, DueStore, RestStore, ForgettingStore, RowStore, ServerSettingsStore
):
    """Matches with their moves and states. Methods raise StoreFailure: see match_store."""

    is_shared = False  # an open file is locked

    async def commit(self, change: Change) -> int | None:
        """Save a change and return when its first new due time comes.

        Raises WriteConflict if the match has moved on from the revision that it builds on. A match's game, server and
        time of creation never change.
        """
        what = f"match {change.info.id}, revision {change.info.revision}, {change.action}"
        work = partial(_commit_change, change, self._database.now())
        return await self._database.write(work, what=what, failure_text=MOVE_NOT_SAVED)

    async def mark_done(self, due: DueTime, epoch: int | None = None) -> None:
        """Mark a due time as done; nothing more is due for that decision. A single process is never refused."""
        what = f"{due.kind} of match {due.match}, done"
        await self._execute(what, MARK_DONE, due.match, due.kind, due.seat, due.decision)

    async def wipe_deleted(self) -> bool:
        """Remove forgotten data from the log. Return whether that was possible."""
        return await self._database.wipe_deleted()


_MARK_STALE = "INSERT OR IGNORE INTO behind (match) VALUES (?)"
# What is due for decisions is postponed by the seconds for which time rested.
_POSTPONE_AFTER_REST = f"""
UPDATE due SET since = since + ?1, at = at + ?1 WHERE match = ?2 AND kind IN ({DECISIONS}) AND at IS NOT NULL
"""
# By position: named parameters take a fifth of the time of an update.
_CHANGED = tuple(column for column in MATCHES.changing_columns if column not in ("status", "host"))
_SET = ", ".join(f"{column} = ?" for column in _CHANGED)
# Six indexes use the status or the host and are updated even if neither changes; few changes are about them.
_UPDATE_IN_PLACE = f"UPDATE matches SET {_SET} WHERE status = ? AND host = ? AND match = ? AND revision = ?"
_UPDATE_INDEXED = f"UPDATE matches SET {_SET}, status = ?, host = ? WHERE match = ? AND revision = ?"
_update_values = match_values(*_CHANGED, "status", "host", "match")
_SEATS = f"SELECT {quote_columns(SEATS.changing_columns)} FROM seats WHERE match = ? ORDER BY seat"
_INSERT_SEAT = mark(insert_sql(SEATS))
_INSERT_STATE = mark(insert_sql(STATES))
_INSERT_BASE = mark(insert_sql(BASES))
_INSERT_MOVE = mark(insert_sql(MOVES))
_INSERT_HISTORY = mark(insert_sql(HISTORY))
# One row per event: its index and its JSON.
_INSERT_EVENTS = """
INSERT INTO events (match, revision, idx, move, recipients, body)
SELECT ?, ?, key, ?, json_extract(value, '$.to'), value FROM json_each(?)
"""


def _commit_change(change: Change, at: int, raw: sqlite3.Connection) -> int | None:
    row = (*_update_values(change.info), change.info.revision - 1)
    if raw.execute(_UPDATE_IN_PLACE, row).rowcount != 1 and raw.execute(_UPDATE_INDEXED, row).rowcount != 1:
        raise WriteConflict(MOVED_ON)
    statements = FileStatements(raw)
    old = change.old_deadlines
    if old is not None and old != {*finish(find_deadlines(change.info.id, statements))}:
        raise WriteConflict(MOVED_ON)
    if change.seats_changed:
        _write_seats(raw, change.info)
    _write_state(raw, change, at)
    if change.cuts:
        raw.execute("UPDATE deals SET cuts = ? WHERE match = ?", (change.cuts, change.info.id))
    if change.move is not None:
        raw.execute(_INSERT_MOVE, move_row(change.info.id, change.move, at, change.click))
    if change.action != "play":
        raw.execute(_INSERT_HISTORY, history_row(change, at))
    if change.events != "[]":
        info = change.info
        raw.execute(_INSERT_EVENTS, (info.id, info.revision, info.moves, change.events))
    for write in change.rows:
        finish(write_row(write, change.info.id, None, DIALECT, statements))
    if change.forgotten_user:
        finish(scrub_actions(change.info.id, change.forgotten_user, change.by, DIALECT, statements))
    raw.execute(_MARK_STALE, (change.info.id,))
    if change.rest:
        raw.execute(_POSTPONE_AFTER_REST, (change.rest, change.info.id))
    return write_due_times(raw, change.info, change.due_rules)


def _write_seats(raw: sqlite3.Connection, info: MatchInfo) -> None:
    """Write the seats that have changed, which is rare."""
    wanted = [seat_row(seat) for seat in info.seats]
    if raw.execute(_SEATS, (info.id,)).fetchall() == wanted:
        return
    raw.execute("DELETE FROM seats WHERE match = ?", (info.id,))
    raw.executemany(_INSERT_SEAT, [(info.id, number, *seat) for number, seat in enumerate(wanted)])


def _write_state(raw: sqlite3.Connection, change: Change, at: int) -> None:
    info = change.info
    if change.seed is not None:
        raw.execute(_INSERT_STATE, STATES.row(match=info.id, seed=change.seed, checkpoint=change.checkpoint))
    elif change.checkpoint is not None:
        values = (change.checkpoint, info.id)
        if raw.execute("UPDATE states SET checkpoint = ? WHERE match = ?", values).rowcount != 1:
            raise LookupError(f"match {info.id} was never started")
    if change.seed is not None or change.base is not None:
        raw.execute(_INSERT_BASE, base_row(info, change.base, at, _read_seed(raw, info.id)))


def _read_seed(raw: sqlite3.Connection, match: str) -> str:
    (seed,) = raw.execute("SELECT seed FROM states WHERE match = ?", (match,)).fetchone()
    return str(seed)
