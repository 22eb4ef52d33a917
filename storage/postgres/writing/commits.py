"""Commits match changes: all waiting ones in a few statements."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from engines.store.match_store import Change, DueTime, MatchInfo, WriteConflict
from engines.store.surface_storage import Preferences
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.text import decode_text, encode_texts, to_columns
from storage.postgres.writing import deals, due_times
from storage.postgres.writing.actions import scrub_actions
from storage.postgres.writing.stale_surfaces import CHANNEL
from storage.shared.group_commit import FailedWrite
from storage.shared.match_rows import MOVED_ON, compute_checksum, match_row, seat_row

# Everything needed to change a match. After waiting for the lock we see the newest revision but older related rows. If
# the revision is the one that the change builds on, those rows have not changed.
_READ = """
SELECT m.match, m.revision,
    (SELECT json_agg(json_build_array(s."user", s.name, s.gone, s.level, s.missed, s.cut, s.last_cut,
        p."user", p.call) ORDER BY s.seat)
        FROM seats AS s LEFT JOIN preferences AS p ON p."user" = s."user" WHERE s.match = m.match),
    (SELECT json_agg(json_build_array(d.kind, d.seat, d.decision)) FROM due AS d
        WHERE d.match = m.match AND d.decision >= 0)
FROM matches AS m WHERE m.match = ANY($1::text[]) ORDER BY m.match FOR NO KEY UPDATE OF m
"""
# Everything but the moves, which use rows written here.
_WRITE = f"""
WITH changed AS (
    UPDATE matches SET rules = n.rules, options = n.options, status = n.status, host = n.host, channel = n.channel,
        thread = n.thread, revision = n.revision, moves = n.moves, votes = n.votes, reason = n.reason,
        changed = n.changed, chosen = n.chosen, called = n.called, house = n.house,
        banks = n.banks, practice = n.practice, decision_offset = n.decision_offset, take_backs = n.take_backs
    FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[],
        $8::bigint[], $9::bigint[], $10::text[], $11::text[], $12::bigint[], $13::bigint[], $14::bigint[], $15::text[],
        $16::text[], $17::boolean[], $18::bigint[], $19::text[])
        AS n (match, rules, options, status, host, channel, thread, revision, moves, votes, reason, changed, chosen,
            called, house, banks, practice, decision_offset, take_backs)
    WHERE matches.match = n.match
), led AS (
    UPDATE states SET checkpoint = n.checkpoint FROM unnest($20::text[], $21::text[]) AS n (match, checkpoint)
    WHERE states.match = n.match RETURNING states.match
), happened AS (
    INSERT INTO events (match, revision, idx, move, recipients, body)
    SELECT * FROM unnest($22::text[], $23::bigint[], $24::bigint[], $25::bigint[], $26::text[], $27::text[])
), past AS (
    UPDATE due SET decision = {due_times.NO_DECISION}, at = NULL, done = TRUE, way = ''
    FROM unnest($28::text[], $29::text[], $30::bigint[]) AS n (match, kind, seat)
    WHERE due.match = n.match AND due.kind = n.kind AND due.seat = n.seat
), ended AS (
    DELETE FROM due WHERE match = ANY($37::text[])
        AND NOT (kind = 'call' AND (match, seat) IN (SELECT * FROM unnest($38::text[], $39::bigint[])))
), paused AS (
    UPDATE due SET decision = {due_times.NO_DECISION}, at = NULL, done = TRUE
    FROM unnest($38::text[], $39::bigint[]) AS n (match, seat)
    WHERE due.match = n.match AND due.kind = 'call' AND due.seat = n.seat
), awaited AS (
    INSERT INTO due (match, kind, seat, decision, since, at)
    SELECT * FROM unnest($31::text[], $32::text[], $33::bigint[], $34::bigint[], $35::bigint[], $36::bigint[])
    {due_times.AGAIN}
), marked AS (
    INSERT INTO behind (match) SELECT * FROM unnest($1::text[]) AS n (match) ORDER BY n.match ON CONFLICT DO NOTHING
), told AS (
    SELECT pg_notify('{CHANNEL}', match || ' ' || revision)
    FROM unnest($1::text[], $8::bigint[]) AS n (match, revision)
)
SELECT (SELECT COUNT(*) FROM led), (SELECT COUNT(*) FROM told)
"""
_update_values = itemgetter(
    *("match", "rules", "options", "status", "host", "channel", "thread", "revision", "moves", "votes", "reason"),
    *("changed", "chosen", "called", "house", "banks", "practice", "decision_offset", "take_backs"),
)
_INSERT = """
INSERT INTO matches (match, game, rules, options, status, host, guild, channel, thread, revision, moves, votes, reason,
    created, changed, chosen, called, follows, house, banks, practice, decision_offset, take_backs, seal)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
    $21, $22, $23, $24)
ON CONFLICT DO NOTHING
"""
_PUT_SEATS = """
INSERT INTO seats (match, seat, "user", name, gone, level, missed, cut, last_cut)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[],
    $8::text[], $9::bigint[])
"""
_START = "INSERT INTO states (match, seed, checkpoint) VALUES ($1, $2, $3)"
_BASE = "INSERT INTO bases (match, revision, moves, rules, checkpoint, at, seal) VALUES ($1, $2, $3, $4, $5, $6, $7)"
_MOVES = """
INSERT INTO moves (match, number, seat, decision, notation, "user", level, at, click)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::text[],
    $8::bigint[], $9::bigint[])
"""
_HISTORY = """
INSERT INTO history (match, revision, action, by, reason, at, click)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[])
"""
REPLY_SECONDS = 8.0  # seconds within which a click is answered
_HOLD_SURFACE = f"""
INSERT INTO answering (match, kind, seat, process, until)
SELECT n.*, clock_timestamp() + interval '{REPLY_SECONDS} s'
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS n
ON CONFLICT (match, kind, seat) DO UPDATE SET process = excluded.process, until = excluded.until
"""
_NOTIFY = f"""
SELECT pg_notify('{CHANNEL}', match || ' ' || revision) FROM unnest($1::text[], $2::bigint[]) AS n (match, revision)
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
        found = [(user, decode_text(name), *rest) for user, name, *rest in json.loads(seats or "[]")]
        return cls(
            revision,
            [row[:7] for row in found],
            {row[0]: Preferences().call if row[7] is None else row[8] for row in found},
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
            await raw.execute(_START, each.match, each.change.seed, each.change.checkpoint)
        if each.change.cuts:
            await deals.write_cuts(raw, each.match, each.change.cuts)
    plan = await _plan_due_times(commits, before, raw)
    later = [
        (each.match, each.change.checkpoint)
        for each in commits
        if each.change.seed is None and each.change.checkpoint is not None
    ]
    events = [row for each in commits if each.change.events != "[]" for row in _event_rows(each.change)]
    written = await raw.fetchrow(
        _WRITE,
        *to_columns([_update_values(match_row(info)) for info in infos], 19),
        *to_columns(later, 2),
        *to_columns(events, 6),
        *to_columns(plan.cleared, 3),
        *to_columns(plan.new_rows, 6),
        encode_texts(plan.ended_matches),
        *to_columns(plan.paused, 2),
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
    await write_history([each for each in commits if each.change.action != "play"], raw)
    await _hold_surfaces([each for each in commits if each.process and each.change.reply_surface is not None], raw)
    for each in commits:
        if each.change.forgotten_user:
            await scrub_actions(raw, each.match, each.change.forgotten_user, each.change.by)
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
        for user in due_times.called_people(
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
        (
            *(each.match, move.number, move.seat, move.decision, move.notation, move.user, move.level),
            *(each.committed_at, each.change.click),
        )
        for each in commits
        if (move := each.change.move) is not None
    ]
    if moves:
        await raw.execute(_MOVES, *to_columns(moves, 9))


async def insert_match(info: MatchInfo, raw: RawConnection) -> bool:
    """Insert a match without seats; return False if its id is taken or its predecessor is already followed."""
    return await raw.execute(_INSERT, *match_row(info).values()) == "INSERT 0 1"


async def notify_changed(infos: Sequence[MatchInfo], raw: RawConnection) -> None:
    """Notify listeners on commit that these matches have changed."""
    await raw.execute(_NOTIFY, *to_columns([(info.id, info.revision) for info in infos], 2))


async def write_seats(info: MatchInfo, raw: RawConnection) -> None:
    """Write the seats of a new match."""
    await _write_seats([info], raw)


async def _write_seats(infos: Sequence[MatchInfo], raw: RawConnection) -> None:
    """Write the seats that have changed, which is rare."""
    if infos:
        await raw.execute("DELETE FROM seats WHERE match = ANY($1::text[])", encode_texts(info.id for info in infos))
        rows = [(info.id, number, *seat_row(seat)) for info in infos for number, seat in enumerate(info.seats)]
        await raw.execute(_PUT_SEATS, *to_columns(rows, 9))


async def write_history(commits: Sequence[MatchCommit], raw: RawConnection) -> None:
    """Write the actions that are not plain moves."""
    rows = [
        (
            each.match,
            info.revision,
            each.change.action,
            each.change.by,
            info.reason,
            each.committed_at,
            each.change.click,
        )
        for each in commits
        for info in [each.change.info]
    ]
    if rows:
        await raw.execute(_HISTORY, *to_columns(rows, 7))


async def _write_base(commit: MatchCommit, raw: RawConnection) -> None:
    """Write a new base with its checksum; if it has no seed, keep the stored one."""
    change, info = commit.change, commit.change.info
    seed = await raw.fetchval("SELECT seed FROM states WHERE match = $1", info.id)
    checksum = compute_checksum(info, seed, info.moves, change.base or "")
    await raw.execute(_BASE, info.id, info.revision, info.moves, info.rules, change.base, commit.committed_at, checksum)


def _event_rows(change: Change) -> list[tuple[object, ...]]:
    """Return one row per event: its index, its recipients, and its JSON."""
    found = json.loads(change.events)
    if not isinstance(found, list):
        raise ValueError("events that are not a list")  # a bad value, not a bad type
    info = change.info
    return [
        (info.id, info.revision, place, info.moves, _json_or_none(event.get("to")), _to_json(event))
        for place, event in enumerate(found)
    ]


def _json_or_none(value: object) -> str | None:
    return None if value is None else _to_json(value)


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
