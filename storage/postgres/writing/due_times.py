"""Due times: written with the change that causes them, read by the scheduler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engines.hosting.timing.due_times import (
    BRIEF_ABSENCE_SECONDS,
    LONG_DECISION_SECONDS,
    REMINDER_FRACTION,
    RETURN_SECONDS,
    delayed_call_time,
    is_noticeable,
    stays,
)
from engines.store.match_store import DECISION_KINDS, LAPSE, PING_KINDS, DueRule, DueTime, MatchInfo
from engines.store.partition import Partition
from engines.store.surface_storage import Preferences
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.row_parameters import RowParameters
from storage.postgres.connection.text import encode_text, encode_texts, to_columns
from storage.postgres.writing import stale_surfaces
from storage.postgres.writing.fenced import fenced_statement
from storage.shared.partition_queries import (
    ALIVE_KEY,
    ALIVE_KEY_END,
    group_by_time,
    last_alive_times,
    match_partition_condition,
)
from storage.shared.partition_queries import alive_note_keys as alive_keys
from storage.shared.tables import DUE, quote_columns

NO_DECISION = -1  # the decision of a row that awaits nothing
AGAIN = f"""
ON CONFLICT (match, kind, seat) DO UPDATE SET decision = excluded.decision, since = excluded.since, at = excluded.at,
    done = FALSE, way = CASE WHEN due.decision = {NO_DECISION} THEN due.way ELSE '' END
"""
NEW_ROW = DUE.types_of("match", "kind", "seat", "decision", "since", "at")
_PARAMETERS = RowParameters(due=NEW_ROW)
_PUT_DUE_TIMES = f"INSERT INTO due ({quote_columns(NEW_ROW)}) SELECT * FROM {_PARAMETERS.unnest('due')} {AGAIN}"
_CHANGE_CALL_DELAY = """
UPDATE due SET at = since + $2::bigint FROM seats
WHERE due.kind = 'call' AND NOT due.done AND seats.match = due.match AND seats.seat = due.seat
    AND seats."user" = $1 AND seats.gone = ''
"""
_PENDING_CALLS = """
SELECT call.at, seats."user", matches.changed, clock.since, clock.at
FROM due AS call JOIN matches ON matches.match = call.match
    JOIN seats ON seats.match = call.match AND seats.seat = call.seat
    LEFT JOIN due AS clock ON clock.match = call.match AND clock.kind = 'clock' AND clock.seat = call.seat
WHERE call.match = $1 AND call.kind = 'call' AND call.seat = $2 AND call.at IS NOT NULL
"""
# A ping that rests counts from the end of the rest.
_POSTPONE_CALL = """
UPDATE due SET since = GREATEST(since, $3), at = $4
WHERE match = $1 AND kind = 'call' AND seat = $2 AND at IS NOT NULL
"""
_GO = "UPDATE due SET way = $3 WHERE match = $1 AND kind = 'call' AND seat = $2 AND decision >= 0"
_MOVE_STEPS = "SELECT seat, way FROM due WHERE match = $1 AND kind = 'call' AND way <> ''"
PUT_ALIVE = """
INSERT INTO notes (key, value) SELECT * FROM unnest($1::text[], $2::text[])
ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""
# While a request is open, no clock runs: its own end gives back the time since it was made.
_ASKED_AT = f"""(SELECT asked.since FROM due AS asked
    WHERE asked.match = due.match AND asked.kind = '{LAPSE}' AND asked.at IS NOT NULL)"""
_POSTPONE_DEADLINES = """
UPDATE due SET since = since + {end} - GREATEST(since, $1),
    at = GREATEST(at + {end} - GREATEST(since, $1), CASE kind WHEN 'reminder' THEN 0 ELSE {end} + $5 END)
WHERE kind IN ({kinds}) AND at IS NOT NULL AND GREATEST(since, $1) < {end}
    AND ({end} - GREATEST(since, $1) >= $3 OR at - since < $4)
"""
_POSTPONE_CLOCKS = _POSTPONE_DEADLINES.format(
    kinds="'clock', 'reminder', 'expiry'", end=f"LEAST($2, {_ASKED_AT})"
)  # LEAST ignores NULL
_POSTPONE_REQUESTS = _POSTPONE_DEADLINES.format(kinds=f"'{LAPSE}'", end="$2")  # after the clocks
_REST = f"""
UPDATE due SET since = since + n.rest, at = at + n.rest FROM unnest($1::text[], $2::bigint[]) AS n (match, rest)
WHERE due.match = n.match AND due.kind IN ({", ".join(f"'{kind}'" for kind in DECISION_KINDS)}) AND due.at IS NOT NULL
"""
MARK_DONE = "UPDATE due SET at = NULL, done = TRUE WHERE match = $1 AND kind = $2 AND seat = $3 AND decision = $4"
MARK_DONE_FENCED = fenced_statement(
    DUE.types_of("match", "kind", "seat", "decision"),
    """UPDATE due SET at = NULL, done = TRUE FROM asked AS a
    WHERE due.match = a.match AND due.kind = a.kind AND due.seat = a.seat AND due.decision = a.decision""",
    key_columns=4,
    notifies=False,
)
_DEADLINES = """
SELECT kind, match, seat, decision, at FROM due WHERE match = ANY($1::text[]) AND kind = 'clock' AND decision >= 0
ORDER BY match, seat
"""

_LAPSE = f"SELECT kind, match, seat, decision, at FROM due WHERE match = $1 AND kind = '{LAPSE}' AND at IS NOT NULL"


async def postpone_call(match: str, seat: int, since: int, step_text: str | None, raw: RawConnection) -> int | None:
    """Postpone a pending reminder because the player is active, and return when it comes."""
    if step_text is not None:
        await raw.execute(_GO, match, seat, step_text)
    for at, user, changed, started, deadline in await raw.fetch(_PENDING_CALLS, match, seat):
        call = (await preferred_call_delays(raw, [user]))[user]
        if call is not None:
            later = delayed_call_time(at, since, call, changed, (started, deadline))
            await raw.execute(_POSTPONE_CALL, match, seat, since, later)
            return later
    return None


async def read_move_steps(match: str, raw: RawConnection) -> dict[int, str]:
    """Return the unfinished move steps of each seat."""
    return {row[0]: row[1] for row in await raw.fetch(_MOVE_STEPS, match)}


async def change_call_delay(raw: RawConnection, user: int, call_delay: int | None) -> None:
    """Reschedule a person's pending reminders to their new preference."""
    await raw.execute(_CHANGE_CALL_DELAY, user, call_delay)


async def postpone_after_rests(raw: RawConnection, rests: Sequence[tuple[str, int]]) -> None:
    """Postpone everything that is due for these matches' decisions by the seconds for which their time rested."""
    await raw.execute(_REST, *to_columns(rests, 2))


async def find_due(until: int, partition: Partition, raw: RawConnection) -> tuple[list[DueTime], int | None]:
    """Return the due times of these servers up to that second, oldest first, and the next one."""
    there = match_partition_condition(partition, "due.match")
    then = await raw.fetchval(f"SELECT at FROM due WHERE at > $1{there} ORDER BY at LIMIT 1", until)
    sql = f"SELECT kind, match, seat, decision, at FROM due WHERE at <= $1{there} ORDER BY at, match, seat"
    return [DueTime(*row) for row in await raw.fetch(sql, until)], then


def alive_values(at: int, partition: Partition) -> tuple[object, ...]:
    """Return the values that record that the bot was alive at that second for these servers."""
    keys = sorted(alive_keys(partition).values())
    return keys, [str(at)] * len(keys)


async def find_deadlines(matches: Sequence[str], raw: RawConnection) -> list[DueTime]:
    """Return the deadlines of the open decisions of these matches."""
    return [DueTime(*row) for row in await raw.fetch(_DEADLINES, encode_texts(matches))]


async def find_lapse(match: str, raw: RawConnection) -> DueTime | None:
    """Return when a match's open request lapses."""
    row = await raw.fetchrow(_LAPSE, encode_text(match))
    return DueTime(*row) if row else None


async def matches_with_deadlines(partition: Partition, raw: RawConnection) -> list[str]:
    """Return the matches of these servers in which something ends by itself."""
    sql = f"SELECT DISTINCT match FROM due WHERE kind IN ('clock', 'reminder', 'expiry', '{LAPSE}') AND at IS NOT NULL"
    return [row[0] for row in await raw.fetch(f"{sql}{match_partition_condition(partition, 'due.match')}")]


async def postpone_deadlines(
    since: int | None, until: int, partition: Partition, raw: RawConnection
) -> dict[str, bool]:
    """Postpone deadlines by the part of a span in which they ran but nobody could move.

    Each of them leaves at least some seconds, because an outage may be noticed after it began. Return the matches, and
    for each whether the change is large enough to show.
    """
    times = await _last_alive(raw, partition, until) if since is None else dict.fromkeys(partition.numbers, since)
    await raw.execute(PUT_ALIVE, *alive_values(until, partition))
    later: dict[str, bool] = {}
    for then, there in group_by_time(times, partition.count).items():
        if then < until:
            those = f"{match_partition_condition(there, 'due.match')} RETURNING match, at - since"
            long = LONG_DECISION_SECONDS - LONG_DECISION_SECONDS // REMINDER_FRACTION
            for sql in (_POSTPONE_CLOCKS, _POSTPONE_REQUESTS):
                values = then, until, BRIEF_ABSENCE_SECONDS, long, RETURN_SECONDS
                for match, time in await raw.fetch(f"{sql}{those}", *values):
                    later[match] = later.get(match, False) or is_noticeable(until - then, time)
    await stale_surfaces.mark_stale(raw, [match for match, seen in later.items() if seen])
    return later


async def _last_alive(raw: RawConnection, partition: Partition, until: int) -> dict[int, int]:
    """Return when the bot was last alive for each of these partitions."""
    sql = "SELECT key, value FROM notes WHERE key >= $1 AND key < $2 ORDER BY key FOR UPDATE"
    notes = {row[0]: row[1] for row in await raw.fetch(sql, ALIVE_KEY, ALIVE_KEY_END)}
    times, filled = last_alive_times(notes, partition, until)
    if filled:
        await raw.execute("DELETE FROM notes WHERE key = ANY($1::text[])", list(notes))
        await raw.execute(PUT_ALIVE, *to_columns(sorted(filled.items()), 2))
    return times


async def preferred_call_delays(raw: RawConnection, users: Sequence[int]) -> dict[int, int | None]:
    """Return after how many seconds these people want a reminder; None: never."""
    rows = await raw.fetch('SELECT "user", call FROM preferences WHERE "user" = ANY($1::bigint[])', list(users))
    return dict.fromkeys(users, Preferences().call) | {row[0]: row[1] for row in rows}


def due_time_of(info: MatchInfo, due_rule: DueRule, call_delays: Mapping[int, int | None]) -> int | None:
    """Return the second at which a rule comes due; None: never."""
    if due_rule.kind not in PING_KINDS:
        return due_rule.since + (due_rule.delay or 0)
    call = call_delays[info.seats[due_rule.seat].user]
    if call is None:
        return None
    return due_rule.since + (max(call, due_rule.min_delay) if due_rule.delay is None else due_rule.delay)


def called_people(info: MatchInfo, due_rules: Sequence[DueRule]) -> set[int]:
    """Return the people whose reminder preference is needed."""
    return {info.seats[each.seat].user for each in due_rules if each.kind in PING_KINDS}


@dataclass(frozen=True, slots=True)
class DuePlan:
    """Which due times are past, which to write, and when each match's first new one comes.

    A past row stays for the next decision of its seat, so that its page is reused. `ended` are the matches that await
    nothing; their rows are deleted, except the reminders in `paused`, by seat.
    """

    cleared: list[tuple[object, ...]]
    ended_matches: list[str]
    paused: list[tuple[object, ...]]
    new_rows: list[tuple[object, ...]]
    first_due: list[int | None]


DueDecisions: TypeAlias = Mapping[tuple[str, int], int]
"""The awaited decisions of a match, by kind and seat."""


def new_due_rules(due_rules: Sequence[DueRule], due_decisions: DueDecisions) -> list[DueRule]:
    """Return the rules that were not awaited before."""
    return [each for each in due_rules if due_decisions.get((each.kind, each.seat)) != each.decision]


def plan_due_times(
    infos: Sequence[tuple[MatchInfo, Sequence[DueRule]]],
    due_decisions: Mapping[str, DueDecisions],
    call_delays: Mapping[int, int | None],
) -> DuePlan:
    """Plan the due times of these matches. Rules that were awaited before keep their time."""
    plan = DuePlan([], [], [], [], [])
    for info, awaited in infos:
        wanted = {(each.kind, each.seat) for each in awaited}
        if not awaited:
            plan.ended_matches.append(info.id)
            plan.paused.extend((info.id, seat) for seat in range(len(info.seats)) if stays(info, "call", seat))
        else:
            plan.cleared.extend((info.id, kind, seat) for kind, seat in due_decisions[info.id].keys() - wanted)
        new = new_due_rules(awaited, due_decisions[info.id])
        times = [due_time_of(info, each, call_delays) for each in new]
        plan.new_rows.extend(
            (info.id, each.kind, each.seat, each.decision, each.since, at) for each, at in zip(new, times, strict=True)
        )
        plan.first_due.append(min((at for at in times if at is not None), default=None))
    return plan


async def write_due_times(raw: RawConnection, info: MatchInfo, due_rules: Sequence[DueRule]) -> int | None:
    """Write a match's first due times and return the earliest. An empty list: record that it awaits nothing again."""
    if not due_rules:
        await raw.execute("DELETE FROM due WHERE match = $1", info.id)
        return None
    calls = await preferred_call_delays(raw, sorted(called_people(info, due_rules)))
    plan = plan_due_times([(info, due_rules)], {info.id: {}}, calls)
    await raw.execute(_PUT_DUE_TIMES, *_PARAMETERS.values(due=plan.new_rows))
    return plan.first_due[0]
