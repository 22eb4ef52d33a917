"""Words, made of letters that were mostly drawn beforehand; and how much room they take.

What our typeface gives stands on whole pixels, each sign for itself: letters need not know of each other.
"""

from __future__ import annotations

from functools import cache, lru_cache
from struct import Struct
from typing import NamedTuple

from PIL import Image

from cogs.pictures.raster import sprite_cache
from cogs.pictures.raster.pen import font, mapped
from cogs.pictures.raster.theme import FINE_STEPS, LEAST_TYPE, PIXELS
from cogs.pictures.raster.typeface import ELLIPSIS

SIGNS = "".join(map(chr, range(0x20, 0x7F))) + "±×–…−≤≥★♠♣♥♦"
NUMBERS = " +,-./0123456789–−★"
"""What is kept of type that is larger than LARGE pixels; of smaller type it is SIGNS."""
LARGE = 40
_HEAD = Struct(">hh")  # where capitals begin and end below the top of a line
_LETTER = Struct(">hhhhhHHI")  # in the order of the signs: a sign's measures, how large it is, where its pixels begin
_LEVELS = bytes(round(round(i * FINE_STEPS / 255) * 255 / FINE_STEPS) for i in range(256))


class Letter(NamedTuple):
    """One sign: how far it leads, from where to where it reaches, and where it covers the ground."""

    advance: int
    left: int
    right: int
    x: int
    y: int
    cover: Image.Image


class Letters:
    """All signs at one size in pixels."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept = sprite_cache.found(drawn, size)
        self._signs = "" if self._kept is None else _signs(size)
        self.top, self.low = _capitals(size) if self._kept is None else _HEAD.unpack_from(self._kept)
        self._drawn: dict[str, Letter] = {}

    def line(self, text: str) -> list[Letter]:
        """The letters of some words."""
        return [self._drawn.get(sign) or self._letter(sign) for sign in text]

    def _letter(self, sign: str) -> Letter:
        at = self._signs.find(sign)
        known = None if self._kept is None or at < 0 else _unpacked(self._kept, len(self._signs), at)
        found = self._drawn[sign] = known or _letter(sign, self._size)
        return found


def cover(text: str, size: int) -> Image.Image:
    """Words as coverage, the middle of their capitals at half the height; `size` in layout units."""
    letters = _letters(round(size * PIXELS))
    line, pad = letters.line(text), round(size * PIXELS / 2.4)  # room for accents, brackets and descenders
    starts, left, right = _laid(line)
    image = Image.new("L", (max(1, right - left), letters.low - letters.top + 2 * pad), 0)
    for one, start in zip(line, starts, strict=True):
        x, y = start + one.x - left, one.y + pad - letters.top
        # What Image.paste does, most of whose time goes to finding out what it was given.
        image.im.paste(255, (x, y, x + one.cover.width, y + one.cover.height), one.cover.im)
    return image


@lru_cache(4096)
def breadth(text: str, size: int) -> float:
    """How much room words take, in layout units."""
    _, left, right = _laid(_letters(round(size * PIXELS)).line(text))
    return (right - left) / PIXELS


def fitted(text: str, room: float, size: int, least: int = LEAST_TYPE) -> tuple[str, int]:
    """Words and the size at which they fit into so much room: smaller, and if need be cut with an ellipsis."""
    for smaller in range(size, least - 1, -1):
        if breadth(text, smaller) <= room:
            return text, smaller
    kept = text.removesuffix(ELLIPSIS)
    while kept and breadth(f"{kept}{ELLIPSIS}", least) > room:
        kept = kept[:-1].rstrip()
    return f"{kept}{ELLIPSIS}", least


def drawn(size: int) -> bytes:
    """What the stock keeps of the signs that are written in that size, in pixels."""
    heads, pixels = [_HEAD.pack(*_capitals(size))], bytearray()
    for sign in _signs(size):
        *measures, image = _letter(sign, size)
        heads.append(_LETTER.pack(*measures, *image.size, len(pixels)))
        pixels += image.tobytes()
    return b"".join((*heads, pixels))


_letters = cache(Letters)


def _letter(sign: str, size: int) -> Letter:
    """One letter, as the typeface has it, in the few shades of our palette."""
    face = font(size)
    mask, (x, y) = face.getmask2(sign, mode="L")
    left, _, right, _ = face.getbbox(sign)
    image = Image.frombytes("L", mask.size, bytes(mask).translate(_LEVELS))
    return Letter(round(face.getlength(sign)), round(left), round(right), x, y, image)


def _unpacked(kept: bytes, count: int, number: int) -> Letter:
    """One of so many letters, out of what `drawn` made."""
    head = _HEAD.size + number * _LETTER.size
    advance, left, right, x, y, width, height, start = _LETTER.unpack_from(kept, head)
    start += _HEAD.size + count * _LETTER.size
    return Letter(advance, left, right, x, y, mapped((width, height), kept[start : start + width * height]))


def _signs(size: int) -> str:
    """What is kept of that size in pixels."""
    return SIGNS if size <= LARGE else NUMBERS


def _capitals(size: int) -> tuple[int, int]:
    """Where they begin and end, below the top of a line."""
    _, top, _, low = font(size).getbbox("H")
    return round(top), round(low)


def _laid(line: list[Letter]) -> tuple[list[int], int, int]:
    """Where each letter of a line starts, and from where to where they reach together."""
    starts, lefts, rights, x = [], [], [], 0
    for one in line:
        starts.append(x)
        lefts.append(x + one.left)
        rights.append(x + one.right)
        x += one.advance
    return starts, min(lefts, default=0), max(rights, default=0)
