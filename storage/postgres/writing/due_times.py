"""The due times: written with the change that brings them, and read by the one who waits for the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engines.hosting.due_times import BRIEF, LEFT, LONG, put_off, stays
from engines.store.match_store import Awaited, Due, Info
from engines.store.partition import Part
from engines.store.surface_storage import Preferences
from storage.postgres.connection.connection import Raw
from storage.postgres.connection.text import columns
from storage.postgres.writing import stale_surfaces
from storage.postgres.writing.fenced import deed
from storage.shared.partition_queries import AFTER, ALIVE, by_time, last, of_match
from storage.shared.partition_queries import alive as alive_keys

NOTHING = -1  # the decision of a row that awaits nothing just now
AGAIN = f"""
ON CONFLICT (match, kind, seat) DO UPDATE SET decision = excluded.decision, since = excluded.since, at = excluded.at,
    done = FALSE, way = CASE WHEN due.decision = {NOTHING} THEN due.way ELSE '' END
"""
PUT = f"""
INSERT INTO due (match, kind, seat, decision, since, at)
SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
{AGAIN}
"""
_PREFER = """
UPDATE due SET at = since + $2::bigint FROM seats
WHERE due.kind = 'call' AND NOT due.done AND seats.match = due.match AND seats.seat = due.seat
    AND seats."user" = $1 AND seats.gone = ''
"""
_PENDING = """
SELECT call.at, seats."user", matches.changed, clock.at
FROM due AS call JOIN matches ON matches.match = call.match
    JOIN seats ON seats.match = call.match AND seats.seat = call.seat
    LEFT JOIN due AS clock ON clock.match = call.match AND clock.kind = 'clock' AND clock.seat = call.seat
WHERE call.match = $1 AND call.kind = 'call' AND call.seat = $2 AND call.at IS NOT NULL
"""
_ACTIVE = "UPDATE due SET since = $3, at = $4 WHERE match = $1 AND kind = 'call' AND seat = $2 AND at IS NOT NULL"
_GO = "UPDATE due SET way = $3 WHERE match = $1 AND kind = 'call' AND seat = $2 AND decision >= 0"
_WAYS = "SELECT seat, way FROM due WHERE match = $1 AND kind = 'call' AND way <> ''"
SEEN = 20  # a part of the time for a decision; of less, nobody needs to know that they have it besides
PUT_ALIVE = """
INSERT INTO notes (key, value) SELECT * FROM unnest($1::text[], $2::text[])
ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""
_LATER = """
UPDATE due SET at = at + $2 - GREATEST(since, $1), since = since + $2 - GREATEST(since, $1)
WHERE kind IN ('clock', 'reminder') AND at IS NOT NULL AND since < $2
    AND ($2 - GREATEST(since, $1) >= $3 OR at - since < $4)
"""
DONE = "UPDATE due SET at = NULL, done = TRUE WHERE match = $1 AND kind = $2 AND seat = $3 AND decision = $4"
DONE_BY = deed(
    "match, kind, seat, decision",
    "text text bigint bigint",
    """UPDATE due SET at = NULL, done = TRUE FROM asked AS a
    WHERE due.match = a.match AND due.kind = a.kind AND due.seat = a.seat AND due.decision = a.decision""",
    key=4,
    told=False,
)
_CLOCKS = """
SELECT kind, match, seat, decision, at FROM due WHERE match = $1 AND kind = 'clock' AND decision >= 0 ORDER BY seat
"""


async def active(match: str, seat: int, since: int, way: str | None, raw: Raw) -> int | None:
    """Somebody is at it: a call that is pending comes as long after this; when it does."""
    if way is not None:
        await raw.execute(_GO, match, seat, way)
    for at, user, changed, runs_out in await raw.fetch(_PENDING, match, seat):
        call = (await liked_calls(raw, [user]))[user]
        if call is not None:
            later = put_off(at, since, call, changed, runs_out)
            await raw.execute(_ACTIVE, match, seat, since, later)
            return later
    return None


async def ways(match: str, raw: Raw) -> dict[int, str]:
    """How far each seat has come on the way to a move."""
    return {row[0]: row[1] for row in await raw.fetch(_WAYS, match)}


async def prefer(raw: Raw, user: int, call: int | None) -> None:
    """Have somebody's pending calls come when they like them."""
    await raw.execute(_PREFER, user, call)


async def find(by: int, part: Part, raw: Raw) -> tuple[list[Due], int | None]:
    """What is due by that second in these servers, the oldest first, and when the next is."""
    there = of_match(part, "due.match")
    then = await raw.fetchval(f"SELECT at FROM due WHERE at > $1{there} ORDER BY at LIMIT 1", by)
    sql = f"SELECT kind, match, seat, decision, at FROM due WHERE at <= $1{there} ORDER BY at, match, seat"
    return [Due(*row) for row in await raw.fetch(sql, by)], then


def alive(at: int, part: Part) -> tuple[object, ...]:
    """The values to put where the bot was there at that second for these servers."""
    keys = sorted(alive_keys(part).values())
    return keys, [str(at)] * len(keys)


async def clocks(match: str, raw: Raw) -> list[Due]:
    """When the time of a match's open decisions runs out."""
    return [Due(*row) for row in await raw.fetch(_CLOCKS, match)]


async def timed(part: Part, raw: Raw) -> list[str]:
    """The matches of these servers in which time runs out for somebody."""
    sql = "SELECT DISTINCT match FROM due WHERE kind IN ('clock', 'reminder') AND at IS NOT NULL"
    return [row[0] for row in await raw.fetch(f"{sql}{of_match(part, 'due.match')}")]


async def absent(since: int | None, until: int, part: Part, raw: Raw) -> dict[str, bool]:
    """Nobody could move in that time in these servers: what runs out comes later by as much of it as it had run for.

    Those matches, and whether it is so much later that people have to see it.
    """
    times = await _last(raw, part, until) if since is None else dict.fromkeys(part.numbers, since)
    await raw.execute(PUT_ALIVE, *alive(until, part))
    later: dict[str, bool] = {}
    for then, there in by_time(times, part.of).items():
        if then < until:
            sql = f"{_LATER}{of_match(there, 'due.match')} RETURNING match, at - since"
            for match, time in await raw.fetch(sql, then, until, BRIEF, LONG - LONG // LEFT):
                later[match] = later.get(match, False) or (until - then) * SEEN > time
    await stale_surfaces.mark(raw, [match for match, seen in later.items() if seen])
    return later


async def _last(raw: Raw, part: Part, until: int) -> dict[int, int]:
    """When the bot was last there for each of these parts."""
    sql = "SELECT key, value FROM notes WHERE key >= $1 AND key < $2 ORDER BY key FOR UPDATE"
    notes = {row[0]: row[1] for row in await raw.fetch(sql, ALIVE, AFTER)}
    times, anew = last(notes, part, until)
    if anew:
        await raw.execute("DELETE FROM notes WHERE key = ANY($1::text[])", list(notes))
        await raw.execute(PUT_ALIVE, *columns(sorted(anew.items()), 2))
    return times


async def liked_calls(raw: Raw, users: Sequence[int]) -> dict[int, int | None]:
    """How many seconds after they became due these people like to be called; None: never."""
    rows = await raw.fetch('SELECT "user", call FROM preferences WHERE "user" = ANY($1::bigint[])', list(users))
    return dict.fromkeys(users, Preferences().call) | {row[0]: row[1] for row in rows}


def time_of(info: Info, awaited: Awaited, calls: Mapping[int, int | None]) -> int | None:
    """The second at which something is due that a match awaits; None: never."""
    if awaited.kind != "call":
        return awaited.since + (awaited.wait or 0)
    call = calls[info.seats[awaited.seat].user]
    if call is None:
        return None
    return awaited.since + (max(call, awaited.least) if awaited.wait is None else awaited.wait)


def callers(info: Info, awaited: Sequence[Awaited]) -> set[int]:
    """The people of whom it must be known how they like to be called."""
    return {info.seats[each.seat].user for each in awaited if each.kind == "call"}


@dataclass(frozen=True, slots=True)
class Plan:
    """What of the due times is past, what is to be put, and when the first of each match's new things is due.

    A row that is past stays where it is for the next decision of its seat, so that its page is filled again and again;
    `ended` are the matches that await nothing at all, of which none stays but the calls in `paused`, by their seats.
    """

    past: list[tuple[object, ...]]
    ended: list[str]
    paused: list[tuple[object, ...]]
    puts: list[tuple[object, ...]]
    first: list[int | None]


Kept: TypeAlias = Mapping[tuple[str, int], int]
"""The decisions of what a match awaits, by kind and seat."""


def new_ones(awaited: Sequence[Awaited], kept: Kept) -> list[Awaited]:
    """What was not awaited before."""
    return [each for each in awaited if kept.get((each.kind, each.seat)) != each.decision]


def planned(
    infos: Sequence[tuple[Info, Sequence[Awaited]]], kept: Mapping[str, Kept], calls: Mapping[int, int | None]
) -> Plan:
    """How each match comes to await this and nothing else. What it awaited before goes on, with its own time."""
    plan = Plan([], [], [], [], [])
    for info, awaited in infos:
        wanted = {(each.kind, each.seat) for each in awaited}
        if not awaited:
            plan.ended.append(info.id)
            plan.paused.extend((info.id, seat) for seat in range(len(info.seats)) if stays(info, "call", seat))
        else:
            plan.past.extend((info.id, kind, seat) for kind, seat in kept[info.id].keys() - wanted)
        new = new_ones(awaited, kept[info.id])
        times = [time_of(info, each, calls) for each in new]
        plan.puts.extend(
            (info.id, each.kind, each.seat, each.decision, each.since, at) for each, at in zip(new, times, strict=True)
        )
        plan.first.append(min((at for at in times if at is not None), default=None))
    return plan


async def write(raw: Raw, info: Info, awaited: Sequence[Awaited]) -> int | None:
    """Keep what a match awaits that has awaited nothing; when the first is due. Nothing: keep that it does so again."""
    if not awaited:
        await raw.execute("DELETE FROM due WHERE match = $1", info.id)
        return None
    calls = await liked_calls(raw, sorted(callers(info, awaited)))
    plan = planned([(info, awaited)], {info.id: {}}, calls)
    await raw.execute(PUT, *columns(plan.puts, 6))
    return plan.first[0]
