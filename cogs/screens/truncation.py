"""Shorten text without breaking what a reader sees as one character, such as emoji families and accents."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

ELLIPSIS = "…"
_JOINER = "\N{ZERO WIDTH JOINER}"
_EXTENDING = frozenset({"Mn", "Me", "Mc", "Cf"})  # accents, variation selectors, joiners, tags
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)  # two of these letters are a flag
_JAMO = range(0x1160, 0x1200)  # the vowels and finals of a Korean syllable


def truncate(text: str, max_size: int, measure: Callable[[str], int] = len) -> str:
    """Return the text; if it is too long, cut it and add an ellipsis."""
    if measure(text) <= max_size:
        return text
    start, room = "", max_size - measure(ELLIPSIS)
    for character in split_characters(text):
        room -= measure(character)
        if room < 0:
            break
        start += character
    return start.rstrip() + ELLIPSIS


def first_fitting(max_length: int, *wordings: str) -> str:
    """Return the first wording that is short enough; if none is, the last one, truncated."""
    return next((wording for wording in wordings if len(wording) <= max_length), None) or truncate(
        wordings[-1], max_length
    )


def utf16_length(text: str) -> int:
    """Return the length of a text as Discord counts it in names: in UTF-16 units; an emoji has two or more."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def split_characters(text: str) -> list[str]:
    """Split a text into what a reader sees as single characters (grapheme clusters, roughly)."""
    found: list[str] = []
    for point in text:
        if found and _extends_character(found[-1], point):
            found[-1] += point
        else:
            found.append(point)
    return found


def _extends_character(before: str, point: str) -> bool:
    """Whether a code point belongs to the character before it."""
    code = ord(point)
    if before.endswith(_JOINER) or code in _SKIN_TONES or code in _JAMO:
        return True
    if code in _FLAG_LETTERS:
        return len(before) == 1 and ord(before) in _FLAG_LETTERS
    return unicodedata.category(point) in _EXTENDING
