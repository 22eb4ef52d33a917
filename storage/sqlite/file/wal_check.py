"""Checks SQLite's write-ahead log after a crash: only its end may be missing, as a crash leaves it.

SQLite reads up to the first damaged frame and silently drops the rest, including confirmed moves. The format:
https://www.sqlite.org/fileformat2.html#walformat
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from storage.shared.errors import StorageError
from storage.sqlite.file.errors import DAMAGED_LOG

HEADER_BYTES, FRAME_HEADER_BYTES = 32, 24  # bytes; the page follows the frame's header
BYTE_ORDERS = {0x377F0682: "little", 0x377F0683: "big"}
WORD_MASK = 2**32 - 1


def check_log(path: Path) -> None:
    """Raise StorageError if the log has damage that a crash during a write does not explain."""
    log = Path(f"{path}-wal")
    if log.is_file() and not _is_sound(log.read_bytes()):
        raise StorageError(DAMAGED_LOG.format(path=path))


@dataclass(slots=True)
class RunningChecksum:
    """SQLite's running checksum."""

    byte_order: str
    first: int = 0
    second: int = 0

    def add_words(self, content: bytes) -> None:
        words = array("I", content)
        if self.byte_order != sys.byteorder:
            words.byteswap()
        first, second = self.first, self.second
        for one, other in zip(words[::2], words[1::2], strict=True):
            first = (first + one + second) & WORD_MASK
            second = (second + other + first) & WORD_MASK
        self.first, self.second = first, second

    def as_bytes(self) -> bytes:
        return self.first.to_bytes(4, "big") + self.second.to_bytes(4, "big")


def _is_sound(log: bytes) -> bool:
    """Return whether no durable data is damaged."""
    header = log[:HEADER_BYTES]
    if len(log) <= HEADER_BYTES or not any(header):
        return True  # nothing was written after it
    order = BYTE_ORDERS.get(_read_number(header, 0))
    size = _read_number(header, 8)
    if order is None or not size:
        return False
    total = RunningChecksum(order)
    total.add_words(header[:24])
    if total.as_bytes() != header[24:32]:
        return False
    return not _continues_after_damage(log, header[16:24], size, total)


def _continues_after_damage(log: bytes, salts: bytes, size: int, total: RunningChecksum) -> bool:
    """Return whether, after the first damaged frame, a transaction ends and another begins.

    Then the first one was durable.
    """
    damaged = ended = False
    for frame in _iterate_frames(log, size):
        is_current = frame[8:16] == salts  # otherwise it is left over from an earlier use of the log
        if not damaged:
            total.add_words(frame[:8])
            total.add_words(frame[FRAME_HEADER_BYTES:])
            damaged = not is_current or total.as_bytes() != frame[16:24]
        if damaged and is_current:
            if ended:
                return True
            ended = _read_number(frame, 4) != 0
    return False


def _iterate_frames(log: bytes, size: int) -> Iterator[bytes]:
    for at in range(HEADER_BYTES, len(log) - FRAME_HEADER_BYTES - size + 1, FRAME_HEADER_BYTES + size):
        yield log[at : at + FRAME_HEADER_BYTES + size]


def _read_number(content: bytes, at: int) -> int:
    return int.from_bytes(content[at : at + 4], "big")
