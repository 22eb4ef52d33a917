"""Memory settings for drawing."""

from __future__ import annotations

import ctypes
import sys

_LARGE_BYTES = 1 << 22  # bytes; drawing a picture needs many times as much
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # constants from glibc's malloc.h


def release_memory_eagerly() -> None:
    """Return large blocks of memory to the system as soon as they are free. Does nothing without glibc.

    By default glibc keeps tens of megabytes for every thread that has drawn. Smaller blocks are still kept, because
    requesting the memory for each picture again would cost as much as drawing it.
    """
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)):
        mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
        mallopt(_M_TRIM_THRESHOLD, _LARGE_BYTES)
