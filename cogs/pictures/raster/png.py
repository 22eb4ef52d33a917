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

PackFunction = Callable[[bytes], bytes]
ChecksumFunction = Callable[[bytes], int]
SIGNATURE = b"\x89PNG\r\n\x1a\n"
INDEXED_COLOUR = 3  # each pixel is an index into the palette
FILTER_BYTES = 1  # pixel before each row, of index 0: no filter
LEVEL, LARGE_LEVEL = 5, 6  # the first takes two thirds of the time for files that are a thirtieth larger,
LARGE_BYTES = 300_000  # but a seventh where this many bytes or more, boards most of all, are packed in one piece
BLOCK_BYTES = LARGE_BYTES  # bytes of a large piece per Huffman table: a board needs another than what lies below it
FILTER_UP = b"\2"  # the filter of a row that is told by its differences from the one above
ZLIB_HEADER, LAST_BLOCK = b"\x78\x9c", b"\x03\x00"  # of a zlib stream: how it begins; a last block, with nothing in it
ADLER_BASE = 65521  # of its checksum


class Compressor(Protocol):
    """What packs bytes as they come, of either library."""

    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self, mode: int = ..., /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class PackedStrip:
    """Some rows of a picture over its whole width, packed so that others can stand before and after them."""

    packed: bytes
    size: int  # bytes unpacked,
    checksum: int  # and their checksum


def encode_png(image: Image.Image, palette: bytes) -> bytes:
    """The file of a picture whose pixels are indices of that palette."""
    return join_strips(image.size, palette, [pack_strip(image.crop((-FILTER_BYTES, 0, *image.size)))])


def pack_strip(image: Image.Image) -> PackedStrip:
    """Rows of a picture, each after a pixel that is the number of its filter: none, which suits plain colours best."""
    rows = image.tobytes()
    if len(rows) >= LARGE_BYTES:
        rows = filter_repeated_rows(rows, image.width)
    return PackedStrip(compress_rows(rows), len(rows), compute_checksum(rows))


def filter_repeated_rows(rows: bytes, width: int) -> bytes:
    """Rows so long; those like the one above filtered to nothing, which takes less room than to point there again."""
    same, each = FILTER_UP.ljust(width, b"\0"), [rows[at : at + width] for at in range(0, len(rows), width)]
    return b"".join(each[:1] + [same if row == above else row for above, row in pairwise(each)])


def join_strips(size: tuple[int, int], palette: bytes, strips: Iterable[PackedStrip]) -> bytes:
    """The file of a picture of that width and height, from strips one below the other."""
    header = struct.pack(">IIBBBBB", *size, 8, INDEXED_COLOUR, 0, 0, 0)
    parts, check = [ZLIB_HEADER], 1
    for each in strips:
        parts.append(each.packed)
        check = _combine_checksums(check, each)
    data = b"".join((*parts, LAST_BLOCK, struct.pack(">I", check)))
    return b"".join(
        (SIGNATURE, _png_chunk(b"IHDR", header), _png_chunk(b"PLTE", palette), _png_chunk(b"IDAT", data), _END_CHUNK)
    )


def _compression_level(data: bytes) -> int:
    return LEVEL if len(data) < LARGE_BYTES else LARGE_LEVEL


def compress_with_zlib(data: bytes) -> bytes:
    """Whole blocks of the data, none of them the last one, by what every Python has."""
    return _compress_blocks(zlib.compressobj(_compression_level(data), wbits=-zlib.MAX_WBITS), data)


def compress_with_zlib_ng(data: bytes) -> bytes:
    """The same by zlib-ng, where this machine has it: a little smaller, in half the time."""
    return _compress_blocks(zlib_ng.compressobj(_compression_level(data), wbits=-zlib.MAX_WBITS), data)


def _compress_blocks(compressor: Compressor, data: bytes) -> bytes:
    parts: list[bytes] = []
    for at in range(0, len(data), BLOCK_BYTES):
        parts += (compressor.flush(zlib.Z_BLOCK),) if at else ()
        parts.append(compressor.compress(data[at : at + BLOCK_BYTES]))
    return b"".join((*parts, compressor.flush(zlib.Z_FULL_FLUSH)))


compress_rows: PackFunction = compress_with_zlib if zlib_ng is None else compress_with_zlib_ng
compute_checksum: ChecksumFunction = (
    zlib.adler32 if zlib_ng is None else zlib_ng.adler32
)  # the same sum in a fifth of the time


def _combine_checksums(check: int, strip: PackedStrip) -> int:
    """The checksum (Adler-32) of what has one so far, and of what comes then."""
    low, high = check & 0xFFFF, check >> 16
    sums = (high + (strip.checksum >> 16) + strip.size * (low - 1)) % ADLER_BASE
    return sums << 16 | (low + (strip.checksum & 0xFFFF) - 1) % ADLER_BASE


def _png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))


_END_CHUNK = _png_chunk(b"IEND", b"")
