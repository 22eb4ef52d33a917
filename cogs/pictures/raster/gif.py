"""Writes palette images as one animated GIF, frame by frame: of each frame only what differs from the one before.

Pillow's own writer keeps every frame in memory and compares them in RGB. Here Pillow only compresses.
"""

from __future__ import annotations

import struct
from functools import cache

from PIL import Image, ImageChops

from cogs.pictures.raster.palette import palette_bytes, palette_colours

CLEAR_INDEX = 255  # the palette has fewer colours, so this index is free for pixels that stay as they are
MAX_COLOURS = 256
MIN_MILLISECONDS = 20  # shorter frames are shown slowly by browsers
_KEEP = 1 << 2  # the next frame is drawn over this one
_HAS_CLEAR = 1
_GLOBAL_TABLE = 0b1111_0111  # a table of 256 colours follows
_LOOP_FOREVER = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
_CODE_BITS = 8
_END = b"\x3b"
_ANY_DIFFERENCE = [0] + [255] * (MAX_COLOURS - 1)  # a mask from differences


class GifWriter:
    """One GIF being written. It keeps the file so far and the newest frame, and no other."""

    def __init__(self, size: tuple[int, int], cloth: str) -> None:
        """Begin a file with frames of this width and height in pixels, on a cloth of the theme."""
        self._size = size
        header = struct.pack("<6sHHBBB", b"GIF89a", *size, _GLOBAL_TABLE, 0, 0)
        self._file = bytearray(header + palette_bytes(cloth).ljust(3 * MAX_COLOURS, b"\0") + _LOOP_FOREVER)
        self._frame: Image.Image | None = None  # the newest one
        self._delay_at = 0  # where its duration stands in the file
        self._milliseconds = 0
        self.frame_count = 0

    @property
    def size_so_far(self) -> int:
        """Return the bytes of the file so far."""
        return len(self._file)

    def add_frame(self, image: Image.Image, milliseconds: int) -> None:
        """Add an image of palette indices. One that equals the frame before only extends it."""
        frame = image.point(_first_indices())
        if self._frame is None:
            self._append(frame, (0, 0, *self._size), milliseconds, flags=_KEEP)
        elif (box := (changes := ImageChops.difference(frame, self._frame)).getbbox()) is None:
            self._set_delay(self._milliseconds + milliseconds)
        else:
            mask = changes.crop(box).point(_ANY_DIFFERENCE)
            changed = Image.composite(frame.crop(box), Image.new("L", mask.size, CLEAR_INDEX), mask)
            self._append(changed, box, milliseconds, flags=_KEEP | _HAS_CLEAR)
        self._frame = frame

    def finish(self) -> bytes:
        """Return the file."""
        return bytes(self._file + _END)

    def _append(self, frame: Image.Image, box: tuple[int, int, int, int], milliseconds: int, flags: int) -> None:
        """Write an image to the box, given by its left, upper, right and lower ends."""
        left, top, right, bottom = box
        self._file += struct.pack("<BBBB", 0x21, 0xF9, 4, flags)
        self._delay_at = len(self._file)
        self._file += struct.pack("<HBB", 0, CLEAR_INDEX, 0)
        self._file += struct.pack("<BHHHHBB", 0x2C, left, top, right - left, bottom - top, 0, _CODE_BITS)
        self._file += frame.tobytes("gif", "L", _CODE_BITS, 0) + b"\0"
        self._set_delay(milliseconds)
        self.frame_count += 1

    def _set_delay(self, milliseconds: int) -> None:
        """Store how long the newest frame is shown, in hundredths of a second."""
        self._milliseconds = milliseconds
        struct.pack_into("<H", self._file, self._delay_at, max(milliseconds, MIN_MILLISECONDS) // 10)


@cache
def _first_indices() -> list[int]:
    """Return for every index the first index of the same colour, because runs of one index pack better."""
    colours = palette_colours()
    assert len(colours) <= CLEAR_INDEX, "no index is free"
    return [colours.index(colour) for colour in colours] + [*range(len(colours), MAX_COLOURS)]
