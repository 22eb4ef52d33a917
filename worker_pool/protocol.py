"""The protocol between the pool and its workers: pickled values, each preceded by its length."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, NamedTuple

HEADER_BYTES = 4  # bytes that hold the length


class Job(NamedTuple):
    """A pickled job, and the processor seconds that it may take."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    seconds: float


class JobResult(NamedTuple):
    """The result of a job: the answer, or the kind and place of the error, without any values."""

    answer: Any = None
    error: str = ""
    traceback: str = ""


def pack_message(value: Job | JobResult) -> bytes:
    """Return a message in its binary form."""
    body = pickle.dumps(value)
    return len(body).to_bytes(HEADER_BYTES, "big") + body


def message_length(message: bytes | bytearray) -> int:
    """Return the total length of the message that begins like this; only the header's until it is complete."""
    return HEADER_BYTES + (int.from_bytes(message[:HEADER_BYTES], "big") if len(message) >= HEADER_BYTES else 0)
