"""What a pool and its workers say to each other: pickled values, each after its length."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, NamedTuple

HEADER = 4  # bytes, of the length


class Job(NamedTuple):
    """What is to be worked out, and how many seconds of the processor that may take."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    seconds: float


class Told(NamedTuple):
    """What came of it: the answer, or the kind of the error and where that was, without any value."""

    answer: Any = None
    error: str = ""
    where: str = ""


def packed(value: Job | Told) -> bytes:
    """A message as it is sent."""
    said = pickle.dumps(value)
    return len(said).to_bytes(HEADER, "big") + said


def length(message: bytes | bytearray) -> int:
    """How many bytes the message has that begins like that: only the header's, until that is whole."""
    return HEADER + (int.from_bytes(message[:HEADER], "big") if len(message) >= HEADER else 0)
