"""The due times that move when a person rests until another time, as rows."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any

from engines.features.registry import TABLE_OPTIONS, UNKNOWN_OPTIONS
from engines.hosting.timing.due_times import PendingDue, due_after_rest
from engines.store.table_options import parse_table_options

PENDING_COLUMNS = "due.match, due.seat, matches.house, due.kind, due.since, due.at"
"""The columns of the rows to read: everything still to come for a person, in order of match and seat."""


def moved_due_rows(
    rows: Iterable[tuple[Any, ...]], old_end: int, new_end: int, now: int
) -> list[tuple[int, int | None, str, str, int]]:
    """Return the due times that move because a rest ends at another time: since, at, match, kind, seat."""
    moved: list[tuple[int, int | None, str, str, int]] = []
    for (match, seat, options_json), group in groupby(rows, key=itemgetter(0, 1, 2)):
        options = parse_table_options(options_json, TABLE_OPTIONS)[0] or UNKNOWN_OPTIONS
        pending = [PendingDue(kind, since, at) for *_, kind, since, at in group]
        changed = due_after_rest(pending, options, old_end, new_end, now)
        moved += [(each.since, each.at, match, each.kind, seat) for each in changed]
    return moved
