"""The single writer: one transaction for all waiting writes, with a notification for each changed match.

Everything about a match is written under the lock of its row. A transaction first takes the locks of servers, then of
matches, each in order. So two transactions on the same matches wait for each other without a deadlock.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, TypeAlias

import asyncpg

from engines.store.match_store import StoreFailure, UncertainWrite
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.errors import is_disconnect
from storage.postgres.connection.text import encode_texts
from storage.postgres.writing import stale_surfaces
from storage.postgres.writing.commits import MatchCommit, commit_all
from storage.postgres.writing.fenced import FencedWrite, write_all_fenced
from storage.shared.group_commit import FailedWrite

TRIES = 2  # for a connection that was lost before anything could be committed
_LOCK = "SELECT FROM matches WHERE match = ANY($1::text[]) ORDER BY match FOR NO KEY UPDATE"
_LOCK_NUMBER = "SELECT pg_advisory_xact_lock(hashint8extended($1, $2))"
SERVER_LOCK = 0x6D73  # combined with a server's number: the lock for its settings and for counting its tables
HOST_LOCK = 0x6D74  # combined with a person's number: the lock for counting the tables that they host
NOT_CERTAIN = "It is not certain that this was saved. Please check again in a moment."

WriteWork: TypeAlias = Callable[[RawConnection], Awaitable[Any]]
"""Writes something and returns the result. Raises StoreFailure only before it writes."""
FindMatches: TypeAlias = Callable[[RawConnection], Awaitable[Iterable[str]]]
AcquireConnection: TypeAlias = Callable[[], AbstractAsyncContextManager[RawConnection]]


@dataclass(frozen=True, slots=True)
class SingleStatement:
    """A statement whose result nobody needs; it leaves something half done in `unfinished_match`."""

    sql: str
    values: tuple[object, ...]
    unfinished_match: str = ""


@dataclass(frozen=True, slots=True)
class MatchWork:
    """Work on these matches, or on those that are found.

    With `guild`, it is done under the lock of that server's tables; with `host`, under that of the person's tables.
    """

    work: WriteWork
    matches: Collection[str] = ()
    find_matches: FindMatches | None = None
    guild: int | None = None
    host: int | None = None


Job: TypeAlias = MatchCommit | SingleStatement | FencedWrite | MatchWork | WriteWork


class Writer:
    """Writes batches. A lost connection before a commit costs a retry; during one, the outcome is unknown."""

    def __init__(self, acquire: AcquireConnection, on_doubt: Callable[[int], None]) -> None:
        self._acquire = acquire
        self._on_doubt = on_doubt

    async def commit_batch(self, batch: Sequence[Job]) -> list[Any]:
        """Write the batch in one transaction; return the outcomes.

        If a job fails, run each in a transaction of its own: a FailedWrite stands for those that fail.
        """
        try:
            return await self._commit_with_retries(batch)
        except UncertainWrite:
            raise
        except Exception as error:
            if is_disconnect(error):
                raise
            if len(batch) == 1:
                return [FailedWrite(error)]
            return [await self._commit_one(job) for job in batch]

    async def _commit_one(self, job: Job) -> Any:
        try:
            (outcome,) = await self._commit_with_retries([job])
        except Exception as error:  # noqa: BLE001  # the boundary of one write: the others go on
            return FailedWrite(error)
        return outcome

    async def _commit_with_retries(self, batch: Sequence[Job]) -> list[Any]:
        for left in reversed(range(TRIES)):
            try:
                return await self._run_transaction(batch)
            except Exception as error:
                if not left or isinstance(error, TimeoutError) or not (is_disconnect(error) or _is_deadlock(error)):
                    raise
        raise AssertionError

    async def _run_transaction(self, batch: Sequence[Job]) -> list[Any]:
        async with self._acquire() as raw:
            process = raw.get_server_pid()
            await raw.execute("BEGIN")
            try:
                outcomes = await _run_batch(batch, raw)
            except asyncpg.InternalClientError:  # the state of that connection is unknown
                raw.terminate()
                raise
            except BaseException:
                if not raw.is_closed():
                    await raw.execute("ROLLBACK")
                raise
            try:
                await raw.execute("COMMIT")
            except Exception as error:
                if not is_disconnect(error):
                    raise
                self._on_doubt(process)
                raise UncertainWrite(NOT_CERTAIN) from error
        return outcomes


def _is_deadlock(error: Exception) -> bool:
    return isinstance(error, asyncpg.DeadlockDetectedError)


async def _run_batch(batch: Sequence[Job], raw: RawConnection) -> list[Any]:
    """Return the result of each job, in order; matches come first, in rounds if one changes twice."""
    outcomes: list[Any] = [None] * len(batch)
    await _lock_matches(batch, raw)
    left = [(number, job) for number, job in enumerate(batch) if isinstance(job, MatchCommit)]
    while left:
        now: dict[str, tuple[int, MatchCommit]] = {}
        later = []
        for number, job in left:
            if job.match in now:
                later.append((number, job))
            else:
                now[job.match] = number, job
        done = await commit_all([job for _, job in now.values()], raw)
        for (number, _), outcome in zip(now.values(), done, strict=True):
            outcomes[number] = outcome
        left = later
    await _run_statements([job for job in batch if isinstance(job, SingleStatement)], raw)
    fenced = [(number, job) for number, job in enumerate(batch) if isinstance(job, FencedWrite)]
    if fenced:
        written = await write_all_fenced([job for _, job in fenced], raw)
        for (number, _), outcome in zip(fenced, written, strict=True):
            outcomes[number] = outcome
    for number, one in enumerate(batch):
        if not isinstance(one, (MatchCommit, SingleStatement, FencedWrite)):
            work = one.work if isinstance(one, MatchWork) else one
            try:
                outcomes[number] = await work(raw)
            except StoreFailure as error:
                outcomes[number] = FailedWrite(error)
    return outcomes


async def _lock_matches(batch: Sequence[Job], raw: RawConnection) -> None:
    """Lock everything that the batch writes, in order. A batch of changes only locks its matches while reading them."""
    about = [job for job in batch if isinstance(job, MatchWork)]
    for guild in sorted({job.guild for job in about if job.guild is not None}):
        await raw.execute(_LOCK_NUMBER, guild, SERVER_LOCK)
    for host in sorted({job.host for job in about if job.host is not None}):
        await raw.execute(_LOCK_NUMBER, host, HOST_LOCK)
    matches = {str(job.key[0]) for job in batch if isinstance(job, FencedWrite)}
    for job in about:
        matches.update(job.matches, await job.find_matches(raw) if job.find_matches else ())
    changed = {job.match for job in batch if isinstance(job, MatchCommit)}
    if matches - changed:
        await raw.execute(_LOCK, encode_texts(matches | changed))


def _first_value(values: Sequence[object]) -> str:
    return str(values[:1])


async def _run_statements(puts: Sequence[SingleStatement], raw: RawConnection) -> None:
    """Run equal statements together; those with the same first value stay in order."""
    for sql in dict.fromkeys(put.sql for put in puts):
        values = sorted((put.values for put in puts if put.sql == sql), key=_first_value)
        if len(values) == 1:
            await raw.execute(sql, *values[0])
        else:
            await raw.executemany(sql, values)
    unfinished: Iterable[str] = {put.unfinished_match for put in puts if put.unfinished_match}
    if unfinished:
        await stale_surfaces.mark_stale(raw, unfinished)
