"""Forgets people, matches and servers: implements engines.store.forgetting."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection
from functools import partial
from typing import Any

from engines.store.forgetting import PersonalTrace
from engines.store.match_store import FORGOTTEN_NAME, LIVE, Action, Move, Seat, WriteConflict
from engines.store.partition import ALL_SERVERS, Partition
from storage.shared import row_sql
from storage.shared.match_rows import (
    MOVE_COLUMNS,
    STILL_PLAYING,
    UNUSED_USER_BASE,
    parse_traced_match,
    replace_voter,
)
from storage.shared.stores.rows import forget_in_match, forget_servers, personal_rows
from storage.shared.stores.statements import Dialect, SharedStore, Statements
from storage.shared.tables import MATCHES, SEATS, quote_columns

_MATCHES_OF_USER = f"""
SELECT match FROM seats WHERE "user" = $1 UNION SELECT match FROM history WHERE by = $1 AND by > 0
{row_sql.MATCHES_OF_PERSON.format(user="$1")}"""
_REQUEST_FORGETTING = f"""
INSERT INTO forgetting ("user", match)
SELECT CAST($1 AS bigint), match FROM ({_MATCHES_OF_USER}) AS theirs UNION SELECT CAST($1 AS bigint), '' WHERE TRUE
ON CONFLICT DO NOTHING
"""
_PENDING = 'SELECT "user", match FROM forgetting ORDER BY "user", match = \'\', match'
_FINISH = "DELETE FROM forgetting WHERE match = '' AND \"user\" = $1"
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
SELECT match, revision, 'forget', CAST($2 AS bigint), '', CAST($3 AS bigint) FROM matches WHERE match = $1
"""
_SCRUB_ACTIONS = (
    'UPDATE moves SET "user" = $3, click = 0 WHERE match = $1 AND "user" = $2',
    "UPDATE history SET by = $3, click = 0 WHERE match = $1 AND by = $2",
)
# A reason may name a player who has left; for a damaged match it does not.
_SCRUB_REASONS = "UPDATE history SET reason = '' WHERE match = $1 AND action <> 'set aside'"
_SCRUBBED = 'DELETE FROM forgetting WHERE match = $1 AND "user" = $2'
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
    "DELETE FROM notes WHERE key IN ('notices ' || $1, 'told ' || $1, 'around ' || $1, 'deal ' || $1, 'seal ' || $1)",
)
# One index step per server, however many matches it has.
_GUILDS = f"""
WITH RECURSIVE known (guild) AS (
    SELECT MIN(guild) FROM matches
    UNION ALL SELECT (SELECT MIN(guild) FROM matches WHERE guild > known.guild) FROM known WHERE guild IS NOT NULL
)
SELECT guild FROM known WHERE guild IS NOT NULL UNION SELECT guild FROM servers
UNION SELECT guild FROM blocks WHERE guild <> 0 AND "user" <> 0
{row_sql.SERVERS}"""
_DEPART = "INSERT INTO departed (guild, at) VALUES ($1, $2) ON CONFLICT DO NOTHING"
_LEFT = "guild IN (SELECT guild FROM departed WHERE at < $1)"
_SEATS = f"""
SELECT {quote_columns(SEATS.columns[1:])} FROM seats WHERE match = $1 AND "user" = $2 ORDER BY seat
"""
_MOVES = f"""
SELECT {quote_columns(MOVE_COLUMNS)}, at, click FROM moves WHERE match = $1 AND "user" = $2 ORDER BY number
"""
_ACTIONS = "SELECT action, by, '', at, click FROM history WHERE match = $1 AND by = $2 ORDER BY revision"
_HANDS = "SELECT channel, message FROM surfaces WHERE match = $1 AND kind = 'hand' AND seat = $2"


class ForgettingStore(SharedStore):
    """The part of the match store that forgets."""

    async def load_traces(self, user: int, skip: int, limit: int) -> list[PersonalTrace]:
        """Return what is stored about a person in their matches, oldest first."""

        async def load(raw: Statements) -> list[PersonalTrace]:
            return [await _load_trace(user, tuple(row), raw) for row in await raw.fetch(_TRACES, user, limit, skip)]

        return await self._read(load, "somebody's personal data", consistent=True)

    async def request_forgetting(self, user: int) -> None:
        """Record that a person wants to be forgotten: in every existing match, and everywhere else."""
        await self._execute("who wants to be forgotten", _REQUEST_FORGETTING, user)

    async def pending_forgetting(self) -> list[tuple[int, str]]:
        """Return who is still to be forgotten, and in which match; '' is everything else and comes last."""
        return [(user, match) for user, match in await self._fetch("who wants to be forgotten", _PENDING)]

    async def scrub_user(self, match: str, user: int) -> bool:
        """Remove a person's name and number from a match in which they do not play.

        Return whether surfaces of that match must be redrawn. Raises WriteConflict if they play in it.
        """
        work = partial(_scrub_user, match, user, self._now(), self._dialect)
        return await self._write(work, f"match {match}, somebody forgotten", match=match)

    async def finish_forgetting(self, user: int) -> None:
        """Record that nothing outside of matches names this person any more."""
        await self._execute("who wants to be forgotten", _FINISH, user)

    async def closed_matches(self, before: int, limit: int) -> list[str]:
        """Return up to `limit` matches that ended before that second, oldest first."""
        sql = f"SELECT match FROM matches WHERE {self._dialect.closed} LIMIT $2"
        return [match for (match,) in await self._fetch("old matches", sql, before, limit)]

    async def record_servers(self, guilds: Collection[int], at: int, partition: Partition = ALL_SERVERS) -> None:
        """Record the servers of the partition that the bot has left; nothing of the listed ones is forgotten."""
        present = frozenset(guilds)

        async def record(raw: Statements) -> None:
            departed = {guild for (guild,) in await raw.fetch("SELECT guild FROM departed")}
            known = {guild for (guild,) in await raw.fetch(_GUILDS) if partition.has_server(guild)}
            back = [(guild,) for guild in sorted(departed & present)]
            await raw.executemany("DELETE FROM departed WHERE guild = $1", back)
            await raw.executemany(_DEPART, [(guild, at) for guild in sorted(known - present - departed)])

        await self._write(record, "current servers")

    async def deserted_matches(self, before: int, limit: int) -> list[str]:
        """Return up to `limit` matches of servers that the bot left before that second.

        If no matches are left, forget those servers themselves.
        """

        async def find(raw: Statements) -> list[str]:
            rows = await raw.fetch(f"SELECT match FROM matches WHERE {_LEFT} LIMIT $2", before, limit)
            if not rows:
                await raw.execute(f"DELETE FROM servers WHERE {_LEFT}", before)
                # the owner's own blocks stay
                await raw.execute(f'DELETE FROM blocks WHERE "user" <> 0 AND {_LEFT}', before)
                await forget_servers(before, raw)
                await raw.execute("DELETE FROM departed WHERE at < $1", before)
            return [match for (match,) in rows]

        return await self._write(find, "servers that the bot has left")

    async def erase_match(self, match: str) -> None:
        """Erase everything about a match."""

        async def erase(raw: Statements) -> None:
            await raw.execute(f"SELECT 1 FROM matches WHERE match = $1 {self._dialect.lock_rows}", match)
            for sql in _ERASE:
                await raw.execute(sql, match)

        await self._write(erase, f"match {match}, erased", match=match)

    @abstractmethod
    async def wipe_deleted(self) -> bool:
        """Remove deleted data from the store's files. Return whether that was possible."""


async def scrub_actions(match: str, user: int, nobody: int, dialect: Dialect, raw: Statements) -> None:
    """Assign a person's actions in a match to a number that belongs to nobody."""
    await forget_in_match(match, user, nobody, dialect, raw)
    for sql in _SCRUB_ACTIONS:
        await raw.execute(sql, match, user, nobody)
    await raw.execute(_SCRUB_REASONS, match)
    await raw.execute(_SCRUBBED, match, user)


async def _scrub_user(match: str, user: int, at: int, dialect: Dialect, raw: Statements) -> bool:
    found = await raw.fetchrow("SELECT host, votes, revision, status FROM matches WHERE match = $1", match)
    if found is None:
        await raw.execute(_SCRUBBED, match, user)
        return False
    host, votes, revision, status = found
    sits = await raw.fetchval('SELECT 1 FROM seats WHERE match = $1 AND "user" = $2', match, user)
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
    await scrub_actions(match, user, nobody, dialect, raw)
    return await raw.fetchval("SELECT 1 FROM behind WHERE match = $1", match) is not None


async def _load_trace(user: int, row: tuple[Any, ...], raw: Statements) -> PersonalTrace:
    found = parse_traced_match(row, user)
    match = found["match"]
    own_seats = [(number, Seat(*seat)) for number, *seat in await raw.fetch(_SEATS, match, user)]
    messages = [
        (channel, message)
        for number, seat in own_seats
        if seat.has_owner
        for channel, message in await raw.fetch(_HANDS, match, number)
    ]
    return PersonalTrace(
        **found,
        seats=tuple(own_seats),
        moves=tuple((Move(*move), at, click) for *move, at, click in await raw.fetch(_MOVES, match, user)),
        actions=tuple(Action(*action) for action in await raw.fetch(_ACTIONS, match, user)),
        messages=tuple(messages),
        rows=await personal_rows(match, user, raw),
    )
