"""People, matches and servers are forgotten: fulfils engines.store.forgetting.Forgets."""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import partial
from typing import Any

from engines.store.forgetting import Trace
from engines.store.match_store import LIVE, NAMELESS, Conflict, Deed, Move, Place, Seat, Status
from engines.store.partition import WHOLE, Part
from storage.postgres.connection.connection import Raw
from storage.postgres.database import Database
from storage.postgres.writing.actions import SCRUBBED, scrub_deeds
from storage.postgres.writing.writer import About, Put
from storage.shared.match_rows import BUSY, NO_EDIT, without

_THEIRS = """
SELECT match FROM seats WHERE "user" = $1 UNION SELECT match FROM history WHERE by = $1 AND by > 0
"""
_FORGET = f"""
INSERT INTO forgetting ("user", match) SELECT $1::bigint, match FROM ({_THEIRS}) AS theirs UNION SELECT $1::bigint, ''
ON CONFLICT DO NOTHING
"""
_TRACES = f"""
SELECT match, game, status, guild, channel, thread, created, changed, host, votes
FROM matches WHERE match IN ({_THEIRS}) ORDER BY created, match LIMIT $2 OFFSET $3
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
_SCRUB_SEATS = 'UPDATE seats SET "user" = $3, name = $4 WHERE match = $1 AND "user" = $2'
_SCRUB_TOLD = """
INSERT INTO history (match, revision, action, by, reason, at)
SELECT match, revision, 'forget', $2::bigint, '', $3::bigint FROM matches WHERE match = $1
"""
_UNUSED = """
SELECT MIN("user") FROM (
    SELECT "user" FROM moves WHERE match = $1 UNION SELECT by FROM history WHERE match = $1
) AS named
"""
_ERASE = (
    *(
        f"DELETE FROM {table} WHERE match = $1"
        for table in (
            *("behind", "due", "mentions", "surfaces", "events", "history", "moves", "bases", "states", "seats"),
            *("forgetting", "matches"),
        )
    ),
    "DELETE FROM notes WHERE key IN ('notices ' || $1, 'told ' || $1, 'around ' || $1)",
)
_CLOSED = "SELECT match FROM matches WHERE closed < $1 ORDER BY closed LIMIT $2"
# One step of an index for every server, however many matches it has.
_GUILDS = """
WITH RECURSIVE known (guild) AS (
    SELECT MIN(guild) FROM matches
    UNION ALL SELECT (SELECT MIN(guild) FROM matches WHERE guild > known.guild) FROM known WHERE guild IS NOT NULL
)
SELECT guild FROM known WHERE guild IS NOT NULL UNION SELECT guild FROM servers
"""
_DESERTED = "SELECT match FROM matches WHERE guild IN (SELECT guild FROM departed WHERE at < $1) LIMIT $2"
_SEATS = 'SELECT seat, "user", name, gone, level, missed FROM seats WHERE match = $1 AND "user" = $2 ORDER BY seat'
_MOVES = """
SELECT number, seat, decision, notation, "user", level, at, click FROM moves
WHERE match = $1 AND "user" = $2 ORDER BY number
"""
_DEEDS = "SELECT action, by, '', at, click FROM history WHERE match = $1 AND by = $2 ORDER BY revision"
_HANDS = "SELECT channel, message FROM surfaces WHERE match = $1 AND kind = 'hand' AND seat = $2"


class Forgetting:
    """The part of a store that knows how to forget."""

    _database: Database

    async def traces(self, user: int, skip: int, most: int) -> list[Trace]:
        """What is kept of a person in the matches in which they had a part, oldest first."""
        work = partial(_traces, user, skip, most)
        return await self._database.read(work, what="what is kept of somebody", several=True)

    async def forget(self, user: int) -> None:
        """Keep that somebody wants to be forgotten: in every match there is now, and in all else."""
        await self._database.write(Put(_FORGET, (user,)), what="whom to forget")

    async def forgetting(self) -> list[tuple[int, str]]:
        """Who is still to be forgotten, and in which match; '': in all else, which comes last."""
        return await self._database.read(_forgetting, what="whom to forget")

    async def scrub(self, match: str, user: int) -> bool:
        """Take somebody's name and number out of a match, where they are not among those who play it.

        Whether some of that match is still to be shown. Raises Conflict where they are.
        """
        work = About(partial(_scrub, match, user, self._database.now()), [match])
        return bool(await self._database.write(work, what=f"match {match}, somebody forgotten"))

    async def forgotten(self, user: int) -> None:
        """Keep that nothing outside of matches names somebody any more."""
        sql = "DELETE FROM forgetting WHERE match = '' AND \"user\" = $1"
        await self._database.write(Put(sql, (user,)), what="whom to forget")

    async def closed(self, before: int, most: int) -> list[str]:
        """Matches that came to their end before that second, the oldest first, so many at most."""

        async def found(raw: Raw) -> list[str]:
            return [row[0] for row in await raw.fetch(_CLOSED, before, most)]

        return await self._database.read(found, what="old matches")

    async def present(self, guilds: Collection[int], at: int, part: Part = WHOLE) -> None:
        """Keep since when the bot is in none of the other servers of that part; of these nothing is to be forgotten."""
        await self._database.write(partial(_present, frozenset(guilds), at, part), what="the servers there are")

    async def deserted(self, before: int, most: int) -> list[str]:
        """Matches of servers that the bot has not been in since before that second, so many at most.

        Where there are none left, the servers themselves are forgotten.
        """
        work = partial(_deserted, before, most)
        found: list[str] = await self._database.write(work, what="servers that are gone")
        return found

    async def erase(self, match: str) -> None:
        """Forget all of a match."""

        async def erase(raw: Raw) -> None:
            await raw.execute("SELECT FROM matches WHERE match = $1 FOR UPDATE", match)
            for sql in _ERASE:
                await raw.execute(sql, match)

        await self._database.write(About(erase, [match]), what=f"match {match}, erased")

    async def wipe(self) -> bool:
        """Have what was forgotten cleared away. Whether that could be done just now."""
        return await self._database.wipe()


async def _scrub(match: str, user: int, at: int, raw: Raw) -> bool:
    sql = "SELECT host, votes, revision, status FROM matches WHERE match = $1 FOR NO KEY UPDATE"
    found = await raw.fetchrow(sql, match)
    if found is None:
        await raw.execute(SCRUBBED, match, user)
        return False
    host, votes, revision, status = found
    sits = await raw.fetchval('SELECT 1 FROM seats WHERE match = $1 AND "user" = $2 LIMIT 1', match, user)
    if sits or host == user or str(user) in votes:
        if status in LIVE:
            raise Conflict(BUSY)
        nobody = -(revision + 1)
        await raw.execute(_SCRUB, match, user, nobody, without(votes, user, nobody))
        await raw.execute(_SCRUB_HANDS, match, user)
        await raw.execute(_SCRUB_SEATS, match, user, nobody, NAMELESS)
        await raw.execute(_SCRUB_TOLD, match, nobody, at)
    else:
        nobody = min(await raw.fetchval(_UNUSED, match) or 0, NO_EDIT) - 1
    await scrub_deeds(raw, match, user, nobody)
    return await raw.fetchval("SELECT 1 FROM behind WHERE match = $1", match) is not None


async def _forgetting(raw: Raw) -> list[tuple[int, str]]:
    rows = await raw.fetch('SELECT "user", match FROM forgetting ORDER BY "user", match = \'\', match')
    return [(user, match) for user, match in rows]


async def _present(guilds: frozenset[int], at: int, part: Part, raw: Raw) -> None:
    departed = {row[0] for row in await raw.fetch("SELECT guild FROM departed")}
    known = {row[0] for row in await raw.fetch(_GUILDS) if part.has(row[0])}
    await raw.execute("DELETE FROM departed WHERE guild = ANY($1::bigint[])", list(departed & guilds))
    sql = "INSERT INTO departed (guild, at) SELECT unnest($1::bigint[]), $2 ON CONFLICT DO NOTHING"
    await raw.execute(sql, list(known - guilds - departed), at)


async def _deserted(before: int, most: int, raw: Raw) -> list[str]:
    found = [row[0] for row in await raw.fetch(_DESERTED, before, most)]
    if not found:
        sql = "DELETE FROM servers WHERE guild IN (SELECT guild FROM departed WHERE at < $1)"
        await raw.execute(sql, before)
        await raw.execute("DELETE FROM departed WHERE at < $1", before)
    return found


async def _traces(user: int, skip: int, most: int, raw: Raw) -> list[Trace]:
    return [await _trace(user, tuple(row), raw) for row in await raw.fetch(_TRACES, user, most, skip)]


async def _trace(user: int, row: tuple[Any, ...], raw: Raw) -> Trace:
    match, game, status, guild, channel, thread, opened, changed, host, votes = row
    held = [(number, Seat(*seat)) for number, *seat in await raw.fetch(_SEATS, match, user)]
    messages = [tuple(found) for number, seat in held if seat.here for found in await raw.fetch(_HANDS, match, number)]
    known = Status(status) if status in {each.value for each in Status} else Status.ASIDE
    return Trace(
        match,
        game,
        known,
        Place(guild, channel, thread),
        opened,
        0 if known in LIVE else changed,
        host == user,
        _voted(votes, user),
        tuple(held),
        tuple((Move(*move), at, click) for *move, at, click in await raw.fetch(_MOVES, match, user)),
        tuple(Deed(*deed) for deed in await raw.fetch(_DEEDS, match, user)),
        tuple((channel, message) for channel, message in messages),
    )


def _voted(votes: str, user: int) -> bool:
    try:
        found = json.loads(votes)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, list) and user in found
