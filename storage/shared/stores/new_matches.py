"""Opens matches within the limits of their server and host, and sets damaged ones aside."""

from __future__ import annotations

from collections.abc import Sequence

from engines.store.match_store import (
    Change,
    DueRule,
    MatchInfo,
    TableLimitReached,
    TableLimits,
    WriteConflict,
)
from storage.shared.match_rows import MOVED_ON, history_row, match_values, seat_row
from storage.shared.stores.due_times import called_people, due_time_of, preferred_call_delay
from storage.shared.stores.matches import find_match_opened_by
from storage.shared.stores.statements import LIVE_STATUSES, Dialect, SharedStore, Statements
from storage.shared.tables import HISTORY, MATCHES, SEATS, insert_sql

# The second condition is said as in the index of matches that follow others: otherwise SQLite does not use it.
IS_TAKEN = """
SELECT 1 FROM matches WHERE match = $1
UNION ALL
SELECT 1 FROM matches WHERE follows = $2 AND follows <> '' AND status IN ('lobby', 'running', 'paused')
LIMIT 1
"""
_INSERT = insert_sql(MATCHES, otherwise="ON CONFLICT DO NOTHING RETURNING 1")
_INSERT_SEAT = insert_sql(SEATS)
_INSERT_DEAL = "INSERT INTO deals (match, secret) VALUES ($1, $2)"
_INSERT_DUE = "INSERT INTO due (match, kind, seat, decision, since, at) VALUES ($1, $2, $3, $4, $5, $6)"
_INSERT_HISTORY = insert_sql(HISTORY)
_COUNT = "SELECT COUNT(*), COUNT(*) FILTER (WHERE host = $1) FROM matches {index} WHERE guild = $2 AND"
COUNT_LOBBIES = f"{_COUNT} status = 'lobby'"
# A practice match takes the place of its host's older ones, but of no sealed one: that became practice by an undo.
COUNT_TABLES = f"{_COUNT} status IN ({LIVE_STATUSES}) AND NOT ($3 AND practice AND seal = '' AND host = $1)"
COUNT_HOSTED = f"""
SELECT COUNT(*) FROM matches {{index}}
WHERE host = $1 AND status IN ({LIVE_STATUSES}) AND NOT ($2 AND practice AND seal = '')
"""
_SET_ASIDE = """
UPDATE matches SET status = $2, reason = $3, revision = $4, changed = $5 WHERE match = $1 AND revision = $4 - 1
RETURNING 1
"""
_insert_values = match_values(*MATCHES.columns)
_set_aside_values = match_values("match", "status", "reason", "revision", "changed")


class NewMatchStore(SharedStore):
    """The part of the match store that opens matches."""

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
        history = history_row(Change(info, "new", by, click=click), self._now())

        async def write(raw: Statements) -> int | None:
            is_taken = await raw.fetchval(IS_TAKEN, info.id, info.follows)
            if is_taken or (click and await find_match_opened_by(click, raw)):
                raise WriteConflict(MOVED_ON)
            if limits is not None:
                await _check_limits(info, limits, self._dialect, raw)
            if not await raw.fetch(_INSERT, *_insert_values(info)):
                raise WriteConflict(MOVED_ON)
            seats = [(info.id, number, *seat_row(seat)) for number, seat in enumerate(info.seats)]
            await raw.executemany(_INSERT_SEAT, seats)
            if secret:
                await raw.execute(_INSERT_DEAL, info.id, secret)
            await raw.execute(_INSERT_HISTORY, *history)
            await raw.execute(self._dialect.announce, info.id)
            return await _insert_due_times(info, due_rules, raw)

        return await self._write(write, f"match {info.id}, new", guild=info.place.guild, host=info.host)

    async def set_aside(self, info: MatchInfo) -> None:
        """Set a damaged match aside with its reason, and change nothing else. Raises WriteConflict."""
        history = history_row(Change(info, "set aside"), self._now())

        async def write(raw: Statements) -> None:
            if not await raw.fetch(_SET_ASIDE, *_set_aside_values(info)):
                raise WriteConflict(MOVED_ON)
            await raw.execute(_INSERT_HISTORY, *history)
            await raw.execute(self._dialect.announce, info.id)
            await raw.execute("DELETE FROM due WHERE match = $1", info.id)

        await self._write(write, f"match {info.id}, set aside", match=info.id)


async def _check_limits(info: MatchInfo, limits: TableLimits, dialect: Dialect, raw: Statements) -> None:
    """Check that the host and the server may have one more table."""
    host, guild = info.host, info.place.guild
    lobbies = COUNT_LOBBIES.format(index=dialect.lobbies_by_guild)
    in_all, own = await raw.fetchrow(lobbies, host, guild)
    if own >= limits.per_person or in_all >= limits.per_server:
        raise TableLimitReached(is_host_limit=own >= limits.per_person)
    hosted = COUNT_HOSTED.format(index=dialect.tables_by_host)
    if await raw.fetchval(hosted, host, info.practice) >= limits.matches_per_person:
        raise TableLimitReached(is_host_limit=True, counts_running=True, is_everywhere=True)
    if limits.tables_per_person is None and limits.tables_per_server is None:
        return
    tables = COUNT_TABLES.format(index=dialect.tables_by_guild)
    in_all, own = await raw.fetchrow(tables, host, guild, info.practice)
    person = limits.tables_per_person is not None and own >= limits.tables_per_person
    if person or (limits.tables_per_server is not None and in_all >= limits.tables_per_server):
        raise TableLimitReached(is_host_limit=person, counts_running=True)


async def _insert_due_times(info: MatchInfo, due_rules: Sequence[DueRule], raw: Statements) -> int | None:
    """Write what a new match awaits, and return when the first of it comes due."""
    call_delays = {user: await preferred_call_delay(user, raw) for user in called_people(info, due_rules)}
    times = [due_time_of(info, each, call_delays) for each in due_rules]
    rows = [
        (info.id, each.kind, each.seat, each.decision, each.since, at)
        for each, at in zip(due_rules, times, strict=True)
    ]
    await raw.executemany(_INSERT_DUE, rows)
    return min((at for at in times if at is not None), default=None)
