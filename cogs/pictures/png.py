"""Pictures of a palette as PNG files: what Pillow would write, in a quarter of the time."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

from PIL import Image

try:
    from isal import isal_zlib as isal
except ImportError:  # there is none for this machine
    isal = None  # type: ignore[assignment]

LARGE = 56 * 1024  # bytes; seldom reached
Packing = Callable[[bytes], bytes]
SIGNATURE = b"\x89PNG\r\n\x1a\n"
INDEXED = 3  # each pixel is an index into the palette
FAST = 3  # of zlib's levels; the usual 6 takes twice as long for some fewer bytes
FASTEST = 1  # of isal's: its files are as small as zlib's of level 3


def png(image: Image.Image) -> bytes:
    """The file of a picture with a palette (mode P). Its rows are not filtered, which suits plain colours best."""
    width, height = image.size
    header = struct.pack(">IIBBBBB", width, height, 8, INDEXED, 0, 0, 0)
    palette = bytes(image.getpalette() or [])
    return b"".join(
        (SIGNATURE, _chunk(b"IHDR", header), _chunk(b"PLTE", palette), _chunk(b"IDAT", packed(_rows(image))), _END)
    )


def with_zlib(data: bytes) -> bytes:
    """A zlib stream of the data, by what every Python has."""
    return zlib.compress(data, FAST)


def with_isal(data: bytes) -> bytes:
    """The same by isal, where this machine has it; zlib takes its time for a picture that is large all the same."""
    found: bytes = isal.compress(data, FASTEST)
    return found if len(found) < LARGE else with_zlib(data)


packed: Packing = with_zlib if isal is None else with_isal


def _rows(image: Image.Image) -> bytes:
    """The pixels, each row after the number of its filter: none."""
    filtered = Image.new("P", (image.width + 1, image.height))
    filtered.paste(image, (1, 0))
    return filtered.tobytes()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))


_END = _chunk(b"IEND", b"")
