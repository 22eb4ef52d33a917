"""Commits match changes: all waiting ones in a few statements."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.store.match_store import Change, DueTime, MatchInfo, WriteConflict
from engines.store.surface_storage import Preferences
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.row_parameters import InsertRows, RowParameters
from storage.postgres.connection.text import decode_text, encode_texts, to_columns
from storage.postgres.writing import due_times
from storage.postgres.writing.stale_surfaces import CHANNEL, DIALECT
from storage.shared.group_commit import FailedWrite
from storage.shared.match_rows import MOVED_ON, base_row, history_row, match_values, move_row, seat_row
from storage.shared.stores.due_times import NO_DECISION, called_people
from storage.shared.stores.forgetting import scrub_actions
from storage.shared.stores.rows import write_row
from storage.shared.tables import (
    BASES,
    DUE,
    EVENTS,
    HISTORY,
    MATCHES,
    MOVES,
    SEATS,
    STATES,
    insert_sql,
    quote_columns,
    set_sql,
)

_SEAT = quote_columns(SEATS.changing_columns, "s")
# Everything needed to change a match. After waiting for the lock we see the newest revision but older related rows. If
# the revision is the one that the change builds on, those rows have not changed.
_READ = f"""
SELECT m.match, m.revision,
    (SELECT json_agg(json_build_array(s."user", p."user", p.call, {_SEAT}) ORDER BY s.seat)
        FROM seats AS s LEFT JOIN preferences AS p ON p."user" = s."user" WHERE s.match = m.match),
    (SELECT json_agg(json_build_array(d.kind, d.seat, d.decision)) FROM due AS d
        WHERE d.match = m.match AND d.decision >= 0)
FROM matches AS m WHERE m.match = ANY($1::text[]) ORDER BY m.match FOR NO KEY UPDATE OF m
"""
_CHANGED = ("match", *MATCHES.changing_columns)
_PARAMETERS = RowParameters(
    matches=MATCHES.types_of(*_CHANGED),
    checkpoints=STATES.types_of("match", "checkpoint"),
    events=EVENTS.types_of(),
    cleared=DUE.types_of("match", "kind", "seat"),
    due=due_times.NEW_ROW,
    ended=DUE.types_of("match"),
    paused=DUE.types_of("match", "seat"),
)
# Everything but the moves, which use rows written here.
_WRITE = f"""
WITH changed AS (
    UPDATE matches SET {set_sql(MATCHES.changing_columns, "n")} FROM {_PARAMETERS.unnest("matches")}
    WHERE matches.match = n.match
), led AS (
    UPDATE states SET checkpoint = n.checkpoint FROM {_PARAMETERS.unnest("checkpoints")}
    WHERE states.match = n.match RETURNING states.match
), happened AS (
    INSERT INTO events ({quote_columns(EVENTS.columns)}) SELECT * FROM {_PARAMETERS.unnest("events")}
), past AS (
    UPDATE due SET decision = {NO_DECISION}, at = NULL, done = TRUE, way = ''
    FROM {_PARAMETERS.unnest("cleared")}
    WHERE due.match = n.match AND due.kind = n.kind AND due.seat = n.seat
), ended AS (
    DELETE FROM due WHERE match = ANY({_PARAMETERS.array("ended", "match")})
        AND NOT (kind = 'call' AND (match, seat) IN (SELECT * FROM {_PARAMETERS.unnest("paused")}))
), paused AS (
    UPDATE due SET decision = {NO_DECISION}, at = NULL, done = TRUE
    FROM {_PARAMETERS.unnest("paused")}
    WHERE due.match = n.match AND due.kind = 'call' AND due.seat = n.seat
), awaited AS (
    INSERT INTO due ({quote_columns(due_times.NEW_ROW)}) SELECT * FROM {_PARAMETERS.unnest("due")} {due_times.AGAIN}
), marked AS (
    INSERT INTO behind (match) SELECT * FROM {_PARAMETERS.unnest("matches", "match")}
    ORDER BY n.match ON CONFLICT DO NOTHING
), told AS (
    SELECT pg_notify('{CHANNEL}', match || ' ' || revision) FROM {_PARAMETERS.unnest("matches", "match", "revision")}
)
SELECT (SELECT COUNT(*) FROM led), (SELECT COUNT(*) FROM told)
"""
_update_values = match_values(*_CHANGED)
_INSERT_STATE = insert_sql(STATES)
_INSERT_BASE = insert_sql(BASES)
_INSERT_SEATS = InsertRows(SEATS)
_INSERT_MOVES = InsertRows(MOVES)
_INSERT_HISTORY = InsertRows(HISTORY)
REPLY_SECONDS = 8.0  # seconds within which a click is answered
_HOLD_SURFACE = f"""
INSERT INTO answering (match, kind, seat, process, until)
SELECT n.*, clock_timestamp() + interval '{REPLY_SECONDS} s'
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS n
ON CONFLICT (match, kind, seat) DO UPDATE SET process = excluded.process, until = excluded.until
"""


@dataclass(frozen=True, slots=True)
class MatchCommit:
    """A change of a match, its time, and the number of the process that makes it, if there are several."""

    change: Change
    committed_at: int
    process: int = 0

    @property
    def match(self) -> str:
        return self.change.info.id


@dataclass(frozen=True, slots=True)
class _MatchBefore:
    """A match before the change: its revision, its seats, its players' preferences and its due times."""

    revision: int
    seats: list[tuple[Any, ...]]
    call_delays: dict[int, int | None]
    due_decisions: due_times.DueDecisions

    @classmethod
    def from_row(cls, revision: int, seats: str | None, due_rows: str | None) -> _MatchBefore:
        found = json.loads(seats or "[]")
        return cls(
            revision,
            [
                tuple([decode_text(each) if each and isinstance(each, str) else each for each in seat])
                for _, _, _, *seat in found
            ],
            {user: Preferences().call if known is None else call for user, known, call, *_ in found},
            {(kind, seat): decision for kind, seat, decision in json.loads(due_rows or "[]")},
        )


async def commit_all(commits: Sequence[MatchCommit], raw: RawConnection) -> list[Any]:
    """Commit changes of different matches; return for each when its first new due time comes.

    A FailedWrite stands for a change that builds on an outdated revision or outdated deadlines; nothing of it is
    written. Matches are locked in order, so concurrent commits wait and then see the result.
    """
    rows = await raw.fetch(_READ, encode_texts(each.match for each in commits))
    before = {match: _MatchBefore.from_row(*rest) for match, *rest in rows}
    postponed = await _postponed_matches(commits, raw)
    good = [
        each
        for each in commits
        if each.match in before
        and before[each.match].revision == each.change.info.revision - 1
        and each.match not in postponed
    ]
    outcomes: dict[str, Any] = {each.match: FailedWrite(WriteConflict(MOVED_ON)) for each in commits}
    if good:
        outcomes |= await _write_commits(good, before, raw)
    return [outcomes[each.match] for each in commits]


async def _postponed_matches(commits: Sequence[MatchCommit], raw: RawConnection) -> set[str]:
    """Return the matches with banks whose deadlines are not those that the change builds on.

    This reads them after the matches were locked, because a postponement does not change a match's revision.
    """
    computed = {each.match: each.change.old_deadlines for each in commits if each.change.old_deadlines is not None}
    if not computed:
        return set()
    stored: dict[str, set[DueTime]] = {match: set() for match in computed}
    for due in await due_times.find_deadlines(sorted(computed), raw):
        stored[due.match].add(due)
    return {match for match, deadlines in computed.items() if stored[match] != deadlines}


async def _write_commits(
    commits: Sequence[MatchCommit], before: Mapping[str, _MatchBefore], raw: RawConnection
) -> dict[str, int | None]:
    infos = [each.change.info for each in commits]
    for each in commits:
        if each.change.seed is not None:
            start = STATES.row(match=each.match, seed=each.change.seed, checkpoint=each.change.checkpoint)
            await raw.execute(_INSERT_STATE, *start)
        if each.change.cuts:
            await raw.execute("UPDATE deals SET cuts = $2 WHERE match = $1", each.match, each.change.cuts)
    if rests := [(each.match, each.change.rest) for each in commits if each.change.rest]:
        await due_times.postpone_after_rests(raw, rests)
    plan = await _plan_due_times(commits, before, raw)
    later = [
        (each.match, each.change.checkpoint)
        for each in commits
        if each.change.seed is None and each.change.checkpoint is not None
    ]
    events = [row for each in commits if each.change.events != "[]" for row in _event_rows(each.change)]
    written = await raw.fetchrow(
        _WRITE,
        *_PARAMETERS.values(
            matches=map(_update_values, infos),
            checkpoints=later,
            events=events,
            cleared=plan.cleared,
            due=plan.new_rows,
            ended=[(match,) for match in plan.ended_matches],
            paused=plan.paused,
        ),
    )
    if written is None or written[0] != len(later):
        raise LookupError("a match was never started")
    for each in commits:
        if each.change.seed is not None or each.change.base is not None:
            await _write_base(each, raw)
    await _write_seats(
        [info for info in infos if before[info.id].seats != [seat_row(seat) for seat in info.seats]], raw
    )
    await _write_moves(commits, raw)
    await _write_history([each for each in commits if each.change.action != "play"], raw)
    await _hold_surfaces([each for each in commits if each.process and each.change.reply_surface is not None], raw)
    for each in commits:
        for row in each.change.rows:
            await write_row(row, each.match, None, DIALECT, raw)
        if each.change.forgotten_user:
            await scrub_actions(each.match, each.change.forgotten_user, each.change.by, DIALECT, raw)
    return dict(zip([info.id for info in infos], plan.first_due, strict=True))


async def _hold_surfaces(commits: Sequence[MatchCommit], raw: RawConnection) -> None:
    """Reserve these surfaces for some seconds for the process that answers with them."""
    rows = [
        (each.match, *each.change.reply_surface, each.process)
        for each in commits
        if each.change.reply_surface is not None
    ]
    if rows:
        await raw.execute(_HOLD_SURFACE, *to_columns(rows, 4))


async def _plan_due_times(
    commits: Sequence[MatchCommit], before: Mapping[str, _MatchBefore], raw: RawConnection
) -> due_times.DuePlan:
    """Plan the due times after these changes."""
    calls = {user: call for each in commits for user, call in before[each.match].call_delays.items()}
    people = {
        user
        for each in commits
        for user in called_people(
            each.change.info, due_times.new_due_rules(each.change.due_rules, before[each.match].due_decisions)
        )
    }
    if people - calls.keys():  # somebody has just taken a seat
        calls |= await due_times.preferred_call_delays(raw, sorted(people - calls.keys()))
    due_rules = [(each.change.info, each.change.due_rules) for each in commits]
    return due_times.plan_due_times(
        due_rules, {each.match: before[each.match].due_decisions for each in commits}, calls
    )


async def _write_moves(commits: Sequence[MatchCommit], raw: RawConnection) -> None:
    moves = [
        move_row(each.match, each.change.move, each.committed_at, each.change.click)
        for each in commits
        if each.change.move is not None
    ]
    if moves:
        await raw.execute(_INSERT_MOVES.sql, *_INSERT_MOVES.values(moves))


async def _write_seats(infos: Sequence[MatchInfo], raw: RawConnection) -> None:
    """Write the seats that have changed, which is rare."""
    if infos:
        await raw.execute("DELETE FROM seats WHERE match = ANY($1::text[])", encode_texts(info.id for info in infos))
        rows = [(info.id, number, *seat_row(seat)) for info in infos for number, seat in enumerate(info.seats)]
        await raw.execute(_INSERT_SEATS.sql, *_INSERT_SEATS.values(rows))


async def _write_history(commits: Sequence[MatchCommit], raw: RawConnection) -> None:
    """Write the actions that are not plain moves."""
    rows = [history_row(each.change, each.committed_at) for each in commits]
    if rows:
        await raw.execute(_INSERT_HISTORY.sql, *_INSERT_HISTORY.values(rows))


async def _write_base(commit: MatchCommit, raw: RawConnection) -> None:
    """Write a new base with its checksum; if it has no seed, keep the stored one."""
    change, info = commit.change, commit.change.info
    seed = await raw.fetchval("SELECT seed FROM states WHERE match = $1", info.id)
    await raw.execute(_INSERT_BASE, *base_row(info, change.base, commit.committed_at, seed))


def _event_rows(change: Change) -> list[tuple[object, ...]]:
    """Return one row per event: its index, its recipients, and its JSON."""
    found = json.loads(change.events)
    if not isinstance(found, list):
        raise ValueError("events that are not a list")  # a bad value, not a bad type
    info = change.info
    return [
        EVENTS.row(
            match=info.id,
            revision=info.revision,
            idx=place,
            move=info.moves,
            recipients=_json_or_none(event.get("to")),
            body=_to_json(event),
        )
        for place, event in enumerate(found)
    ]


def _json_or_none(value: object) -> str | None:
    return None if value is None else _to_json(value)


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
