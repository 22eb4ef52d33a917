"""Reads matches and their histories: implements parts of engines.store.match_store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from engines.store.match_store import (
    LIVE,
    RECENT_CLICKS,
    Action,
    DamagedMatch,
    MatchInfo,
    Move,
    SavedDeal,
    SavedMatch,
    Status,
)
from engines.store.partition import ALL_SERVERS, Partition
from storage.shared.match_rows import MOVE_COLUMNS, SELECT_MATCHES, compute_checksum, count_by_status, parse_infos
from storage.shared.partition_queries import partition_condition
from storage.shared.stores.due_times import find_deadlines, find_lapse
from storage.shared.stores.statements import LIVE_STATUSES, Dialect, SharedStore, Statements
from storage.shared.tables import quote_columns

_REVISION = "SELECT revision FROM matches WHERE match = $1"
_RECENT_CLICKS = """
SELECT click FROM (
    SELECT click FROM moves WHERE match = $1 AND click > 0 ORDER BY number DESC LIMIT $2
) AS moved
UNION SELECT click FROM (
    SELECT click FROM history WHERE match = $1 AND click > 0 ORDER BY revision DESC LIMIT $2
) AS acted
ORDER BY click
"""
_MATCH_OPENED_BY = "SELECT match FROM history WHERE click = $1 AND action = 'new' AND click > 0"
_STATE = "SELECT seed, checkpoint FROM states WHERE match = $1"
_BASE = "SELECT checkpoint, moves, seal FROM bases WHERE match = $1 ORDER BY revision DESC LIMIT 1"
_MOVES = f"SELECT {quote_columns(MOVE_COLUMNS)} FROM moves WHERE match = $1 AND number > $2 ORDER BY number"
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
# Matches in which a computer is due, or a person whose reminder is past or will not come.
_MATCHES_AWAITING_COMPUTERS = """
SELECT match FROM matches WHERE status = 'running'
    AND NOT EXISTS (SELECT 1 FROM due WHERE due.match = matches.match AND kind = 'call' AND decision >= 0)
"""
_COUNT_LIVE = f"SELECT game, status, COUNT(*) FROM matches WHERE status IN ({LIVE_STATUSES}) GROUP BY game, status"
_COUNT = "SELECT status, COUNT(*) FROM matches WHERE guild = $1 GROUP BY status"


class MatchReader(SharedStore):
    """The part of the match store that reads matches."""

    async def revision(self, match: str) -> int | None:
        """Return the revision of a match; None if it does not exist."""
        return await self._read(partial(_read_revision, match), f"match {match}")

    async def recent_clicks(self, match: str) -> tuple[int, tuple[int, ...]]:
        """Return the revision of a match and the ids of its latest clicks, in order."""

        async def load(raw: Statements) -> tuple[int, tuple[int, ...]]:
            clicks = tuple([click for (click,) in await raw.fetch(_RECENT_CLICKS, match, RECENT_CLICKS)])
            return await _read_revision(match, raw) or 0, clicks

        return await self._read(load, f"match {match}", consistent=True)

    async def match_opened_by(self, click: int) -> str | None:
        """Return the match that this click opened, if any."""
        return await self._read(partial(find_match_opened_by, click), "the match that a click opened")

    async def load_info(self, match: str) -> MatchInfo | None:
        """Load a match without its game state."""
        return await self._read(partial(read_info, match), f"match {match}")

    async def load(self, match: str) -> SavedMatch | None:
        """Load a started match with its game state; None for a lobby or an unknown match. Raises DamagedMatch."""
        return await self._read(partial(read_saved, match), f"match {match}", consistent=True)

    async def load_deal(self, match: str) -> SavedDeal | None:
        """Return the sealed deal of a match, or None if it has none."""
        return await self._read(partial(read_deal, match), f"match {match}, deal")

    async def load_history(self, match: str) -> list[Action]:
        """Return a match's actions, oldest first; of its moves, only those that everybody may know."""
        return [Action(*row) for row in await self._fetch(f"history of match {match}", _HISTORY, match)]

    async def find(
        self,
        *,
        statuses: frozenset[Status] = LIVE,
        guild: int | None = None,
        user: int | None = None,
        follows: str | None = None,
    ) -> list[MatchInfo]:
        """Find matches with one of the statuses, newest first, filtered by server, seated user or previous match."""
        sql, values = find_sql(self._dialect, statuses, guild, user, follows)
        return parse_infos(map(tuple, await self._fetch("matches", sql, *values)))

    async def count_live(self) -> dict[tuple[str, str], int]:
        """Count the live matches by game and status."""
        rows = await self._fetch("the number of matches", _COUNT_LIVE)
        return {(game, status): count for game, status, count in rows}

    async def count_matches(self, guild: int) -> Mapping[Status, int]:
        """Return how many matches of a server are stored, by status."""
        return count_by_status(map(tuple, await self._fetch("the matches of a server", _COUNT, guild)))

    async def newest_matches(self, guild: int, statuses: frozenset[Status], limit: int, game: str = "") -> list[str]:
        """Return the ids of a server's matches with one of the statuses, the last changed first, up to a limit."""
        sql = f"""
        SELECT match FROM matches
        WHERE guild = $1 AND status IN ({_quote(statuses)}) AND (CAST($2 AS text) = '' OR game = $2)
        ORDER BY changed DESC, {self._dialect.insertion_order} DESC LIMIT $3
        """
        return [match for (match,) in await self._fetch("the matches of a server", sql, guild, game, limit)]

    async def live_matches_after(self, after: str, limit: int, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return up to `limit` ids of live matches of these servers, in order, after the given one."""
        match = f"{self._dialect.unindexed}match"
        condition = f"status IN ({LIVE_STATUSES}) AND {match} > $1{partition_condition(partition)}"
        sql = f"SELECT match FROM matches WHERE {condition} ORDER BY {match} LIMIT $2"
        return [found for (found,) in await self._fetch("matches", sql, after, limit)]

    async def matches_awaiting_computers(self, partition: Partition = ALL_SERVERS) -> list[str]:
        """Return the ids of running matches of these servers in which only computers may be due."""
        sql = f"{_MATCHES_AWAITING_COMPUTERS}{partition_condition(partition)}"
        return [match for (match,) in await self._fetch("matches", sql)]


def find_sql(
    dialect: Dialect, statuses: frozenset[Status], guild: int | None, user: int | None, follows: str | None
) -> tuple[str, list[object]]:
    """Return the statement that finds matches, and its values."""
    status = "m.status" if user is None else f"{dialect.unindexed}m.status"  # a person has fewer matches than a status
    conditions, values = [f"{status} IN ({_quote(statuses)})"], list[object]()
    if Status.ASIDE in statuses:  # an unknown status counts as set aside
        conditions[0] = f"({conditions[0]} OR {status} NOT IN ({_quote(Status)}))"
    for condition, value in (
        (f"{dialect.unindexed}m.guild = {{}}", guild),  # use the index of live matches
        ("m.match IN (SELECT match FROM seats WHERE \"user\" = {} AND gone = '')", user),
        ("m.follows = {}", follows),
    ):
        if value is not None:
            values.append(value)
            conditions.append(condition.format(f"${len(values)}"))
    if follows is not None and statuses <= LIVE:  # said as in the index: otherwise SQLite does not use it
        conditions.append("m.follows <> '' AND m.status IN ('lobby', 'running', 'paused')")
    order = f"m.created DESC, m.{dialect.insertion_order} DESC, s.seat"
    return f"{SELECT_MATCHES} WHERE {' AND '.join(conditions)} ORDER BY {order}", values


async def find_match_opened_by(click: int, raw: Statements) -> str | None:
    """Return the match that this click opened, if any."""
    found: str | None = await raw.fetchval(_MATCH_OPENED_BY, click)
    return found


async def read_info(match: str, raw: Statements) -> MatchInfo | None:
    """Return a match without its game state."""
    found = parse_infos(map(tuple, await raw.fetch(f"{SELECT_MATCHES} WHERE m.match = $1 ORDER BY s.seat", match)))
    return found[0] if found else None


async def read_deal(match: str, raw: Statements) -> SavedDeal | None:
    """Return the sealed deal of a match, or None if it has none."""
    rows = await raw.fetch("SELECT secret, cuts FROM deals WHERE match = $1", match)
    return SavedDeal(*rows[0]) if rows else None


async def read_saved(match: str, raw: Statements) -> SavedMatch | None:
    """Return a started match with its game state; None for a lobby or an unknown match. Raises DamagedMatch."""
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
    clocks, lapse = tuple(await find_deadlines(match, raw)), await find_lapse(match, raw)
    moves = tuple(Move(*row) for row in await raw.fetch(_MOVES, match, base_moves))
    return SavedMatch(info, state[0], base, base_moves, state[1], moves, clocks, lapse)


async def _read_revision(match: str, raw: Statements) -> int | None:
    found: int | None = await raw.fetchval(_REVISION, match)
    return found


def _quote(statuses: Iterable[Status]) -> str:
    return ", ".join(f"'{status}'" for status in sorted(statuses)) or "''"
