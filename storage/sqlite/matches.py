"""Durable storage of matches: implements engines.store.match_store."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial

from engines.store.match_store import (
    LIVE,
    RECENT_CLICKS,
    Action,
    Change,
    DamagedMatch,
    DueRule,
    DueTime,
    MatchInfo,
    Move,
    SavedMatch,
    Status,
    TableLimitReached,
    TableLimits,
    WriteConflict,
)
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.server_settings import ServerSettings
from storage.shared.match_rows import (
    MOVE_COLUMNS,
    MOVE_NOT_SAVED,
    MOVED_ON,
    SELECT_MATCHES,
    base_row,
    compute_checksum,
    history_row,
    match_values,
    move_row,
    parse_infos,
    seat_row,
)
from storage.shared.partition_queries import partition_condition
from storage.shared.table_sql import insert_sql
from storage.shared.tables import BASES, HISTORY, MATCHES, MOVES, SEATS, STATES, quote_columns
from storage.sqlite import deals, due_times, rests, servers, stale_surfaces
from storage.sqlite.deals import DealStore
from storage.sqlite.forgetting import ForgettingStore, scrub_actions
from storage.sqlite.rows import RowStore, mark, write_row
from storage.sqlite.writer import FileAccess


class MatchStore(ForgettingStore, RowStore, DealStore):
    """Matches with their moves and states. Methods raise StoreFailure: see match_store."""

    is_shared = False  # an open file is locked

    def __init__(self, database: FileAccess) -> None:
        self._database = database

    async def insert(
        self,
        info: MatchInfo,
        by: int,
        limits: TableLimits | None = None,
        due_rules: Sequence[DueRule] = (),
        click: int = 0,
        secret: str = "",
    ) -> int | None:
        """Insert a new match and return when its first due time comes.

        Raises TableLimitReached beyond the limits; WriteConflict if its id is taken, its predecessor is already
        followed, or the same click has opened a match.
        """
        work = partial(
            _insert_match,
            Change(info, "new", by, due_rules=tuple(due_rules), click=click),
            limits,
            self._database.now(),
            secret,
        )
        return await self._database.write(work, what=f"match {info.id}, new")

    async def commit(self, change: Change) -> int | None:
        """Save a change and return when its first new due time comes.

        Raises WriteConflict if the match has moved on from the revision that it builds on. A match's game, server and
        time of creation never change.
        """
        what = f"match {change.info.id}, revision {change.info.revision}, {change.action}"
        work = partial(_commit_change, change, self._database.now())
        return await self._database.write(work, what=what, failure_text=MOVE_NOT_SAVED)

    async def revision(self, match: str) -> int | None:
        """Return the revision of a match; None if it does not exist."""
        return await self._database.read(partial(_read_revision, match), what=f"match {match}")

    async def recent_clicks(self, match: str) -> tuple[int, tuple[int, ...]]:
        """Return the revision of a match and the ids of its latest clicks, in order."""
        return await self._database.read(partial(_recent_clicks, match), what=f"match {match}")

    async def match_opened_by(self, click: int) -> str | None:
        """Return the match that this click opened, if any."""
        return await self._database.read(partial(_match_opened_by, click), what="the match that a click opened")

    async def server_settings(self, guild: int) -> ServerSettings:
        """Return a server's settings for its tables."""
        return await self._database.read(partial(servers.read_settings, guild), what="settings of a server")

    async def change_server_settings(
        self, guild: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change a server's settings and return the new ones; concurrent changes all count."""
        return await self._database.write(partial(servers.change_settings, guild, change), what="settings of a server")

    async def set_aside(self, info: MatchInfo) -> None:
        """Set a damaged match aside with its reason, and change nothing else. Raises WriteConflict."""
        work = partial(_set_aside, info, self._database.now())
        await self._database.write(work, what=f"match {info.id}, set aside")

    async def load_info(self, match: str) -> MatchInfo | None:
        """Load a match without its game state."""
        return await self._database.read(partial(read_info, match), what=f"match {match}")

    async def load(self, match: str) -> SavedMatch | None:
        """Load a started match with its game state; None for a lobby or an unknown match. Raises DamagedMatch."""
        return await self._database.read(partial(read_saved, match), what=f"match {match}")

    async def find(
        self,
        *,
        statuses: frozenset[Status] = LIVE,
        guild: int | None = None,
        user: int | None = None,
        follows: str | None = None,
    ) -> list[MatchInfo]:
        """Find matches with one of the statuses, newest first, filtered by server, seated user or previous match."""
        return await self._database.read(partial(_find_matches, statuses, guild, user, follows), what="matches")

    async def count_live(self) -> dict[tuple[str, str], int]:
        """Count the live matches by game and status."""
        return await self._database.read(_count_live, what="the number of matches")

    async def live_matches_after(self, after: str, limit: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return up to `limit` ids of live matches of these servers, in order, after the given one."""
        return await self._database.read(partial(_live_after, after, limit, partition), what="matches")

    async def matches_awaiting_computers(self, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return the ids of running matches of these servers in which only computers may be due."""
        return await self._database.read(partial(_matches_awaiting_computers, partition), what="matches")

    async def load_due(self, until: int, partition: Partition = ALL_SERVERS) -> tuple[list[DueTime], int | None]:
        """Return the open due times of these servers up to that second, oldest first, and the next one."""
        return await self._database.read(partial(due_times.find_due, until, partition), what="due times")

    async def mark_done(self, due_: DueTime, epoch: int | None = None) -> None:
        """Mark a due time as done; nothing more is due for that decision. A single process is never refused."""
        await self._database.write(partial(due_times.mark_done, due_), what=f"{due_.kind} of match {due_.match}, done")

    async def record_alive(self, at: int, partition: Partition = ALL_SERVERS) -> None:
        """Record that the bot was alive at that second for these servers."""
        await self._database.write(
            partial(due_times.record_alive, at, partition), what="the time at which the bot was alive"
        )

    async def postpone_deadlines(
        self, since: int | None, until: int, partition: Partition = ALL_SERVERS
    ) -> dict[str, bool]:
        """Postpone the deadlines by that time (None: since the bot was last alive), and return their matches."""
        return await self._database.write(
            partial(due_times.postpone_deadlines, since, until, partition), what="deadlines"
        )

    async def put_times_right(self, now: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """Put times right that a wrong clock wrote, and return their matches."""
        return await self._database.write(partial(due_times.put_times_right, now, partition), what="times")

    async def load_deadlines(self, match: str) -> list[DueTime]:
        """Return the deadlines of a match's open decisions."""
        return await self._database.read(partial(due_times.find_deadlines, match), what=f"deadlines of match {match}")

    async def load_lapse(self, match: str) -> DueTime | None:
        """Return when a match's open request lapses."""
        return await self._database.read(partial(due_times.find_lapse, match), what=f"deadlines of match {match}")

    async def rest_until(self, user: int) -> int:
        """Return the second until which a person rests, or 0 if they do not."""
        return await self._database.read(partial(rests.read_rest, user), what="a rest")

    async def change_rest(self, user: int, until: int, now: int) -> list[str]:
        """Store until when a person rests (0 ends it), move what is due, and return their live matches."""
        return await self._database.write(partial(rests.change_rest, user, until, now), what="a rest")

    async def end_expired_rests(self, now: int) -> list[str]:
        """End the rests that were to end by that second, and return the live matches of these people."""
        return await self._database.write(partial(rests.end_expired_rests, now), what="rests that are over")

    async def postpone_call(self, match: str, seat: int, since: int, step_text: str | None = None) -> int | None:
        """Restart the wait for a seat's pending reminder, save its unfinished steps, and return when it comes."""
        return await self._database.write(
            partial(due_times.postpone_call, match, seat, since, step_text), what=f"reminder of match {match}"
        )

    async def load_move_steps(self, match: str) -> dict[int, str]:
        """Return the unfinished move steps of each seat."""
        return await self._database.read(partial(due_times.read_move_steps, match), what=f"move steps in match {match}")

    async def load_history(self, match: str) -> list[Action]:
        """Return a match's actions, oldest first; of its moves, only those that everybody may know."""
        return await self._database.read(partial(_read_history, match), what=f"history of match {match}")


_INSERT = mark(insert_sql(MATCHES, otherwise="ON CONFLICT DO NOTHING"))
_insert_values = match_values(*MATCHES.columns)
# By position: named parameters take a fifth of the time of an update.
_CHANGED = tuple(column for column in MATCHES.changing_columns if column != "status")
_SET = ", ".join(f"{column} = ?" for column in _CHANGED)
# Five indexes use the status and are updated even if it does not change; few changes are about it.
_UPDATE_SAME_STATUS = f"UPDATE matches SET {_SET} WHERE status = ? AND match = ? AND revision = ?"
_UPDATE_ANY_STATUS = f"UPDATE matches SET {_SET}, status = ? WHERE match = ? AND revision = ?"
_update_values = match_values(*_CHANGED, "status", "match")
_SET_ASIDE = """
UPDATE matches SET status = ?2, reason = ?3, revision = ?4, changed = ?5 WHERE match = ?1 AND revision = ?4 - 1
"""
_set_aside_values = match_values("match", "status", "reason", "revision", "changed")
_SEATS = f"SELECT {quote_columns(SEATS.changing_columns)} FROM seats WHERE match = ? ORDER BY seat"
_INSERT_SEAT = mark(insert_sql(SEATS))
_INSERT_STATE = mark(insert_sql(STATES))
_INSERT_BASE = mark(insert_sql(BASES))
_MOVES = f"SELECT {quote_columns(MOVE_COLUMNS)} FROM moves WHERE match = ? AND number > ? ORDER BY number"
_INSERT_MOVE = mark(insert_sql(MOVES))
_INSERT_HISTORY = mark(insert_sql(HISTORY))
# One row per event: its index and its JSON.
_INSERT_EVENTS = """
INSERT INTO events (match, revision, idx, move, recipients, body)
SELECT ?, ?, key, ?, json_extract(value, '$.to'), value FROM json_each(?)
"""
# If others may not know that a move was made, it has no public event.
_HISTORY = """
SELECT action, by, reason, at FROM (
    SELECT revision, action, by, reason, at FROM history WHERE match = :match
    UNION ALL
    SELECT e.revision, 'play', IIF(m.level IN ('', 'forced'), m.user, 0),
        IIF(m.level = 'forced', m.level, ''), m.at FROM moves AS m JOIN (
        SELECT DISTINCT revision, move FROM events WHERE match = :match AND recipients IS NULL
    ) AS e ON e.move = m.number WHERE m.match = :match
) ORDER BY revision
"""
_RECENT_CLICKS = """
SELECT click FROM (SELECT click FROM moves WHERE match = :match AND click > 0 ORDER BY number DESC LIMIT :lately)
UNION SELECT click FROM (
    SELECT click FROM history WHERE match = :match AND click > 0 ORDER BY revision DESC LIMIT :lately
) ORDER BY click
"""
_LIVE = ", ".join(f"'{status}'" for status in sorted(LIVE))
# Matches in which a computer is due, or a person whose reminder is past or will not come.
_MATCHES_AWAITING_COMPUTERS = """
SELECT match FROM matches WHERE status = 'running'
    AND NOT EXISTS (SELECT 1 FROM due WHERE due.match = matches.match AND kind = 'call')
"""
# Use the indexes of live matches only: SQLite would rather scan all matches ever played in a server.
_COUNT = "SELECT COUNT(*), COALESCE(SUM(host = ?), 0) FROM matches INDEXED BY"
_COUNT_LOBBIES = f"{_COUNT} lobbies_by_guild WHERE guild = ? AND status = 'lobby'"
# A practice match takes the place of its host's older ones, but of no sealed one: that became practice by an undo.
_STAYS = "NOT (? AND practice AND seal = '' AND host = ? AND match <> ?)"
_COUNT_TABLES = f"{_COUNT} tables_by_guild WHERE guild = ? AND status IN ({_LIVE}) AND {_STAYS}"
_COUNT_HOSTED = f"""
SELECT COUNT(*) FROM matches INDEXED BY tables_by_host WHERE host = ? AND status IN ({_LIVE}) AND {_STAYS}
"""


def _insert_match(
    change: Change, limits: TableLimits | None, at: int, secret: str, raw: sqlite3.Connection
) -> int | None:
    info = change.info
    if change.click and _match_opened_by(change.click, raw):
        raise WriteConflict(MOVED_ON)
    if raw.execute(_INSERT, _insert_values(info)).rowcount != 1:
        raise WriteConflict(MOVED_ON)
    if limits is not None:
        _check_limits(info, limits, raw)
    _write_seats(raw, info)
    if secret:
        deals.insert_secret(raw, info.id, secret)
    raw.execute(_INSERT_HISTORY, history_row(change, at))
    stale_surfaces.mark_stale(raw, info.id)
    return due_times.write_due_times(raw, info, change.due_rules)


def _check_limits(info: MatchInfo, limits: TableLimits, raw: sqlite3.Connection) -> None:
    """Check the limits, counting the inserted match; one too many is rolled back."""
    in_all, own = raw.execute(_COUNT_LOBBIES, (info.host, info.place.guild)).fetchone()
    if own > limits.per_person or in_all > limits.per_server:
        raise TableLimitReached(is_host_limit=own > limits.per_person)
    replaced = (info.practice, info.host, info.id)
    (hosted,) = raw.execute(_COUNT_HOSTED, (info.host, *replaced)).fetchone()
    if hosted > limits.matches_per_person:
        raise TableLimitReached(is_host_limit=True, counts_running=True, is_everywhere=True)
    if limits.tables_per_person is None and limits.tables_per_server is None:
        return
    in_all, own = raw.execute(_COUNT_TABLES, (info.host, info.place.guild, *replaced)).fetchone()
    person = limits.tables_per_person is not None and own > limits.tables_per_person
    if person or (limits.tables_per_server is not None and in_all > limits.tables_per_server):
        raise TableLimitReached(is_host_limit=person, counts_running=True)


def _commit_change(change: Change, at: int, raw: sqlite3.Connection) -> int | None:
    row = (*_update_values(change.info), change.info.revision - 1)
    if raw.execute(_UPDATE_SAME_STATUS, row).rowcount != 1 and raw.execute(_UPDATE_ANY_STATUS, row).rowcount != 1:
        raise WriteConflict(MOVED_ON)
    if change.old_deadlines is not None and change.old_deadlines != {*due_times.find_deadlines(change.info.id, raw)}:
        raise WriteConflict(MOVED_ON)
    if change.seats_changed:
        _write_seats(raw, change.info)
    _write_state(raw, change, at)
    if change.cuts:
        deals.write_cuts(raw, change.info.id, change.cuts)
    if change.move is not None:
        raw.execute(_INSERT_MOVE, move_row(change.info.id, change.move, at, change.click))
    if change.action != "play":
        raw.execute(_INSERT_HISTORY, history_row(change, at))
    if change.events != "[]":
        info = change.info
        raw.execute(_INSERT_EVENTS, (info.id, info.revision, info.moves, change.events))
    for write in change.rows:
        write_row(write, change.info.id, None, raw)
    if change.forgotten_user:
        scrub_actions(raw, change.info.id, change.forgotten_user, change.by)
    stale_surfaces.mark_stale(raw, change.info.id)
    if change.rest:
        due_times.postpone_after_rest(raw, change.info.id, change.rest)
    return due_times.write_due_times(raw, change.info, change.due_rules)


def _set_aside(info: MatchInfo, at: int, raw: sqlite3.Connection) -> None:
    if raw.execute(_SET_ASIDE, _set_aside_values(info)).rowcount != 1:
        raise WriteConflict(MOVED_ON)
    raw.execute(_INSERT_HISTORY, history_row(Change(info, "set aside"), at))
    stale_surfaces.mark_stale(raw, info.id)
    due_times.write_due_times(raw, info, ())


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


def _read_revision(match: str, raw: sqlite3.Connection) -> int | None:
    found = raw.execute("SELECT revision FROM matches WHERE match = ?", (match,)).fetchone()
    return None if found is None else int(found[0])


def _recent_clicks(match: str, raw: sqlite3.Connection) -> tuple[int, tuple[int, ...]]:
    found = raw.execute(_RECENT_CLICKS, {"match": match, "lately": RECENT_CLICKS})
    return _read_revision(match, raw) or 0, tuple(click for (click,) in found)


def _match_opened_by(click: int, raw: sqlite3.Connection) -> str | None:
    sql = "SELECT match FROM history WHERE click = ? AND action = 'new' AND click > 0"
    return next((match for (match,) in raw.execute(sql, (click,))), None)


def read_info(match: str, raw: sqlite3.Connection) -> MatchInfo | None:
    found = parse_infos(raw.execute(f"{SELECT_MATCHES} WHERE m.match = ? ORDER BY s.seat", (match,)).fetchall())
    return found[0] if found else None


def _find_matches(
    statuses: frozenset[Status], guild: int | None, user: int | None, follows: str | None, raw: sqlite3.Connection
) -> list[MatchInfo]:
    conditions = ["m.status IN (SELECT value FROM json_each(:statuses))"]
    if Status.ASIDE in statuses:  # an unknown status counts as set aside
        conditions[0] = f"({conditions[0]} OR m.status NOT IN (SELECT value FROM json_each(:known)))"
    if guild is not None:
        conditions.append("+m.guild = :guild")  # +: use the index of live matches, not of all matches in that server
    if user is not None:
        conditions.append("m.match IN (SELECT match FROM seats WHERE user = :user AND gone = '')")
    if follows is not None:
        conditions.append("m.follows = :follows")
    sql = f"{SELECT_MATCHES} WHERE {' AND '.join(conditions)} ORDER BY m.created DESC, m.rowid DESC, s.seat"
    lists = {"statuses": json.dumps(sorted(statuses)), "known": json.dumps(sorted(Status))}
    return parse_infos(raw.execute(sql, {**lists, "guild": guild, "user": user, "follows": follows}).fetchall())


def _count_live(raw: sqlite3.Connection) -> dict[tuple[str, str], int]:
    sql = """
    SELECT game, status, COUNT(*) FROM matches WHERE status IN (SELECT value FROM json_each(?)) GROUP BY game, status
    """
    return {(game, status): count for game, status, count in raw.execute(sql, (json.dumps(sorted(LIVE)),))}


def _live_after(after: str, limit: int, partition: Partition, raw: sqlite3.Connection) -> list[str]:
    there = f"status IN ({_LIVE}) AND +match > ?{partition_condition(partition)}"
    sql = f"SELECT match FROM matches WHERE {there} ORDER BY +match LIMIT ?"
    return [match for (match,) in raw.execute(sql, (after, limit))]


def _matches_awaiting_computers(partition: Partition, raw: sqlite3.Connection) -> list[str]:
    return [match for (match,) in raw.execute(f"{_MATCHES_AWAITING_COMPUTERS}{partition_condition(partition)}")]


def read_saved(match: str, raw: sqlite3.Connection) -> SavedMatch | None:
    info = read_info(match, raw)
    state = raw.execute("SELECT seed, checkpoint FROM states WHERE match = ?", (match,)).fetchone()
    if info is None or state is None:
        return None
    sql = "SELECT checkpoint, moves, seal FROM bases WHERE match = ? ORDER BY revision DESC LIMIT 1"
    found = raw.execute(sql, (match,)).fetchone()
    if found is None:
        raise DamagedMatch("the state before its moves is missing")
    base, base_moves, checksum = found
    if checksum and checksum != compute_checksum(info, state[0], base_moves, base):
        raise DamagedMatch("its seed, options, seats or first state have been altered")
    clocks, lapse = tuple(due_times.find_deadlines(match, raw)), due_times.find_lapse(match, raw)
    moves = tuple(_read_moves(match, base_moves, raw))
    return SavedMatch(info, state[0], base, base_moves, state[1], moves, clocks, lapse)


def _read_moves(match: str, after: int, raw: sqlite3.Connection) -> list[Move]:
    return [Move(*row) for row in raw.execute(_MOVES, (match, after))]


def _read_history(match: str, raw: sqlite3.Connection) -> list[Action]:
    return [Action(*row) for row in raw.execute(_HISTORY, {"match": match})]
