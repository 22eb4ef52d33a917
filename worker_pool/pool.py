"""The pool: one worker per core except one, started on demand and ended when idle."""

from __future__ import annotations

import asyncio
import logging
import os
from asyncio import TimerHandle
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, TypeVar

from engines.kit.contract import AnyGame
from players import Level, choose_notation
from worker_pool.fair_queue import FairQueue, JobOwner, Rank, TableTurn
from worker_pool.protocol import Job, JobResult, pack_message
from worker_pool.worker import STALL_SECONDS, Worker, WorkerLost

T = TypeVar("T")

log = logging.getLogger(__name__)
IDLE_SECONDS = 300.0  # seconds after which an idle worker ends
CHOICE_SECONDS = 20.0  # seconds of processor time for a choice: many times what any level needs
TRIES = 2


@dataclass(frozen=True, slots=True)
class PoolStats:
    """The state of the pool: workers, busy ones and waiting callers; and, since the start, finished jobs."""

    most: int = 0
    workers: int = 0
    busy: int = 0
    waiting: int = 0
    answered: int = 0
    lost: int = 0
    gave_up: int = 0
    dropped: int = 0


class JobFailed(Exception):
    """No result: the function failed, or two workers were lost over it. It is already logged."""


class JobDropped(Exception):
    """The job did not run, because nobody wanted its result any more when its turn came."""


async def always_wanted() -> bool:
    """Say that the result of a job is wanted, whatever has happened since it was requested."""
    return True


class JobRunner(Protocol):
    """What searches for people need of the pool."""

    async def run(
        self,
        owner: JobOwner,
        function: Callable[..., T],
        *args: Any,
        seconds: float,
        is_wanted: Callable[[], Awaitable[bool]] = always_wanted,
    ) -> T:
        """Return the function's result for these arguments. Raises JobFailed and JobDropped."""

    async def run_in_background(self, owner: JobOwner, function: Callable[..., T], *args: Any, seconds: float) -> T:
        """Return the function's result for these arguments, after more urgent jobs. Raises JobFailed."""


class WorkerPool:
    """The workers of a bot. Callers wait for a free worker; they take turns, and each has one job at a time.

    Computers' turns go before people's requests, and those before background jobs: see `FairQueue`. If a worker is
    lost, or hangs by its own processor time, the job is retried in a new one. Workers hold no state.
    """

    def __init__(
        self, workers: int | None = None, *, idle_seconds: float = IDLE_SECONDS, stall_seconds: float = STALL_SECONDS
    ) -> None:
        self.max_workers = spare_cores() if workers is None else workers
        self._idle_seconds = idle_seconds
        self._stall_seconds = stall_seconds
        self.queue = FairQueue(self.max_workers)
        self._workers: set[Worker] = set()
        self._free_workers: list[tuple[Worker, TimerHandle]] = []
        self._closed = False
        self._answered_jobs = self._lost_workers = self._failed_jobs = self._dropped_jobs = 0

    def stats(self) -> PoolStats:
        """Return the state of the pool."""
        busy = len(self._workers) - len(self._free_workers)
        return PoolStats(
            self.max_workers,
            len(self._workers),
            busy,
            self.queue.waiting(),
            self._answered_jobs,
            self._lost_workers,
            self._failed_jobs,
            self._dropped_jobs,
        )

    async def choose_move(self, match: str, game: AnyGame, view: Any, level: Level, seed: str) -> str:
        """Return the notation of the move that a computer of that level makes at the view's seat. Raises JobFailed."""
        return await self.run(TableTurn(match), choose_notation, game, view, level, seed, seconds=CHOICE_SECONDS)

    async def run(
        self,
        owner: JobOwner,
        function: Callable[..., T],
        *args: Any,
        seconds: float,
        is_wanted: Callable[[], Awaitable[bool]] = always_wanted,
    ) -> T:
        """Return the function's result for these arguments. Raises JobFailed.

        The function is pure and found by name in its module; function, arguments and result can be pickled. `seconds`
        limits its processor time; the time on the wall depends on the machine's load. `is_wanted` is asked when the
        owner's turn has come; if it says no, the job is dropped with JobDropped.
        """
        rank = Rank.TURN if isinstance(owner, TableTurn) else Rank.REQUEST
        answer: T = await self._run_in_turn(owner, rank, Job(function, args, seconds), is_wanted)
        return answer

    async def run_in_background(self, owner: JobOwner, function: Callable[..., T], *args: Any, seconds: float) -> T:
        """Do the same for a job that may wait: it begins when all others have their workers. Raises JobFailed."""
        answer: T = await self._run_in_turn(owner, Rank.BACKGROUND, Job(function, args, seconds), always_wanted)
        return answer

    async def _run_in_turn(
        self, owner: JobOwner, rank: Rank, job: Job, is_wanted: Callable[[], Awaitable[bool]]
    ) -> Any:
        """Return the result of a job. Raises JobFailed and JobDropped."""
        message = pack_message(job)
        try:
            async with self.queue.turn(owner, rank):
                if not await is_wanted():
                    self._dropped_jobs += 1
                    raise JobDropped
                answer = await self._run_with_retries(job.function.__name__, message)
        except JobFailed:
            self._failed_jobs += 1
            raise
        self._answered_jobs += 1
        return answer

    async def _run_with_retries(self, name: str, job: bytes) -> Any:
        """Return the result of a pickled job, with a retry if a worker is lost. Raises JobFailed."""
        for _ in range(TRIES):
            if self._closed:
                break
            try:
                result = await self._ask_worker(job)
            except WorkerLost as why:
                if not self._closed:
                    self._lost_workers += 1
                    log.warning("A worker was lost over %s: %s", name, why)
                continue
            if result.error:
                log.error("%s failed in a worker: %s\n%s", name, result.error, result.traceback)
                raise JobFailed(f"{name} failed: {result.error}")
            return result.answer  # a pure function's result, passed on unchanged
        raise JobFailed("The worker pool is closed." if self._closed else f"{TRIES} workers were lost.")

    async def close(self) -> None:
        """End all workers; waiting callers get JobFailed."""
        self._closed = True
        for _, ending in self._free_workers:
            ending.cancel()
        self._free_workers.clear()
        for worker in self._workers:
            worker.terminate()
        if self._workers:
            await asyncio.wait([worker.exit_future for worker in self._workers])

    async def __aenter__(self) -> WorkerPool:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _ask_worker(self, job: bytes) -> JobResult:
        """Run a job in a worker. Raises WorkerLost."""
        worker = self._pop_free_worker() or await self._start_worker()
        result = None
        try:
            result = await worker.run_job(job, self._stall_seconds)
        finally:
            if result is None:  # it is lost, or nobody awaits its result any more
                worker.terminate()
        if not self._closed:
            ending = asyncio.get_running_loop().call_later(self._idle_seconds, self._end_idle_worker, worker)
            self._free_workers.append((worker, ending))
        return result

    def _pop_free_worker(self) -> Worker | None:
        """Return the free worker that was used last, so that surplus workers become idle."""
        while self._free_workers:
            worker, ending = self._free_workers.pop()
            ending.cancel()
            if worker.is_alive:
                return worker
        return None

    async def _start_worker(self) -> Worker:
        worker = await Worker.start()
        self._workers.add(worker)
        worker.exit_future.add_done_callback(lambda _: self._workers.discard(worker))
        if self._closed:
            worker.terminate()
        return worker

    def _end_idle_worker(self, worker: Worker) -> None:
        """End a worker that has been idle for long."""
        self._free_workers = [(each, ending) for each, ending in self._free_workers if each is not worker]
        worker.terminate()


def spare_cores() -> int:
    """Return the number of usable cores less one, and at least one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)
