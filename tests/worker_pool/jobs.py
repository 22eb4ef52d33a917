"""Jobs for the tests' workers: functions that return, fail, crash, spin, wait or stall."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from itertools import repeat
from pathlib import Path


def double(number: int) -> int:
    return 2 * number


def worker_pid() -> int:
    return os.getpid()


def bot_traces() -> tuple[list[str], list[str], int]:
    """Return what the worker has of the bot: settings, open files, its priority."""
    settings = [name for name in os.environ if name.startswith(("DISCORD_", "MOTLEY_"))]
    files = [os.readlink(f"/proc/self/fd/{fd}") for fd in range(64) if os.path.exists(f"/proc/self/fd/{fd}")]
    return settings, files, os.nice(0)


def fail(hand: str) -> int:
    raise ValueError(hand)


def chatter(number: int) -> int:
    """Return a result, and print a lot."""
    print("x" * 100_000)
    sys.stdin.read()
    return number


def crash(book: str, times: int = 99) -> int:
    """Kill the worker so many times; each is noted in the book."""
    attempt = _count_try(book)
    if attempt <= times:
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    return attempt


def spin(book: str, times: int = 99) -> int:
    attempt = _count_try(book)
    while attempt <= times:
        pass
    return attempt


def hold_everything() -> int:
    """Spin forever, and block all other threads of the process."""
    return sum(repeat(0))


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def stand_still(book: str) -> int:
    _count_try(book)
    threading.Event().wait()
    return 0


def use_processor(seconds: float) -> float:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return seconds


def return_unpicklable() -> object:
    return threading.Lock()


def return_large(size: int, content: bytes) -> bytes:
    return content * size


def _count_try(book: str) -> int:
    """Count this try; return how many there were."""
    with Path(book).open("a") as file:
        file.write(f"{os.getpid()}\n")
    return len(Path(book).read_text().splitlines())
