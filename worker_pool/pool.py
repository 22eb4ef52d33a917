"""The pool: as many workers as there are cores but one, started when they are needed and ended when they are not."""

from __future__ import annotations

import asyncio
import logging
import os
from asyncio import TimerHandle
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypeVar

from engines.kit.contract import AnyGame
from players import Level, decided
from worker_pool.protocol import Job, Told, packed
from worker_pool.worker import STILL, Lost, Worker

T = TypeVar("T")

log = logging.getLogger(__name__)
IDLE = 300.0  # seconds after which a worker ends that has had nothing to do
CHOICE = 20.0  # seconds of the processor that a choice may take: many times what any level needs
TRIES = 2


@dataclass(frozen=True, slots=True)
class Work:
    """How the pool is doing: its workers, those at work, who waits for one; and, from the start on, what was done."""

    most: int = 0
    workers: int = 0
    busy: int = 0
    waiting: int = 0
    answered: int = 0
    lost: int = 0
    gave_up: int = 0


class GaveUp(Exception):
    """No answer could be had: of the function itself, or because two workers were lost over it. Logged already."""


class Thinkers:
    """The workers of a bot. Whoever asks waits until one is free; what is asked first is answered first.

    A worker that is lost, or hangs by its own processor time, costs another try in a new one. It holds nothing that
    anybody would miss.
    """

    def __init__(self, workers: int | None = None, *, idle: float = IDLE, still: float = STILL) -> None:
        self.most = spare_cores() if workers is None else workers
        self._idle = idle
        self._still = still
        self._room = asyncio.Semaphore(self.most)
        self._workers: set[Worker] = set()
        self._free: list[tuple[Worker, TimerHandle]] = []
        self._closed = False
        self._asking = self._answered = self._lost = self._gave_up = 0

    def work(self) -> Work:
        """How it is doing."""
        busy = len(self._workers) - len(self._free)
        waiting = max(0, self._asking - self.most)
        return Work(self.most, len(self._workers), busy, waiting, self._answered, self._lost, self._gave_up)

    async def choose(self, game: AnyGame, view: Any, level: Level, seed: str) -> str:
        """The notation of what a computer of that level does at the seat of the view. Raises GaveUp."""
        return await self.run(decided, game, view, level, seed, seconds=CHOICE)

    async def run(self, function: Callable[..., T], *args: Any, seconds: float) -> T:
        """What that function says to these arguments. Raises GaveUp.

        It is named in a module, and pure; it, the arguments and the answer can be pickled. `seconds` are those of the
        processor that it may use: how long that takes depends on what else the machine has to do.
        """
        job = packed(Job(function, args, seconds))
        self._asking += 1
        try:
            answer: T = await self._run(function.__name__, job)
        except GaveUp:
            self._gave_up += 1
            raise
        else:
            self._answered += 1
            return answer
        finally:
            self._asking -= 1

    async def _run(self, name: str, job: bytes) -> Any:
        """What the function of that name says; a lost worker costs another try. Raises GaveUp."""
        async with self._room:
            for _ in range(TRIES):
                if self._closed:
                    break
                try:
                    told = await self._asked(job)
                except Lost as why:
                    if not self._closed:
                        self._lost += 1
                        log.warning("A worker was lost over %s: %s", name, why)
                    continue
                if told.error:
                    log.error("%s failed in a worker: %s\n%s", name, told.error, told.where)
                    raise GaveUp(f"{name} failed: {told.error}")
                return told.answer  # of a pure function, as it came out
        raise GaveUp("The workers have ended." if self._closed else f"{TRIES} workers were lost.")

    async def close(self) -> None:
        """End all workers; whoever waits for one is told."""
        self._closed = True
        for _, ending in self._free:
            ending.cancel()
        self._free.clear()
        for worker in self._workers:
            worker.end()
        if self._workers:
            await asyncio.wait([worker.gone for worker in self._workers])

    async def __aenter__(self) -> Thinkers:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _asked(self, job: bytes) -> Told:
        """What a worker says to it. Raises Lost."""
        worker = self._found() or await self._started()
        told = None
        try:
            told = await worker.answer(job, self._still)
        finally:
            if told is None:  # it is lost, or nobody waits for its answer any more
                worker.end()
        if not self._closed:
            ending = asyncio.get_running_loop().call_later(self._idle, self._end, worker)
            self._free.append((worker, ending))
        return told

    def _found(self) -> Worker | None:
        """The free worker that was the last to work, so that those not needed come to their end."""
        while self._free:
            worker, ending = self._free.pop()
            ending.cancel()
            if worker.lives:
                return worker
        return None

    async def _started(self) -> Worker:
        worker = await Worker.started()
        self._workers.add(worker)
        worker.gone.add_done_callback(lambda _: self._workers.discard(worker))
        if self._closed:
            worker.end()
        return worker

    def _end(self, worker: Worker) -> None:
        """End a worker that has had nothing to do for long."""
        self._free = [(each, ending) for each, ending in self._free if each is not worker]
        worker.end()


def spare_cores() -> int:
    """All that this process may use but one, and one at least."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)
