"""Names of people, made safe to stand in a message."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from cogs.pictures.raster.typeface import MAX_PLATE_NAME as SIGNS
from cogs.pictures.raster.typeface import begun, plate_names
from cogs.screens.screen import MASS_MENTION
from cogs.screens.truncation import split_characters, truncate
from cogs.screens.words import BIDI_ISOLATE, BIDI_RELEASE, COMPUTER_MARK
from engines.kit.seats import letter
from engines.store.match_store import Seat

MAX_NAME_LENGTH = 32
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"  # in families of emoji, in Persian words
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")  # letters and signs that show nothing
_LATER = range(0x1F000, 0x1FB00)  # emoji, some of them younger than this Python's tables
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f")  # of a part of a country
_MARKS = re.compile(r"[\\*_~|`<>#\-+\[\]:/@]|\.(?=\S)|(?<=\d)\.")  # what begins anything in markdown, or an address


def clean_name(name: str, longest: int = MAX_NAME_LENGTH, fallback: str = "Somebody") -> str:
    """A display name without control, format and line characters, and not too long; `instead` where nothing is seen.

    What joins emoji and letters to one character stays where it does so.
    """
    spared = {place for flag in _FLAG.finditer(name) for place in range(*flag.span())}
    kept = "".join(_visible_character(c, place in spared) for place, c in enumerate(name))
    short = _drop_stray_joiners(_cut_name(" ".join(_drop_stray_joiners(kept).split()), longest)).strip()
    return short if any(unicodedata.category(c)[0] not in "MZC" or ord(c) in _LATER for c in short) else fallback


def strip_invisible(text: str) -> str:
    """What somebody has typed, without characters that show nothing or turn what stands around them."""
    return "".join(_visible_character(character, spared=False) for character in text)


def _visible_character(character: str, spared: bool) -> str:
    if character in _BLANKS:
        return " "
    return character if spared or character in _JOINERS or unicodedata.category(character) not in _HIDDEN else ""


def _drop_stray_joiners(name: str) -> str:
    """The name without joiners that join nothing: at an end, beside a space, beside each other, or in plain letters."""
    return "".join(
        c
        for place, c in enumerate(name)
        if c not in _JOINERS or _is_joining(name[place - 1 : place], name[place + 1 :][:1])
    )


def _is_joining(before: str, after: str) -> bool:
    return all(c and c > "\x7f" and not c.isspace() and c not in _JOINERS for c in (before, after))


def _cut_name(name: str, longest: int) -> str:
    """As many whole characters of a name as fit; of one that is longer by itself, its beginning."""
    kept = ""
    for character in split_characters(name):
        if len(kept) + len(character) > longest:
            break
        kept += character
    return kept or name[:longest]


def markdown_name(name: str) -> str:
    """A cleaned name as it may stand in markdown: no formatting, no links, no mentions."""
    turned = any(unicodedata.bidirectional(c) in {"R", "AL"} for c in name)
    return f"{BIDI_ISOLATE}{escape_markdown(name)}{BIDI_RELEASE}" if turned else escape_markdown(name)


def seat_name(seat: Seat) -> str:
    """Whoever sits there, as it may stand in markdown, with a mark where a computer plays."""
    return mark_computer(markdown_name(seat.name), seat)


def mark_computer(name: str, seat: Seat) -> str:
    """A name for a seat, with a mark where a computer plays."""
    return f"{name} {COMPUTER_MARK}" if seat.level else name


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names for a line of news: in eight signs; after the letter, where pictures show that instead of the name."""
    return tuple(
        markdown_name(begun(plate))
        if plate != letter(seat) or name == plate
        else f"{plate} {markdown_name(truncate(name, SIGNS))}"
        for seat, (name, plate) in enumerate(zip(names, plate_names(names), strict=True))
    )


def escape_markdown(text: str) -> str:
    """A text with nothing in it that markdown, or Discord looking for mentions and addresses, makes something of."""
    return _MARKS.sub(r"\\\g<0>", MASS_MENTION.sub("@\u200b", text))
