"""Forgets people, matches and servers: implements engines.store.forgetting."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

from engines.store.forgetting import PersonalTrace
from engines.store.match_store import FORGOTTEN_NAME, LIVE, Action, Move, Seat, WriteConflict
from engines.store.partition import ALL_SERVERS, Partition
from storage.postgres.connection.connection import RawConnection
from storage.postgres.database import Database
from storage.postgres.rows import personal_rows
from storage.postgres.writing.actions import FORGETTING_DONE, scrub_actions
from storage.postgres.writing.row_writes import forget_servers
from storage.postgres.writing.writer import MatchWork, SingleStatement
from storage.shared import row_sql
from storage.shared.match_rows import (
    MOVE_COLUMNS,
    STILL_PLAYING,
    UNUSED_USER_BASE,
    parse_traced_match,
    replace_voter,
)
from storage.shared.tables import MATCHES, SEATS, quote_columns

_MATCHES_OF_USER = f"""
SELECT match FROM seats WHERE "user" = $1 UNION SELECT match FROM history WHERE by = $1 AND by > 0
{row_sql.MATCHES_OF_PERSON.format(user="$1")}"""
_REQUEST_FORGETTING = f"""
INSERT INTO forgetting ("user", match)
SELECT $1::bigint, match FROM ({_MATCHES_OF_USER}) AS theirs UNION SELECT $1::bigint, ''
ON CONFLICT DO NOTHING
"""
_TRACES = f"""
SELECT {quote_columns(MATCHES.columns)}
FROM matches WHERE match IN ({_MATCHES_OF_USER}) ORDER BY created, match LIMIT $2 OFFSET $3
"""
_SCRUB = """
UPDATE matches SET host = CASE WHEN host = $2 THEN $3 ELSE host END, votes = $4,
    reason = CASE WHEN status = 'reset' THEN '' ELSE reason END, revision = revision + 1
WHERE match = $1
"""
_SCRUB_HANDS = """
DELETE FROM surfaces WHERE match = $1 AND kind = 'hand' AND seat IN
    (SELECT seat FROM seats WHERE match = $1 AND "user" = $2)
"""
_SCRUB_SEATS = """
UPDATE seats SET "user" = $3, name = $4, cut = '', last_cut = 0 WHERE match = $1 AND "user" = $2
"""
_RECORD_FORGETTING = """
INSERT INTO history (match, revision, action, by, reason, at)
SELECT match, revision, 'forget', $2::bigint, '', $3::bigint FROM matches WHERE match = $1
"""
_LEAST_USER = """
SELECT MIN("user") FROM (
    SELECT "user" FROM moves WHERE match = $1 UNION SELECT by FROM history WHERE match = $1
) AS named
"""
_ERASE = (
    *(
        f"DELETE FROM {table} WHERE match = $1"
        for table in (
            *("behind", "due", "mentions", "surfaces", "events", "history", "moves", "bases", "states", "deals"),
            *("seats", "forgetting"),
            *(table.name for table in row_sql.MATCH_TABLES),
            "matches",
        )
    ),
    "DELETE FROM notes WHERE key IN ('notices ' || $1, 'told ' || $1, 'around ' || $1, 'deal ' || $1)",
)
_CLOSED_MATCHES = "SELECT match FROM matches WHERE closed < $1 ORDER BY closed LIMIT $2"
# One index step per server, however many matches it has.
_GUILDS = f"""
WITH RECURSIVE known (guild) AS (
    SELECT MIN(guild) FROM matches
    UNION ALL SELECT (SELECT MIN(guild) FROM matches WHERE guild > known.guild) FROM known WHERE guild IS NOT NULL
)
SELECT guild FROM known WHERE guild IS NOT NULL UNION SELECT guild FROM servers
UNION SELECT guild FROM blocks WHERE guild <> 0 AND "user" <> 0
{row_sql.SERVERS}"""
_DESERTED_MATCHES = "SELECT match FROM matches WHERE guild IN (SELECT guild FROM departed WHERE at < $1) LIMIT $2"
_SEATS = f"""
SELECT {quote_columns(SEATS.columns[1:])} FROM seats WHERE match = $1 AND "user" = $2 ORDER BY seat
"""
_MOVES = f"""
SELECT {quote_columns(MOVE_COLUMNS)}, at, click FROM moves WHERE match = $1 AND "user" = $2 ORDER BY number
"""
_ACTIONS = "SELECT action, by, '', at, click FROM history WHERE match = $1 AND by = $2 ORDER BY revision"
_HANDS = "SELECT channel, message FROM surfaces WHERE match = $1 AND kind = 'hand' AND seat = $2"


class ForgettingStore:
    """The part of the match store that forgets."""

    _database: Database

    async def load_traces(self, user: int, skip: int, limit: int) -> list[PersonalTrace]:
        """Return what is stored about a person in their matches, oldest first."""
        work = partial(_load_traces, user, skip, limit)
        return await self._database.read(work, what="somebody's personal data", consistent=True)

    async def request_forgetting(self, user: int) -> None:
        """Record that a person wants to be forgotten: in every existing match, and everywhere else."""
        await self._database.write(SingleStatement(_REQUEST_FORGETTING, (user,)), what="who wants to be forgotten")

    async def pending_forgetting(self) -> list[tuple[int, str]]:
        """Return who is still to be forgotten, and in which match; '' is everything else and comes last."""
        return await self._database.read(_pending_forgetting, what="who wants to be forgotten")

    async def scrub_user(self, match: str, user: int) -> bool:
        """Remove a person's name and number from a match in which they do not play.

        Return whether surfaces of that match must be redrawn. Raises WriteConflict if they play in it.
        """
        work = MatchWork(partial(_scrub_user, match, user, self._database.now()), [match])
        return bool(await self._database.write(work, what=f"match {match}, somebody forgotten"))

    async def finish_forgetting(self, user: int) -> None:
        """Record that nothing outside of matches names this person any more."""
        sql = "DELETE FROM forgetting WHERE match = '' AND \"user\" = $1"
        await self._database.write(SingleStatement(sql, (user,)), what="who wants to be forgotten")

    async def closed_matches(self, before: int, limit: int) -> list[str]:
        """Return up to `limit` matches that ended before that second, oldest first."""

        async def found(raw: RawConnection) -> list[str]:
            return [row[0] for row in await raw.fetch(_CLOSED_MATCHES, before, limit)]

        return await self._database.read(found, what="old matches")

    async def record_servers(self, guilds: Collection[int], at: int, partition: Partition = ALL_SERVERS) -> None:
        """Record the servers of the partition that the bot has left; nothing of the listed ones is forgotten."""
        await self._database.write(partial(_record_servers, frozenset(guilds), at, partition), what="current servers")

    async def deserted_matches(self, before: int, limit: int) -> list[str]:
        """Return up to `limit` matches of servers that the bot left before that second.

        If no matches are left, forget those servers themselves.
        """
        work = partial(_deserted_matches, before, limit)
        found: list[str] = await self._database.write(work, what="servers that the bot has left")
        return found

    async def erase_match(self, match: str) -> None:
        """Erase everything about a match."""

        async def erase(raw: RawConnection) -> None:
            await raw.execute("SELECT FROM matches WHERE match = $1 FOR UPDATE", match)
            for sql in _ERASE:
                await raw.execute(sql, match)

        await self._database.write(MatchWork(erase, [match]), what=f"match {match}, erased")

    async def wipe_deleted(self) -> bool:
        """Vacuum forgotten data. Return whether that was possible."""
        return await self._database.wipe_deleted()


async def _scrub_user(match: str, user: int, at: int, raw: RawConnection) -> bool:
    sql = "SELECT host, votes, revision, status FROM matches WHERE match = $1 FOR NO KEY UPDATE"
    found = await raw.fetchrow(sql, match)
    if found is None:
        await raw.execute(FORGETTING_DONE, match, user)
        return False
    host, votes, revision, status = found
    sits = await raw.fetchval('SELECT 1 FROM seats WHERE match = $1 AND "user" = $2 LIMIT 1', match, user)
    if sits or host == user or str(user) in votes:
        if status in LIVE:
            raise WriteConflict(STILL_PLAYING)
        nobody = -(revision + 1)
        await raw.execute(_SCRUB, match, user, nobody, replace_voter(votes, user, nobody))
        await raw.execute(_SCRUB_HANDS, match, user)
        await raw.execute(_SCRUB_SEATS, match, user, nobody, FORGOTTEN_NAME)
        await raw.execute(_RECORD_FORGETTING, match, nobody, at)
    else:
        nobody = min(await raw.fetchval(_LEAST_USER, match) or 0, UNUSED_USER_BASE) - 1
    await scrub_actions(raw, match, user, nobody)
    return await raw.fetchval("SELECT 1 FROM behind WHERE match = $1", match) is not None


async def _pending_forgetting(raw: RawConnection) -> list[tuple[int, str]]:
    rows = await raw.fetch('SELECT "user", match FROM forgetting ORDER BY "user", match = \'\', match')
    return [(user, match) for user, match in rows]


async def _record_servers(guilds: frozenset[int], at: int, partition: Partition, raw: RawConnection) -> None:
    departed = {row[0] for row in await raw.fetch("SELECT guild FROM departed")}
    known = {row[0] for row in await raw.fetch(_GUILDS) if partition.has_server(row[0])}
    await raw.execute("DELETE FROM departed WHERE guild = ANY($1::bigint[])", list(departed & guilds))
    sql = "INSERT INTO departed (guild, at) SELECT unnest($1::bigint[]), $2 ON CONFLICT DO NOTHING"
    await raw.execute(sql, list(known - guilds - departed), at)


async def _deserted_matches(before: int, limit: int, raw: RawConnection) -> list[str]:
    found = [row[0] for row in await raw.fetch(_DESERTED_MATCHES, before, limit)]
    if not found:
        for condition in ("servers WHERE", 'blocks WHERE "user" <> 0 AND'):  # the owner's own blocks stay
            sql = f"DELETE FROM {condition} guild IN (SELECT guild FROM departed WHERE at < $1)"
            await raw.execute(sql, before)
        await forget_servers(before, raw)
        await raw.execute("DELETE FROM departed WHERE at < $1", before)
    return found


async def _load_traces(user: int, skip: int, limit: int, raw: RawConnection) -> list[PersonalTrace]:
    return [await _load_trace(user, tuple(row), raw) for row in await raw.fetch(_TRACES, user, limit, skip)]


async def _load_trace(user: int, row: tuple[Any, ...], raw: RawConnection) -> PersonalTrace:
    found = parse_traced_match(row, user)
    match = found["match"]
    own_seats = [(number, Seat(*seat)) for number, *seat in await raw.fetch(_SEATS, match, user)]
    messages = [
        tuple(each) for number, seat in own_seats if seat.has_owner for each in await raw.fetch(_HANDS, match, number)
    ]
    return PersonalTrace(
        **found,
        seats=tuple(own_seats),
        moves=tuple((Move(*move), at, click) for *move, at, click in await raw.fetch(_MOVES, match, user)),
        actions=tuple(Action(*action) for action in await raw.fetch(_ACTIONS, match, user)),
        messages=tuple((channel, message) for channel, message in messages),
        rows=await personal_rows(match, user, raw),
    )
