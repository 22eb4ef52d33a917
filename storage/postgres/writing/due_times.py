"""Writes what matches await with the changes that cause it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engines.hosting.timing.due_times import stays
from engines.store.match_store import DueRule, DueTime, MatchInfo
from engines.store.surface_storage import Preferences
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.text import encode_texts, to_columns
from storage.postgres.writing.fenced import fenced_statement
from storage.shared.stores.due_times import DECISIONS, NO_DECISION, due_time_of
from storage.shared.tables import DUE

AGAIN = f"""
ON CONFLICT (match, kind, seat) DO UPDATE SET decision = excluded.decision, since = excluded.since, at = excluded.at,
    done = FALSE, way = CASE WHEN due.decision = {NO_DECISION} THEN due.way ELSE '' END
"""
NEW_ROW = DUE.types_of("match", "kind", "seat", "decision", "since", "at")
_REST = f"""
UPDATE due SET since = since + n.rest, at = at + n.rest FROM unnest($1::text[], $2::bigint[]) AS n (match, rest)
WHERE due.match = n.match AND due.kind IN ({DECISIONS}) AND due.at IS NOT NULL
"""
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


async def postpone_after_rests(raw: RawConnection, rests: Sequence[tuple[str, int]]) -> None:
    """Postpone everything that is due for these matches' decisions by the seconds for which their time rested."""
    await raw.execute(_REST, *to_columns(rests, 2))


async def find_deadlines(matches: Sequence[str], raw: RawConnection) -> list[DueTime]:
    """Return the deadlines of the open decisions of these matches."""
    return [DueTime(*row) for row in await raw.fetch(_DEADLINES, encode_texts(matches))]


async def preferred_call_delays(raw: RawConnection, users: Sequence[int]) -> dict[int, int | None]:
    """Return after how many seconds these people want a reminder; None: never."""
    rows = await raw.fetch('SELECT "user", call FROM preferences WHERE "user" = ANY($1::bigint[])', list(users))
    return dict.fromkeys(users, Preferences().call) | {row[0]: row[1] for row in rows}


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
