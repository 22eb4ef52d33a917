"""What workers of the tests are asked: functions that answer, fail, crash, spin, wait or stand still."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from itertools import repeat
from pathlib import Path


def double(number: int) -> int:
    """Answers."""
    return 2 * number


def worker_pid() -> int:
    """Answers who it is."""
    return os.getpid()


def bot_traces() -> tuple[list[str], list[str], int]:
    """Answers what it has of the bot: settings, open files, its priority."""
    settings = [name for name in os.environ if name.startswith(("DISCORD_", "MOTLEY_"))]
    files = [os.readlink(f"/proc/self/fd/{fd}") for fd in range(64) if os.path.exists(f"/proc/self/fd/{fd}")]
    return settings, files, os.nice(0)


def fail(hand: str) -> int:
    """Fails, with an error that tells what is hidden."""
    raise ValueError(hand)


def chatter(number: int) -> int:
    """Answers, and says much beside that."""
    print("x" * 100_000)
    sys.stdin.read()
    return number


def crash(book: str, times: int = 99) -> int:
    """Ends its process, so many times; each is written into the book."""
    tried = _count_try(book)
    if tried <= times:
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    return tried


def spin(book: str, times: int = 99) -> int:
    """Never comes to an end, so many times."""
    tried = _count_try(book)
    while tried <= times:
        pass
    return tried


def hold_everything() -> int:
    """Never comes to an end, and lets no other thread of its process do anything."""
    return sum(repeat(0))


def nap(seconds: float) -> float:
    """Takes much longer on the wall than on the processor."""
    time.sleep(seconds)
    return seconds


def stand_still(book: str) -> int:
    """Waits for what never happens."""
    _count_try(book)
    threading.Event().wait()
    return 0


def use_processor(seconds: float) -> float:
    """Uses so much of the processor."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return seconds


def return_unpicklable() -> object:
    """Answers what cannot be sent."""
    return threading.Lock()


def return_large(size: int, content: bytes) -> bytes:
    """Answers at length."""
    return content * size


def _count_try(book: str) -> int:
    """How many times it was tried, this one counted."""
    with Path(book).open("a") as file:
        file.write(f"{os.getpid()}\n")
    return len(Path(book).read_text().splitlines())
