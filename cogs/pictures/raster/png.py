"""Pictures of a palette as PNG files: what Pillow would write, smaller and in a third of the time."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from PIL import Image

try:
    from zlib_ng import zlib_ng
except ImportError:  # there is none for this machine
    zlib_ng = None  # type: ignore[assignment]

Packing = Callable[[bytes], bytes]
Checking = Callable[[bytes], int]
SIGNATURE = b"\x89PNG\r\n\x1a\n"
INDEXED = 3  # each pixel is an index into the palette
UNFILTERED = 1  # pixel before each row, of index 0: no filter
LEVEL, LARGE_LEVEL = 5, 6  # the first takes two thirds of the time for files that are a thirtieth larger,
LARGE = 300_000  # but a seventh where this many bytes or more, boards most of all, are packed in one piece
BLOCK = (
    LARGE  # bytes of a large piece that are told in letters of their own: a board has others than what lies below it
)
ABOVE = b"\2"  # the filter of a row that is told by its differences from the one above
BEGIN, LAST = b"\x78\x9c", b"\x03\x00"  # of a zlib stream: how it begins; a last block, with nothing in it
BASE = 65521  # of its checksum


class Packer(Protocol):
    """What packs bytes as they come, of either library."""

    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self, mode: int = ..., /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Strip:
    """Some rows of a picture over its whole width, packed so that others can stand before and after them."""

    packed: bytes
    size: int  # bytes unpacked,
    check: int  # and their checksum


def png(image: Image.Image, palette: bytes) -> bytes:
    """The file of a picture whose pixels are indices of that palette."""
    return joined(image.size, palette, [strip(image.crop((-UNFILTERED, 0, *image.size)))])


def strip(image: Image.Image) -> Strip:
    """Rows of a picture, each after a pixel that is the number of its filter: none, which suits plain colours best."""
    rows = image.tobytes()
    if len(rows) >= LARGE:
        rows = repeated(rows, image.width)
    return Strip(packed(rows), len(rows), checked(rows))


def repeated(rows: bytes, width: int) -> bytes:
    """Rows so long; those like the one above filtered to nothing, which takes less room than to point there again."""
    same, each = ABOVE.ljust(width, b"\0"), [rows[at : at + width] for at in range(0, len(rows), width)]
    return b"".join(each[:1] + [same if row == above else row for above, row in pairwise(each)])


def joined(size: tuple[int, int], palette: bytes, strips: Iterable[Strip]) -> bytes:
    """The file of a picture of that width and height, from strips one below the other."""
    header = struct.pack(">IIBBBBB", *size, 8, INDEXED, 0, 0, 0)
    parts, check = [BEGIN], 1
    for each in strips:
        parts.append(each.packed)
        check = _together(check, each)
    data = b"".join((*parts, LAST, struct.pack(">I", check)))
    return b"".join((SIGNATURE, _chunk(b"IHDR", header), _chunk(b"PLTE", palette), _chunk(b"IDAT", data), _END))


def _level(data: bytes) -> int:
    return LEVEL if len(data) < LARGE else LARGE_LEVEL


def with_zlib(data: bytes) -> bytes:
    """Whole blocks of the data, none of them the last one, by what every Python has."""
    return _in_blocks(zlib.compressobj(_level(data), wbits=-zlib.MAX_WBITS), data)


def with_zlib_ng(data: bytes) -> bytes:
    """The same by zlib-ng, where this machine has it: a little smaller, in half the time."""
    return _in_blocks(zlib_ng.compressobj(_level(data), wbits=-zlib.MAX_WBITS), data)


def _in_blocks(packer: Packer, data: bytes) -> bytes:
    parts: list[bytes] = []
    for at in range(0, len(data), BLOCK):
        parts += (packer.flush(zlib.Z_BLOCK),) if at else ()
        parts.append(packer.compress(data[at : at + BLOCK]))
    return b"".join((*parts, packer.flush(zlib.Z_FULL_FLUSH)))


packed: Packing = with_zlib if zlib_ng is None else with_zlib_ng
checked: Checking = zlib.adler32 if zlib_ng is None else zlib_ng.adler32  # the same sum in a fifth of the time


def _together(check: int, then: Strip) -> int:
    """The checksum (Adler-32) of what has one so far, and of what comes then."""
    low, high = check & 0xFFFF, check >> 16
    sums = (high + (then.check >> 16) + then.size * (low - 1)) % BASE
    return sums << 16 | (low + (then.check & 0xFFFF) - 1) % BASE


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))


_END = _chunk(b"IEND", b"")
