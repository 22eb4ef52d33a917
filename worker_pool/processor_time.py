"""The processor time of the current thread, for jobs that limit themselves."""

from __future__ import annotations

import time


def thread_seconds() -> float:
    """Return the seconds of processor time that this thread has used; only differences are meaningful."""
    return time.thread_time()
