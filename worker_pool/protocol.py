"""What a pool and its workers say to each other: pickled values, each after its length."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, NamedTuple

HEADER_BYTES = 4  # bytes, of the length


class Job(NamedTuple):
    """What is to be worked out, and how many seconds of the processor that may take."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    seconds: float


class JobResult(NamedTuple):
    """What came of it: the answer, or the kind of the error and where that was, without any value."""

    answer: Any = None
    error: str = ""
    traceback: str = ""


def pack_message(value: Job | JobResult) -> bytes:
    """A message as it is sent."""
    said = pickle.dumps(value)
    return len(said).to_bytes(HEADER_BYTES, "big") + said


def message_length(message: bytes | bytearray) -> int:
    """How many bytes the message has that begins like that: only the header's, until that is whole."""
    return HEADER_BYTES + (int.from_bytes(message[:HEADER_BYTES], "big") if len(message) >= HEADER_BYTES else 0)
