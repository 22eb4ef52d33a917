"""What drawing takes of memory for a moment."""

from __future__ import annotations

import ctypes
import sys

_LARGE_BYTES = 1 << 22  # bytes; a picture in the making has many times that
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of glibc's malloc.h


def release_memory_eagerly() -> None:
    """Have large pieces of memory go back to the system as soon as they are free; without glibc nothing changes.

    By itself glibc soon keeps tens of megabytes for every thread that has ever drawn. What one picture takes is kept:
    to ask the system for it anew for each would cost as much as to draw it.
    """
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)):
        mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
        mallopt(_M_TRIM_THRESHOLD, _LARGE_BYTES)
