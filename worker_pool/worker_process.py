"""The main program of a worker: runs one job after the other until the bot is gone.

`python -m worker_pool.worker_process`; jobs arrive on standard input, results leave on standard output.
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import BinaryIO, NoReturn

from worker_pool.protocol import HEADER_BYTES, Job, JobResult, message_length, pack_message

NICENESS = 10
CHECK_SECONDS = 0.1  # seconds between two checks of the clock, if the system has no limit of its own
HUNG_STATUS = 3  # exit status of a worker that took too long


def main() -> NoReturn:
    """Run jobs until standard input ends."""
    for name in ("SIGINT", "SIGTERM", "SIGBREAK"):  # meant for the bot, which then closes the pipe
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    inbox, outbox = _claim_pipes()
    importlib.import_module("players")  # import now, because the caller is waiting
    _lower_priority()
    jobs: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_receive_jobs, args=(inbox, jobs), name="listen", daemon=True).start()
    while True:
        outbox.write(_run_job(jobs.get()))
        outbox.flush()


def _lower_priority() -> None:
    """Give all other processes a higher priority."""
    if sys.platform != "win32":  # on Windows the bot has already done that
        os.nice(NICENESS)
    with suppress(OSError), open("/proc/self/autogroup", "w", encoding="ascii") as group:
        group.write(str(NICENESS))  # if Linux balances sessions, it weighs priorities only within one


def _claim_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the two pipes, and keep them away from other code that reads or prints."""
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)
    os.close(nothing)
    return inbox, outbox


def _receive_jobs(inbox: BinaryIO, jobs: SimpleQueue[bytes]) -> None:
    """Receive jobs. If the bot is gone, end at once: nobody needs the result."""
    while header := inbox.read(HEADER_BYTES):
        jobs.put(inbox.read(message_length(header) - HEADER_BYTES))
    os._exit(0)


def _run_job(message: bytes) -> bytes:
    """Return the packed result of a job."""
    try:
        job: Job = pickle.loads(message)
        with cpu_limit(job.seconds):
            answer = job.function(*job.args)
        return pack_message(JobResult(answer))
    except Exception as error:  # noqa: BLE001  # the worker's boundary
        trace = "".join(traceback.format_tb(error.__traceback__))
        return pack_message(JobResult(error=type(error).__qualname__, traceback=trace))


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """End this process if it uses more processor seconds inside this block."""
    if sys.platform != "win32":  # the system kills it, whatever it is doing
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    else:
        done = threading.Event()
        threading.Thread(
            target=_exit_when_over, args=(time.process_time() + seconds, done), name="watch", daemon=True
        ).start()
        try:
            yield
        finally:
            done.set()


def _exit_when_over(until: float, done: threading.Event) -> None:
    while not done.wait(CHECK_SECONDS):
        if time.process_time() > until:
            os._exit(HUNG_STATUS)


if __name__ == "__main__":
    sys.exit(main())
