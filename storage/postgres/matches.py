"""Durable storage of matches: implements engines.store.match_store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

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
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.text import encode_texts
from storage.postgres.database import Database
from storage.postgres.deals import DealStore
from storage.postgres.forgetting import ForgettingStore
from storage.postgres.rows import RowStore
from storage.postgres.writing import deals, due_times, future_times, rests, server_settings, stale_surfaces
from storage.postgres.writing.commits import MatchCommit, insert_match, notify_changed, write_history, write_seats
from storage.postgres.writing.writer import Job, MatchWork, SingleStatement
from storage.shared.match_rows import (
    MOVE_COLUMNS,
    MOVE_NOT_SAVED,
    MOVED_ON,
    SELECT_MATCHES,
    compute_checksum,
    parse_infos,
)
from storage.shared.partition_queries import partition_condition
from storage.shared.tables import quote_columns


class MatchStore(ForgettingStore, RowStore, DealStore):
    """Matches with their moves and states. Methods raise StoreFailure: see match_store."""

    is_shared = True

    def __init__(self, database: Database) -> None:
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
        new = MatchCommit(Change(info, "new", by, due_rules=tuple(due_rules), click=click), self._database.now())
        job = MatchWork(partial(_insert_match, new, limits, secret), guild=info.place.guild, host=info.host)
        return _int_or_none(await self._database.write(job, what=f"match {info.id}, new"))

    async def commit(self, change: Change) -> int | None:
        """Save a change and return when its first new due time comes.

        Raises WriteConflict if the match has moved on from the revision that it builds on. A match's game, server and
        time of creation never change.
        """
        what = f"match {change.info.id}, revision {change.info.revision}, {change.action}"
        commit = MatchCommit(change, self._database.now(), self._database.process_number)
        return _int_or_none(await self._database.write(commit, what=what, failure_text=MOVE_NOT_SAVED))

    async def revision(self, match: str) -> int | None:
        """Return the revision of a match; None if it does not exist."""
        return await self._database.read(partial(_read_revision, match), what=f"match {match}")

    async def recent_clicks(self, match: str) -> tuple[int, tuple[int, ...]]:
        """Return the revision of a match and the ids of its latest clicks, in order."""
        return await self._database.read(partial(_recent_clicks, match), what=f"match {match}", consistent=True)

    async def match_opened_by(self, click: int) -> str | None:
        """Return the match that this click opened, if any."""
        return await self._database.read(partial(_match_opened_by, click), what="the match that a click opened")

    async def server_settings(self, guild: int) -> ServerSettings:
        """Return a server's settings for its tables."""
        return await self._database.read(partial(server_settings.read_settings, guild), what="settings of a server")

    async def change_server_settings(
        self, guild: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change a server's settings and return the new ones; concurrent changes all count."""
        job = MatchWork(
            partial(server_settings.change_settings, guild, change),
            find_matches=partial(stale_surfaces.server_lobbies, guild),
            guild=guild,
        )
        server: ServerSettings = await self._database.write(job, what="settings of a server")
        return server

    async def set_aside(self, info: MatchInfo) -> None:
        """Set a damaged match aside with its reason, and change nothing else. Raises WriteConflict."""
        work = partial(_set_aside, MatchCommit(Change(info, "set aside"), self._database.now()))
        await self._database.write(MatchWork(work, [info.id]), what=f"match {info.id}, set aside")

    async def load_info(self, match: str) -> MatchInfo | None:
        """Load a match without its game state."""
        return await self._database.read(partial(read_info, match), what=f"match {match}")

    async def load(self, match: str) -> SavedMatch | None:
        """Load a started match with its game state; None for a lobby or an unknown match. Raises DamagedMatch."""
        return await self._database.read(partial(read_saved, match), what=f"match {match}", consistent=True)

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
        return await self._database.read(
            partial(due_times.find_due, until, partition), what="due times", consistent=True
        )

    async def mark_done(self, due_: DueTime, epoch: int | None = None) -> None:
        """Mark a due time as done; nothing more is due for that decision."""
        database, values = self._database, (due_.match, due_.kind, due_.seat, due_.decision)
        job: Job = SingleStatement(due_times.MARK_DONE, values)
        if epoch is not None and database.process_number:
            job = database.fence_write(due_times.MARK_DONE_FENCED, values, epoch)
        await database.write(job, what=f"{due_.kind} of match {due_.match}, done")

    async def record_alive(self, at: int, partition: Partition = ALL_SERVERS) -> None:
        """Record that the bot was alive at that second for these servers."""
        await self._database.write(
            SingleStatement(due_times.PUT_ALIVE, due_times.alive_values(at, partition)),
            what="the time at which the bot was alive",
        )

    async def postpone_deadlines(
        self, since: int | None, until: int, partition: Partition = ALL_SERVERS
    ) -> dict[str, bool]:
        """Postpone the deadlines by that time (None: since the bot was last alive), and return their matches."""
        job = MatchWork(
            partial(due_times.postpone_deadlines, since, until, partition),
            find_matches=partial(due_times.matches_with_deadlines, partition),
        )
        later: dict[str, bool] = await self._database.write(job, what="deadlines")
        return later

    async def put_times_right(self, now: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """Put times right that a wrong clock wrote, and return their matches."""
        future = future_times.FutureTimes(now, partition)
        job = MatchWork(future.put_right, find_matches=future.find_matches)
        matches: list[str] = await self._database.write(job, what="times")
        return matches

    async def load_deadlines(self, match: str) -> list[DueTime]:
        """Return the deadlines of a match's open decisions."""
        return await self._database.read(partial(due_times.find_deadlines, [match]), what=f"deadlines of match {match}")

    async def load_lapse(self, match: str) -> DueTime | None:
        """Return when a match's open request lapses."""
        return await self._database.read(partial(due_times.find_lapse, match), what=f"deadlines of match {match}")

    async def rest_until(self, user: int) -> int:
        """Return the second until which a person rests, or 0 if they do not."""
        return await self._database.read(partial(rests.read_rest, user), what="a rest")

    async def change_rest(self, user: int, until: int, now: int) -> list[str]:
        """Store until when a person rests (0 ends it), move what is due, and return their live matches."""
        job = MatchWork(partial(rests.change_rest, user, until, now), find_matches=partial(rests.user_matches, user))
        matches: list[str] = await self._database.write(job, what="a rest")
        return matches

    async def end_expired_rests(self, now: int) -> list[str]:
        """End the rests that were to end by that second, and return the live matches of these people."""
        expired = rests.ExpiredRests(now)
        job = MatchWork(expired.end, find_matches=expired.find_matches)
        matches: list[str] = await self._database.write(job, what="rests that are over")
        return matches

    async def postpone_call(self, match: str, seat: int, since: int, step_text: str | None = None) -> int | None:
        """Restart the wait for a seat's pending reminder, save its unfinished steps, and return when it comes."""
        later: int | None = await self._database.write(
            MatchWork(partial(due_times.postpone_call, match, seat, since, step_text), [match]),
            what=f"reminder of match {match}",
        )
        return later

    async def load_move_steps(self, match: str) -> dict[int, str]:
        """Return the unfinished move steps of each seat."""
        return await self._database.read(partial(due_times.read_move_steps, match), what=f"move steps in match {match}")

    async def load_history(self, match: str) -> list[Action]:
        """Return a match's actions, oldest first; of its moves, only those that everybody may know."""
        return await self._database.read(partial(_read_history, match), what=f"history of match {match}")


# If others may not know that a move was made, it has no public event.
_HISTORY = """
SELECT action, by, reason, at FROM (
    SELECT revision, action, by, reason, at FROM history WHERE match = $1
    UNION ALL
    SELECT e.revision, 'play', CASE WHEN m.level IN ('', 'forced') THEN m."user" ELSE 0 END,
        CASE WHEN m.level = 'forced' THEN m.level ELSE '' END, m.at FROM moves AS m JOIN (
        SELECT DISTINCT revision, move FROM events WHERE match = $1 AND recipients IS NULL
    ) AS e ON e.move = m.number WHERE m.match = $1
) AS actions ORDER BY revision
"""
_RECENT_CLICKS = """
(SELECT click FROM moves WHERE match = $1 AND click > 0 ORDER BY number DESC LIMIT $2)
UNION (SELECT click FROM history WHERE match = $1 AND click > 0 ORDER BY revision DESC LIMIT $2)
ORDER BY click
"""
_MATCH_OPENED_BY = "SELECT match FROM history WHERE click = $1 AND action = 'new' AND click > 0"
# Matches in which a computer is due, or a person whose reminder is past or will not come.
_MATCHES_AWAITING_COMPUTERS = """
SELECT match FROM matches WHERE status = 'running'
    AND NOT EXISTS (SELECT FROM due WHERE due.match = matches.match AND kind = 'call' AND decision >= 0)
"""
_COUNT = "SELECT COUNT(*), COUNT(*) FILTER (WHERE host = $1) FROM matches WHERE guild = $2 AND"
_COUNT_LOBBIES = f"{_COUNT} status = 'lobby'"
# A practice match takes the place of its host's older ones, but of no sealed one: that became practice by an undo.
_COUNT_TABLES = f"""
{_COUNT} status IN ({stale_surfaces.LIVE_STATUSES}) AND NOT ($3 AND practice AND seal = '' AND host = $1)
"""
_COUNT_HOSTED = f"""
SELECT COUNT(*) FROM matches
WHERE host = $1 AND status IN ({stale_surfaces.LIVE_STATUSES}) AND NOT ($2 AND practice AND seal = '')
"""
_COUNT_LIVE = (
    f"SELECT game, status, COUNT(*) FROM matches WHERE status IN ({stale_surfaces.LIVE_STATUSES}) GROUP BY game, status"
)
_LIVE_AFTER = f"SELECT match FROM matches WHERE status IN ({stale_surfaces.LIVE_STATUSES}) AND match > $1"
_SET_ASIDE = """
UPDATE matches SET status = $2, reason = $3, revision = $4, changed = $5 WHERE match = $1 AND revision = $4 - 1
"""
_STATE = "SELECT seed, checkpoint FROM states WHERE match = $1"
_BASE = "SELECT checkpoint, moves, seal FROM bases WHERE match = $1 ORDER BY revision DESC LIMIT 1"
_MOVES = f"SELECT {quote_columns(MOVE_COLUMNS)} FROM moves WHERE match = $1 AND number > $2 ORDER BY number"


def _int_or_none(found: Any) -> int | None:
    return found if isinstance(found, int) else None


async def _insert_match(commit: MatchCommit, limits: TableLimits | None, secret: str, raw: RawConnection) -> int | None:
    info = commit.change.info
    if await _is_taken(info, raw) or (commit.change.click and await _match_opened_by(commit.change.click, raw)):
        raise WriteConflict(MOVED_ON)
    if limits is not None:
        await _check_limits(info, limits, raw)
    if not await insert_match(info, raw):
        raise WriteConflict(MOVED_ON)
    await write_seats(info, raw)
    if secret:
        await deals.insert_secret(raw, info.id, secret)
    await write_history([commit], raw)
    await stale_surfaces.mark_stale(raw, [info.id])
    await notify_changed([info], raw)
    return await due_times.write_due_times(raw, info, commit.change.due_rules)


async def _is_taken(info: MatchInfo, raw: RawConnection) -> bool:
    """Return whether its id is taken, or its predecessor already has a live follower."""
    sql = f"""
    SELECT 1 FROM matches
    WHERE match = $1 OR ($2 <> '' AND follows = $2 AND status IN ({stale_surfaces.LIVE_STATUSES})) LIMIT 1
    """
    return await raw.fetchval(sql, info.id, info.follows) is not None


async def _check_limits(info: MatchInfo, limits: TableLimits, raw: RawConnection) -> None:
    """Check that the host and the server may have one more table."""
    host, guild = info.host, info.place.guild
    row = await raw.fetchrow(_COUNT_LOBBIES, host, guild)
    assert row is not None
    in_all, own = row
    if own >= limits.per_person or in_all >= limits.per_server:
        raise TableLimitReached(is_host_limit=own >= limits.per_person)
    if await raw.fetchval(_COUNT_HOSTED, host, info.practice) >= limits.matches_per_person:
        raise TableLimitReached(is_host_limit=True, counts_running=True, is_everywhere=True)
    if limits.tables_per_person is None and limits.tables_per_server is None:
        return
    row = await raw.fetchrow(_COUNT_TABLES, host, guild, info.practice)
    assert row is not None
    in_all, own = row
    person = limits.tables_per_person is not None and own >= limits.tables_per_person
    if person or (limits.tables_per_server is not None and in_all >= limits.tables_per_server):
        raise TableLimitReached(is_host_limit=person, counts_running=True)


async def _set_aside(commit: MatchCommit, raw: RawConnection) -> None:
    info = commit.change.info
    values = (info.id, info.status.value, info.reason, info.revision, info.changed)
    if await raw.execute(_SET_ASIDE, *values) != "UPDATE 1":
        raise WriteConflict(MOVED_ON)
    await write_history([commit], raw)
    await stale_surfaces.mark_stale(raw, [info.id])
    await notify_changed([info], raw)
    await due_times.write_due_times(raw, info, ())


async def _read_revision(match: str, raw: RawConnection) -> int | None:
    found: int | None = await raw.fetchval("SELECT revision FROM matches WHERE match = $1", match)
    return found


async def _recent_clicks(match: str, raw: RawConnection) -> tuple[int, tuple[int, ...]]:
    found = await raw.fetch(_RECENT_CLICKS, match, RECENT_CLICKS)
    return await _read_revision(match, raw) or 0, tuple(row[0] for row in found)


async def _match_opened_by(click: int, raw: RawConnection) -> str | None:
    found: str | None = await raw.fetchval(_MATCH_OPENED_BY, click)
    return found


async def read_info(match: str, raw: RawConnection) -> MatchInfo | None:
    found = parse_infos(map(tuple, await raw.fetch(f"{SELECT_MATCHES} WHERE m.match = $1 ORDER BY s.seat", match)))
    return found[0] if found else None


async def _find_matches(
    statuses: frozenset[Status], guild: int | None, user: int | None, follows: str | None, raw: RawConnection
) -> list[MatchInfo]:
    conditions, values = ["m.status = ANY($1::text[])"], [encode_texts(statuses)]
    asked: list[object] = [*values]
    if Status.ASIDE in statuses:  # an unknown status counts as set aside
        asked.append(encode_texts(Status))
        conditions[0] = f"({conditions[0]} OR m.status <> ALL(${len(asked)}::text[]))"
    for condition, value in (
        ("m.guild =", guild),
        ("m.follows =", follows),
        ("m.match IN (SELECT match FROM seats WHERE gone = '' AND \"user\" =", user),
    ):
        if value is not None:
            asked.append(value)
            conditions.append(f"{condition} ${len(asked)}{')' if '(' in condition else ''}")
    sql = f"{SELECT_MATCHES} WHERE {' AND '.join(conditions)} ORDER BY m.created DESC, m.number DESC, s.seat"
    return parse_infos(map(tuple, await raw.fetch(sql, *asked)))


async def _count_live(raw: RawConnection) -> dict[tuple[str, str], int]:
    return {(game, status): count for game, status, count in await raw.fetch(_COUNT_LIVE)}


async def _live_after(after: str, limit: int, partition: Partition, raw: RawConnection) -> list[str]:
    sql = f"{_LIVE_AFTER}{partition_condition(partition)} ORDER BY match LIMIT $2"
    return [row[0] for row in await raw.fetch(sql, after, limit)]


async def _matches_awaiting_computers(partition: Partition, raw: RawConnection) -> list[str]:
    return [row[0] for row in await raw.fetch(f"{_MATCHES_AWAITING_COMPUTERS}{partition_condition(partition)}")]


async def read_saved(match: str, raw: RawConnection) -> SavedMatch | None:
    info = await read_info(match, raw)
    state = await raw.fetchrow(_STATE, match)
    if info is None or state is None:
        return None
    found = await raw.fetchrow(_BASE, match)
    if found is None:
        raise DamagedMatch("the state before its moves is missing")
    base, base_moves, checksum = found
    if checksum and checksum != compute_checksum(info, state[0], base_moves, base):
        raise DamagedMatch("its seed, options, seats or first state have been altered")
    clocks, lapse = tuple(await due_times.find_deadlines([match], raw)), await due_times.find_lapse(match, raw)
    moves = tuple(Move(*row) for row in await raw.fetch(_MOVES, match, base_moves))
    return SavedMatch(info, state[0], base, base_moves, state[1], moves, clocks, lapse)


async def _read_history(match: str, raw: RawConnection) -> list[Action]:
    return [Action(*row) for row in await raw.fetch(_HISTORY, match)]
