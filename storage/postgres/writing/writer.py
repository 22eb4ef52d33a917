"""The one writer: all that waits is written in one transaction, each change of a match with its notification.

Whatever is written of a match, be it of what it awaits or of what is shown of it, is written under the lock of its row.
A transaction takes all of these first, in their order, and before them those of servers. So of two that write of the
same matches one waits for the other, and never both.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, TypeAlias

import asyncpg

from engines.store.match_store import StoreFailure, Uncertain
from storage.postgres.connection.connection import Raw
from storage.postgres.connection.errors import cut
from storage.postgres.connection.text import texts
from storage.postgres.writing import server_settings, stale_surfaces
from storage.postgres.writing.commits import Commit, commit_all
from storage.postgres.writing.fenced import Fenced, write_all
from storage.shared.group_commit import Failed

TRIES = 2  # for a connection that was cut before anything could be committed
_LOCK = "SELECT FROM matches WHERE match = ANY($1::text[]) ORDER BY match FOR NO KEY UPDATE"
NOT_CERTAIN = "It is not certain whether this was saved. Please look at it again in a moment."

Work: TypeAlias = Callable[[Raw], Awaitable[Any]]
"""Writes something and answers with what came of it. Raises StoreFailure only before it has written anything."""
Found: TypeAlias = Callable[[Raw], Awaitable[Iterable[str]]]
Acquire: TypeAlias = Callable[[], AbstractAsyncContextManager[Raw]]


@dataclass(frozen=True, slots=True)
class Put:
    """One statement of which nobody needs an answer; of the match `begun`, something is half done."""

    sql: str
    values: tuple[object, ...]
    begun: str = ""


@dataclass(frozen=True, slots=True)
class About:
    """Work that writes of these matches, or of those that are found; with a `guild`, under the lock of its tables."""

    work: Work
    matches: Collection[str] = ()
    found: Found | None = None
    guild: int | None = None


Job: TypeAlias = Commit | Put | Fenced | About | Work


class Writer:
    """Writes batches. A connection that was cut before a commit costs another try; during one, nobody knows."""

    def __init__(self, acquire: Acquire, doubt: Callable[[int], None]) -> None:
        self._acquire = acquire
        self._doubt = doubt

    async def commit(self, batch: Sequence[Job]) -> list[Any]:
        """All of it in one transaction. Where one of it fails, each in one of its own: a Failed for those."""
        try:
            return await self._tried(batch)
        except Uncertain:
            raise
        except Exception as error:
            if cut(error):
                raise
            if len(batch) == 1:
                return [Failed(error)]
            return [await self._alone(job) for job in batch]

    async def _alone(self, job: Job) -> Any:
        try:
            (outcome,) = await self._tried([job])
        except Exception as error:  # noqa: BLE001  # the boundary of one write: the others go on
            return Failed(error)
        return outcome

    async def _tried(self, batch: Sequence[Job]) -> list[Any]:
        for left in reversed(range(TRIES)):
            try:
                return await self._transaction(batch)
            except Exception as error:
                if not left or isinstance(error, TimeoutError) or not (cut(error) or _deadlocked(error)):
                    raise
        raise AssertionError

    async def _transaction(self, batch: Sequence[Job]) -> list[Any]:
        async with self._acquire() as raw:
            process = raw.get_server_pid()
            await raw.execute("BEGIN")
            try:
                outcomes = await _all(batch, raw)
            except asyncpg.InternalClientError:  # nobody knows what comes next on that connection
                raw.terminate()
                raise
            except BaseException:
                if not raw.is_closed():
                    await raw.execute("ROLLBACK")
                raise
            try:
                await raw.execute("COMMIT")
            except Exception as error:
                if not cut(error):
                    raise
                self._doubt(process)
                raise Uncertain(NOT_CERTAIN) from error
        return outcomes


def _deadlocked(error: Exception) -> bool:
    return isinstance(error, asyncpg.DeadlockDetectedError)


async def _all(batch: Sequence[Job], raw: Raw) -> list[Any]:
    """What came of each, in their order; matches first, in rounds where one is changed twice."""
    outcomes: list[Any] = [None] * len(batch)
    await _lock(batch, raw)
    left = [(number, job) for number, job in enumerate(batch) if isinstance(job, Commit)]
    while left:
        now: dict[str, tuple[int, Commit]] = {}
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
    await _put([job for job in batch if isinstance(job, Put)], raw)
    fenced = [(number, job) for number, job in enumerate(batch) if isinstance(job, Fenced)]
    if fenced:
        written = await write_all([job for _, job in fenced], raw)
        for (number, _), outcome in zip(fenced, written, strict=True):
            outcomes[number] = outcome
    for number, one in enumerate(batch):
        if not isinstance(one, (Commit, Put, Fenced)):
            work = one.work if isinstance(one, About) else one
            try:
                outcomes[number] = await work(raw)
            except StoreFailure as error:
                outcomes[number] = Failed(error)
    return outcomes


async def _lock(batch: Sequence[Job], raw: Raw) -> None:
    """Lock all that the batch writes of, in its order. Changes alone lock their matches as they read them."""
    about = [job for job in batch if isinstance(job, About)]
    for guild in sorted({job.guild for job in about if job.guild is not None}):
        await server_settings.lock(guild, raw)
    matches = {str(job.key[0]) for job in batch if isinstance(job, Fenced)}
    for job in about:
        matches.update(job.matches, await job.found(raw) if job.found else ())
    changed = {job.match for job in batch if isinstance(job, Commit)}
    if matches - changed:
        await raw.execute(_LOCK, texts(matches | changed))


def _first(values: Sequence[object]) -> str:
    return str(values[:1])


async def _put(puts: Sequence[Put], raw: Raw) -> None:
    """Statements that are alike go there together, those with the same first value as they came."""
    for sql in dict.fromkeys(put.sql for put in puts):
        values = sorted((put.values for put in puts if put.sql == sql), key=_first)
        if len(values) == 1:
            await raw.execute(sql, *values[0])
        else:
            await raw.executemany(sql, values)
    begun: Iterable[str] = {put.begun for put in puts if put.begun}
    if begun:
        await stale_surfaces.mark(raw, begun)
