"""Which characters the bot and the playground show, and the fonts in which the screenshots show them.

The list is closed: anyone who shows a new symbol adds it here, and a test then looks it up in the fonts.
"""

from __future__ import annotations

import shutil
import subprocess
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

PACKAGES: Final = {"DejaVu Sans": "fonts-dejavu-core", "Noto Color Emoji": "fonts-noto-color-emoji"}
"""The fonts of the screenshots, and the Debian package that each is in."""

LETTERS: Final = frozenset(map(chr, (*range(0x20, 0x7F), *range(0xA1, 0x251))))
SYMBOLS: Final = frozenset("–—…‘’“”⁴⁶≈≠≤≥−←↑→↓↗›★☆✓✅⚠⏳⏮⏭▶◀♣♦♥♠🃏🎁🎭🎲🎴🎠🐓🐘🐭🚪🟥🟦🟩🟪🤖🦎🧙")
_UNSEEN: Final = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
_SELECTOR: Final = "\N{VARIATION SELECTOR-16}"


def unlisted(text: str) -> set[str]:
    return _visible_characters(text) - LETTERS - SYMBOLS


def without_glyph(text: str) -> set[str]:
    """The characters of a text that no font of the screenshots has."""
    return _visible_characters(text) - _in_fonts()


def missing_packages() -> list[str]:
    if shutil.which("fc-match") is None:
        return ["fontconfig", *PACKAGES.values()]
    return [package for font, package in PACKAGES.items() if _charset(font) is None]


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from strings(list(value.values()))
    elif isinstance(value, Iterable):
        for part in value:
            yield from strings(part)


def _visible_characters(text: str) -> set[str]:
    """The characters of a text that need a glyph: no spaces, and nothing that only tells how others are shown."""
    return {one for one in set(text) if one != _SELECTOR and unicodedata.category(one) not in _UNSEEN}


@cache
def _in_fonts() -> frozenset[str]:
    return frozenset(chr(point) for font in PACKAGES for span in _charset(font) or () for point in span)


def _charset(font: str) -> list[range] | None:
    """The code points of an installed font; None if it is not installed."""
    command = ["fc-match", "--format=%{family}\n%{charset}", font]
    family, charset = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    if font not in family.split(","):
        return None  # fontconfig names the nearest font it has
    ends = [[int(end, 16) for end in span.split("-")] for span in charset.split()]
    return [range(span[0], span[-1] + 1) for span in ends]
