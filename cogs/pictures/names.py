"""Which signs the typeface of the pictures has, and how seats are named by them. Without Pillow: screens ask, too."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from struct import unpack_from

LETTERS = "ABCDEF"
LONGEST = 8  # signs of a name on a plate
_ALIKE = str.maketrans(  # Cyrillic and Greek letters that look like Latin ones
    "АВЕЅІЈКМНОРСТХаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧοѵ", "ABESIJKMHOPCTXaeopcyxijsABEZHIKMNOPTYXov"
)


def font_file() -> bytes:
    """The typeface, as TrueType."""
    with open(__file__.removesuffix("names.py") + "font/NotoSans.ttf", "rb") as file:
        return file.read()


def covered(text: str) -> bool:
    """Whether our typeface has every sign of a text."""
    return signs().issuperset(text)


def plate_names(names: Sequence[str]) -> tuple[str, ...]:
    """How each seat is called in pictures: the beginning of its name, else its letter.

    That is where a sign is missing, nothing is seen of it, or two would read alike (or as the letter of another seat).
    """
    short = [_short(name) for name in names]
    read = [name.translate(_ALIKE).casefold() for name in short]
    taken = LETTERS.casefold()
    return tuple(
        letter if looks in taken or read.count(looks) > 1 else name
        for letter, name, looks in zip(LETTERS, short, read, strict=False)
    )


@cache
def signs() -> frozenset[str]:
    """All signs of the typeface, from the table in which it lists them (`cmap`, of the format that has 16 bits)."""
    font = font_file()
    start = _table(font, b"cmap")
    (count,) = unpack_from(">H", font, start + 2)
    offsets = {unpack_from(">I", font, start + 8 + 8 * i)[0] for i in range(count)}
    found: set[int] = set()
    for at in (start + offset for offset in offsets):
        if unpack_from(">H", font, at)[0] == 4:
            found.update(_listed(font, at))
    return frozenset(map(chr, found))


def _short(name: str) -> str:
    """A name to so many signs; nothing where one of them is missing, or would be torn."""
    whole = " ".join(unicodedata.normalize("NFC", name).split())
    kept, rest = whole[:LONGEST], whole[LONGEST:]
    torn = rest and unicodedata.category(rest[0]) in ("Mn", "Me", "Mc", "Cf")
    return kept.strip() if covered(kept) and not torn else ""


def _table(font: bytes, name: bytes) -> int:
    """Where a table begins."""
    (count,) = unpack_from(">H", font, 4)
    entries = (unpack_from(">4sIII", font, 12 + 16 * i) for i in range(count))
    return next(int(offset) for tag, _, offset, _ in entries if tag == name)


def _listed(font: bytes, at: int) -> set[int]:
    """The code points that a table of format 4 lists, in segments."""
    (doubled,) = unpack_from(">H", font, at + 6)
    ends, starts, deltas, ranges = (at + 14, at + 16 + doubled, at + 16 + 2 * doubled, at + 16 + 3 * doubled)
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
