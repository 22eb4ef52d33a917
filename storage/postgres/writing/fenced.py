"""Fenced writes: they are refused once another process holds the match's server.

A write locks the lease, so the next holder sees all earlier writes. A refused write may follow a request to Discord, so
its message is marked as uncertain and the new holder checks it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from engines.store.match_store import NotLeaseHolder
from engines.store.partition import GUILD_SHIFT
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.row_parameters import RowParameters
from storage.postgres.connection.text import to_columns
from storage.postgres.writing import stale_surfaces
from storage.postgres.writing.stale_surfaces import NOTIFY_SQL
from storage.shared.group_commit import FailedWrite
from storage.shared.tables import SqlType, quote_columns


@dataclass(frozen=True, slots=True)
class FencedStatement:
    """A statement over the rows `asked` with these columns; the first ones are the key."""

    sql: str
    width: int
    key_columns: int = 3
    is_of_surface: bool = False  # the key is a surface's
    needs_process: bool = False  # the statement uses the number of the writing process


@dataclass(frozen=True, slots=True)
class FencedWrite:
    """One fenced write: its epoch, the number of partitions, and the writing process."""

    statement: FencedStatement
    values: tuple[object, ...]
    epoch: int
    partition_count: int
    process_number: int

    @property
    def key(self) -> tuple[object, ...]:
        return self.values[: self.statement.key_columns]


def fenced_statement(
    types: Mapping[str, SqlType],
    sql: str,
    *more_steps: str,
    key_columns: int = 3,
    is_of_surface: bool = False,
    notifies: bool = True,
    holder_only: bool = False,
) -> FencedStatement:
    """Build a fenced statement over rows of these columns.

    `more_steps` run with it; `$process` in them is the writing process.
    `holder_only`: any epoch counts as long as that process holds the server.
    """
    width, parameters = len(types), RowParameters(asked={**types, "epoch": "bigint"})
    process = f"${width + 3}::bigint"
    fence = f"l.holder = {process}" if holder_only else "l.epoch = n.epoch"
    steps = [
        f"""asked AS (
            SELECT n.* FROM {parameters.unnest("asked")} JOIN matches AS m ON m.match = n.match
            JOIN leases AS l ON l.part = (m.guild >> {GUILD_SHIFT}) % ${width + 2}::bigint AND {fence}
            ORDER BY l.part FOR SHARE OF l
        )""",
        f"done AS ({sql})",
        *(step.replace("$process", process) for step in more_steps),
    ]
    count = ""
    if notifies:
        steps.append(f"told AS (SELECT {NOTIFY_SQL} FROM (SELECT DISTINCT match FROM asked) AS n)")
        count = ", (SELECT COUNT(*) FROM told)"
    by = holder_only or any("$process" in step for step in more_steps)
    keys = quote_columns([*types][:key_columns])
    return FencedStatement(
        f"WITH {', '.join(steps)} SELECT {keys}{count} FROM asked", width, key_columns, is_of_surface, by
    )


_DOUBT = """
UPDATE surfaces SET digest = '' FROM unnest($1::text[], $2::text[], $3::bigint[]) AS n (match, kind, seat)
WHERE surfaces.match = n.match AND surfaces.kind = n.kind AND surfaces.seat = n.seat
"""


async def write_all_fenced(jobs: Sequence[FencedWrite], raw: RawConnection) -> list[object]:
    """Run fenced writes; return a FailedWrite for each that was refused.

    Equal statements run together, in rounds of distinct keys.
    """
    outcomes: list[object] = [None] * len(jobs)
    left = list(range(len(jobs)))
    while left:
        first = jobs[left[0]].statement
        now: dict[tuple[object, ...], int] = {}
        later = []
        for number in left:
            job = jobs[number]
            if job.statement is first and job.key not in now:
                now[job.key] = number
            else:
                later.append(number)
        refused = await _write_alike(first, [jobs[number] for number in now.values()], raw)
        for key in refused:
            outcomes[now[key]] = FailedWrite(NotLeaseHolder())
        left = later
    return outcomes


async def _write_alike(
    statement: FencedStatement, jobs: Sequence[FencedWrite], raw: RawConnection
) -> Collection[tuple[object, ...]]:
    rows = to_columns([(*job.values, job.epoch) for job in jobs], statement.width + 1)
    process_numbers = [jobs[0].process_number] if statement.needs_process else []
    done = {
        tuple(row)[: statement.key_columns]
        for row in await raw.fetch(statement.sql, *rows, jobs[0].partition_count, *process_numbers)
    }
    refused = [job.key for job in jobs if job.key not in done]
    if refused:
        if statement.is_of_surface:
            await raw.execute(_DOUBT, *to_columns(refused, 3))
        await stale_surfaces.notify_holders(raw, [str(key[0]) for key in refused])
    return refused
