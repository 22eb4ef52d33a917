"""Durable storage of matches: fulfils engines.store.match_store.Store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from engines.store.match_store import (
    LATELY,
    LIVE,
    Awaited,
    Change,
    Conflict,
    Crowded,
    Damaged,
    Deed,
    Due,
    Info,
    Limits,
    Move,
    Saved,
    Status,
)
from engines.store.partition import WHOLE, Part
from engines.store.server_settings import Server
from storage.postgres.connection.connection import Raw
from storage.postgres.connection.text import texts
from storage.postgres.database import Database
from storage.postgres.forgetting import Forgetting
from storage.postgres.writing import due_times, server_settings, stale_surfaces
from storage.postgres.writing.commits import Commit, insert, tell, write_history, write_seats
from storage.postgres.writing.writer import About, Job, Put
from storage.shared.match_rows import MOVE_NOT_SAVED, MOVED_ON, read_infos, seal
from storage.shared.partition_queries import within


class MatchStore(Forgetting):
    """Matches, their moves and their states in the database. Methods raise StoreFailure: see engines.store.match_store.Store."""

    shared = True

    def __init__(self, database: Database) -> None:
        self._database = database

    async def insert(
        self, info: Info, by: int, limits: Limits | None = None, awaited: Sequence[Awaited] = (), click: int = 0
    ) -> int | None:
        """Keep a new match. Raises Crowded beyond the limits; Conflict where its id is taken, its match followed, or
        that click has opened one.

        When the first thing is due that it awaits.
        """
        new = Commit(Change(info, "new", by, awaited=tuple(awaited), click=click), self._database.now())
        job = About(partial(_insert, new, limits), guild=info.place.guild)
        return _time(await self._database.write(job, what=f"match {info.id}, new"))

    async def commit(self, change: Change) -> int | None:
        """Keep a change. Raises Conflict where the match has moved on from the revision that it builds on.

        A match's game, server and time of creation stay as they were inserted. When the first thing is due that it did
        not await before.
        """
        what = f"match {change.info.id}, revision {change.info.revision}, {change.action}"
        commit = Commit(change, self._database.now(), self._database.process)
        return _time(await self._database.write(commit, what=what, sorry=MOVE_NOT_SAVED))

    async def revision(self, match: str) -> int | None:
        """The revision of a match; None: there is none."""
        return await self._database.read(partial(_revision, match), what=f"match {match}")

    async def clicks(self, match: str) -> tuple[int, tuple[int, ...]]:
        """The revision of a match, and the numbers of the clicks by which it was changed lately, in their order."""
        return await self._database.read(partial(_clicks, match), what=f"match {match}", several=True)

    async def opened(self, click: int) -> str | None:
        """The match that was opened by that click, if any."""
        return await self._database.read(partial(_opened, click), what="a match that was opened")

    async def server(self, guild: int) -> Server:
        """What a server has chosen for its tables."""
        return await self._database.read(partial(server_settings.read, guild), what="settings of a server")

    async def arrange(self, guild: int, change: Callable[[Server], Server]) -> Server:
        """Change that; several changes at once all count. What it is then."""
        job = About(
            partial(server_settings.change, guild, change), found=partial(stale_surfaces.lobbies, guild), guild=guild
        )
        server: Server = await self._database.write(job, what="settings of a server")
        return server

    async def set_aside(self, info: Info) -> None:
        """Mark a damaged match as set aside, with its reason, and touch nothing else of it. Raises Conflict."""
        work = partial(_set_aside, Commit(Change(info, "set aside"), self._database.now()))
        await self._database.write(About(work, [info.id]), what=f"match {info.id}, set aside")

    async def info(self, match: str) -> Info | None:
        """A match without its game state."""
        return await self._database.read(partial(read_info, match), what=f"match {match}")

    async def load(self, match: str) -> Saved | None:
        """A started match with its game state; None for a lobby or where there is none. Raises Damaged."""
        return await self._database.read(partial(read_saved, match), what=f"match {match}", several=True)

    async def find(
        self,
        *,
        statuses: frozenset[Status] = LIVE,
        guild: int | None = None,
        user: int | None = None,
        follows: str | None = None,
    ) -> list[Info]:
        """Matches with one of the statuses, newest first: of a guild, of a user in a seat, after a match, or all."""
        return await self._database.read(partial(_find, statuses, guild, user, follows), what="matches")

    async def live(self) -> dict[tuple[str, str], int]:
        """How many matches there are that go on, by game and status."""
        return await self._database.read(_live, what="how many matches there are")

    async def live_after(self, after: str, most: int, part: Part = WHOLE) -> list[str]:
        """The ids of live matches of these servers that follow that one in order, so many at most."""
        return await self._database.read(partial(_live_after, after, most, part), what="matches")

    async def computing(self, part: Part = WHOLE) -> list[str]:
        """The ids of running matches of these servers in which nobody but a computer may be due."""
        return await self._database.read(partial(_computing, part), what="matches")

    async def due(self, by: int, part: Part = WHOLE) -> tuple[list[Due], int | None]:
        """What is due by that second in these servers and not done, the oldest first, and when the next is."""
        return await self._database.read(partial(due_times.find, by, part), what="what is due", several=True)

    async def done(self, due_: Due, epoch: int | None = None) -> None:
        """Keep that it has happened; nothing more is due for that decision."""
        database, values = self._database, (due_.match, due_.kind, due_.seat, due_.decision)
        job: Job = Put(due_times.DONE, values)
        if epoch is not None and database.process:
            job = database.fenced(due_times.DONE_BY, values, epoch)
        await database.write(job, what=f"{due_.kind} of match {due_.match}, done")

    async def alive(self, at: int, part: Part = WHOLE) -> None:
        """Keep that the bot was there at that second for these servers."""
        await self._database.write(Put(due_times.PUT_ALIVE, due_times.alive(at, part)), what="that the bot is there")

    async def absent(self, since: int | None, until: int, part: Part = WHOLE) -> dict[str, bool]:
        """Have the deadlines of that time come later by it; None: since the bot was last there. Those matches."""
        job = About(partial(due_times.absent, since, until, part), found=partial(due_times.timed, part))
        later: dict[str, bool] = await self._database.write(job, what="deadlines")
        return later

    async def clocks(self, match: str) -> list[Due]:
        """When the time of a match's open decisions runs out."""
        return await self._database.read(partial(due_times.clocks, match), what=f"deadlines of match {match}")

    async def active(self, match: str, seat: int, since: int, way: str | None = None) -> int | None:
        """Have a call that is pending for that seat begin to wait anew; when it comes. Keep a way that is told."""
        later: int | None = await self._database.write(
            About(partial(due_times.active, match, seat, since, way), [match]), what=f"call of match {match}"
        )
        return later

    async def ways(self, match: str) -> dict[int, str]:
        """How far each seat has come on the way to a move, by seat."""
        return await self._database.read(partial(due_times.ways, match), what=f"ways in match {match}")

    async def history(self, match: str) -> list[Deed]:
        """All that was done in a match, oldest first; of its moves, those of which everybody may know."""
        return await self._database.read(partial(_history, match), what=f"history of match {match}")


# A move of which others may not even know that it was made has no event that goes to everybody.
_HISTORY = """
SELECT action, by, reason, at FROM (
    SELECT revision, action, by, reason, at FROM history WHERE match = $1
    UNION ALL
    SELECT e.revision, 'play', CASE WHEN m.level = '' THEN m."user" ELSE 0 END, '', m.at FROM moves AS m JOIN (
        SELECT DISTINCT revision, move FROM events WHERE match = $1 AND recipients IS NULL
    ) AS e ON e.move = m.number WHERE m.match = $1
) AS deeds ORDER BY revision
"""
_CLICKS = """
(SELECT click FROM moves WHERE match = $1 AND click > 0 ORDER BY number DESC LIMIT $2)
UNION (SELECT click FROM history WHERE match = $1 AND click > 0 ORDER BY revision DESC LIMIT $2)
ORDER BY click
"""
_OPENED = "SELECT match FROM history WHERE click = $1 AND action = 'new' AND click > 0"
_SELECT = """
SELECT m.match, m.game, m.rules, m.options, m.status, m.host, m.guild, m.channel, m.thread, m.revision, m.moves,
    m.votes, m.reason, m.created, m.changed, m.chosen, m.called, m.follows, m.house, s.seat, s."user", s.name, s.gone,
    s.level, s.missed
FROM matches AS m LEFT JOIN seats AS s ON s.match = m.match
"""
# Whoever is due and no computer has a call that awaits them, or that is past.
_COMPUTING = """
SELECT match FROM matches WHERE status = 'running'
    AND EXISTS (SELECT FROM seats WHERE seats.match = matches.match AND level <> '')
    AND NOT EXISTS (SELECT FROM due WHERE due.match = matches.match AND kind = 'call' AND decision >= 0)
"""
_COUNT = "SELECT COUNT(*), COUNT(*) FILTER (WHERE host = $1) FROM matches WHERE guild = $2 AND"
_COUNT_LOBBIES = f"{_COUNT} status = 'lobby'"
_COUNT_TABLES = f"{_COUNT} status IN ({stale_surfaces.LIVE_ONES})"
_LIVE = f"SELECT game, status, COUNT(*) FROM matches WHERE status IN ({stale_surfaces.LIVE_ONES}) GROUP BY game, status"
_LIVE_AFTER = f"SELECT match FROM matches WHERE status IN ({stale_surfaces.LIVE_ONES}) AND match > $1"
_SET_ASIDE = """
UPDATE matches SET status = $2, reason = $3, revision = $4, changed = $5 WHERE match = $1 AND revision = $4 - 1
"""
_STATE = "SELECT seed, checkpoint FROM states WHERE match = $1"
_BASE = "SELECT checkpoint, moves, seal FROM bases WHERE match = $1 ORDER BY revision DESC LIMIT 1"
_MOVES = """
SELECT number, seat, decision, notation, "user", level FROM moves WHERE match = $1 AND number > $2 ORDER BY number
"""


def _time(found: Any) -> int | None:
    return found if isinstance(found, int) else None


async def _insert(new: Commit, limits: Limits | None, raw: Raw) -> int | None:
    info = new.change.info
    if await _taken(info, raw) or (new.change.click and await _opened(new.change.click, raw)):
        raise Conflict(MOVED_ON)
    if limits is not None:
        await _find_room(info, limits, raw)
    if not await insert(info, raw):
        raise Conflict(MOVED_ON)
    await write_seats(info, raw)
    await write_history([new], raw)
    await stale_surfaces.mark(raw, [info.id])
    await tell([info], raw)
    return await due_times.write(raw, info, new.change.awaited)


async def _taken(info: Info, raw: Raw) -> bool:
    """Whether its id is, or the match that it follows is played again already."""
    sql = f"""
    SELECT 1 FROM matches WHERE match = $1 OR ($2 <> '' AND follows = $2 AND status IN ({stale_surfaces.LIVE_ONES})) LIMIT 1
    """
    return await raw.fetchval(sql, info.id, info.follows) is not None


async def _find_room(info: Info, limits: Limits, raw: Raw) -> None:
    """Whether there is room for one more."""
    host, guild = info.host, info.place.guild
    row = await raw.fetchrow(_COUNT_LOBBIES, host, guild)
    assert row is not None
    in_all, own = row
    if own >= limits.person or in_all >= limits.server:
        raise Crowded(person=own >= limits.person)
    if limits.own_tables is None and limits.tables is None:
        return
    row = await raw.fetchrow(_COUNT_TABLES, host, guild)
    assert row is not None
    in_all, own = row
    person = limits.own_tables is not None and own >= limits.own_tables
    if person or (limits.tables is not None and in_all >= limits.tables):
        raise Crowded(person=person, going=True)


async def _set_aside(commit: Commit, raw: Raw) -> None:
    info = commit.change.info
    values = (info.id, info.status.value, info.reason, info.revision, info.changed)
    if await raw.execute(_SET_ASIDE, *values) != "UPDATE 1":
        raise Conflict(MOVED_ON)
    await write_history([commit], raw)
    await stale_surfaces.mark(raw, [info.id])
    await tell([info], raw)
    await due_times.write(raw, info, ())


async def _revision(match: str, raw: Raw) -> int | None:
    found: int | None = await raw.fetchval("SELECT revision FROM matches WHERE match = $1", match)
    return found


async def _clicks(match: str, raw: Raw) -> tuple[int, tuple[int, ...]]:
    found = await raw.fetch(_CLICKS, match, LATELY)
    return await _revision(match, raw) or 0, tuple(row[0] for row in found)


async def _opened(click: int, raw: Raw) -> str | None:
    found: str | None = await raw.fetchval(_OPENED, click)
    return found


async def read_info(match: str, raw: Raw) -> Info | None:
    found = read_infos(map(tuple, await raw.fetch(f"{_SELECT} WHERE m.match = $1 ORDER BY s.seat", match)))
    return found[0] if found else None


async def _find(
    statuses: frozenset[Status], guild: int | None, user: int | None, follows: str | None, raw: Raw
) -> list[Info]:
    conditions, values = ["m.status = ANY($1::text[])"], [texts(statuses)]
    asked: list[object] = [*values]
    if Status.ASIDE in statuses:  # an unknown status is read as that
        asked.append(texts(Status))
        conditions[0] = f"({conditions[0]} OR m.status <> ALL(${len(asked)}::text[]))"
    for condition, value in (
        ("m.guild =", guild),
        ("m.follows =", follows),
        ("m.match IN (SELECT match FROM seats WHERE gone = '' AND \"user\" =", user),
    ):
        if value is not None:
            asked.append(value)
            conditions.append(f"{condition} ${len(asked)}{')' if '(' in condition else ''}")
    sql = f"{_SELECT} WHERE {' AND '.join(conditions)} ORDER BY m.created DESC, m.number DESC, s.seat"
    return read_infos(map(tuple, await raw.fetch(sql, *asked)))


async def _live(raw: Raw) -> dict[tuple[str, str], int]:
    return {(game, status): count for game, status, count in await raw.fetch(_LIVE)}


async def _live_after(after: str, most: int, part: Part, raw: Raw) -> list[str]:
    sql = f"{_LIVE_AFTER}{within(part)} ORDER BY match LIMIT $2"
    return [row[0] for row in await raw.fetch(sql, after, most)]


async def _computing(part: Part, raw: Raw) -> list[str]:
    return [row[0] for row in await raw.fetch(f"{_COMPUTING}{within(part)}")]


async def read_saved(match: str, raw: Raw) -> Saved | None:
    info = await read_info(match, raw)
    state = await raw.fetchrow(_STATE, match)
    if info is None or state is None:
        return None
    found = await raw.fetchrow(_BASE, match)
    if found is None:
        raise Damaged("the state that its moves begin at is missing")
    base, base_moves, sealed = found
    if sealed and sealed != seal(info, state[0], base_moves, base):
        raise Damaged("its seed, options, seats or first state are not what they were")
    clocks = tuple(await due_times.clocks(match, raw))
    moves = tuple(Move(*row) for row in await raw.fetch(_MOVES, match, base_moves))
    return Saved(info, state[0], base, base_moves, state[1], moves, clocks)


async def _history(match: str, raw: Raw) -> list[Deed]:
    return [Deed(*row) for row in await raw.fetch(_HISTORY, match)]
