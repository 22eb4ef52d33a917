"""Writes in the name of an epoch: none is made once another process holds the match's server.

The lease is locked with the write, so whoever takes it sees all that was written before. What is refused may have been
preceded by a request, so the message that it is about is doubted then, and the new holder looks at it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engines.store.match_store import NotHeld
from engines.store.partition import SHIFT
from storage.postgres.connection.connection import Raw
from storage.postgres.connection.text import columns
from storage.postgres.writing import stale_surfaces
from storage.postgres.writing.stale_surfaces import TELL
from storage.shared.group_commit import Failed


@dataclass(frozen=True, slots=True)
class Deed:
    """What is written, over rows `asked` of these columns, of which the first are the key."""

    sql: str
    width: int
    key: int = 3
    surface: bool = False  # the key is a message's
    by: bool = False  # it asks which process writes


@dataclass(frozen=True, slots=True)
class Fenced:
    """One such write, in the name of that epoch, where all servers are so many parts, by that process."""

    deed: Deed
    values: tuple[object, ...]
    epoch: int
    parts: int
    process: int

    @property
    def key(self) -> tuple[object, ...]:
        return self.values[: self.deed.key]


def deed(
    named: str,
    types: str,
    sql: str,
    *more: str,
    key: int = 3,
    surface: bool = False,
    told: bool = True,
    held: bool = False,
) -> Deed:
    """One of those columns and types. `more` is done with it; there `$process` is the one that writes.

    `held`: under whichever epoch, so long as that process holds the server.
    """
    width = len(named.split(", "))
    unnested = ", ".join(f"${number}::{kind}[]" for number, kind in enumerate((*types.split(), "bigint"), start=1))
    process = f"${width + 3}::bigint"
    fence = f"l.holder = {process}" if held else "l.epoch = n.epoch"
    steps = [
        f"""asked AS (
            SELECT n.* FROM unnest({unnested}) AS n ({named}, epoch) JOIN matches AS m ON m.match = n.match
            JOIN leases AS l ON l.part = (m.guild >> {SHIFT}) % ${width + 2}::bigint AND {fence}
            ORDER BY l.part FOR SHARE OF l
        )""",
        f"done AS ({sql})",
        *(step.replace("$process", process) for step in more),
    ]
    count = ""
    if told:
        steps.append(f"told AS (SELECT {TELL} FROM (SELECT DISTINCT match FROM asked) AS n)")
        count = ", (SELECT COUNT(*) FROM told)"
    by = held or any("$process" in step for step in more)
    keys = ", ".join(named.split(", ")[:key])
    return Deed(f"WITH {', '.join(steps)} SELECT {keys}{count} FROM asked", width, key, surface, by)


_DOUBT = """
UPDATE surfaces SET digest = '' FROM unnest($1::text[], $2::text[], $3::bigint[]) AS n (match, kind, seat)
WHERE surfaces.match = n.match AND surfaces.kind = n.kind AND surfaces.seat = n.seat
"""


async def write_all(jobs: Sequence[Fenced], raw: Raw) -> list[object]:
    """Write them; a Failed for each that was refused. Those that are alike go together, in rounds where keys are."""
    outcomes: list[object] = [None] * len(jobs)
    left = list(range(len(jobs)))
    while left:
        first = jobs[left[0]].deed
        now: dict[tuple[object, ...], int] = {}
        later = []
        for number in left:
            job = jobs[number]
            if job.deed is first and job.key not in now:
                now[job.key] = number
            else:
                later.append(number)
        refused = await _write(first, [jobs[number] for number in now.values()], raw)
        for key in refused:
            outcomes[now[key]] = Failed(NotHeld())
        left = later
    return outcomes


async def _write(deed: Deed, jobs: Sequence[Fenced], raw: Raw) -> Collection[tuple[object, ...]]:
    rows = columns([(*job.values, job.epoch) for job in jobs], deed.width + 1)
    who = [jobs[0].process] if deed.by else []
    done = {tuple(row)[: deed.key] for row in await raw.fetch(deed.sql, *rows, jobs[0].parts, *who)}
    refused = [job.key for job in jobs if job.key not in done]
    if refused:
        if deed.surface:
            await raw.execute(_DOUBT, *columns(refused, 3))
        await stale_surfaces.call(raw, [str(key[0]) for key in refused])
    return refused
