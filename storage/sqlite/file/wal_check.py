"""SQLite's write-ahead log after a crash: whether its end alone is missing, as a crash leaves it, or more is damaged.

SQLite takes what there is up to the first damaged frame and leaves out the rest without a word, moves that were
confirmed among it. The format: https://www.sqlite.org/fileformat2.html#walformat
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from storage.shared.errors import StorageError
from storage.sqlite.file.errors import DAMAGED_LOG

HEADER, FRAME = 32, 24  # bytes; a frame's page follows it
MAGIC = {0x377F0682: "little", 0x377F0683: "big"}
WORD = 2**32 - 1


def check_log(path: Path) -> None:
    """Raise StorageError where the log of this database was damaged, other than by a crash in the middle of a write."""
    log = Path(f"{path}-wal")
    if log.is_file() and not _sound(log.read_bytes()):
        raise StorageError(DAMAGED_LOG.format(path=path))


@dataclass(slots=True)
class Sum:
    """SQLite's running checksum."""

    order: str
    first: int = 0
    second: int = 0

    def add(self, content: bytes) -> None:
        words = array("I", content)
        if self.order != sys.byteorder:
            words.byteswap()
        first, second = self.first, self.second
        for one, other in zip(words[::2], words[1::2], strict=True):
            first = (first + one + second) & WORD
            second = (second + other + first) & WORD
        self.first, self.second = first, second

    def written(self) -> bytes:
        return self.first.to_bytes(4, "big") + self.second.to_bytes(4, "big")


def _sound(log: bytes) -> bool:
    """Whether nothing is damaged that was once written to the disk for good."""
    header = log[:HEADER]
    if len(log) <= HEADER or not any(header):
        return True  # nothing has been written after it
    order = MAGIC.get(_number(header, 0))
    size = _number(header, 8)
    if order is None or not size:
        return False
    total = Sum(order)
    total.add(header[:24])
    if total.written() != header[24:32]:
        return False
    return not _goes_on(log, header[16:24], size, total)


def _goes_on(log: bytes, salts: bytes, size: int, total: Sum) -> bool:
    """Whether, from the first damaged frame on, one transaction ends and another begins: the first was durable then."""
    damaged = ended = False
    for frame in _frames(log, size):
        ours = frame[8:16] == salts  # else it is left over from an earlier use of the log
        if not damaged:
            total.add(frame[:8])
            total.add(frame[FRAME:])
            damaged = not ours or total.written() != frame[16:24]
        if damaged and ours:
            if ended:
                return True
            ended = _number(frame, 4) != 0
    return False


def _frames(log: bytes, size: int) -> Iterator[bytes]:
    for at in range(HEADER, len(log) - FRAME - size + 1, FRAME + size):
        yield log[at : at + FRAME + size]


def _number(content: bytes, at: int) -> int:
    return int.from_bytes(content[at : at + 4], "big")
