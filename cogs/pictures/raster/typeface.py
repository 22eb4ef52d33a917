"""The characters of the pictures' typefaces, and the seat names drawn with them. Screens use it too: no Pillow here."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from struct import unpack_from

ELLIPSIS = "…"
TEXT_FONT, TITLE_FONT = "NotoSans.ttf", "VollkornBlack.ttf"
SEAT_LETTERS = "ABCDEF"
MAX_PLATE_NAME = (
    8  # characters in which names have to differ; the narrowest plate has room for them unless they are wide
)
_LOOKALIKES = str.maketrans(  # Cyrillic and Greek letters that look like Latin ones
    "АВЕЅІЈКМНОРСТХаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧοѵ", "ABESIJKMHOPCTXaeopcyxijsABEZHIKMNOPTYXov"
)


def read_font(name: str = TEXT_FONT) -> bytes:
    """Return the TrueType file of a typeface."""
    with open(f"{__file__.removesuffix('typeface.py')}font/{name}", "rb") as file:
        return file.read()


def has_all_signs(text: str, name: str = TEXT_FONT) -> bool:
    """Whether a typeface has every character of a text."""
    return font_signs(name).issuperset(text)


def plate_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the seats' names for pictures: the name if it can be drawn, otherwise the seat's letter.

    Layouts shorten names to the room they have (`letters.fit_text`). Names with equal beginnings, and names that look
    like the letter of a seat, are replaced by letters, too.
    """
    drawable = [_drawable(name) for name in names]
    read = [begun(name).translate(_LOOKALIKES).casefold() for name in drawable]
    taken = SEAT_LETTERS.casefold()
    return tuple(
        letter if looks in taken or read.count(looks) > 1 else name
        for letter, name, looks in zip(SEAT_LETTERS, drawable, read, strict=False)
    )


def begun(name: str) -> str:
    """Return the beginning of a name, which distinguishes it from the others."""
    return name[:MAX_PLATE_NAME].strip()


@cache
def font_signs(name: str = TEXT_FONT) -> frozenset[str]:
    """Return all characters of a typeface, from its 16-bit `cmap` table."""
    font = read_font(name)
    start = _table_offset(font, b"cmap")
    (count,) = unpack_from(">H", font, start + 2)
    offsets = {unpack_from(">I", font, start + 8 + 8 * i)[0] for i in range(count)}
    found: set[int] = set()
    for at in (start + offset for offset in offsets):
        if unpack_from(">H", font, at)[0] == 4:
            found.update(_code_points(font, at))
    return frozenset(map(chr, found))


def _drawable(name: str) -> str:
    """Return a name up to its first character without a glyph; empty if that is at the beginning."""
    whole = " ".join(unicodedata.normalize("NFC", name).split())
    if has_all_signs(whole):
        return whole
    start, rest = whole[:MAX_PLATE_NAME], whole[MAX_PLATE_NAME:]
    torn = rest and unicodedata.category(rest[0]) in ("Mn", "Me", "Mc", "Cf")
    return f"{start.strip()}{ELLIPSIS}" if has_all_signs(start) and not torn else ""


def _table_offset(font: bytes, name: bytes) -> int:
    """Return the offset of a table in the font file."""
    (count,) = unpack_from(">H", font, 4)
    entries = (unpack_from(">4sIII", font, 12 + 16 * i) for i in range(count))
    return next(int(offset) for tag, _, offset, _ in entries if tag == name)


def _code_points(font: bytes, offset: int) -> set[int]:
    """Return the code points of a format 4 table."""
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
