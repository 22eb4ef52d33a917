"""Forgets people, matches and servers: implements engines.store.forgetting."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from functools import partial

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
from storage.shared.tables import MATCHES, SEATS, quote_columns
from storage.sqlite.rows import forget_in_match, forget_servers, personal_rows
from storage.sqlite.writer import FileAccess

_MATCHES_OF_USER = f"""
SELECT match FROM seats WHERE user = :user UNION SELECT match FROM history WHERE by = :user AND by > 0
{row_sql.MATCHES_OF_PERSON.format(user=":user")}"""
_REQUEST_FORGETTING = f"""
INSERT OR IGNORE INTO forgetting (user, match) SELECT :user, match FROM ({_MATCHES_OF_USER}) UNION SELECT :user, ''
"""
_TRACES = f"""
SELECT {quote_columns(MATCHES.columns)}
FROM matches WHERE match IN ({_MATCHES_OF_USER}) ORDER BY created, match LIMIT :most OFFSET :skip
"""
_SCRUB = """
UPDATE matches SET host = IIF(host = :user, :nobody, host), votes = :votes, reason = IIF(status = 'reset', '', reason),
    revision = revision + 1
WHERE match = :match
"""
# A reason may name a player who has left; for a damaged match it does not.
_SCRUB_ACTIONS = (
    "UPDATE moves SET user = :nobody, click = 0 WHERE match = :match AND user = :user",
    "UPDATE history SET by = :nobody, click = 0 WHERE match = :match AND by = :user",
    "UPDATE history SET reason = '' WHERE match = :match AND action <> 'set aside'",
    "DELETE FROM forgetting WHERE match = :match AND user = :user",
)
_SCRUB_SEATS = (
    "DELETE FROM surfaces WHERE match = :match AND kind = 'hand' AND seat IN "
    "(SELECT seat FROM seats WHERE match = :match AND user = :user)",
    "UPDATE seats SET user = :nobody, name = :name, cut = '', last_cut = 0 WHERE match = :match AND user = :user",
    "INSERT INTO history (match, revision, action, by, reason, at) "
    "SELECT match, revision, 'forget', :nobody, '', :at FROM matches WHERE match = :match",
)
_ERASE = (
    *(
        f"DELETE FROM {table} WHERE match = :match"
        for table in (
            "behind",
            "due",
            "mentions",
            "surfaces",
            "events",
            "history",
            "moves",
            "bases",
            "states",
            "deals",
            "seats",
            "forgetting",
            *(table.name for table in row_sql.MATCH_TABLES),
            "matches",
        )
    ),
    "DELETE FROM notes WHERE key IN ('notices ' || :match, 'told ' || :match, 'around ' || :match, 'deal ' || :match)",
)
_SEATS = f"SELECT {quote_columns(SEATS.columns[1:])} FROM seats WHERE match = :match AND user = :user"
_MOVES = f"SELECT {quote_columns(MOVE_COLUMNS)}, at, click FROM moves WHERE match = :match AND user = :user"
_CLOSED_MATCHES = """
SELECT match FROM matches
WHERE status <> 'lobby' AND status <> 'running' AND status <> 'paused' AND status <> 'aside' AND changed < ?
ORDER BY changed LIMIT ?
"""
# One index step per server, however many matches it has.
_GUILDS = f"""
WITH RECURSIVE known (guild) AS (
    SELECT MIN(guild) FROM matches
    UNION ALL SELECT (SELECT MIN(guild) FROM matches WHERE guild > known.guild) FROM known WHERE guild IS NOT NULL
)
SELECT guild FROM known WHERE guild IS NOT NULL UNION SELECT guild FROM servers
UNION SELECT guild FROM blocks WHERE guild <> 0 AND user <> 0
{row_sql.SERVERS}"""


class ForgettingStore:
    """The part of the match store that forgets."""

    _database: FileAccess

    async def load_traces(self, user: int, skip: int, limit: int) -> list[PersonalTrace]:
        """Return what is stored about a person in their matches, oldest first."""
        return await self._database.read(partial(_load_traces, user, skip, limit), what="somebody's personal data")

    async def request_forgetting(self, user: int) -> None:
        """Record that a person wants to be forgotten: in every existing match, and everywhere else."""
        await self._execute(_REQUEST_FORGETTING, "who wants to be forgotten", user=user)

    async def pending_forgetting(self) -> list[tuple[int, str]]:
        """Return who is still to be forgotten, and in which match; '' is everything else and comes last."""
        return await self._database.read(_pending_forgetting, what="who wants to be forgotten")

    async def scrub_user(self, match: str, user: int) -> bool:
        """Remove a person's name and number from a match in which they do not play.

        Return whether surfaces of that match must be redrawn. Raises WriteConflict if they play in it.
        """
        work = partial(_scrub_user, match, user, self._database.now())
        return await self._database.write(work, what=f"match {match}, somebody forgotten")

    async def finish_forgetting(self, user: int) -> None:
        """Record that nothing outside of matches names this person any more."""
        await self._execute(
            "DELETE FROM forgetting WHERE match = '' AND user = :user", "who wants to be forgotten", user=user
        )

    async def closed_matches(self, before: int, limit: int) -> list[str]:
        """Return up to `limit` matches that ended before that second, oldest first."""

        def found(raw: sqlite3.Connection) -> list[str]:
            return [match for (match,) in raw.execute(_CLOSED_MATCHES, (before, limit))]

        return await self._database.read(found, what="old matches")

    async def record_servers(self, guilds: Collection[int], at: int, partition: Partition = ALL_SERVERS) -> None:
        """Record the servers of the partition that the bot has left; nothing of the listed ones is forgotten."""
        await self._database.write(partial(_record_servers, frozenset(guilds), at, partition), what="current servers")

    async def deserted_matches(self, before: int, limit: int) -> list[str]:
        """Return up to `limit` matches of servers that the bot left before that second.

        If no matches are left, forget those servers themselves.
        """
        return await self._database.write(
            partial(_deserted_matches, before, limit), what="servers that the bot has left"
        )

    async def erase_match(self, match: str) -> None:
        """Erase everything about a match."""

        def erase(raw: sqlite3.Connection) -> None:
            for sql in _ERASE:
                raw.execute(sql, {"match": match})

        await self._database.write(erase, what=f"match {match}, erased")

    async def wipe_deleted(self) -> bool:
        """Remove forgotten data from the log. Return whether that was possible."""
        return await self._database.wipe_deleted()

    async def _execute(self, sql: str, what: str, **values: object) -> None:
        def do(raw: sqlite3.Connection) -> None:
            raw.execute(sql, values)

        await self._database.write(do, what=what)


def scrub_actions(raw: sqlite3.Connection, match: str, user: int, nobody: int) -> None:
    """Assign a person's actions in a match to a number that belongs to nobody."""
    forget_in_match(match, user, nobody, raw)
    for sql in _SCRUB_ACTIONS:
        raw.execute(sql, {"match": match, "user": user, "nobody": nobody})


def _scrub_user(match: str, user: int, at: int, raw: sqlite3.Connection) -> bool:
    found = raw.execute("SELECT host, votes, revision, status FROM matches WHERE match = ?", (match,)).fetchone()
    if found is None:
        raw.execute("DELETE FROM forgetting WHERE match = ? AND user = ?", (match, user))
        return False
    host, votes, revision, status = found
    sits = raw.execute("SELECT 1 FROM seats WHERE match = ? AND user = ?", (match, user)).fetchone()
    if sits or host == user or str(user) in votes:
        if status in LIVE:
            raise WriteConflict(STILL_PLAYING)
        nobody = -(revision + 1)
        values = {"match": match, "user": user, "nobody": nobody, "at": at, "name": FORGOTTEN_NAME}
        raw.execute(_SCRUB, {**values, "votes": replace_voter(votes, user, nobody)})
        for sql in _SCRUB_SEATS:
            raw.execute(sql, values)
    else:
        nobody = _unused_user(raw, match)
    scrub_actions(raw, match, user, nobody)
    return raw.execute("SELECT 1 FROM behind WHERE match = ?", (match,)).fetchone() is not None


def _unused_user(raw: sqlite3.Connection, match: str) -> int:
    """Return an unused number for a person who is named only in a match's actions."""
    sql = (
        "SELECT MIN(user) FROM (SELECT user FROM moves WHERE match = :m UNION SELECT by FROM history WHERE match = :m)"
    )
    (least,) = raw.execute(sql, {"m": match}).fetchone()
    return int(min(least or 0, UNUSED_USER_BASE)) - 1


def _pending_forgetting(raw: sqlite3.Connection) -> list[tuple[int, str]]:
    return raw.execute("SELECT user, match FROM forgetting ORDER BY user, match = '', match").fetchall()


def _record_servers(guilds: frozenset[int], at: int, partition: Partition, raw: sqlite3.Connection) -> None:
    departed = {guild for (guild,) in raw.execute("SELECT guild FROM departed")}
    known = {guild for (guild,) in raw.execute(_GUILDS) if partition.has_server(guild)}
    raw.executemany("DELETE FROM departed WHERE guild = ?", [(guild,) for guild in departed & guilds])
    new = known - guilds - departed
    raw.executemany("INSERT INTO departed (guild, at) VALUES (?, ?)", [(guild, at) for guild in new])


def _deserted_matches(before: int, limit: int, raw: sqlite3.Connection) -> list[str]:
    sql = "SELECT match FROM matches WHERE guild IN (SELECT guild FROM departed WHERE at < ?) LIMIT ?"
    found = [match for (match,) in raw.execute(sql, (before, limit))]
    if not found:
        for condition in ("servers WHERE", "blocks WHERE user <> 0 AND"):  # the owner's own blocks stay
            raw.execute(f"DELETE FROM {condition} guild IN (SELECT guild FROM departed WHERE at < ?)", (before,))
        forget_servers(before, raw)
        raw.execute("DELETE FROM departed WHERE at < ?", (before,))
    return found


def _load_traces(user: int, skip: int, limit: int, raw: sqlite3.Connection) -> list[PersonalTrace]:
    rows = raw.execute(_TRACES, {"user": user, "skip": skip, "most": limit}).fetchall()
    return [_load_trace(user, row, raw) for row in rows]


def _load_trace(user: int, row: tuple[object, ...], raw: sqlite3.Connection) -> PersonalTrace:
    found = parse_traced_match(row, user)
    match = found["match"]
    values = {"match": match, "user": user}
    seats = raw.execute(_SEATS, values)
    moves = raw.execute(_MOVES, values)
    actions = raw.execute(
        "SELECT action, by, '', at, click FROM history WHERE match = :match AND by = :user ORDER BY revision", values
    )
    own_seats = [(number, Seat(*seat)) for number, *seat in seats.fetchall()]
    messages = [
        raw.execute(
            "SELECT channel, message FROM surfaces WHERE match = ? AND kind = 'hand' AND seat = ?", (match, number)
        ).fetchall()
        for number, seat in own_seats
        if seat.has_owner
    ]
    return PersonalTrace(
        **found,
        seats=tuple(own_seats),
        moves=tuple((Move(*move), at, click) for *move, at, click in moves.fetchall()),
        actions=tuple(Action(*action) for action in actions.fetchall()),
        messages=tuple(each for those in messages for each in those),
        rows=personal_rows(match, user, raw),
    )
