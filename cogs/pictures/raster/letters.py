"""Draw and measure text with letters that mostly come from the sprite cache.

The typeface is laid out on whole pixels without kerning, so every letter can be drawn by itself.
"""

from __future__ import annotations

from functools import cache, lru_cache
from struct import Struct
from typing import NamedTuple

from PIL import Image

from cogs.pictures.raster import sprite_cache
from cogs.pictures.raster.palette import shades_by_coverage
from cogs.pictures.raster.pen import font, image_from_bytes
from cogs.pictures.raster.theme import MIN_TYPE_SIZE, PIXELS_PER_UNIT, SHADES
from cogs.pictures.raster.typeface import ELLIPSIS

CACHED_SIGNS = "".join(map(chr, range(0x20, 0x7F))) + "±×–…−≤≥★♠♣♥♦"
CACHED_LARGE_SIGNS = " +,-./0123456789–−★"
"""The cached characters of type larger than LARGE_TYPE pixels; smaller type has CACHED_SIGNS."""
LARGE_TYPE = 40
_HEADER = Struct(">hh")  # the top and bottom of capitals, from the top of a line
_LETTER_RECORD = Struct(">hhhhhHHI")  # per character, in order: its measures, its size, the offset of its pixels
_SHADE_LEVELS = bytes(round(255 * SHADES[number]) for number in shades_by_coverage())


class Letter(NamedTuple):
    """One character: its advance, its horizontal extent, and its coverage."""

    advance: int
    left: int
    right: int
    x: int
    y: int
    coverage: Image.Image


class LetterSet:
    """All characters at one size in pixels."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._cached_bytes = sprite_cache.load_cached(pack_letters, size)
        self._cached_signs = "" if self._cached_bytes is None else _signs_for_size(size)
        self.top, self.bottom = (
            _capital_heights(size) if self._cached_bytes is None else _HEADER.unpack_from(self._cached_bytes)
        )
        self._loaded: dict[str, Letter] = {}

    def letters_of(self, text: str) -> list[Letter]:
        """Return the letters of a text."""
        return [self._loaded.get(sign) or self._load_letter(sign) for sign in text]

    def _load_letter(self, sign: str) -> Letter:
        at = self._cached_signs.find(sign)
        known = (
            None
            if self._cached_bytes is None or at < 0
            else _unpack_letter(self._cached_bytes, len(self._cached_signs), at)
        )
        found = self._loaded[sign] = known or _draw_letter(sign, self._size)
        return found


def text_coverage(text: str, size: int, stretch: float = 1) -> Image.Image:
    """Return a text as coverage, with the middle of its capitals at half the height; `size` in layout units."""
    if stretch < 1:
        whole = text_coverage(text, size)
        return whole.resize((max(1, int(whole.width * stretch)), whole.height), Image.Resampling.LANCZOS)
    letters = _letter_set(round(size * PIXELS_PER_UNIT))
    line, pad = (
        letters.letters_of(text),
        round(size * PIXELS_PER_UNIT / 2.4),
    )  # room for accents, brackets and descenders
    starts, left, right = _lay_line(line)
    image = Image.new("L", (max(1, right - left), letters.bottom - letters.top + 2 * pad), 0)
    for one, start in zip(line, starts, strict=True):
        x, y = start + one.x - left, one.y + pad - letters.top
        # Like Image.paste, which spends most of its time on checking its arguments.
        image.im.paste(255, (x, y, x + one.coverage.width, y + one.coverage.height), one.coverage.im)
    return image


@lru_cache(4096)
def text_width(text: str, size: int) -> float:
    """Return the width of a text in layout units."""
    _, left, right = _lay_line(_letter_set(round(size * PIXELS_PER_UNIT)).letters_of(text))
    return (right - left) / PIXELS_PER_UNIT


def fit_text(text: str, room: float, size: int, min_size: int = MIN_TYPE_SIZE) -> tuple[str, int]:
    """Return a text and the size at which it fits: smaller if necessary, or cut with an ellipsis."""
    for smaller in range(size, min_size - 1, -1):
        if text_width(text, smaller) <= room:
            return text, smaller
    short = text.removesuffix(ELLIPSIS)
    while short and text_width(f"{short}{ELLIPSIS}", min_size) > room:
        short = short[:-1].rstrip()
    return f"{short}{ELLIPSIS}", min_size


def pack_letters(size: int) -> bytes:
    """Return the cache record for the characters of a size in pixels."""
    heads, pixels = [_HEADER.pack(*_capital_heights(size))], bytearray()
    for sign in _signs_for_size(size):
        *measures, image = _draw_letter(sign, size)
        heads.append(_LETTER_RECORD.pack(*measures, *image.size, len(pixels)))
        pixels += image.tobytes()
    return b"".join((*heads, pixels))


_letter_set = cache(LetterSet)


def _draw_letter(sign: str, size: int) -> Letter:
    """Draw one letter with the typeface, in the few shades of our palette."""
    face = font(size)
    mask, (x, y) = face.getmask2(sign, mode="L")
    left, _, right, _ = face.getbbox(sign)
    image = Image.frombytes("L", mask.size, bytes(mask).translate(_SHADE_LEVELS))
    return Letter(round(face.getlength(sign)), round(left), round(right), x, y, image)


def _unpack_letter(packed: bytes, count: int, number: int) -> Letter:
    """Return letter `number` of `count` from a record that `pack_letters` made."""
    head = _HEADER.size + number * _LETTER_RECORD.size
    advance, left, right, x, y, width, height, start = _LETTER_RECORD.unpack_from(packed, head)
    start += _HEADER.size + count * _LETTER_RECORD.size
    return Letter(advance, left, right, x, y, image_from_bytes((width, height), packed[start : start + width * height]))


def _signs_for_size(size: int) -> str:
    """Return the cached characters of a size in pixels."""
    return CACHED_SIGNS if size <= LARGE_TYPE else CACHED_LARGE_SIGNS


def _capital_heights(size: int) -> tuple[int, int]:
    """Return the top and bottom of capitals, from the top of a line."""
    _, top, _, low = font(size).getbbox("H")
    return round(top), round(low)


def _lay_line(line: list[Letter]) -> tuple[list[int], int, int]:
    """Return where each letter of a line starts, and the left and right end of the line."""
    starts, lefts, rights, x = [], [], [], 0
    for one in line:
        starts.append(x)
        lefts.append(x + one.left)
        rights.append(x + one.right)
        x += one.advance
    return starts, min(lefts, default=0), max(rights, default=0)
