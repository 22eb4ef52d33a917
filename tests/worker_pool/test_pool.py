"""The pool with real workers: results, and workers that crash, hang, starve or are idle."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio

from engines.kit.chance import Chance
from players import LEVELS, available_levels, legal_moves, make_player
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.worker_pool import jobs
from worker_pool.fair_queue import Person
from worker_pool.pool import JobFailed, WorkerPool, spare_cores
from worker_pool.worker import STALL_SECONDS

SECONDS = 0.3  # of processor time: a busy machine may take a minute for it
ANN = Person(1)
BRIEF = 0.1  # for jobs that never end
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def worker_pool() -> AsyncIterator[WorkerPool]:
    async with WorkerPool(1) as pool:
        yield pool


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return tmp_path / "tried"


def tried_processes(book: Path) -> list[int]:
    return [int(line) for line in book.read_text().split()] if book.exists() else []


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110  # nothing tells that another process has come so far
            await asyncio.sleep(0.01)


async def test_the_result_of_a_function_comes_back_from_one_process_after_another(worker_pool: WorkerPool) -> None:
    doubled = await asyncio.gather(*(worker_pool.run(ANN, jobs.double, n, seconds=SECONDS) for n in range(20)))
    assert doubled == [2 * n for n in range(20)]
    first = await worker_pool.run(ANN, jobs.worker_pid, seconds=SECONDS)
    assert first == await worker_pool.run(ANN, jobs.worker_pid, seconds=SECONDS) != os.getpid()
    content = bytes(range(256)) * 1000
    assert await worker_pool.run(ANN, jobs.return_large, 10, content, seconds=SECONDS) == content * 10
    # Nothing that is printed or read disturbs an answer.
    assert [await worker_pool.run(ANN, jobs.chatter, n, seconds=SECONDS) for n in range(3)] == [0, 1, 2]


async def test_as_many_work_at_once_as_may() -> None:
    async with WorkerPool(2) as pool:
        await asyncio.gather(*(pool.run(Person(n), jobs.worker_pid, seconds=SECONDS) for n in range(4)))
        start = time.monotonic()
        await asyncio.gather(*(pool.run(Person(n), jobs.nap, 0.3, seconds=SECONDS) for n in range(4)))
        assert time.monotonic() - start > 0.55
    assert WorkerPool().max_workers == spare_cores() >= 1


async def test_background_jobs_wait_until_no_other_job_waits(worker_pool: WorkerPool) -> None:
    order: list[str] = []

    async def note(name: str, job: Awaitable[object]) -> None:
        await job
        order.append(name)

    async def ask(name: str) -> asyncio.Task[None]:
        run = worker_pool.run_in_background if name.startswith("late") else worker_pool.run
        task = asyncio.create_task(note(name, run(ANN, jobs.nap, 0.1, seconds=SECONDS)))
        await asyncio.sleep(0)
        return task

    names = ("first", "late 1", "late 2", "second", "third")
    await asyncio.gather(*[await ask(name) for name in names])
    assert order == ["first", "second", "third", "late 1", "late 2"]


async def test_background_jobs_run_one_at_a_time() -> None:
    async with WorkerPool(2) as pool:
        await asyncio.gather(*(pool.run(Person(n), jobs.worker_pid, seconds=SECONDS) for n in range(2)))
        start = time.monotonic()
        await asyncio.gather(*(pool.run_in_background(Person(n), jobs.nap, 0.3, seconds=SECONDS) for n in range(2)))
        assert time.monotonic() - start > 0.55


async def test_a_background_job_that_waits_fails_when_the_pool_closes() -> None:
    async with WorkerPool(1) as pool:
        busy = asyncio.create_task(pool.run(ANN, jobs.nap, 30, seconds=SECONDS))
        await asyncio.sleep(0)
        waiting = asyncio.create_task(pool.run_in_background(ANN, jobs.double, 1, seconds=SECONDS))
        await asyncio.sleep(0)
    for each in (busy, waiting):
        with pytest.raises(JobFailed):
            await each


async def test_a_failure_is_told_without_its_text_and_not_tried_again(
    worker_pool: WorkerPool, caplog: pytest.LogCaptureFixture
) -> None:
    before = await worker_pool.run(ANN, jobs.worker_pid, seconds=SECONDS)
    with pytest.raises(JobFailed, match="fail failed: ValueError"):
        await worker_pool.run(ANN, jobs.fail, "10H", seconds=SECONDS)
    assert "ValueError" in caplog.text
    assert "in fail" in caplog.text
    assert "10H" not in caplog.text
    with pytest.raises(JobFailed, match="return_unpicklable failed: TypeError"):
        await worker_pool.run(ANN, jobs.return_unpicklable, seconds=SECONDS)
    assert await worker_pool.run(ANN, jobs.worker_pid, seconds=SECONDS) == before


@pytest.mark.parametrize("dies", [jobs.crash, jobs.spin])
async def test_a_worker_that_is_lost_costs_one_retry_in_a_new_one(
    dies: Callable[..., int], worker_pool: WorkerPool, book: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert await worker_pool.run(ANN, dies, str(book), 1, seconds=BRIEF) == 2
    assert len(set(tried_processes(book))) == 2
    assert [record.levelno for record in caplog.records if record.name.startswith("worker_pool")] == [logging.WARNING]
    with pytest.raises(JobFailed, match="2 workers were lost"):
        await worker_pool.run(ANN, dies, str(book), seconds=BRIEF)
    assert (len(tried_processes(book)), len(set(tried_processes(book)))) == (4, 3)
    with pytest.raises(JobFailed):  # also if the job lets no thread run
        await worker_pool.run(ANN, jobs.hold_everything, seconds=BRIEF)
    assert await worker_pool.run(ANN, jobs.double, 21, seconds=SECONDS) == 42


async def test_the_worker_looks_at_the_clock_if_the_system_sets_no_timer() -> None:
    script = f"""
import signal, sys
from worker_pool.worker_process import cpu_limit
from tests.worker_pool import jobs
del signal.setitimer
sys.platform = "win32"
with cpu_limit({SECONDS}):
    jobs.use_processor(0.1)
with cpu_limit({SECONDS}):
    jobs.use_processor(99)
"""
    ended = await asyncio.create_subprocess_exec(sys.executable, "-c", script)
    assert await ended.wait() == 3


async def test_a_worker_without_processor_time_is_left_alone(worker_pool: WorkerPool) -> None:
    """On the wall it takes many times its limit of processor time."""
    pid = await worker_pool.run(ANN, jobs.worker_pid, seconds=SECONDS)
    working = asyncio.create_task(worker_pool.run(ANN, jobs.use_processor, 0.2, seconds=SECONDS))
    for _ in range(20):
        os.kill(pid, signal.SIGSTOP)
        await asyncio.sleep(0.06)
        os.kill(pid, signal.SIGCONT)
        await asyncio.sleep(0.005)
    assert await working == 0.2
    assert await worker_pool.run(ANN, jobs.nap, 2 * SECONDS, seconds=SECONDS) == 2 * SECONDS
    assert await worker_pool.run(ANN, jobs.worker_pid, seconds=SECONDS) == pid


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system does not tell what a process has used")
async def test_a_stalled_worker_is_replaced(book: Path) -> None:
    assert STALL_SECONDS >= 30
    async with WorkerPool(1, stall_seconds=0.2) as pool:
        with pytest.raises(JobFailed):
            await pool.run(ANN, jobs.stand_still, str(book), seconds=SECONDS)
    assert len(set(tried_processes(book))) == 2


async def test_an_idle_worker_may_be_killed(worker_pool: WorkerPool, caplog: pytest.LogCaptureFixture) -> None:
    pid = await worker_pool.run(ANN, jobs.worker_pid, seconds=SECONDS)
    os.kill(pid, signal.SIGKILL)
    await wait_until(lambda: not any(worker.is_alive for worker, _ in worker_pool._free_workers))
    assert await worker_pool.run(ANN, jobs.worker_pid, seconds=SECONDS) != pid
    assert not caplog.records


async def test_a_caller_that_stops_waiting_frees_the_worker(worker_pool: WorkerPool, book: Path) -> None:
    tasks = [asyncio.create_task(worker_pool.run(ANN, jobs.stand_still, str(book), seconds=SECONDS)) for _ in range(3)]
    await wait_until(lambda: len(tried_processes(book)) == 1)
    for task in reversed(tasks):  # also the ones that wait for their turn
        task.cancel()
    await asyncio.wait(tasks)
    assert all(task.cancelled() for task in tasks)
    assert await worker_pool.run(ANN, jobs.double, 4, seconds=SECONDS) == 8
    assert len(tried_processes(book)) == 1
    await wait_until(lambda: not is_alive(tried_processes(book)[0]))


async def test_with_nothing_to_do_they_end_and_come_back() -> None:
    async with WorkerPool(1, idle_seconds=0.2) as pool:
        first = await pool.run(ANN, jobs.worker_pid, seconds=SECONDS)
        await wait_until(lambda: not is_alive(first))
        assert await pool.run(ANN, jobs.worker_pid, seconds=SECONDS) != first


async def test_at_the_end_none_is_left_and_waiting_callers_are_told(book: Path) -> None:
    async with WorkerPool(1) as pool:
        tasks = [asyncio.create_task(pool.run(ANN, jobs.stand_still, str(book), seconds=SECONDS)) for _ in range(2)]
        await wait_until(lambda: len(tried_processes(book)) == 1)
    assert not is_alive(tried_processes(book)[0])
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(each) for each in results] == [JobFailed, JobFailed]
    with pytest.raises(JobFailed, match="The worker pool is closed"):
        await pool.run(ANN, jobs.double, 1, seconds=SECONDS)
    assert len(tried_processes(book)) == 1


async def test_when_the_bot_is_killed_no_worker_is_left_however_busy(book: Path) -> None:
    script = f"""
import asyncio
from worker_pool.fair_queue import Person
from worker_pool.pool import WorkerPool
from tests.worker_pool import jobs
asyncio.run(WorkerPool().run(Person(1), jobs.spin, {str(book)!r}, seconds=99))
"""
    bot = await asyncio.create_subprocess_exec(sys.executable, "-c", script)
    await wait_until(lambda: len(tried_processes(book)) == 1)
    bot.kill()
    await bot.wait()
    await wait_until(lambda: not is_alive(tried_processes(book)[0]))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_a_worker_has_nothing_of_the_bots(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a token")
    monkeypatch.setenv("MOTLEY_DATABASE", "a file")
    with (tmp_path / "bots").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        async with WorkerPool(1) as pool:
            settings, files, nice = await pool.run(ANN, jobs.bot_traces, seconds=SECONDS)
            await pool.run(ANN, jobs.crash, str(tmp_path / "book"), 1, seconds=SECONDS)
            traces = await pool.run(ANN, jobs.bot_traces, seconds=SECONDS)
    assert settings == []
    assert {path.split(":")[0] for path in files} == {"/dev/null", "pipe"}
    assert len(files) == 5
    assert nice >= 10
    assert traces[0] == []


async def test_signals_for_the_bot_leave_it_at_work(worker_pool: WorkerPool) -> None:
    pid = await worker_pool.run(ANN, jobs.worker_pid, seconds=SECONDS)
    for name in (signal.SIGINT, signal.SIGTERM):
        os.kill(pid, name)
    assert os.getpgid(pid) != os.getpgid(0)
    assert os.getsid(pid) != os.getsid(0)
    assert await worker_pool.run(ANN, jobs.worker_pid, seconds=SECONDS) == pid


@pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
async def test_a_worker_chooses_the_move_that_would_be_chosen_here(helper: GameHelper, worker_pool: WorkerPool) -> None:
    game, start, rng = helper.game, helper.starts()[0], Random(1)
    state = game.start(start.seats, start.options, Chance(start.seed))

    def seat_to_act() -> int:
        return next(seat for seat, decision in game.decisions(state).items() if decision.due)

    for _ in range(6):  # into the match
        seat = seat_to_act()
        game.play(state, seat, rng.choice(game.moves(state, seat)))
    view, moves = game.view(state, seat_to_act()), game.moves(state, seat_to_act())
    assert list(legal_moves(game, view)) == list(moves)
    for level in {LEVELS[0], available_levels(game)[-1]} & set(available_levels(game)):
        move = make_player(game, level).choose_with_seed(view, moves, "seed")
        assert await worker_pool.choose_move("m1", game, view, level, "seed") == game.format_move(move)
