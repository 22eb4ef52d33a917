"""What runs in a worker: one job after the other, until the bot is gone.

`python -m worker_pool.worker_process`; jobs come by standard input, answers go by standard output.
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

from worker_pool.protocol import HEADER, Job, Told, length, packed

NICE = 10
LOOKS = 0.1  # seconds between two looks at the clock, where the system does not do that by itself
HUNG = 3  # exit status of a worker that took too long


def main() -> NoReturn:
    """Work until standard input ends."""
    for name in ("SIGINT", "SIGTERM", "SIGBREAK"):  # meant for the bot, which then closes the pipe
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    inbox, outbox = _pipes()
    importlib.import_module("players")  # now and quickly, since whoever asks waits
    _lower()
    jobs: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(inbox, jobs), name="listen", daemon=True).start()
    while True:
        outbox.write(_answered(jobs.get()))
        outbox.flush()


def _lower() -> None:
    """Let whatever else the machine has to do come first from now on."""
    if sys.platform != "win32":  # there the bot has seen to that
        os.nice(NICE)
    with suppress(OSError), open("/proc/self/autogroup", "w", encoding="ascii") as group:
        group.write(str(NICE))  # where Linux weighs sessions, and priorities within one


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """The two ends, out of reach of whatever reads or prints."""
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)
    os.close(nothing)
    return inbox, outbox


def _listen(inbox: BinaryIO, jobs: SimpleQueue[bytes]) -> None:
    """Take jobs in. When the bot is gone nobody waits for what is being worked out."""
    while header := inbox.read(HEADER):
        jobs.put(inbox.read(length(header) - HEADER))
    os._exit(0)


def _answered(said: bytes) -> bytes:
    """What came of a job, as it is sent."""
    try:
        job: Job = pickle.loads(said)
        with limited(job.seconds):
            answer = job.function(*job.args)
        return packed(Told(answer))
    except Exception as error:  # noqa: BLE001  # the worker's boundary
        where = "".join(traceback.format_tb(error.__traceback__))
        return packed(Told(error=type(error).__qualname__, where=where))


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End this process when it has used so many seconds of the processor in here."""
    if sys.platform != "win32":  # the system ends it, whatever it is doing
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    else:
        done = threading.Event()
        threading.Thread(target=_watch, args=(time.process_time() + seconds, done), name="watch", daemon=True).start()
        try:
            yield
        finally:
            done.set()


def _watch(until: float, done: threading.Event) -> None:
    while not done.wait(LOOKS):
        if time.process_time() > until:
            os._exit(HUNG)


if __name__ == "__main__":
    sys.exit(main())
