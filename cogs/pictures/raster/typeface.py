"""Which signs the typeface of the pictures has, and how seats are named by them. Without Pillow: screens ask, too."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from struct import unpack_from

ELLIPSIS = "…"
SEAT_LETTERS = "ABCDEF"
MAX_PLATE_NAME = (
    8  # characters in which names have to differ: so many are drawn on the narrowest plate, unless they are wide
)
_LOOKALIKES = str.maketrans(  # Cyrillic and Greek letters that look like Latin ones
    "АВЕЅІЈКМНОРСТХаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧοѵ", "ABESIJKMHOPCTXaeopcyxijsABEZHIKMNOPTYXov"
)


def read_font() -> bytes:
    """The typeface, as TrueType."""
    with open(__file__.removesuffix("typeface.py") + "font/NotoSans.ttf", "rb") as file:
        return file.read()


def has_all_signs(text: str) -> bool:
    """Whether our typeface has every sign of a text."""
    return font_signs().issuperset(text)


def plate_names(names: Sequence[str]) -> tuple[str, ...]:
    """How each seat is called in pictures: by its name if that can be drawn, else by its letter.

    A layout shortens a name to the room that it has there (`letters.fitted`). Names that begin alike, or read like the
    letter of another seat, are replaced by letters, too.
    """
    drawable = [_drawable(name) for name in names]
    read = [begun(name).translate(_LOOKALIKES).casefold() for name in drawable]
    taken = SEAT_LETTERS.casefold()
    return tuple(
        letter if looks in taken or read.count(looks) > 1 else name
        for letter, name, looks in zip(SEAT_LETTERS, drawable, read, strict=False)
    )


def begun(name: str) -> str:
    """The beginning of a name, in which it differs from the others."""
    return name[:MAX_PLATE_NAME].strip()


@cache
def font_signs() -> frozenset[str]:
    """All signs of the typeface, from the table in which it lists them (`cmap`, of the format that has 16 bits)."""
    font = read_font()
    start = _table_offset(font, b"cmap")
    (count,) = unpack_from(">H", font, start + 2)
    offsets = {unpack_from(">I", font, start + 8 + 8 * i)[0] for i in range(count)}
    found: set[int] = set()
    for at in (start + offset for offset in offsets):
        if unpack_from(">H", font, at)[0] == 4:
            found.update(_code_points(font, at))
    return frozenset(map(chr, found))


def _drawable(name: str) -> str:
    """A name; of one that has a character without a glyph later on, the beginning; nothing if it begins with such."""
    whole = " ".join(unicodedata.normalize("NFC", name).split())
    if has_all_signs(whole):
        return whole
    kept, rest = whole[:MAX_PLATE_NAME], whole[MAX_PLATE_NAME:]
    torn = rest and unicodedata.category(rest[0]) in ("Mn", "Me", "Mc", "Cf")
    return f"{kept.strip()}{ELLIPSIS}" if has_all_signs(kept) and not torn else ""


def _table_offset(font: bytes, name: bytes) -> int:
    """Where a table begins."""
    (count,) = unpack_from(">H", font, 4)
    entries = (unpack_from(">4sIII", font, 12 + 16 * i) for i in range(count))
    return next(int(offset) for tag, _, offset, _ in entries if tag == name)


def _code_points(font: bytes, offset: int) -> set[int]:
    """The code points that a table of format 4 lists, in segments."""
    (doubled,) = unpack_from(">H", font, offset + 6)
    ends, starts, deltas, ranges = (
        offset + 14,
        offset + 16 + doubled,
        offset + 16 + 2 * doubled,
        offset + 16 + 3 * doubled,
    )
    found: set[int] = set()
    for segment in range(0, doubled, 2):
        (end,), (start,) = unpack_from(">H", font, ends + segment), unpack_from(">H", font, starts + segment)
        (delta,), (skip,) = unpack_from(">H", font, deltas + segment), unpack_from(">H", font, ranges + segment)
        for point in range(start, end + 1):
            glyph = point
            if skip:
                (glyph,) = unpack_from(">H", font, ranges + segment + skip + 2 * (point - start))
                glyph = glyph and glyph + delta
            else:
                glyph = point + delta
            if glyph % 65536:
                found.add(point)
    return found
